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
	"catena/internal/store/backend"
)

// A store whose file cannot grow says so, in writes and in Ping, and works on when there is room again.
func TestFull(t *testing.T) {
	now := time.Now()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "s.db"), store.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx := t.Context()
	limit := func(pages string) {
		t.Helper()
		if err := s.write(ctx, func(ctx context.Context, q *statements) error {
			var n int
			return q.row(ctx, "PRAGMA max_page_count = "+pages).Scan(&n)
		}); err != nil {
			t.Fatal(err)
		}
	}
	limit("1") // as many as there are
	var full *store.FileError
	for range 3 {
		err = s.CreateSession(ctx, "ann", "ses_"+strings.Repeat("x", 50_000), "a title", now)
		if !errors.As(err, &full) || full.Unavailable() != "is full" || strings.Contains(err.Error(), "rollback") {
			t.Fatal(err)
		}
	}
	if err := s.Ping(ctx); !errors.As(err, &full) {
		t.Error("Ping says", err)
	}
	limit("1000000")
	if err := s.Ping(ctx); err != nil {
		t.Error("with room again:", err)
	}
}

// A damaged file is found at the start and by Check.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, err := Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if err := s.CreateSession(t.Context(), "ann", backend.NewProcess(), strings.Repeat("a title", 100), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.Check(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		_, err = f.WriteAt([]byte(strings.Repeat("damage! ", 6*512)), 4096)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	var damaged *store.FileError
	if s, err = Open(t.Context(), path, store.Options{}); !errors.As(err, &damaged) || !strings.Contains(err.Error(), "damaged") {
		t.Error(s, err)
	}
}
