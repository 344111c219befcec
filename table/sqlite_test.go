package table

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// database makes a SQLite file of statements.
func database(t *testing.T, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "some.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func names(list []Named) string {
	var out []string
	for _, n := range list {
		out = append(out, n.Name)
	}
	return strings.Join(out, " ")
}

// What cannot be read of a database is named, and the rest loads.
func TestSQLiteLeavesOut(t *testing.T) {
	path := database(t,
		"CREATE TABLE a (x INT)", "INSERT INTO a VALUES (1)",
		"CREATE TABLE b (x INT)", "INSERT INTO b VALUES (1), (2), (3)",
		"CREATE TABLE gone (x INT)", "CREATE VIEW broken AS SELECT x FROM gone", "CREATE VIEW good AS SELECT x + 1 AS y FROM a", "DROP TABLE gone")
	got, err := loadSQLite(context.Background(), path, Limits{Rows: 2})
	if names(got) != "a good" {
		t.Errorf("loaded %q", names(got))
	}
	var format *FormatError
	if !errors.As(err, &format) {
		t.Fatalf("got %v, want a FormatError", err)
	}
	for _, want := range []string{`the table "b" was left out: it has more than 2 rows`, `the view "broken" was left out`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %q", want, err)
		}
	}
	if strings.Contains(err.Error(), "check that it is a SQLite file") {
		t.Errorf("the file is sound: %v", err)
	}
}

// A view that computes without end is stopped.
func TestSQLiteEndlessView(t *testing.T) {
	path := database(t, "CREATE TABLE a (x INT)", "INSERT INTO a VALUES (1)",
		"CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
		"CREATE VIEW silent AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0")
	got, err := loadSQLite(context.Background(), path, Limits{})
	if names(got) != "a" || err == nil {
		t.Fatalf("loaded %q, %v", names(got), err)
	}
	for _, want := range []string{`the view "endless" was left out`, `the view "silent" was left out: it takes longer than 2s`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %q", want, err)
		}
	}
}
