package storetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"
	"time"

	"catena/internal/store"
)

// elapse lets time pass for stores that go by the test's clock and for those that go by a server's.
func (c *clock) elapse(d time.Duration) {
	c.add(d)
	time.Sleep(d)
}

func wantLease(t *testing.T, what string, err error, held, epoch uint64) {
	t.Helper()
	var lease *store.LeaseError
	if !errors.As(err, &lease) || lease.Held != held || lease.Epoch != epoch {
		t.Fatalf("%s: got error %v, want a *LeaseError with %d held and epoch %d", what, err, held, epoch)
	}
}

func leases(t *testing.T, s store.Store, c *clock) {
	ctx := context.Background()
	check(t, s.StartRun(ctx, "ann", "run_1", "", nil, nil, at))
	_, err := s.AcquireLease(ctx, "run_1")
	wantErr(t, "a lease that is held", err, store.ErrLeased)
	_, err = s.AcquireLease(ctx, "run_none")
	wantErr(t, "a lease of no run", err, fs.ErrNotExist)
	c.elapse(LeaseTTL * 3 / 4)
	check(t, s.RenewLease(ctx, "run_1"))
	c.elapse(LeaseTTL / 2)
	list, err := s.ExpiredRuns(ctx, 10)
	check(t, err)
	want(t, "expired after a renewal", len(list), 0)
	c.elapse(LeaseTTL)
	list, err = s.ExpiredRuns(ctx, 10)
	check(t, err)
	want(t, "expired", list, []string{"run_1"})
	check(t, s.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("a")})) // nobody took it
	check(t, s.RenewLease(ctx, "run_1"))
	list, err = s.ExpiredRuns(ctx, 10)
	check(t, err)
	want(t, "renewed late", len(list), 0)
	check(t, s.ReleaseLease(ctx, "run_1"))
	check(t, s.ReleaseLease(ctx, "run_1"))
	wantLease(t, "a renewal after the release", s.RenewLease(ctx, "run_1"), 0, 1)
	wantLease(t, "events after the release", s.AppendEvents(ctx, "run_1", 2, [][]byte{[]byte("b")}), 0, 1)
	epoch, err := s.AcquireLease(ctx, "run_1")
	check(t, err)
	want(t, "epoch", epoch, 2)
	check(t, s.AppendEvents(ctx, "run_1", 2, [][]byte{[]byte("b")}))
	check(t, s.FinishRun(ctx, "run_1", "answer", nil, at))
	_, err = s.AcquireLease(ctx, "run_1")
	wantErr(t, "a finished run", err, fs.ErrExist)
	c.elapse(2 * LeaseTTL)
	list, err = s.ExpiredRuns(ctx, 10)
	check(t, err)
	want(t, "finished runs", len(list), 0)
}

// takenOver is what happens when an owner is paused for longer than its lease, and comes back.
func takenOver(t *testing.T, one, other store.Store, c *clock) {
	ctx := context.Background()
	check(t, one.StartRun(ctx, "ann", "run_1", "", nil, nil, at))
	check(t, one.StartRun(ctx, "ann", "run_2", "", nil, nil, at.Add(-time.Second)))
	check(t, one.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("a")}))
	check(t, one.Begin(ctx, "run_1", "s1", "write_it", "h", false))
	open, err := other.OpenRuns(ctx, 100)
	check(t, err)
	want(t, "open while its owner lives", len(open), 0)
	wantLease(t, "events by a stranger", other.AppendEvents(ctx, "run_1", 2, [][]byte{[]byte("x")}), 0, 1)
	wantLease(t, "a call by a stranger", other.Begin(ctx, "run_1", "s2", "write_it", "h", false), 0, 1)
	wantLease(t, "an end by a stranger", other.FinishRun(ctx, "run_1", "error", nil, at), 0, 1)

	c.elapse(LeaseTTL + 100*time.Millisecond)
	open, err = other.OpenRuns(ctx, 100)
	check(t, err)
	want(t, "taken over, oldest first", open, []string{"run_2", "run_1"})
	calls, err := other.Unfinished(ctx, "run_1")
	check(t, err)
	want(t, "what its owner left open", calls, []string{"write_it"})

	wantLease(t, "late events", one.AppendEvents(ctx, "run_1", 2, [][]byte{[]byte("late")}), 1, 2)
	wantLease(t, "a late call", one.Begin(ctx, "run_1", "s9", "write_it", "h", false), 1, 2)
	wantLease(t, "a late return", one.End(ctx, "run_1", "s1", "done", 0, nil), 1, 2)
	wantLease(t, "a late end", one.FinishRun(ctx, "run_1", "answer", nil, at), 1, 2)
	wantLease(t, "a late renewal", one.RenewLease(ctx, "run_1"), 1, 2)
	_, err = one.AcquireLease(ctx, "run_1")
	wantErr(t, "taking it back while work on it goes on", err, store.ErrLeased)

	check(t, other.AppendEvents(ctx, "run_1", 2, [][]byte{[]byte("b")}))
	check(t, other.FinishRun(ctx, "run_1", "error", []byte("{}"), at))
	wantLease(t, "late events of a finished run", one.AppendEvents(ctx, "run_1", 3, [][]byte{[]byte("late")}), 1, 2)
	seqs, events, err := one.Events(ctx, "ann", "run_1", 0, 10)
	check(t, err)
	want(t, "the log", fmt.Sprint(seqs, texts(events)), "[1 2] [a b]")
	check(t, one.ReleaseLease(ctx, "run_2"))
	c.elapse(LeaseTTL + 100*time.Millisecond)
	open, err = one.OpenRuns(ctx, 100)
	check(t, err)
	want(t, "taken back", open, []string{"run_2"})
	wantLease(t, "the second owner", other.AppendEvents(ctx, "run_2", 1, [][]byte{[]byte("x")}), 2, 3)
}

