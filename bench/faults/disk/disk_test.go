package disk

import (
	"database/sql"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // the driver
)

// left are the files of a folder.
func left(t *testing.T, leave func(dir string) error) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if err := leave(dir); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}

func TestCrash(t *testing.T) {
	l := &Log{ops: []op{
		{kind: create, file: 1, name: "a"},
		{kind: write, file: 1, data: []byte("12345")},
		{kind: synced, file: 1}, // the bytes, not the name
		{kind: create, file: 2, name: "b"},
		{kind: write, file: 2, data: []byte("x")},
		{kind: synced, file: 2, folder: true},
		{kind: write, file: 1, at: 6, data: []byte("7")},
		{kind: truncate, file: 1, at: 2},
		{kind: truncate, file: 1, at: 3},
		{kind: remove, file: 2, name: "b"},
		{kind: create, file: 3, name: "b"},
		{kind: write, file: 3, data: []byte("new")},
	}}
	for _, c := range []struct {
		at            Position
		synced, whole map[string]string
	}{
		{0, map[string]string{}, map[string]string{}},
		{2, map[string]string{}, map[string]string{"a": "12345"}},
		{3, map[string]string{}, map[string]string{"a": "12345"}},
		{6, map[string]string{"a": "12345", "b": "x"}, map[string]string{"a": "12345", "b": "x"}},
		{7, map[string]string{"a": "12345", "b": "x"}, map[string]string{"a": "12345\x007", "b": "x"}},
		{12, map[string]string{"a": "12345", "b": "x"}, map[string]string{"a": "12\x00", "b": "new"}},
	} {
		crash := l.Crash()
		crash.Until(c.at)
		if diff := cmp.Diff(c.synced, left(t, crash.Synced)); diff != "" {
			t.Errorf("synced at %d: %s", c.at, diff)
		}
		if diff := cmp.Diff(c.whole, left(t, crash.Whole)); diff != "" {
			t.Errorf("whole at %d: %s", c.at, diff)
		}
	}
}

// TestTorn wants each sector of a write to be there or not by itself, and what was synced to be there always.
func TestTorn(t *testing.T) {
	old, new := strings.Repeat("o", 4*sector), strings.Repeat("n", 4*sector)
	l := &Log{ops: []op{
		{kind: create, file: 1, name: "a"}, {kind: write, file: 1, data: []byte(old)}, {kind: synced, file: 1, folder: true}, {kind: write, file: 1, at: 100, data: []byte(new)},
	}}
	crash := l.Crash()
	crash.Until(4)
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]bool{}
	for range 200 {
		data := left(t, func(dir string) error { return crash.Torn(dir, random) })["a"]
		if !strings.HasPrefix(data, old[:100]) || len(data) < len(old) {
			t.Fatalf("what was synced is gone: %q", data)
		}
		ways := ""
		for at := 0; at < 5*sector; at += sector {
			part := data[min(len(data), max(at, 100)):min(len(data), at+sector)]
			if strings.Trim(part, "o") != "" && strings.Trim(part, "n\x00") != "" && at < 4*sector {
				t.Fatalf("a sector is torn: %q", part)
			}
			ways += string((part + "-")[0])
		}
		seen[ways] = true
	}
	if len(seen) < 20 {
		t.Errorf("%d ways only: %v", len(seen), seen)
	}
}

// TestRecord makes the files of a database again from what was recorded of it.
func TestRecord(t *testing.T) {
	dir := t.TempDir()
	l, stop, err := Record(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Record(dir); err == nil {
		t.Error("two recordings at once")
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, query := range []string{"CREATE TABLE t (a)", "PRAGMA journal_mode = WAL", "INSERT INTO t VALUES (zeroblob(100000))", "PRAGMA wal_checkpoint(TRUNCATE)", "INSERT INTO t VALUES (1)"} {
		if _, err := db.ExecContext(t.Context(), query); err != nil {
			t.Fatal(query, err)
		}
	}
	crash := l.Crash()
	crash.Until(l.Here())
	want := map[string]string{}
	for _, name := range []string{"x.db", "x.db-wal"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		want[name] = string(data)
	}
	if diff := cmp.Diff(want, left(t, crash.Whole)); diff != "" {
		t.Error(diff)
	}
	if n := l.Checkpoints("x.db", 0, l.Here()); n < 2 || len(l.Syncs()) < 4 || l.Bytes() < 100_000 {
		t.Errorf("%d checkpoints, %d syncs, %d bytes", n, len(l.Syncs())-1, l.Bytes())
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}
