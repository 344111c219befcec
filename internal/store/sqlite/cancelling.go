package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"catena/internal/store/backend"
)

// Accepted returns what StartRun was given, whoever owns the run.
func (s *Store) Accepted(ctx context.Context, run string) (owner, session string, request []byte, err error) {
	err = s.read(ctx, func(q *statements) error {
		err := q.row(ctx, "SELECT owner, session, request FROM runs WHERE id = ?", run).Scan(&owner, &session, &request)
		if errors.Is(err, sql.ErrNoRows) {
			return backend.Missing("run", run)
		}
		return err
	})
	return owner, session, request, err
}

// CancelRun asks whoever runs an open run of the owner's to cancel it, durably.
func (s *Store) CancelRun(ctx context.Context, owner, run string) error {
	return s.write(ctx, func(ctx context.Context, q *statements) error {
		n, err := q.exec(ctx, "UPDATE runs SET cancelled = 1 WHERE id = ? AND owner = ? AND ended IS NULL", run, owner)
		if err != nil || n > 0 {
			return err
		}
		var one int
		err = q.row(ctx, "SELECT 1 FROM runs WHERE id = ? AND owner = ?", run, owner).Scan(&one)
		if errors.Is(err, sql.ErrNoRows) {
			return backend.Missing("run", run)
		}
		return err
	})
}

// CancelledRuns returns those of the runs that CancelRun was called for.
func (s *Store) CancelledRuns(ctx context.Context, runs []string) ([]string, error) {
	var list []string
	err := s.read(ctx, func(q *statements) error {
		list = nil
		return q.each(ctx, func(rows *sql.Rows) error {
			var run string
			err := rows.Scan(&run)
			if slices.Contains(runs, run) {
				list = append(list, run)
			}
			return err
		}, "SELECT id FROM runs WHERE ended IS NULL AND cancelled = 1")
	})
	return list, err
}
