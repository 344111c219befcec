package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// ageStore is a store with runs that have ended: run_0 a day after the start, run_1 two days, and so on, of 1,000 bytes each.
func ageStore(t *testing.T, opts store.Options, runs int) (s *Store, day *atomic.Int64) {
	t.Helper()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	day = &atomic.Int64{}
	opts.Now = func() time.Time { return start.AddDate(0, 0, int(day.Load())) }
	opts.SweepEvery, opts.Report = -1, func(err error) { t.Error(err) }
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "catena.db"), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	addRuns(t, s, day, runs)
	return s, day
}

func addRuns(t *testing.T, s *Store, day *atomic.Int64, runs int) {
	t.Helper()
	ctx := t.Context()
	err := s.CreateSession(ctx, "ann", "ses_1", "", s.opts.Now())
	for i := range runs {
		day.Add(1)
		run := fmt.Sprint("run_", i)
		err = errors.Join(err,
			s.StartRun(ctx, "ann", run, "ses_1", make([]byte, 100), nil, s.opts.Now()),
			s.Begin(ctx, run, "s1", "read_it", "h", true),
			s.AppendEvents(ctx, run, 1, [][]byte{make([]byte, 300), make([]byte, 300)}),
			s.AppendTurn(ctx, "ann", "ses_1", run, []byte("turn"), s.opts.Now()),
			s.FinishRun(ctx, run, "answer", make([]byte, 300), s.opts.Now()),
		)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// logsOf are the runs that are still there; whatever they leave behind otherwise is an error.
func logsOf(t *testing.T, s *Store, runs int) (there []int) {
	t.Helper()
	for i := range runs {
		run := fmt.Sprint("run_", i)
		_, events, err := s.Events(t.Context(), "ann", run, 0, 10)
		calls := 0
		if cerr := s.Calls(t.Context(), run, func(_, _, _, _ string, _ int, _ []byte) error { calls++; return nil }); cerr != nil {
			t.Fatal(cerr)
		}
		switch {
		case err == nil && len(events) == 2 && calls == 1:
			there = append(there, i)
		case errors.Is(err, fs.ErrNotExist) && calls == 0:
		default:
			t.Errorf("%s: %d events, %d calls, %v", run, len(events), calls, err)
		}
	}
	if turns, err := s.Turns(t.Context(), "ann", "ses_1", 100); err != nil || len(turns) != runs {
		t.Errorf("%d of %d turns, %v", len(turns), runs, err)
	}
	return there
}

func TestRunsAge(t *testing.T) {
	for name, c := range map[string]struct {
		opts store.Options
		want []int // runs that are there after the fifth has ended
	}{
		"for ever":         {store.Options{}, []int{0, 1, 2, 3, 4}},
		"three days":       {store.Options{KeepRuns: 72 * time.Hour}, []int{2, 3, 4}},
		"two of them":      {store.Options{OwnerRunBytes: 2500}, []int{3, 4}},
		"whatever is less": {store.Options{KeepRuns: 24 * time.Hour, OwnerRunBytes: 3500}, []int{4}},
		"none fits":        {store.Options{OwnerRunBytes: 10}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := ageStore(t, c.opts, 5)
			if err := s.StartRun(t.Context(), "ann", "run_open", "ses_1", make([]byte, 5000), nil, s.opts.Now().AddDate(0, 0, -90)); err != nil {
				t.Fatal(err)
			}
			if n, err := s.Sweep(t.Context()); err != nil || n != 5-len(c.want) {
				t.Errorf("%d removed, %v", n, err)
			}
			if diff := cmp.Diff(c.want, logsOf(t, s, 5)); diff != "" {
				t.Error(diff)
			}
			if _, _, _, _, err := s.Run(t.Context(), "ann", "run_open"); err != nil {
				t.Error("a run under way:", err)
			}
		})
	}
}

// A store that held runs before they had an age says so first, and keeps them for a week more.
func TestAgeOfAnOldStore(t *testing.T) {
	s, day := ageStore(t, store.Options{}, 3)
	opts := s.opts
	opts.KeepRuns = 24 * time.Hour
	open := func() *Store {
		t.Helper()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := Open(t.Context(), s.path, opts)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = again.Close() })
		return again
	}
	s = open()
	from := s.Retention().From
	if want := opts.Now().Add(backend.AgeGrace); !from.Equal(want) {
		t.Fatalf("from %v, want %v", from, want)
	}
	for _, after := range []int64{1, 6} {
		day.Store(3 + after)
		s = open()
		if _, err := s.Sweep(t.Context()); err != nil || len(logsOf(t, s, 3)) != 3 {
			t.Errorf("%d days after it was said: %v", after, err)
		}
		if !s.Retention().From.Equal(from) {
			t.Errorf("it is said anew: %v", s.Retention().From)
		}
	}
	day.Store(3 + 7)
	if _, err := s.Sweep(t.Context()); err != nil || len(logsOf(t, s, 3)) != 0 {
		t.Error("a week after it was said:", err)
	}
}

func TestCacheQuota(t *testing.T) {
	s, _ := ageStore(t, store.Options{CacheBytes: 3500}, 0)
	for i := range 5 {
		if err := s.Put(t.Context(), fmt.Sprint(i), make([]byte, 1000), time.Duration(i+1)*time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if _, ok, err := s.Get(t.Context(), fmt.Sprint(i)); err != nil || ok != (i >= 2) {
			t.Errorf("%d is there: %v, %v", i, ok, err)
		}
	}
}

// What is deleted leaves the file.
func TestFileShrinks(t *testing.T) {
	s, _ := ageStore(t, store.Options{}, 0)
	ctx := t.Context()
	for i := range 30 {
		err := s.PutHandle(ctx, "ann", fmt.Sprint("tbl_", i), "ses_1", "", nil, make([]byte, 2<<20), s.opts.Now().Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.scrub(ctx); err != nil {
		t.Fatal(err)
	}
	before := fileSize(t, s)
	if err := s.DeleteSession(ctx, "ann", "ses_1"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if err := s.scrub(ctx); err != nil {
		t.Fatal(err)
	}
	after := fileSize(t, s)
	if before < 60<<20 || after > 6<<20 {
		t.Errorf("%d bytes, %d after a sweep", before, after)
	}
}

func fileSize(t *testing.T, s *Store) int64 {
	t.Helper()
	info, err := os.Stat(s.path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
