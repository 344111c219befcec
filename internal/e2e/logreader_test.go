//go:build unix

package e2e

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestLogReaderEnds: a server goes on when whoever reads its log, and what it printed, has gone.
func TestLogReaderEnds(t *testing.T) {
	log, logEnd, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "catena", "serve", "--store", t.TempDir(), "--listen", "127.0.0.1:0")
	cmd.Stderr = logEnd
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, found := strings.Cut(strings.TrimSpace(line), ": ")
	if err != nil || !found {
		t.Fatal(line, err)
	}
	for _, c := range []io.Closer{out, log, logEnd} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 { // each writes a line of the log
		resp, err := http.Get(address + "/api/v1/sessions")
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	end := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
	defer end.Stop()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
