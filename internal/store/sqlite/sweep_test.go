package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"sync/atomic"
	"testing"
	"time"

	"catena/internal/store"
)

// The journal of direct calls goes by age, a run's stays with the run; sessions go by age where that is asked for.
func TestSweepByAge(t *testing.T) {
	ctx := context.Background()
	var day atomic.Int64
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	now := func() time.Time { return start.AddDate(0, 0, int(day.Load())) }
	s, err := Open(ctx, ":memory:", store.Options{Now: now, SweepEvery: -1, KeepSessions: 90 * 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, err := range []error{
		s.CreateSession(ctx, "ann", "ses_old", "", now()),
		s.CreateSession(ctx, "ann", "ses_open", "", now()),
		s.StartRun(ctx, "ann", "run_1", "ses_old", nil, nil, now()),
		s.StartRun(ctx, "ann", "run_2", "ses_open", nil, nil, now()),
		s.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("a")}),
		s.FinishRun(ctx, "run_1", "answer", nil, now()),
		s.PutHandle(ctx, "ann", "tbl_1", "ses_old", "run_1", nil, []byte("c"), now().AddDate(1, 0, 0)),
		s.Begin(ctx, "run_1", "s1", "write_it", "h", false),
		s.Begin(ctx, "call_A", "s1", "write_it", "h", false),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	sweep := func(to int64, removed int) {
		t.Helper()
		day.Store(to)
		if n, err := s.Sweep(ctx); err != nil || n != removed {
			t.Errorf("day %d: %d removed, want %d; %v", to, n, removed, err)
		}
	}
	journaled := func(run string, want int) {
		t.Helper()
		if list, err := s.Unfinished(ctx, run); err != nil || len(list) != want {
			t.Errorf("%s: %v, %v", run, list, err)
		}
	}
	sweep(29, 0)
	journaled("call_A", 1)
	sweep(30, 0)
	journaled("call_A", 0)
	journaled("run_1", 1)
	if err := s.CreateSession(ctx, "ann", "ses_new", "", now()); err != nil {
		t.Fatal(err)
	}
	sweep(90, 1) // ses_open has a run under way
	journaled("run_1", 0)
	if _, _, err := s.Events(ctx, "ann", "run_1", 0, 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the run of a session that is gone: %v", err)
	}
	if _, _, err := s.GetHandle(ctx, "ann", "tbl_1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its table: %v", err)
	}
	list, err := s.ListSessions(ctx, "ann", time.Time{}, "", 10)
	if err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
}
