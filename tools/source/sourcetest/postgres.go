// Package sourcetest starts real database servers for tests.
package sourcetest

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// Postgres is a real PostgreSQL on 127.0.0.1, for one test.
type Postgres struct {
	URL  string // of its owner, who may do everything
	Port string
	DB   *sql.DB // of its owner

	t     testing.TB
	dir   string
	stdin io.Closer
	ended chan struct{}
}

// program finds a program of PostgreSQL, which Debian keeps out of PATH.
func program(t testing.TB, name string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name) // the pattern is well formed
	if len(found) == 0 {
		t.Fatalf("%s is needed (apt-get install postgresql)", name)
	}
	return slices.Max(found)
}

// StartPostgres starts a server with a folder of its own. It does not run as root: where the test does, it runs as the
// user postgres. It ends with the test, and with the test's process. That there is none is a failure.
func StartPostgres(t testing.TB) *Postgres {
	t.Helper()
	dir, err := os.MkdirTemp("", "postgres")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p := &Postgres{t: t, dir: dir, Port: freePort(t)}
	as := p.asUser()
	run := exec.CommandContext(
		t.Context(),
		as[0],
		append(as[1:], program(t, "initdb"), "-D", filepath.Join(dir, "data"), "-U", "owner", "-A", "trust",
			"-E", "UTF8", "--locale=C.UTF-8", "--no-sync")...)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	p.URL = fmt.Sprintf("postgres://owner@127.0.0.1:%s/postgres", p.Port)
	if p.DB, err = sql.Open("pgx", p.URL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.DB.Close(); p.Stop() })
	p.Start()
	return p
}

// asUser is the beginning of a command that runs as a user who is not root.
func (p *Postgres) asUser() []string {
	if os.Geteuid() != 0 {
		return []string{"env"}
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		p.t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	if err := os.Chown(p.dir, uid, -1); err != nil {
		p.t.Fatal(err)
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
func (p *Postgres) Start() {
	p.t.Helper()
	server := append(
		p.asUser(),
		program(p.t, "postgres"),
		"-D",
		filepath.Join(p.dir, "data"),
		"-c",
		"listen_addresses=127.0.0.1",
		"-c",
		"port="+p.Port,
		"-c",
		"unix_socket_directories=",
		"-c",
		"fsync=off",
	)
	// The shell ends the server when its input ends, which happens with this process, however that ends.
	const script = `"$@" </dev/null >"$0/log" 2>&1 & read -r _; kill -QUIT $! 2>/dev/null; wait`
	cmd := exec.CommandContext(context.Background(), "sh", append([]string{"-c", script, p.dir}, server...)...)
	cmd.Dir = p.dir
	stdin, err := cmd.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.stdin, p.ended = stdin, make(chan struct{})
	go func() {
		_ = cmd.Wait() // how the shell ended says nothing
		close(p.ended)
	}()
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if err = p.DB.PingContext(p.t.Context()); err == nil {
			return
		}
		if time.Now().After(until) {
			log, _ := os.ReadFile(filepath.Join(p.dir, "log")) // empty says nothing, either
			p.t.Fatalf("the server does not answer: %v\n%s", err, log)
		}
	}
}

// Stop ends the server at once, as a crash does.
func (p *Postgres) Stop() {
	if p.stdin != nil {
		_ = p.stdin.Close()
		<-p.ended
		p.stdin = nil
	}
}

// Do runs statements as the owner, and fails the test when one is refused.
func (p *Postgres) Do(statements ...string) {
	p.t.Helper()
	for _, s := range statements {
		if _, err := p.DB.ExecContext(p.t.Context(), s); err != nil {
			p.t.Fatalf("%s: %v", s, err)
		}
	}
}

// As is the server's address for another user.
func (p *Postgres) As(user, password string) string {
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%s/postgres", user, password, p.Port)
}
