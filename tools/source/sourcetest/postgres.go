// Package sourcetest starts real database servers for tests.
package sourcetest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// Postgres is a real PostgreSQL on 127.0.0.1, for one test.
type Postgres struct {
	server
	URL string // of its owner, who may do everything
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
	p := &Postgres{server: newServer(t, "postgres")}
	p.prepare(program(t, "initdb"), "-D", filepath.Join(p.dir, "data"), "-U", "owner", "-A", "trust", "-E", "UTF8",
		"--locale=C.UTF-8", "--no-sync")
	p.crash, p.command = "QUIT", []string{program(t, "postgres"), "-D", filepath.Join(p.dir, "data"), "-c", "listen_addresses=127.0.0.1",
		"-c", "port=" + p.Port, "-c", "unix_socket_directories=", "-c", "fsync=off"}
	p.URL = fmt.Sprintf("postgres://owner@127.0.0.1:%s/postgres", p.Port)
	p.open("pgx", p.URL)
	return p
}

// As is the server's address for another user.
func (p *Postgres) As(user, password string) string {
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%s/postgres", user, password, p.Port)
}
