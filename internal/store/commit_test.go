package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A write is not called durable when the connection cannot be told to sync.
func TestNoSyncNoWrite(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(t.TempDir(), "s.db"), Options{SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
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
	if err := s.CreateSession(ctx, "ann", "ses_1", "", time.Now()); err == nil || !strings.Contains(err.Error(), "nothing was written") {
		t.Errorf("a write without a sync: %v", err)
	}
	s.writes.mu.Lock()
	delete(s.writes.by, full)
	s.writes.mu.Unlock()
	if err := s.CreateSession(ctx, "ann", "ses_2", "", time.Now()); err != nil {
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
	if err := s.CreateSession(ctx, "ann", "ses_1", "kept", time.Now()); err != nil {
		t.Fatal(err)
	}
	gone := func(what string) {
		t.Helper()
		var file *FileError
		if err := s.CreateSession(ctx, "ann", "ses_"+what, "lost", time.Now()); !errors.As(err, &file) || !strings.Contains(file.Reason, "deleted") {
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
	if err := s.CreateSession(ctx, "ann", "ses_2", "back again", time.Now()); err != nil {
		t.Errorf("put back: %v", err)
	}
}
