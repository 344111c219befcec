package sqlite

import (
	"context"
	"database/sql"
)

// RunningIn lists the runs of a session of the owner's that have not ended, oldest first, at most limit.
func (s *Store) RunningIn(ctx context.Context, owner, session string, limit int) (runs []string, err error) {
	err = s.read(ctx, func(q *statements) error {
		runs = nil
		return q.each(ctx, func(rows *sql.Rows) error {
			var run string
			err := rows.Scan(&run)
			runs = append(runs, run)
			return err
		}, "SELECT id FROM runs WHERE session = ? AND owner = ? AND ended IS NULL AND status <> ? ORDER BY started, id LIMIT ?",
			session, owner, gone, max(limit, 0))
	})
	return runs, err
}
