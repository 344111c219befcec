package sqlite

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/store"
)

// TestOpenForeign: what no Catena of a known version wrote is told of, and stays as it is.
func TestOpenForeign(t *testing.T) {
	own := func(t *testing.T, path string) {
		t.Helper()
		s, err := Open(t.Context(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		what, script, want string
		own                bool
	}{
		{"of another program", "CREATE TABLE mine (x); INSERT INTO mine VALUES (1)", "another program", false},
		{"of another program, with a version", "CREATE TABLE mine (x); PRAGMA user_version = 3", "it lacks sessions", false},
		{"a version below zero", "PRAGMA user_version = -5", "another program", true},
		{"no version", "PRAGMA user_version = 0", "another program", true},
		{"a newer one", "PRAGMA user_version = 99", "newer Catena", true},
		{"without a table", "DROP TABLE turns", "it lacks turns", true},
		{"without an index", "DROP INDEX runs_open", "it lacks runs_open", true},
		{"without a trigger", "DROP TRIGGER handle_put", "it lacks handle_put", true},
	} {
		path := filepath.Join(t.TempDir(), "s.db")
		if c.own {
			own(t, path)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.Exec(c.script)
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), path, store.Options{})
		var file *store.FileError
		if !errors.As(err, &file) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.what, err)
			if err == nil {
				_ = s.Close()
			}
			continue
		}
		after, err := os.ReadFile(path)
		if err != nil || tables(t, before) != tables(t, after) {
			t.Errorf("%s: it was changed: %v", c.what, err)
		}
	}
}

// tables are the names in a database.
func tables(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var names string
	if err := db.QueryRow("SELECT group_concat(name) FROM sqlite_schema").Scan(&names); err != nil {
		t.Fatal(err)
	}
	return names
}

// TestOpenEmptied: a store that was cut to no bytes is not begun anew, and the log beside it stays.
func TestOpenEmptied(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, err := Open(t.Context(), path, store.Options{ReserveBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), os.Truncate(path, 0)); err != nil {
		t.Fatal(err)
	}
	var file *store.FileError
	if _, err := Open(t.Context(), path, store.Options{ReserveBytes: 1 << 20}); !errors.As(err, &file) || !strings.Contains(err.Error(), "was a store before") {
		t.Error(err)
	}
	log := path + "-wal"
	if err := errors.Join(os.Remove(filepath.Join(filepath.Dir(path), reserveName)), os.WriteFile(log, []byte("what was acknowledged"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, store.Options{}); !errors.As(err, &file) {
		t.Error(err)
	}
	if left, err := os.ReadFile(log); err != nil || len(left) == 0 {
		t.Error("the log is gone", err)
	}
	if err := errors.Join(os.Remove(log), os.Remove(path)); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(t.Context(), path, store.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
