package storetest

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"catena/internal/store"
)

// runsGoOn ends a run, and makes it go on: once, for its owner, from the status that it has.
func runsGoOn(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	check(t, s.StartRun(ctx, "ann", "run_1", "ses_1", nil, nil, at))
	state, err := s.State(ctx, "run_1")
	check(t, err)
	want(t, "no state", len(state), 0)
	check(t, s.StartRun(ctx, "ann", "run_with", "ses_1", []byte("{}"), []byte("attached"), at))
	state, err = s.State(ctx, "run_with")
	check(t, err)
	want(t, "the state that a run began in", string(state), "attached")
	check(t, s.FinishRun(ctx, "run_with", "answer", nil, at))
	_, err = s.State(ctx, "run_none")
	wantErr(t, "the state of no run", err, fs.ErrNotExist)
	wantErr(t, "a run under way", s.ReopenRun(ctx, "ann", "run_1", "running", 0), fs.ErrExist)
	check(t, s.SaveState(ctx, "run_1", []byte("first")))
	check(t, s.SaveState(ctx, "run_1", []byte("here")))
	check(t, s.FinishRun(ctx, "run_1", "approval", []byte(`{"outcome":"approval"}`), at))
	wantErr(t, "another's", s.ReopenRun(ctx, "bob", "run_1", "approval", 0), fs.ErrNotExist)
	wantErr(t, "another status", s.ReopenRun(ctx, "ann", "run_1", "answer", 0), fs.ErrExist)
	wantErr(t, "another end", s.ReopenRun(ctx, "ann", "run_1", "approval", 1), fs.ErrExist)
	var won atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if s.ReopenRun(ctx, "ann", "run_1", "approval", 0) == nil {
				won.Add(1)
			}
		})
	}
	all.Wait()
	want(t, "who made it go on", won.Load(), 1)
	state, err = s.State(ctx, "run_1")
	check(t, err)
	_, status, _, response, err := s.Run(ctx, "ann", "run_1")
	check(t, err)
	want(t, "gone on with", []string{string(state), status, string(response)}, []string{"here", "running", ""})
	check(t, s.FinishRun(ctx, "run_1", "answer", []byte("{}"), at))
}

// cancelling asks for the end of runs: only their owner can, only while they are open, and what is asked ends with the run.
func cancelling(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	for _, run := range []string{"run_1", "run_2", "run_3"} {
		check(t, s.StartRun(ctx, "ann", run, "ses_1", []byte("{}"), nil, at))
	}
	owner, session, request, err := s.Accepted(ctx, "run_1")
	check(t, err)
	want(t, "accepted", []string{owner, session, string(request)}, []string{"ann", "ses_1", "{}"})
	_, _, _, err = s.Accepted(ctx, "run_none")
	wantErr(t, "nothing accepted", err, fs.ErrNotExist)
	marked := func() []string {
		list, err := s.CancelledRuns(ctx, []string{"run_1", "run_2", "run_none"})
		check(t, err)
		return list
	}
	want(t, "none is cancelled", len(marked()), 0)
	wantErr(t, "another's", s.CancelRun(ctx, "bob", "run_1"), fs.ErrNotExist)
	wantErr(t, "no run", s.CancelRun(ctx, "ann", "run_none"), fs.ErrNotExist)
	for range 2 {
		check(t, s.CancelRun(ctx, "ann", "run_1"))
	}
	check(t, s.CancelRun(ctx, "ann", "run_3"))
	want(t, "cancelled", marked(), []string{"run_1"})
	check(t, s.FinishRun(ctx, "run_1", "error", []byte("{}"), at))
	check(t, s.CancelRun(ctx, "ann", "run_1"))
	check(t, s.ReopenRun(ctx, "ann", "run_1", "error", 0))
	want(t, "a run that goes on", len(marked()), 0)
}

