package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/store"
)

// oldStore is a file that keeps its size, as those of former programs do, with 20 sessions of which 15 were
// deleted, a memory and a run.
func oldStore(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "catena.db")
	s, err := Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	raw(t, s.Close(), path, "PRAGMA journal_mode = DELETE", "PRAGMA auto_vacuum = 0", "VACUUM")
	if s, err = Open(t.Context(), path, store.Options{}); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for i := range 20 {
		id := fmt.Sprintf("ses_%02d", i)
		err = errors.Join(err, s.CreateSession(ctx, "ann", id, "title "+id, time.Now()),
			s.StartRun(ctx, "ann", "run_"+id, id, []byte("ask"), nil, time.Now()),
			s.AppendEvents(ctx, "run_"+id, 1, [][]byte{make([]byte, 500_000)}),
			s.AppendTurn(ctx, "ann", id, "run_"+id, []byte("turn "+id), time.Now()),
			s.FinishRun(ctx, "run_"+id, "answer", []byte("done"), time.Now()))
	}
	for i := range 15 {
		err = errors.Join(err, s.DeleteSession(ctx, "ann", fmt.Sprintf("ses_%02d", i)))
	}
	words := []string{"deep", "harbour"}
	_, _, merr := s.AddMemory(ctx, "ann", Memory{ID: "mem_1", Content: "a deep harbour", Created: time.Now()},
		MemoryIndex{Terms: words, Words: words, Length: 3, Digest: []byte("d")}, 10)
	if err = errors.Join(err, merr, s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// raw runs statements on a file that is no store's just then.
func raw(t *testing.T, err error, path string, statements ...string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, x := range statements {
		if _, err := db.Exec(x); err != nil {
			t.Fatal(x, err)
		}
	}
}

// content is all that a store holds, by table; of bytes their digest.
func content(t *testing.T, path string) map[string][]string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := map[string][]string{}
	const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
	for _, row := range rowsOf(t, db, tables) {
		name := strings.Trim(row, "[]")
		all[name] = rowsOf(t, db, "SELECT * FROM "+name)
		slices.Sort(all[name])
	}
	return all
}

func rowsOf(t *testing.T, db *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(query, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	cells, to := make([]any, len(names)), make([]any, len(names))
	for i := range cells {
		to[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		for i, cell := range cells {
			if long, ok := cell.([]byte); ok {
				cells[i] = sha256.Sum256(long)
			}
		}
		out = append(out, fmt.Sprint(cells))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// besides are the names of the files beside a store, but for its own.
func besides(t *testing.T, path string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.Name() != filepath.Base(path) {
			names = append(names, e.Name())
		}
	}
	return names
}

// A store of an older Catena holds the same after it was compacted, in less room, and gives back from then on what
// is deleted.
func TestCompact(t *testing.T) {
	path := oldStore(t)
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(filepath.Dir(path), compactPrefix+"killed", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	want := content(t, path)
	var stages []Stage
	before, after, err := Compact(t.Context(), path, func(s Stage, file string, _ int64) {
		stages = append(stages, s)
		if (file != "") != (s == StageCopy) {
			t.Errorf("%s writes %q", s, file)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Stage{StageCheck, StageCopy, StageVerify}, stages); diff != "" {
		t.Error(diff)
	}
	if before.Gives || before.Free < 7_000_000 || !after.Gives || after.Free != 0 || after.File > before.File-before.Free {
		t.Errorf("%+v, then %+v", before, after)
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() != after.File || info.Mode().Perm() != 0o640 {
		t.Errorf("%v %v", info, err)
	}
	if diff := cmp.Diff(want, content(t, path)); diff != "" {
		t.Error(diff)
	}
	if left := besides(t, path); len(left) > 0 {
		t.Errorf("beside it: %v", left)
	}
	again, same, err := Compact(t.Context(), path, nil)
	if err != nil || again != same || again != after {
		t.Errorf("%+v, then %+v: %v", again, same, err)
	}
	s, err := Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	found, err := s.MemoryPostings(t.Context(), "ann", "", []string{"harbour"}, 10)
	if err != nil || len(found) != 1 || !s.shrinks {
		t.Errorf("%v %v", found, err)
	}
}

// A store that somebody uses, that is not there, or that is damaged stays as it is.
func TestCompactRefuses(t *testing.T) {
	path := oldStore(t)
	if _, _, err := Compact(t.Context(), path+".none", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	s, err := Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Compact(t.Context(), path, nil); !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
	if err := s.CreateSession(t.Context(), "ann", "ses_new", "", time.Now()); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	bad := slices.Clone(whole)
	for i := range 4096 * 3 { // of pages in the middle of tables
		bad[4096*2+i] ^= 0xff
	}
	if err := os.WriteFile(path, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	var file *store.FileError
	if _, _, err := Compact(t.Context(), path, nil); !errors.As(err, &file) {
		t.Error(err)
	}
	if now, err := os.ReadFile(path); err != nil || !slices.Equal(now, bad) {
		t.Error("a damaged store was changed", err)
	}
	if _, known := freeSpace(filepath.Dir(path)); known {
		var full *store.FileError
		if err := enoughRoom(path, 1<<60); !errors.As(err, &full) || !strings.Contains(full.Reason, "MiB free") {
			t.Error(err)
		}
	}
}

// A compaction that is interrupted in any of its stages leaves the store as it was.
func TestCompactInterrupted(t *testing.T) {
	path := oldStore(t)
	want := content(t, path)
	for _, at := range []Stage{StageCheck, StageCopy, StageVerify} {
		ctx, stop := context.WithCancel(t.Context())
		_, _, err := Compact(ctx, path, func(s Stage, _ string, _ int64) {
			if s == at {
				stop()
			}
		})
		stop()
		if err == nil {
			t.Errorf("%s: nothing was said", at)
		}
		if diff := cmp.Diff(want, content(t, path)); diff != "" {
			t.Errorf("%s: %s", at, diff)
		}
		if left := besides(t, path); len(left) > 0 {
			t.Errorf("%s: beside it: %v", at, left)
		}
	}
	if _, after, err := Compact(t.Context(), path, nil); err != nil || !after.Gives {
		t.Error(err)
	}
}

// Nobody comes in while a store is compacted, and whoever had opened the old file by then cannot write to it.
func TestCompactKeepsOthersOut(t *testing.T) {
	path := oldStore(t)
	a, err := openAlone(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	to := filepath.Join(filepath.Dir(path), "new.db")
	if err := a.copy(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, store.Options{BusyTimeout: time.Millisecond}); err == nil {
		t.Fatal("it was opened")
	}
	waiting := make(chan error, 1)
	begun := make(chan struct{})
	go func() { // has the old file open, and waits for its lock
		close(begun)
		s, err := Open(context.WithoutCancel(t.Context()), path, store.Options{BusyTimeout: time.Minute})
		if err == nil {
			err = errors.Join(s.CreateSession(context.Background(), "ann", "ses_late", "", time.Now()), s.Close())
		}
		waiting <- err
	}()
	<-begun
	if err := a.replace(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	if err := a.close(); err != nil {
		t.Fatal(err)
	}
	werr := <-waiting
	if err := CheckFile(t.Context(), path); err != nil {
		t.Error(err)
	}
	late := strings.Contains(strings.Join(content(t, path)["sessions"], "\n"), "ses_late")
	if late != (werr == nil) {
		t.Errorf("what was acknowledged (%v) is there: %v", werr, late)
	}
}
