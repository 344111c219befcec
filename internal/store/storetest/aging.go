package storetest

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"time"
)

// keepRuns is how long the suite keeps logs: short, because a server's clock cannot be moved.
const keepRuns = 500 * time.Millisecond

// logsAge wants the log of a run to go some time after its end, its turn to stay, and whatever is not over to stay too.
func logsAge(t *testing.T, b Backend) {
	ctx := context.Background()
	c := &clock{at: at}
	opts := Options(t, c.now)
	opts.KeepRuns = keepRuns
	s := b.New(t, opts)()
	t.Cleanup(func() { check(t, s.Close()) })
	check(t, s.CreateSession(ctx, "ann", "ses_1", "", at))
	for _, run := range []string{"run_over", "run_again", "run_open"} {
		check(t, s.StartRun(ctx, "ann", run, "ses_1", []byte("{}"), nil, at))
		check(t, s.Begin(ctx, run, "s1", "write_it", "h", false))
		check(t, s.AppendEvents(ctx, run, 1, [][]byte{[]byte("e")}))
	}
	for _, run := range []string{"run_over", "run_again"} {
		check(t, s.AppendTurn(ctx, "ann", "ses_1", run, []byte(run), at))
		check(t, s.FinishRun(ctx, run, "waiting", nil, at))
	}
	check(t, s.ReopenRun(ctx, "ann", "run_again", "waiting", 1))
	c.add(2 * keepRuns)
	for end := time.Now().Add(20 * time.Second); ; {
		_, err := s.Sweep(ctx)
		check(t, err)
		_, _, _, _, err = s.Run(ctx, "ann", "run_over")
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the log of a run that is over stays:", err)
		}
	}
	calls := 0
	_, _, err := s.Events(ctx, "ann", "run_over", 0, 10)
	wantErr(t, "its events", err, fs.ErrNotExist)
	check(t, s.Calls(ctx, "run_over", func(_, _, _, _ string, _ int, _ []byte) error { calls++; return nil }))
	want(t, "its journal", calls, 0)
	turns, err := s.Turns(ctx, "ann", "ses_1", 10)
	check(t, err)
	want(t, "its turn and the other", texts(turns), []string{"run_over", "run_again"})
	for _, run := range []string{"run_again", "run_open"} {
		_, list, err := s.Events(ctx, "ann", run, 0, 10)
		check(t, err)
		want(t, "the log of "+run, len(list), 1)
	}
	check(t, s.DeleteSession(ctx, "ann", "ses_1"))
}
