package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"catena/internal/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(context.Background(), path, store.Options{Report: func(err error) { t.Error("reported:", err) }})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCrash lets another process write, tells it to die without Close, and reads what it had been promised.
func TestCrash(t *testing.T) {
	if path := os.Getenv("CATENA_STORE_CRASH"); path != "" {
		crash(t, path)
	}
	path := filepath.Join(t.TempDir(), "s.db")
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrash$")
	cmd.Env = append(os.Environ(), "CATENA_STORE_CRASH="+path)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "written") {
		t.Fatalf("the other process: %v\n%s", err, out)
	}

	ctx := context.Background()
	s := open(t, path)
	defer s.Close()
	turns, err := s.Turns(ctx, "ann", "ses_1", 10)
	if err != nil || len(turns) != 1 {
		t.Fatal("turns:", len(turns), err)
	}
	if _, content, err := s.GetHandle(ctx, "ann", "tbl_1"); err != nil || string(content) != "cells" {
		t.Fatal("the table put before the turn:", string(content), err)
	}
	open, err := s.OpenRuns(ctx, 100)
	if err != nil || fmt.Sprint(open) != "[run_1]" {
		t.Fatal("open runs:", open, err)
	}
	if calls, err := s.Unfinished(ctx, "run_1"); err != nil || fmt.Sprint(calls) != "[write_it]" {
		t.Fatal("unfinished calls:", calls, err)
	}
	if seqs, _, err := s.Events(ctx, "ann", "run_1", 0, 10); err != nil || len(seqs) != 2 {
		t.Fatal("events:", seqs, err)
	}
	if err := s.AppendEvents(ctx, "run_1", 3, [][]byte{[]byte("c")}); err != nil {
		t.Fatal(err)
	}
	if locked, err := s.Lock(ctx, "names", "b", time.Hour); err != nil || !locked {
		t.Fatal("a lock of the process that died:", locked, err)
	}
}

func crash(t *testing.T, path string) {
	ctx := context.Background()
	at := time.Now()
	s := open(t, path)
	for _, err := range []error{
		s.CreateSession(ctx, "ann", "ses_1", "", at),
		s.StartRun(ctx, "ann", "run_1", "ses_1", nil, nil, at),
		s.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("a"), []byte("b")}),
		s.PutHandle(ctx, "ann", "tbl_1", "ses_1", "run_1", nil, []byte("cells"), at.Add(time.Hour)),
		s.Begin(ctx, "run_1", "s1", "write_it", "h", false),
		s.AppendTurn(ctx, "ann", "ses_1", "run_0", []byte("t"), at), // of no run that is open
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if locked, err := s.Lock(ctx, "names", "a", time.Hour); err != nil || !locked {
		t.Fatal("lock:", locked, err)
	}
	fmt.Println("written")
	os.Exit(3)
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	newer := filepath.Join(dir, "newer.db")
	s := open(t, newer)
	if err := s.write(context.Background(), func(ctx context.Context, q *statements) error {
		_, err := q.exec(ctx, "PRAGMA user_version = 99")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, path, want string }{
		{"text", write("text.db", strings.Repeat("this is not a database\n", 100)), "is damaged or is not a Catena store"},
		{"half a header", write("half.db", "SQLite format 3\x00garbage"+strings.Repeat("x", 4096)), "is damaged or is not a Catena store"},
		{"a directory", dir, "cannot be opened for writing"},
		{"below a file", filepath.Join(write("plain", "x"), "s.db"), "cannot be made"},
		{"newer", newer, "written by a newer Catena (format 99, this program knows " + strconv.Itoa(len(migrations)) + ")"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Open(context.Background(), test.path, store.Options{})
			var file *store.FileError
			if !errors.As(err, &file) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.path) {
				t.Errorf("got %v, want a *FileError with %q and the path", err, test.want)
			}
		})
	}
}

func TestOpenLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := open(t, path)
	defer s.Close()
	ctx := context.Background()
	hold, free := make(chan bool), make(chan bool)
	held := make(chan error, 1)
	go func() {
		held <- s.write(ctx, func(context.Context, *statements) error { close(hold); <-free; return nil })
	}()
	<-hold
	other, err := Open(ctx, path, store.Options{BusyTimeout: 10 * time.Millisecond})
	if err != nil {
		t.Fatal("a second process may open it:", err)
	}
	err = other.CreateSession(ctx, "ann", "ses_1", "", time.Now())
	if err == nil || !strings.Contains(err.Error(), "is locked by another program; close that program") {
		t.Error("a write while another holds the lock:", err)
	}
	close(free)
	if err := <-held; err != nil { // the lock goes with the commit, whose sync may take longer than the other one waits
		t.Fatal(err)
	}
	if err := other.CreateSession(ctx, "ann", "ses_1", "", time.Now()); err != nil {
		t.Error("after it let go:", err)
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
}

