//go:build unix

package config

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// The program of a secret, and what it started, end with whoever reads the settings.
func TestSecretCommandEnds(t *testing.T) {
	for name, script := range map[string]string{
		"the program":     "echo started\nexec sleep 1000",
		"what it started": "{ echo started; exec sleep 1000; } &\nwait",
	} {
		t.Run(name, func(t *testing.T) {
			if name == "what it started" && atTerminal() {
				t.Skip("a program that may ask at a terminal has no group of its own")
			}
			dir := t.TempDir()
			heard, program := filepath.Join(dir, "heard"), filepath.Join(dir, "program")
			if err := errors.Join(syscall.Mkfifo(heard, 0o600), os.WriteFile(program, []byte("exec >"+heard+"\n"+script+"\n"), 0o600)); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() {
				_, err := Load(ctx, defaults(t), "", []string{"PATH=" + os.Getenv("PATH"), "CATENA_ACCESS_KEY=command:sh " + program}, nil)
				ended <- err
			}()
			f, err := os.Open(heard)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			in := bufio.NewReader(f)
			if line, err := in.ReadString('\n'); line != "started\n" || err != nil {
				t.Fatalf("%q %v", line, err)
			}
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
			if rest, err := io.ReadAll(in); err != nil || len(rest) > 0 { // ends when nobody has it open any more
				t.Errorf("%q %v", rest, err)
			}
		})
	}
}
