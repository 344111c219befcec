package storetest

import (
	"context"
	"io/fs"
	"testing"

	"catena/internal/store"
)

// setAside is a run that was set aside after two owners: nobody takes it over, another process has it tried again, and its log goes on.
func setAside(t *testing.T, one, other store.Store, c *clock) {
	ctx := context.Background()
	const poisoned = "poisoned"
	check(t, one.CreateSession(ctx, "ann", "ses_1", "", at))
	check(t, one.StartRun(ctx, "ann", "run_1", "ses_1", []byte("{}"), nil, at))
	for _, s := range []store.Store{other, one} {
		c.elapse(LeaseTTL + LeaseTTL/4)
		_, err := s.ExpiredRuns(ctx, 10)
		check(t, err)
		if s == one {
			check(t, s.ReleaseLease(ctx, "run_1")) // as a new process
		}
		open, err := s.OpenRuns(ctx, 10)
		check(t, err)
		want(t, "taken over", open, []string{"run_1"})
		// What a run that was taken over begins is known to the next owner.
		check(t, s.SaveState(ctx, "run_1", []byte("here")))
		check(t, s.Begin(ctx, "run_1", "s1", "read_it", "h", true))
	}
	status, attempts := "", 0
	check(t, other.Calls(ctx, "run_1", func(_, _, _, was string, n int, _ []byte) error {
		status, attempts = was, n
		return nil
	}))
	want(t, "the call that both died in", []any{status, attempts}, []any{"started", 2})
	state, err := other.State(ctx, "run_1")
	check(t, err)
	want(t, "state", string(state), "here")

	check(t, one.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("end")}))
	check(t, one.FinishRun(ctx, "run_1", poisoned, []byte("{}"), at))
	c.elapse(2 * LeaseTTL)
	open, err := other.OpenRuns(ctx, 10)
	check(t, err)
	want(t, "taken over while it is set aside", len(open), 0)
	_, got, _, _, err := other.Run(ctx, "ann", "run_1")
	check(t, err)
	want(t, "status", got, poisoned)

	check(t, other.ReleaseLease(ctx, "run_1")) // of the second owner, which is gone
	check(t, other.ReopenRun(ctx, "ann", "run_1", poisoned, 1))
	wantErr(t, "released twice", one.ReopenRun(ctx, "ann", "run_1", poisoned, 1), fs.ErrExist)
	check(t, other.AppendEvents(ctx, "run_1", 2, [][]byte{[]byte("again")}))
	check(t, other.ReleaseLease(ctx, "run_1"))
	open, err = one.OpenRuns(ctx, 10)
	check(t, err)
	want(t, "taken over at once when it is released", open, []string{"run_1"})
	check(t, one.AppendEvents(ctx, "run_1", 3, [][]byte{[]byte("on")}))
	check(t, one.FinishRun(ctx, "run_1", "answer", []byte("{}"), at))
}
