package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// Get returns a cached value, and whether there is one that has not expired. Keys carry their owner: the planner's hold the
// caller's id in their hash.
func (s *Store) Get(ctx context.Context, key string) (value []byte, ok bool, err error) {
	err = s.read(ctx, func(q *statements) error {
		err := q.row(ctx, "SELECT value FROM cache WHERE key = ? AND expires > ?", key, s.opts.Now().UnixMicro()).Scan(&value)
		ok = err == nil
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return value, ok, err
}

// Put caches a value for ttl, in place of an earlier one. It is written with the next group and may be lost in a crash: a
// cache promises nothing.
func (s *Store) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	expires := s.opts.Now().Add(ttl).UnixMicro()
	return s.writeLazy(ctx, func(ctx context.Context, q *statements) error {
		_, err := q.exec(ctx, "INSERT INTO cache (key, value, expires) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires",
			key, blob(value), expires)
		return err
	}, nil)
}

// sweeps are the queries of Sweep that remove what has passed its time.
var sweeps = []string{"DELETE FROM handles WHERE expires <= ?", "DELETE FROM cache WHERE expires <= ?", "DELETE FROM runs WHERE expires IS NOT NULL AND expires <= ?"}

// Sweep removes what has expired and returns how many tables, cached values, calls and old sessions went. It also removes the journal
// of direct calls older than Options.KeepCalls, and what sessions older than Options.KeepSessions have. It runs by itself every
// Options.SweepEvery.
func (s *Store) Sweep(ctx context.Context) (removed int, err error) {
	now := s.opts.Now()
	err = s.writeFreeing(ctx, func(ctx context.Context, q *statements) error {
		removed = 0
		for _, query := range sweeps {
			n, err := q.exec(ctx, query, now.UnixMicro())
			if err != nil {
				return err
			}
			removed += int(n)
		}
		// By the first key: '`' comes after '_'.
		_, err := q.exec(ctx, "DELETE FROM calls WHERE run >= ? AND run < ? AND began <= ?", backend.DirectRun, backend.DirectRunEnd, now.Add(-s.opts.KeepCalls).UnixMicro())
		if err == nil {
			_, err = q.exec(ctx, "DELETE FROM locks WHERE until <= ?", now.UnixMicro())
		}
		if err == nil {
			err = shortenCache(ctx, q, s.opts.CacheBytes)
		}
		if err != nil || s.opts.KeepSessions <= 0 {
			return err
		}
		n, err := sweepSessions(ctx, q, now.Add(-s.opts.KeepSessions), now)
		removed += n
		return err
	})
	if err == nil {
		var aged int
		aged, err = s.sweepRuns(ctx, now)
		removed += aged
	}
	if err == nil {
		err = s.watchQuotas(ctx, now)
	}
	if err == nil && (removed > 0 || s.unscrubbed.Load()) {
		err = s.scrub(ctx)
	}
	if err == nil {
		err = s.giveBack(ctx, givenSweep)
	}
	return removed, err
}

// shortenCache removes of what is cached what ends first, until the rest is within a limit; 0 is none.
func shortenCache(ctx context.Context, q *statements, limit int64) error {
	if limit <= 0 {
		return nil
	}
	_, err := q.exec(ctx, `DELETE FROM cache WHERE key IN (
		SELECT key FROM (SELECT key, sum(length(value)) OVER (ORDER BY expires DESC, key) AS total FROM cache) WHERE total > ?)`, limit)
	return err
}

// sweepOnce is Sweep in the background.
func (s *Store) sweepOnce() {
	if _, err := s.Sweep(context.Background()); !errors.Is(err, store.ErrClosed) {
		s.opts.ReportError(err)
	}
}
