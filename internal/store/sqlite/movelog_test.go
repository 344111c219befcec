package sqlite

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"catena/internal/store"
)

// The write-ahead log is moved beside further commits once it is as long as the options say, and is begun anew: it
// does not grow to what a commit would wait for.
func TestLogIsMoved(t *testing.T) {
	if got := (store.Options{}).WithDefaults().LogBytes; got != 16<<20 {
		t.Errorf("%d bytes without one", got)
	}
	const log = 1 << 20
	path := t.TempDir() + "/s.db"
	s, err := Open(t.Context(), path, store.Options{LogBytes: log, SweepEvery: -1, RenewEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var written int64
	for n := range 100 {
		content := bytes.Repeat([]byte{byte(n)}, lazyContent/4)
		written += int64(len(content))
		err := s.PutHandle(t.Context(), "o", fmt.Sprint("t", n), "", "", nil, content, time.Now().Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.HandleStored(t.Context(), "o", "", fmt.Sprint("t", n)); err != nil {
			t.Fatal(err)
		}
		for len(s.mover.grown) > 0 {
			time.Sleep(time.Millisecond)
		}
	}
	info, err := os.Stat(path + "-wal")
	if err != nil || info.Size() > written/2 {
		t.Errorf("a log of %d bytes after %d were written: %v", info.Size(), written, err)
	}
	for pragma, want := range map[string]int64{
		"wal_autocheckpoint": logsBeforeWait * log / pageBytes, "journal_size_limit": logsBeforeWait * log,
	} {
		var got int64
		err := s.write(t.Context(), func(ctx context.Context, q *statements) error {
			return q.row(ctx, "PRAGMA "+pragma).Scan(&got)
		})
		if err != nil || got != want {
			t.Errorf("%s is %d, not %d: %v", pragma, got, want, err)
		}
	}
}

// What a commit wrote is counted by pages.
func TestPagesAreCounted(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir()+"/s.db", store.Options{SweepEvery: -1, RenewEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before := s.mover.pages
	content := make([]byte, 2*lazyContent)
	if err := s.PutHandle(t.Context(), "o", "t", "", "", nil, content, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	pages := 0
	err = s.write(t.Context(), func(context.Context, *statements) error {
		pages = s.mover.pages - before
		return nil
	})
	if err != nil || pages < len(content)/pageBytes {
		t.Errorf("%d pages for %d bytes: %v", pages, len(content), err)
	}
}
