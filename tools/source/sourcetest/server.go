package sourcetest

import (
	"context"
	"database/sql"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// server is a program that listens on 127.0.0.1, for one test.
type server struct {
	Port string
	DB   *sql.DB // of its owner

	t       testing.TB
	dir     string
	user    string // as whom it runs where the test is root
	command []string
	crash   string // the signal that ends it at once, with all of its processes
	stdin   io.Closer
	ended   chan struct{}
}

func newServer(t testing.TB, user string) server {
	t.Helper()
	dir, err := os.MkdirTemp("", user)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return server{t: t, dir: dir, user: user, Port: freePort(t)}
}

// prepare runs what makes the server's folder.
func (s *server) prepare(command ...string) {
	s.t.Helper()
	as := append(s.asUser(), command...)
	run := exec.CommandContext(s.t.Context(), as[0], as[1:]...)
	run.Dir = s.dir
	if out, err := run.CombinedOutput(); err != nil {
		s.t.Fatalf("%s: %v\n%s", command[0], err, out)
	}
}

// open starts the server and connects to it.
func (s *server) open(driver, address string) {
	s.t.Helper()
	var err error
	if s.DB, err = sql.Open(driver, address); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = s.DB.Close(); s.Stop() })
	s.Start()
}

// asUser is the beginning of a command that runs as a user who is not root.
func (s *server) asUser() []string {
	if os.Geteuid() != 0 {
		return []string{"env"}
	}
	u, err := user.Lookup(s.user)
	if err != nil {
		s.t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	if err := os.Chown(s.dir, uid, -1); err != nil {
		s.t.Fatal(err)
	}
	return []string{"setpriv", "--reuid=" + u.Uid, "--regid=" + u.Gid, "--clear-groups"}
}

func freePort(t testing.TB) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// Start starts the server, also again on the same port after Stop.
func (s *server) Start() {
	s.t.Helper()
	// The shell ends the server when its input ends, which happens with this process, however that ends.
	const script = `crash=$1; shift; "$@" </dev/null >"$0/log" 2>&1 & read -r _; kill -"$crash" $! 2>/dev/null; wait`
	args := append([]string{"-c", script, s.dir, s.crash}, append(s.asUser(), s.command...)...)
	cmd := exec.CommandContext(context.Background(), "sh", args...)
	cmd.Dir = s.dir
	stdin, err := cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.stdin, s.ended = stdin, make(chan struct{})
	go func() {
		_ = cmd.Wait() // how the shell ended says nothing
		close(s.ended)
	}()
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if err = s.DB.PingContext(s.t.Context()); err == nil {
			return
		}
		if time.Now().After(until) {
			log, _ := os.ReadFile(filepath.Join(s.dir, "log")) // empty says nothing, either
			s.t.Fatalf("the server does not answer: %v\n%s", err, log)
		}
	}
}

// Stop ends the server at once, as a crash does.
func (s *server) Stop() {
	if s.stdin != nil {
		_ = s.stdin.Close()
		<-s.ended
		s.stdin = nil
	}
}

// Do runs statements as the owner, and fails the test when one is refused.
func (s *server) Do(statements ...string) {
	s.t.Helper()
	for _, text := range statements {
		if _, err := s.DB.ExecContext(s.t.Context(), text); err != nil {
			s.t.Fatalf("%s: %v", text, err)
		}
	}
}
