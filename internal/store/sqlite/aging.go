package sqlite

import (
	"context"
	"database/sql"
	"time"

	"catena/internal/store"
)

// Retention says what is deleted without being asked for, and from when on.
func (s *Store) Retention() store.Retention { return s.aged.Plan(s.opts) }

// Bounds of sweepRuns: runs in one write, and writes of one sweep.
const (
	agedRuns   = 100
	agedPieces = 100
)

// sweepRuns counts what logs take, and deletes those that are older than Options.KeepRuns or beyond Options.OwnerRunBytes, the oldest
// first, in pieces. Runs under way stay, and so do calls, which have an end of their own.
func (s *Store) sweepRuns(ctx context.Context, now time.Time) (removed int, err error) {
	if s.opts.OwnerRunBytes > 0 { // also before any may go: their owner is warned
		if err := s.countRuns(ctx); err != nil {
			return 0, err
		}
	}
	if !s.aged.May(now) {
		return 0, nil
	}
	for range agedPieces {
		old, err := s.agedRuns(ctx, now)
		if err != nil || len(old) == 0 {
			return removed, err
		}
		err = s.writeFreeing(ctx, func(ctx context.Context, q *statements) error { return removeLogs(ctx, q, jsonList(old)) })
		if err != nil {
			return removed, err
		}
		removed += len(old)
	}
	return removed, nil
}

// countRuns fills in the bytes of runs that have ended since the last sweep.
func (s *Store) countRuns(ctx context.Context) error {
	for range agedPieces {
		n := int64(0)
		err := s.writeFreeing(ctx, func(ctx context.Context, q *statements) (err error) {
			n, err = q.exec(ctx, `UPDATE runs SET bytes = length(request) + coalesce(length(response), 0) + coalesce(length(state), 0)
					+ coalesce((SELECT sum(length(data)) FROM events WHERE run = runs.id), 0)
					+ coalesce((SELECT sum(length(result)) FROM calls WHERE run = runs.id), 0)
				WHERE id IN (SELECT id FROM runs WHERE ended IS NOT NULL AND expires IS NULL AND bytes IS NULL LIMIT ?)`, agedRuns)
			return err
		})
		if err != nil || n < agedRuns {
			return err
		}
	}
	return nil
}

// agedRuns are the next runs whose logs go. Both queries read an index alone.
func (s *Store) agedRuns(ctx context.Context, now time.Time) (old []string, err error) {
	take := func(rows *sql.Rows) error {
		var run string
		err := rows.Scan(&run)
		old = append(old, run)
		return err
	}
	err = s.read(ctx, func(q *statements) error {
		old = nil
		if s.opts.KeepRuns > 0 {
			err := q.each(ctx, take, "SELECT id FROM runs WHERE ended <= ? AND ended IS NOT NULL AND expires IS NULL LIMIT ?", now.Add(-s.opts.KeepRuns).UnixMicro(), agedRuns)
			if err != nil || len(old) > 0 {
				return err
			}
		}
		if s.opts.OwnerRunBytes <= 0 {
			return nil
		}
		return q.each(ctx, take, `SELECT id FROM (
			SELECT id, sum(bytes) OVER (PARTITION BY owner ORDER BY ended DESC, id) AS total FROM runs WHERE ended IS NOT NULL AND expires IS NULL
			) WHERE total > ? LIMIT ?`, s.opts.OwnerRunBytes, agedRuns)
	})
	return old, err
}

// removeLogs removes runs that have ended, with their events and journal; list is their ids as JSON.
func removeLogs(ctx context.Context, q *statements, list string) error {
	const of = " IN (SELECT id FROM runs WHERE id IN (SELECT value FROM json_each(?)) AND ended IS NOT NULL)"
	for _, query := range []string{"DELETE FROM calls WHERE run" + of, "DELETE FROM events WHERE run" + of, "DELETE FROM runs WHERE id" + of} {
		if _, err := q.exec(ctx, query, list); err != nil {
			return err
		}
	}
	return nil
}