// TestDeletedBytesAreGone looks for a deleted session's text in the files themselves.
func TestDeletedBytesAreGone(t *testing.T) {
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "s.db"))
	defer s.Close()
	ctx := context.Background()
	const secret = "a text that must not remain"
	if err := s.CreateSession(ctx, "ann", "ses_1", secret, time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := s.AppendTurn(ctx, "ann", "ses_1", "run_1", []byte(secret), time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteSession(ctx, "ann", "ses_1"); err != nil {
		t.Fatal(err)
	}
	if name := holding(t, dir, secret); name != "" {
		t.Errorf("%s still holds the deleted text", name)
	}
}

// TestDeletedWhileRead deletes while a reader needs the log; the next sweep makes good for it.
func TestDeletedWhileRead(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(dir, "s.db"), store.Options{BusyTimeout: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const secret = "a text that must not remain"
	if err := s.CreateSession(ctx, "ann", "ses_1", secret, time.Now()); err != nil {
		t.Fatal(err)
	}
	reader, err := s.readDB.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := reader.QueryRowContext(ctx, "SELECT count(*) FROM sessions").Scan(&n); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteSession(ctx, "ann", "ses_1"); err != nil {
		t.Fatal(err)
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if name := holding(t, dir, secret); name != "" {
		t.Errorf("%s still holds the deleted text", name)
	}
}

// holding names a file in dir that has a text in it, "" for none.
func holding(t *testing.T, dir, text string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), text) {
			return filepath.Base(name)
		}
	}
	return ""
}

func TestFilesAreTheOwners(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // has no such modes
	}
	dir := filepath.Join(t.TempDir(), "made")
	s := open(t, filepath.Join(dir, "s.db"))
	defer s.Close()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, dir) {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			t.Errorf("%s has mode %o: others can read it", filepath.Base(name), mode)
		}
	}
}

func ExampleOpen() {
	ctx := context.Background()
	s, err := Open(ctx, ":memory:", store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	fmt.Println(s.StartRun(ctx, "ann", "run_1", "ses_1", []byte(`{"message":"hi"}`), nil, at))
	fmt.Println(s.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte(`{"type":"RUN_STARTED"}`)}))
	fmt.Println(s.AppendEvents(ctx, "run_1", 3, [][]byte{[]byte(`{"type":"RUN_FINISHED"}`)}))
	_, _, err = s.Events(ctx, "bob", "run_1", 0, 10)
	fmt.Println(err)
	// Output:
	// <nil>
	// <nil>
	// store: the events of run run_1 go on with 2, not with 3
	// store: run "run_1": file does not exist
}

func BenchmarkOpenNew(b *testing.B) {
	dir := b.TempDir()
	for i := 0; b.Loop(); i++ {
		s := open(b, filepath.Join(dir, fmt.Sprint(i), "s.db"))
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

func BenchmarkAppendEvents(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "s.db"))
	defer s.Close()
	ctx := context.Background()
	if err := s.StartRun(ctx, "ann", "run_1", "", nil, nil, time.Now()); err != nil {
		b.Fatal(err)
	}
	events := make([][]byte, 16)
	for i := range events {
		events[i] = []byte(`{"type":"TOOL_CALL_START","toolCallId":"s1","toolCallName":"get_top_clients"}`)
	}
	for first := uint64(1); b.Loop(); first += uint64(len(events)) {
		if err := s.AppendEvents(ctx, "run_1", first, events); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendTurn(b *testing.B) {
	for _, writers := range []int{1, 16} {
		b.Run(fmt.Sprint("writers=", writers), func(b *testing.B) {
			s := open(b, filepath.Join(b.TempDir(), "s.db"))
			defer s.Close()
			ctx := context.Background()
			if err := s.CreateSession(ctx, "ann", "ses_1", "", time.Now()); err != nil {
				b.Fatal(err)
			}
			data := []byte(strings.Repeat("x", 4096))
			b.SetParallelism(writers)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := s.AppendTurn(ctx, "ann", "ses_1", "run_1", data, time.Now()); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}

func BenchmarkPutHandle(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "s.db"))
	defer s.Close()
	content := make([]byte, 8<<10)
	expires := time.Now().Add(time.Hour)
	for i := 0; b.Loop(); i++ {
		if err := s.PutHandle(context.Background(), "ann", fmt.Sprint("tbl_", i), "ses_1", "run_1", nil, content, expires); err != nil {
			b.Fatal(err)
		}
	}
}
