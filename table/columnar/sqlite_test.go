package columnar_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/columnar"
)

// database makes a SQLite file of statements.
func database(t testing.TB, statements ...string) string {
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

func namesOf(list []table.Named) string {
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
	got, err := columnar.ReadSQLite(context.Background(), path, table.Limits{Rows: 2})
	if namesOf(got) != "a good" {
		t.Errorf("loaded %q", namesOf(got))
	}
	var format *table.FormatError
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
	got, err := columnar.ReadSQLite(context.Background(), path, table.Limits{})
	if namesOf(got) != "a" || err == nil {
		t.Fatalf("loaded %q, %v", namesOf(got), err)
	}
	for _, want := range []string{`the view "endless" was left out`, `the view "silent" was left out: it takes longer than 2s`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %q", want, err)
		}
	}
}

// Generated columns are columns.
func TestSQLiteGeneratedColumns(t *testing.T) {
	path := database(t, "CREATE TABLE a (price INT, n INT, total INT AS (price * n), twice INT AS (price * 2) STORED)", "INSERT INTO a (price, n) VALUES (3, 4)")
	got, err := columnar.ReadSQLite(t.Context(), path, table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if tab := got[0].Table; tab.NumCols() != 4 || tab.Value(0, 2).Text() != "12" || tab.Value(0, 3).Text() != "6" {
		t.Errorf("loaded %d columns: %v", tab.NumCols(), tab.Columns())
	}
}

// What a database declares of keys comes with its tables.
func TestSQLiteKeys(t *testing.T) {
	path := database(t,
		"CREATE TABLE film (mid INT PRIMARY KEY, title TEXT)", "INSERT INTO film VALUES (1, 'a')",
		"CREATE TABLE part (id INT, msid INT REFERENCES Film, gone INT REFERENCES nowhere (x), PRIMARY KEY (id, msid))",
		"INSERT INTO part VALUES (1, 1, 1)",
		"CREATE TABLE line (n INT, of INT, m INT, FOREIGN KEY (of, m) REFERENCES part (id, msid), FOREIGN KEY (n) REFERENCES part)",
		"INSERT INTO line VALUES (1, 1, 1)", "CREATE VIEW seen AS SELECT * FROM line")
	got, err := columnar.ReadSQLite(t.Context(), path, table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]table.Declared{
		"film": {Keys: [][]string{{"mid"}}},
		"part": {
			Keys:       [][]string{{"id", "msid"}},
			References: []table.Reference{{Columns: []string{"msid"}, Table: "film", Of: []string{"mid"}}},
		},
		"line": {
			References: []table.Reference{{Columns: []string{"of", "m"}, Table: "part", Of: []string{"id", "msid"}}},
		},
		"seen": {},
	}
	for _, n := range got {
		if diff := cmp.Diff(want[n.Name], n.Report.Declared); diff != "" {
			t.Errorf("%s: %s", n.Name, diff)
		}
	}
}

// beside lists what stands in the folder of a file.
func beside(t *testing.T, path string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// Reading makes no file beside a database and changes none, whatever its journal; what stands in a write-ahead log is read.
func TestSQLiteLeavesNothingBeside(t *testing.T) {
	t.Run("log mode", func(t *testing.T) {
		path := database(t, "PRAGMA journal_mode = wal", "CREATE TABLE a (x INT)", "INSERT INTO a VALUES (1)")
		got, err := columnar.ReadSQLite(t.Context(), path, table.Limits{})
		if namesOf(got) != "a" || err != nil {
			t.Errorf("loaded %q, %v", namesOf(got), err)
		}
		if diff := cmp.Diff([]string{"some.db"}, beside(t, path)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a log with rows", func(t *testing.T) {
		path := database(t, "PRAGMA journal_mode = wal", "CREATE TABLE a (x INT)", "INSERT INTO a VALUES (1)")
		writer, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer writer.Close()
		writer.SetMaxOpenConns(1)
		if _, err := writer.Exec("INSERT INTO a VALUES (2)"); err != nil {
			t.Fatal(err)
		}
		before := beside(t, path)
		log, err := os.ReadFile(path + "-wal")
		if err != nil || len(log) == 0 {
			t.Fatalf("a log of %d bytes, %v", len(log), err)
		}
		got, err := columnar.ReadSQLite(t.Context(), path, table.Limits{})
		if err != nil || got[0].Table.NumRows() != 2 {
			t.Fatalf("loaded %q, %v", namesOf(got), err)
		}
		after, err := os.ReadFile(path + "-wal")
		if diff := cmp.Diff(before, beside(t, path)); diff != "" || err != nil || !bytes.Equal(log, after) {
			t.Errorf("%v %s: the log had %d bytes and has %d", err, diff, len(log), len(after))
		}
	})
	t.Run("a change that was not ended", func(t *testing.T) {
		path := database(t, "CREATE TABLE a (x INT)", "INSERT INTO a VALUES (1)")
		writer, err := sql.Open("sqlite", path+"?_pragma=cache_size(1)&_pragma=cache_spill(1)")
		if err != nil {
			t.Fatal(err)
		}
		defer writer.Close()
		writer.SetMaxOpenConns(1)
		for _, s := range []string{"BEGIN", "UPDATE a SET x = 2", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO a SELECT i FROM n"} {
			if _, err := writer.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
		before := beside(t, path)
		got, err := columnar.ReadSQLite(t.Context(), path, table.Limits{})
		if err != nil || got[0].Table.NumRows() != 1 || got[0].Table.Value(0, 0).Text() != "1" {
			t.Errorf("loaded %v, %v", got, err)
		}
		if diff := cmp.Diff(before, beside(t, path)); diff != "" || len(before) != 2 {
			t.Errorf("%v %s", before, diff)
		}
	})
}

// A database of too many tables gives the first ones, and says so.
func TestSQLiteTooManyTables(t *testing.T) {
	path := database(t, "CREATE TABLE a (x)", "CREATE TABLE b (x)", "CREATE VIEW c AS SELECT 1 AS y")
	got, err := columnar.ReadSQLite(t.Context(), path, table.Limits{Tables: 2})
	if namesOf(got) != "a b" {
		t.Errorf("loaded %q", namesOf(got))
	}
	wantOver(t, err, table.LimitTables)
}

// What cells unfold to is counted before any is taken over.
func TestSQLiteUnfolds(t *testing.T) {
	wide := make([]string, 400)
	for i := range wide {
		wide[i] = fmt.Sprintf("zeroblob(1000000) AS c%d", i)
	}
	for name, statements := range map[string][]string{
		"a blob of a view":          {"CREATE VIEW v AS SELECT zeroblob(1000000000) AS x"},
		"many blobs of a view":      {"CREATE VIEW v AS SELECT " + strings.Join(wide, ", ")},
		"rows of a view":            {"CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT zeroblob(1000000) AS x FROM n"},
		"random blobs of a view":    {"CREATE VIEW v AS SELECT zeroblob(abs(random() % 1000000000)) AS x"},
		"a text of a view":          {"CREATE VIEW v AS SELECT printf('%.*c', 900000000, 'x') AS x"},
		"a generated column":        {"CREATE TABLE v (a, x AS (zeroblob(1000000000)))", "INSERT INTO v VALUES (1)"},
		"rows of generated columns": {"CREATE TABLE v (a, x AS (zeroblob(1000000)))", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO v SELECT i FROM n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := database(t, append(statements, "CREATE TABLE w (x)", "INSERT INTO w VALUES (1)")...)
			lim := table.Limits{Memory: table.NewMemoryBudget(hostileMemory)}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got, err := columnar.ReadSQLite(t.Context(), path, lim)
			runtime.ReadMemStats(&after)
			if namesOf(got) != "w" || err == nil || lim.Memory.Taken() != 0 {
				t.Errorf("loaded %q, %v; %d bytes are taken", namesOf(got), err, lim.Memory.Taken())
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > hostileMemory {
				t.Errorf("%d MiB were allocated", n>>20)
			}
		})
	}
}
