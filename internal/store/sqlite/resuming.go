package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"catena/internal/store/backend"
)

// SaveState keeps where an open run of this store's stands. It is written with the next group; one that is refused is told to
// Options.Report. Of a run that was taken over it outlives the process when it returns, and one that is refused is its error.
func (s *Store) SaveState(ctx context.Context, run string, state []byte) error {
	carried := s.held.Epoch(run)
	do := func(ctx context.Context, q *statements) error {
		n, err := q.exec(ctx, "UPDATE runs SET state = ? WHERE id = ? AND epoch = ?", state, run, int64(carried))
		if err == nil && n == 0 {
			err = runRefused(ctx, q, run, carried)
		}
		return err
	}
	if carried > firstEpoch {
		return s.held.Lose(run, s.writeSoon(ctx, do))
	}
	return s.writeLazy(ctx, do, nil)
}

// State returns what SaveState kept, whoever owns the run.
func (s *Store) State(ctx context.Context, run string) (state []byte, err error) {
	err = s.read(ctx, func(q *statements) error {
		err := q.row(ctx, "SELECT state FROM runs WHERE id = ?", run).Scan(&state)
		if errors.Is(err, sql.ErrNoRows) {
			return backend.Missing("run", run)
		}
		return err
	})
	return state, err
}

// ReopenRun makes a run that has ended go on, as this store's.
func (s *Store) ReopenRun(ctx context.Context, owner, run, status string, last uint64) error {
	var epoch uint64
	err := s.write(ctx, func(ctx context.Context, q *statements) error {
		err := q.row(ctx, `UPDATE runs SET status = ?, process = ?, response = NULL, ended = NULL, cancelled = 0, bytes = NULL, epoch = epoch + 1, leased = ?
			WHERE id = ? AND owner = ? AND status = ? AND last_seq = ? AND ended IS NOT NULL RETURNING epoch`,
			backend.Running, s.process, s.leaseEnd(), run, owner, status, int64(min(last, 1<<62))).Scan(&epoch)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		var one int
		if err := q.row(ctx, "SELECT 1 FROM runs WHERE id = ? AND owner = ?", run, owner).Scan(&one); errors.Is(err, sql.ErrNoRows) {
			return backend.Missing("run", run)
		} else if err != nil {
			return err
		}
		return fmt.Errorf("store: run %q does not stand at %s and %d any more: %w", run, status, last, fs.ErrExist)
	})
	if err == nil {
		s.held.Put(run, epoch)
	}
	return err
}
