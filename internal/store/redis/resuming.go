package redis

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	"catena/internal/store/backend"
)

// ReplaceTurn writes a turn in place of the last one that the same run left in the session, or appends it where there is none.
func (s *Store) ReplaceTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error {
	carried, err := s.mayWriteTurn(ctx, run)
	if err != nil {
		return err
	}
	replaced := false
	err = s.run(ctx, replaceTurn, []string{s.sessionKey(session), s.turnsKey(session)}, func(a answer, _ bool) error {
		replaced = a.number(1) > 0
		return turnAnswer(a, session, run, carried)
	}, owner, data, run, carried)
	if err != nil || replaced {
		return s.held.Lose(run, err)
	}
	return s.AppendTurn(ctx, owner, session, run, data, at)
}

// SaveState keeps where an open run of this store's stands. Unlike SQLite it waits for the server, and one that is refused is its error.
func (s *Store) SaveState(ctx context.Context, run string, state []byte) error {
	carried := s.held.Epoch(run)
	err := s.run(ctx, saveState, []string{s.runKey(run)}, func(a answer, _ bool) error { return runAnswer(a, run, carried) }, carried, state)
	return s.held.Lose(run, err)
}

// State returns what SaveState kept, whoever owns the run.
func (s *Store) State(ctx context.Context, run string) (state []byte, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		v, err := s.client.HMGet(ctx, s.runKey(run), "epoch", "state").Result()
		if err != nil {
			return err
		}
		if v[0] == nil {
			return backend.Missing("run", run)
		}
		if state = nil; v[1] != nil {
			state = []byte(fields(v)[1])
		}
		return nil
	})
	return state, err
}

// ReopenRun makes a run that has ended go on, as this store's.
func (s *Store) ReopenRun(ctx context.Context, owner, run, status string, last uint64) error {
	var epoch uint64
	reopen := job{reopenRun, []string{s.runKey(run), s.eventsKey(run)}, []any{s.process, newToken(), owner, status, min(last, maxIndex), millis(s.opts.LeaseTTL)}}
	err := s.runAll(ctx, []job{reopen, s.mark(run)}, nil, func(i int, a answer, _ bool) error {
		switch {
		case a.word() == "elsewhere":
			return fmt.Errorf("store: run %q does not stand at %s and %d any more: %w", run, status, last, fs.ErrExist)
		case i == 0:
			epoch = a.number(1)
		}
		return runAnswer(a, run, 0)
	})
	if err == nil {
		s.held.Put(run, epoch)
		err = s.ageless(ctx, run)
	}
	return err
}
