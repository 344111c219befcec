package columnar_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"catena/table"
	"catena/table/columnar"
)

// hostileDatabases are the statements of small databases, whose bytes fuzzing changes: views and generated columns that unfold, pages that are
// chained, indexes, virtual tables, and types that do not fit their columns.
var hostileDatabases = [][]string{
	{"CREATE TABLE a (x INT, y TEXT, z BLOB)", "INSERT INTO a VALUES (1, 'one', x'00ff'), (2.5, NULL, 'text')"},
	{"CREATE TABLE long (x)", "INSERT INTO long VALUES (zeroblob(9000)), (printf('%.*c', 9000, 'x'))"},
	{"CREATE TABLE keyed (x TEXT PRIMARY KEY, y DECIMAL(10,2)) WITHOUT ROWID", "INSERT INTO keyed VALUES ('a', '1.50'), ('b', 'none')", "CREATE INDEX i ON keyed (y)"},
	{"CREATE TABLE computed (a, x AS (zeroblob(100000)), y AS (a || a) STORED)", "INSERT INTO computed (a) VALUES (1), ('x')"},
	{"CREATE VIEW blobs AS SELECT zeroblob(100000000) AS x", "CREATE VIEW texts AS SELECT printf('%.*c', 90000000, 'x') AS x"},
	{"CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"},
	{"CREATE VIRTUAL TABLE words USING fts5(x)", "INSERT INTO words VALUES ('some words')"},
	{"CREATE TABLE many (x)", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO many SELECT i FROM n", "DELETE FROM many WHERE x % 3 = 0"},
}

// residentGrowth is how much the process may grow by a file, in bytes. Memory that was free before counts, and the race detector's.
const residentGrowth = 16 * hostileMemory

var residentPeak = regexp.MustCompile(`(?m)^(VmHWM|VmRSS):\s+(\d+) kB$`)

// resident tells what the process has in memory, and the most that it had since forgetPeak, in bytes. SQLite's own memory is not of Go's heap.
// Both are 0 where the system does not tell.
func resident() (now, peak int) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	for _, m := range residentPeak.FindAllSubmatch(status, -1) {
		n, _ := strconv.Atoi(string(m[2])) // digits, by the pattern
		if string(m[1]) == "VmHWM" {
			peak = n << 10
		} else {
			now = n << 10
		}
	}
	return now, peak
}

// forgetPeak begins a new peak of the memory of the process.
func forgetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) } // else the peak before counts, which is no less

// FuzzHostileSQLite changes the bytes of databases, and watches Go's memory and SQLite's.
func FuzzHostileSQLite(f *testing.F) {
	for _, statements := range hostileDatabases {
		data, err := os.ReadFile(database(f, statements...))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<20 {
			return
		}
		path := filepath.Join(t.TempDir(), "fuzz.db")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		lim := table.Limits{Memory: table.NewMemoryBudget(hostileMemory)}
		var before, after runtime.MemStats
		forgetPeak()
		held, _ := resident()
		runtime.ReadMemStats(&before)
		found, err := columnar.ReadSQLite(t.Context(), path, lim)
		runtime.ReadMemStats(&after)
		_, peak := resident()
		if n := after.TotalAlloc - before.TotalAlloc; n > 4*hostileMemory {
			t.Errorf("%d MiB were allocated for %d bytes", n>>20, len(data))
		}
		if n := peak - held; n > residentGrowth {
			t.Errorf("the process grew by %d MiB for %d bytes", n>>20, len(data))
		}
		if n := lim.Memory.Taken(); n != 0 {
			t.Errorf("%d bytes of the budget were not given back", n)
		}
		var format *table.FormatError
		switch {
		case err != nil && !errors.As(err, &format):
			t.Fatalf("%T %v", err, err)
		case err == nil && len(found) == 0:
			t.Fatal("neither tables nor an error")
		}
	})
}
