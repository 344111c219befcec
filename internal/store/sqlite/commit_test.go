package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"catena/internal/store"
)

// A write is not called durable when the connection cannot be told to sync.
func TestNoSyncNoWrite(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(t.TempDir(), "s.db"), store.Options{SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.StartRun(ctx, "ann", "run_held", "", nil, nil, time.Now()); err != nil {
		t.Fatal(err)
	}
	lazy := make(chan error)
	err = s.writeLazy(ctx, func(context.Context, *statements) error { return nil }, func(err error) { lazy <- err })
	if err == nil {
		err = <-lazy // from here on commits do not sync
	}
	if err != nil {
		t.Fatal(err)
	}
	const full = "PRAGMA synchronous = FULL"
	broken, err := s.readDB.PrepareContext(ctx, full)
	if err == nil {
		err = broken.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.writes.mu.Lock()
	s.writes.by[full] = broken
	s.writes.mu.Unlock()
	at := time.Now()
	for _, tt := range []struct {
		what  string
		err   error
		waits bool // for the disk
	}{
		{"a session, which its first run or table takes to disk", s.CreateSession(ctx, "ann", "ses_2", "", at), false},
		{"the turn of a run, which its end takes to disk", s.AppendTurn(ctx, "ann", "ses_2", "run_held", nil, at), false},
		{"one in its place", s.ReplaceTurn(ctx, "ann", "ses_2", "run_held", nil, at), false},
		{"a turn alone", s.AppendTurn(ctx, "ann", "ses_2", "run_other", nil, at), true},
		{"a message", s.StartRun(ctx, "ann", "run_1", "ses_2", nil, nil, at), true},
		{"events", s.AppendEvents(ctx, "run_held", 1, [][]byte{nil}), true},
		{"the end", s.EndRun(ctx, "run_held", 1, [][]byte{nil}, "answer", nil, at), true},
		{"a table that is told", s.HandleStored(ctx, "ann", "ses_2", "tbl_1"), true},
	} {
		if refused := tt.err != nil && strings.Contains(tt.err.Error(), "nothing was written"); refused != tt.waits || !tt.waits && tt.err != nil {
			t.Errorf("%s without a sync: %v", tt.what, tt.err)
		}
	}
	s.writes.mu.Lock()
	delete(s.writes.by, full)
	s.writes.mu.Unlock()
	if err := s.EndRun(ctx, "run_held", 1, [][]byte{nil}, "answer", nil, at); err != nil {
		t.Error(err)
	}
	list, err := s.ListSessions(ctx, "ann", time.Time{}, "", 10)
	if err != nil || len(list) != 1 || list[0]["id"] != "ses_2" {
		t.Errorf("%v, %v", list, err)
	}
}

// TestFileGone refuses to acknowledge what would go into a file that has been deleted, or into another one than is in its place.
func TestFileGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catena.db")
	s := open(t, path)
	defer s.Close()
	ctx := context.Background()
	if err := s.PutRecord(ctx, "kind", "kept", nil); err != nil {
		t.Fatal(err)
	}
	gone := func(what string) {
		t.Helper()
		var file *store.FileError
		if err := s.PutRecord(ctx, "kind", "lost", nil); !errors.As(err, &file) || !strings.Contains(file.Reason, "deleted") {
			t.Errorf("%s: a write gave %v", what, err)
		}
		if err := s.Ping(ctx); !errors.As(err, &file) {
			t.Errorf("%s: Ping gave %v", what, err)
		}
	}
	aside := path + ".aside"
	if err := os.Rename(path, aside); err != nil {
		t.Fatal(err)
	}
	gone("gone")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	gone("replaced")
	if err := os.Rename(aside, path); err != nil {
		t.Fatal(err)
	}
	if err := s.PutRecord(ctx, "kind", "back again", nil); err != nil {
		t.Errorf("put back: %v", err)
	}
}
