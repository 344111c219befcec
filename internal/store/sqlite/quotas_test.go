package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/store"
)

// An owner that uses 80 % of a quota is told of once a day, and until something was deleted; others never are.
func TestNearQuota(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var hours atomic.Int64
	var told []string
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "catena.db"), store.Options{
		Now:        func() time.Time { return start.Add(time.Duration(hours.Load()) * time.Hour) },
		SweepEvery: -1, OwnerBytes: 10_000, OwnerRunBytes: 5_000,
		NearQuota: func(owner string, use store.QuotaUse) {
			told = append(told, fmt.Sprintf("%s %s %d of %d", owner, use.Kind, use.Bytes, use.Limit))
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	sweep := func(want ...string) {
		t.Helper()
		told = nil
		if _, err := s.Sweep(context.Background()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Error(diff)
		}
	}
	put := func(owner, handle string, bytes int) {
		t.Helper()
		if err := s.PutHandle(t.Context(), owner, handle, "", "", nil, make([]byte, bytes), start.AddDate(1, 0, 0)); err != nil {
			t.Fatal(err)
		}
	}
	put("ann", "tbl_1", 7_900)
	put("bob", "tbl_2", 1_000)
	sweep()
	put("ann", "tbl_3", 100)
	sweep("ann tables 8000 of 10000")
	if uses := s.NearQuota("ann"); len(uses) != 1 || uses[0].Setting != "store.tables_mb" || len(s.NearQuota("bob")) > 0 {
		t.Errorf("%+v, %+v", uses, s.NearQuota("bob"))
	}
	sweep()
	if len(s.NearQuota("ann")) != 1 {
		t.Error("it is near still")
	}
	addEnded(t, s, "bob", 4_200)
	sweep("bob logs of runs 4200 of 5000")
	hours.Store(24)
	sweep("ann tables 8000 of 10000", "bob logs of runs 4200 of 5000")
	if err := s.DeleteHandle(t.Context(), "ann", "tbl_1"); err != nil {
		t.Fatal(err)
	}
	hours.Store(49)
	sweep("bob logs of runs 4200 of 5000")
	if uses := s.NearQuota("ann"); len(uses) > 0 {
		t.Errorf("%+v", uses)
	}
}

// addEnded adds a run that has ended, with so many bytes.
func addEnded(t *testing.T, s *Store, owner string, bytes int) {
	t.Helper()
	now := s.opts.Now()
	for _, err := range []error{
		s.CreateSession(t.Context(), owner, "ses_1", "", now),
		s.StartRun(t.Context(), owner, "run_1", "ses_1", make([]byte, bytes-100), nil, now),
		s.FinishRun(t.Context(), "run_1", "answer", make([]byte, 100), now),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}
