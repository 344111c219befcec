package sqlite

import (
	"context"
	"time"

	"catena/internal/store/backend"
)

// StartCall makes a call durable that goes on by itself: its run exists when it returns, is leased to this store, and
// goes when it expires. It reports false while the owner has as many as limit.
func (s *Store) StartCall(ctx context.Context, owner, run string, request []byte, at, expires time.Time, limit int) (started bool, err error) {
	err = s.write(ctx, func(ctx context.Context, q *statements) error {
		var kept int
		started = false
		err := q.row(ctx, "SELECT count(*) FROM runs WHERE owner = ? AND expires > ?", owner, s.opts.Now().UnixMicro()).Scan(&kept)
		if err != nil || kept >= limit {
			return err
		}
		n, err := q.exec(ctx, `INSERT INTO runs (id, owner, session, process, status, request, started, epoch, leased, expires) VALUES (?, ?, '', ?, ?, ?, ?, 1, ?, ?)
			ON CONFLICT DO NOTHING`, run, owner, s.process, backend.Running, blob(request), at.UnixMicro(), s.leaseEnd(), expires.UnixMicro())
		if err == nil && n == 0 {
			err = backend.Taken("run", run)
		}
		started = err == nil
		return err
	})
	if err == nil && started {
		s.held.Put(run, 1)
	}
	return started, err
}
