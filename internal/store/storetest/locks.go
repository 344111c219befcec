package storetest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"catena/internal/store"
)

// wantLock tries a lock and says whether it should be had.
func wantLock(t *testing.T, what string, s store.Store, name, token string, locked bool) {
	t.Helper()
	got, err := s.Lock(context.Background(), name, token, LeaseTTL)
	check(t, err)
	want(t, what, got, locked)
}

func locks(t *testing.T, s store.Store, c *clock) {
	ctx := context.Background()
	wantLock(t, "a free lock", s, "ses_{1} 'x'", "a", true)
	wantLock(t, "another's", s, "ses_{1} 'x'", "b", false)
	wantLock(t, "its holder's", s, "ses_{1} 'x'", "a", true)
	wantLock(t, "of another name", s, "ses_2", "b", true)
	check(t, s.Unlock(ctx, "ses_{1} 'x'", "b"))
	wantLock(t, "given up by another", s, "ses_{1} 'x'", "b", false)
	check(t, s.Unlock(ctx, "ses_{1} 'x'", "a"))
	check(t, s.Unlock(ctx, "ses_{1} 'x'", "a"))
	wantLock(t, "given up", s, "ses_{1} 'x'", "b", true)
	c.elapse(LeaseTTL + 50*time.Millisecond)
	wantLock(t, "run out", s, "ses_{1} 'x'", "c", true)
	check(t, s.Unlock(ctx, "ses_{1} 'x'", "b"))
	wantLock(t, "given up too late", s, "ses_{1} 'x'", "b", false)
	_, err := s.Sweep(ctx)
	check(t, err)
	wantLock(t, "after a sweep", s, "ses_{1} 'x'", "b", false)
}

// oneLocks has two processes with many tries each: never do two hold the lock at once.
func oneLocks(t *testing.T, one, other store.Store, _ *clock) {
	const holders, long = 20, time.Hour
	ctx := context.Background()
	var holding, most atomic.Int64
	var all sync.WaitGroup
	for i := range holders {
		s := one
		if i%2 == 1 {
			s = other
		}
		all.Go(func() {
			token := fmt.Sprint("token", i)
			for {
				locked, err := s.Lock(ctx, "ses_1", token, long)
				if err != nil {
					t.Error(err)
					return
				}
				if locked {
					break
				}
				time.Sleep(time.Millisecond)
			}
			at := holding.Add(1)
			time.Sleep(2 * time.Millisecond) // long enough for another to come in, were it let
			most.Store(max(most.Load(), at))
			holding.Add(-1)
			if err := s.Unlock(ctx, "ses_1", token); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	want(t, "holders at once", most.Load(), int64(1))
}

// runningIn lists runs of a session that have not ended: to its owner, of any process, also one that goes on.
func runningIn(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	list := func(what, owner, session string, limit int, runs ...string) {
		t.Helper()
		got, err := s.RunningIn(ctx, owner, session, limit)
		check(t, err)
		want(t, what, fmt.Sprint(got), fmt.Sprint(runs))
	}
	list("no session", "ann", "ses_1", 10)
	for _, session := range []string{"ses_1", "ses_2"} {
		check(t, s.CreateSession(ctx, "ann", session, "", at))
	}
	for i, run := range []string{"run_b", "run_a", "run_c"} {
		check(t, s.StartRun(ctx, "ann", run, "ses_1", []byte("{}"), nil, at.Add(time.Duration(i)*time.Second)))
	}
	check(t, s.StartRun(ctx, "ann", "run_d", "ses_2", []byte("{}"), nil, at))
	list("all, oldest first", "ann", "ses_1", 10, "run_b", "run_a", "run_c")
	list("some", "ann", "ses_1", 2, "run_b", "run_a")
	list("none", "ann", "ses_1", 0)
	list("another's", "bob", "ses_1", 10)
	check(t, s.AppendEvents(ctx, "run_a", 1, [][]byte{[]byte("x")}))
	check(t, s.FinishRun(ctx, "run_a", "approval", nil, at))
	list("without what ended", "ann", "ses_1", 10, "run_b", "run_c")
	check(t, s.ReopenRun(ctx, "ann", "run_a", "approval", 1))
	list("with what goes on", "ann", "ses_1", 10, "run_b", "run_a", "run_c")
	check(t, s.DeleteSession(ctx, "ann", "ses_1"))
	list("deleted", "ann", "ses_1", 10)
}