func oneTakesOver(t *testing.T, one, other store.Store, c *clock) {
	ctx := context.Background()
	const runs = 20
	for i := range runs {
		check(t, one.StartRun(ctx, "ann", fmt.Sprint("run_", i), "", nil, nil, at))
		check(t, one.ReleaseLease(ctx, fmt.Sprint("run_", i)))
	}
	c.elapse(LeaseTTL + 100*time.Millisecond)
	var wg sync.WaitGroup
	var mu sync.Mutex
	got := map[string]int{}
	for _, s := range []store.Store{one, other, one, other} {
		wg.Go(func() {
			list, err := s.OpenRuns(ctx, 100)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			for _, run := range list {
				got[run]++
			}
		})
	}
	wg.Wait()
	want(t, "runs taken", len(got), runs)
	for run, n := range got {
		if n != 1 {
			t.Errorf("%s was taken %d times", run, n)
		}
	}
}

func released(t *testing.T, one, other store.Store, _ *clock) {
	ctx := context.Background()
	check(t, one.StartRun(ctx, "ann", "run_1", "", nil, nil, at))
	check(t, one.ReleaseLease(ctx, "run_1"))
	epoch, err := other.AcquireLease(ctx, "run_1")
	check(t, err)
	want(t, "epoch", epoch, 2)
	wantLease(t, "events of the first owner", one.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("x")}), 0, 2)
	check(t, other.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("a")}))
}

func finishedByOwner(t *testing.T, one, other store.Store, _ *clock) {
	ctx := context.Background()
	check(t, one.StartRun(ctx, "ann", "run_1", "", nil, nil, at))
	check(t, one.FinishRun(ctx, "run_1", "answer", []byte("{}"), at))
	wantErr(t, "another end", other.FinishRun(ctx, "run_1", "error", nil, at), fs.ErrExist)
	_, status, _, _, err := other.Run(ctx, "ann", "run_1")
	check(t, err)
	want(t, "status", status, "answer")
}

// oneStarts is the same Idempotency-Key at several replicas.
func oneStarts(t *testing.T, one, other store.Store, _ *clock) {
	ctx := context.Background()
	var wg sync.WaitGroup
	var mu sync.Mutex
	started := 0
	for i := range 20 {
		s := one
		if i%2 == 0 {
			s = other
		}
		wg.Go(func() {
			err := s.StartRun(ctx, "ann", "run_1", "", nil, nil, at)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				started++
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	want(t, "started", started, 1)
}

// deletedRun writes to a run whose session was deleted by somebody else.
func deletedRun(t *testing.T, one, other store.Store, _ *clock) {
	ctx := context.Background()
	check(t, one.CreateSession(ctx, "ann", "ses_1", "", at))
	check(t, one.StartRun(ctx, "ann", "run_1", "ses_1", nil, nil, at))
	check(t, other.DeleteSession(ctx, "ann", "ses_1"))
	wantErr(t, "events", one.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("x")}), fs.ErrNotExist)
	wantErr(t, "a call", one.Begin(ctx, "run_1", "s1", "write_it", "h", false), fs.ErrNotExist)
	wantErr(t, "a renewal", one.RenewLease(ctx, "run_1"), fs.ErrNotExist)
	wantErr(t, "a turn", cmp.Or(one.AppendTurn(ctx, "ann", "ses_1", "run_1", nil, at), one.FinishRun(ctx, "run_1", "error", nil, at)), fs.ErrNotExist)
	wantErr(t, "the end", one.FinishRun(ctx, "run_1", "error", nil, at), fs.ErrNotExist)
	calls, err := one.Unfinished(ctx, "run_1")
	check(t, err)
	want(t, "calls", len(calls), 0)
	list, err := one.ListSessions(ctx, "ann", time.Time{}, "", 10)
	check(t, err)
	want(t, "sessions", len(list), 0)
}
