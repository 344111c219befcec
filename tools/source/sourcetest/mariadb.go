package sourcetest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	_ "github.com/go-sql-driver/mysql" // the driver "mysql"
)

// MariaDB is a real MariaDB on 127.0.0.1, for one test, with a database shop.
type MariaDB struct{ server }

// StartMariaDB starts a server as StartPostgres does.
func StartMariaDB(t testing.TB) *MariaDB {
	t.Helper()
	m := &MariaDB{newServer(t, "mysql")}
	find := func(name string) string {
		for _, path := range []string{name, "/usr/sbin/" + name} {
			if found, err := exec.LookPath(path); err == nil {
				return found
			}
		}
		t.Fatalf("%s is needed (apt-get install mariadb-server)", name)
		return ""
	}
	small := []string{"--no-defaults", "--datadir=" + filepath.Join(m.dir, "data"), "--innodb-log-file-size=4M",
		"--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0"}
	m.prepare(append([]string{find("mariadb-install-db")}, append(small, "--auth-root-authentication-method=normal",
		"--skip-test-db", "--skip-name-resolve")...)...)
	m.crash, m.command = "KILL", append([]string{find("mariadbd")}, append(small, "--bind-address=127.0.0.1", "--port="+m.Port,
		"--socket="+filepath.Join(m.dir, "socket"), "--character-set-server=utf8mb4", "--skip-name-resolve")...)
	m.open("mysql", fmt.Sprintf("root@tcp(127.0.0.1:%s)/mysql", m.Port))
	m.DB.SetMaxOpenConns(1)
	m.Do("CREATE DATABASE shop CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci", "USE shop")
	return m
}

// As is the address of a user.
func (m *MariaDB) As(user, password string) string {
	return fmt.Sprintf("mysql://%s:%s@127.0.0.1:%s/shop", user, password, m.Port)
}