// lateTurn is the turn of a process that was paused for longer than its lease: it does not stand beside, or in place of, the new owner's.
func lateTurn(t *testing.T, one, other store.Store, c *clock) {
	ctx := context.Background()
	check(t, one.CreateSession(ctx, "ann", "ses_1", "", at))
	check(t, one.StartRun(ctx, "ann", "run_1", "ses_1", nil, nil, at))
	c.elapse(LeaseTTL + 100*time.Millisecond)
	open, err := other.OpenRuns(ctx, 10)
	check(t, err)
	want(t, "taken over", open, []string{"run_1"})
	end := func(s store.Store, turn error) error {
		return cmp.Or(turn, s.FinishRun(ctx, "run_1", "answer", nil, at))
	}
	wantLease(t, "a late turn", end(one, one.AppendTurn(ctx, "ann", "ses_1", "run_1", []byte("late"), at)), 1, 2)
	check(t, other.ReplaceTurn(ctx, "ann", "ses_1", "run_1", []byte("new"), at))
	wantLease(t, "a late turn in place", end(one, one.ReplaceTurn(ctx, "ann", "ses_1", "run_1", []byte("late"), at)), 1, 2)
	check(t, end(other, nil))
	got, err := one.Turns(ctx, "ann", "ses_1", 10)
	check(t, err)
	want(t, "turns", texts(got), []string{"new"})
}

// replacedTurns writes a turn where it stood, and at the end where it did not stand.
func replacedTurns(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	check(t, s.CreateSession(ctx, "ann", "ses_1", "", at))
	for i := range 3 {
		check(t, s.AppendTurn(ctx, "ann", "ses_1", fmt.Sprint("run_", i), fmt.Append(nil, i), at))
	}
	check(t, s.ReplaceTurn(ctx, "ann", "ses_1", "run_1", []byte("new"), at))
	check(t, s.ReplaceTurn(ctx, "ann", "ses_1", "run_9", []byte("last"), at))
	got, err := s.Turns(ctx, "ann", "ses_1", 10)
	check(t, err)
	want(t, "turns", texts(got), []string{"0", "new", "2", "last"})
	wantErr(t, "another's", s.ReplaceTurn(ctx, "bob", "ses_1", "run_1", []byte("x"), at), fs.ErrNotExist)
}

// callsExpire starts calls that go on by themselves: no more of an owner than the limit, each until it expires.
func callsExpire(t *testing.T, s store.Store, c *clock) {
	ctx := context.Background()
	start := func(owner, run string, life time.Duration) bool {
		t.Helper()
		started, err := s.StartCall(ctx, owner, run, []byte("{}"), c.now(), c.now().Add(life), 2)
		check(t, err)
		return started
	}
	want(t, "within the limit", []bool{start("ann", "call_1", 300*time.Millisecond), start("ann", "call_2", time.Hour)}, []bool{true, true})
	want(t, "beyond it", start("ann", "call_3", time.Hour), false)
	want(t, "another owner's", start("bob", "call_4", time.Hour), true)
	_, err := s.StartCall(ctx, "bob", "call_1", nil, c.now(), c.now().Add(time.Hour), 2)
	wantErr(t, "a taken id", err, fs.ErrExist)
	check(t, s.Begin(ctx, "call_1", "s1", "count", "hash", false))
	check(t, s.End(ctx, "call_1", "s1", "done", time.Second, nil))
	check(t, s.FinishRun(ctx, "call_1", "completed", []byte("result"), c.now()))
	_, status, _, response, err := s.Run(ctx, "ann", "call_1")
	check(t, err)
	want(t, "a call that is over", []string{status, string(response)}, []string{"completed", "result"})
	_, err = s.StartCall(ctx, "ann", "call_3", nil, c.now(), c.now().Add(time.Hour), 2)
	check(t, err)
	c.elapse(400 * time.Millisecond)
	_, err = s.Sweep(ctx)
	check(t, err)
	_, _, _, _, err = s.Run(ctx, "ann", "call_1")
	wantErr(t, "an expired call", err, fs.ErrNotExist)
	want(t, "room again", start("ann", "call_3", time.Hour), true)
}
