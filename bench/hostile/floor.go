package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// standIn is a server, in a process of its own, that does the least that one can do under the attack: see serveStandIn. What honest messages
// take while it is attacked in place of the program is what the machine takes for the attackers and for their connections.
type standIn struct {
	cmd  *exec.Cmd
	in   io.Closer
	host string
}

// newStandIn starts this program again as the server.
func newStandIn(ctx context.Context) (*standIn, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-stand-in") //nolint:gosec // it is this program
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	host, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the server in place of the program: %w", err), in.Close(), cmd.Wait())
	}
	return &standIn{cmd: cmd, in: in, host: strings.TrimSpace(host)}, nil
}

// end ends the process.
func (s *standIn) end() error {
	return errors.Join(s.in.Close(), s.cmd.Wait())
}

// Times and sizes of that server are the program's.
const (
	standInHeaders = 10 * time.Second
	standInBody    = 30 * time.Second
	standInMost    = 25 << 20 // bytes of a body
)

// serveStandIn tells where it listens and serves until in ends. A body is read as far as it is not too long, and refused; whoever asks for something
// is sent a status, and nothing more.
func serveStandIn(ctx context.Context, in io.Reader, out io.Writer) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &http.Server{Handler: http.HandlerFunc(leastAnswer), ReadHeaderTimeout: standInHeaders}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	if _, err = fmt.Fprintln(out, l.Addr()); err == nil {
		_, err = io.Copy(io.Discard, in)
	}
	err = errors.Join(err, s.Close())
	if cause := <-ended; !errors.Is(cause, http.ErrServerClosed) {
		err = errors.Join(err, cause)
	}
	return err
}

func leastAnswer(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	if r.Method == http.MethodGet {
		w.WriteHeader(http.StatusOK)
		if control.Flush() == nil {
			<-r.Context().Done()
		}
		return
	}
	_ = control.SetReadDeadline(time.Now().Add(standInBody)) // a connection has one
	w.Header().Set("Connection", "close")
	if r.ContentLength <= standInMost {
		_, _ = io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, standInMost)) // it is refused in any case
	}
	w.WriteHeader(http.StatusRequestEntityTooLarge)
}
