package store

import (
	"context"
	"time"
)

// locksSchema holds who works alone on something, and until when, in microseconds since 1970.
const locksSchema = `CREATE TABLE locks (name TEXT PRIMARY KEY, token TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID`

// Lock takes a lock for ttl, under a token that only its holder uses: it reports false while another's lasts. Who has it gets it
// anew. It is committed when it returns, so that other processes on the file see it; a crash of the machine may lose it.
func (s *SQLite) Lock(ctx context.Context, name, token string, ttl time.Duration) (locked bool, err error) {
	err = s.writeSoon(ctx, func(ctx context.Context, q *statements) error {
		now := s.opts.Now()
		n, err := q.exec(ctx, `INSERT INTO locks (name, token, until) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE
			SET token = excluded.token, until = excluded.until WHERE until <= ? OR token = excluded.token`,
			name, token, now.Add(ttl).UnixMicro(), now.UnixMicro())
		locked = err == nil && n > 0
		return err
	})
	return locked && err == nil, err
}

// Unlock gives a lock up. One that ran out, or is another's by now, is no error.
func (s *SQLite) Unlock(ctx context.Context, name, token string) error {
	return s.writeSoon(ctx, func(ctx context.Context, q *statements) error {
		_, err := q.exec(ctx, "DELETE FROM locks WHERE name = ? AND token = ?", name, token)
		return err
	})
}
