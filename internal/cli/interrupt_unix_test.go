//go:build unix

package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// The second Ctrl-C ends the program at once, also where a part does not stop after the first.
func TestSecondInterrupt(t *testing.T) {
	const part = "CATENA_TEST_PART_THAT_DOES_NOT_STOP"
	if os.Getenv(part) != "" {
		ctx, stop := interruptible()
		defer stop()
		fmt.Println("runs")
		<-ctx.Done()
		for fmt.Println("interrupted"); ; time.Sleep(time.Second) {
		}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSecondInterrupt$")
	cmd.Env = append(os.Environ(), part+"=1")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	lines := bufio.NewScanner(out)
	for _, want := range []string{"runs", "interrupted"} {
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("it says %q, not %q", lines.Text(), want)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for waits := true; waits; { // the signal is let go of a moment after the first has ended the context
		select {
		case err = <-ended:
			waits = false
		case <-time.After(20 * time.Millisecond):
			_ = cmd.Process.Signal(os.Interrupt)
		}
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGINT {
		t.Error("it ended by", exit)
	}
}
