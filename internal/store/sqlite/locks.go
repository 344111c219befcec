package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
)

// locksSchema holds who works alone on something, and until when, in microseconds since 1970.
const locksSchema = `CREATE TABLE locks (name TEXT PRIMARY KEY, token TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID`

// Lock takes a lock for ttl, under a token that only its holder uses: it reports false while another's lasts. Who has it gets it
// anew, and that of a process of this machine which has ended is free. It is committed when it returns, so that other processes on the
// file see it; a crash of the machine may lose it.
func (s *Store) Lock(ctx context.Context, name, token string, ttl time.Duration) (locked bool, err error) {
	mine := s.lockToken(token)
	err = s.writeSoon(ctx, func(ctx context.Context, q *statements) error {
		var holder string
		var until int64
		now := s.opts.Now()
		err := q.row(ctx, "SELECT token, until FROM locks WHERE name = ?", name).Scan(&holder, &until)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if locked = err != nil || holder == mine || until <= now.UnixMicro() || s.diedWith(holder); !locked {
			return nil
		}
		_, err = q.exec(ctx, "INSERT OR REPLACE INTO locks (name, token, until) VALUES (?, ?, ?)", name, mine, now.Add(ttl).UnixMicro())
		return err
	})
	return locked && err == nil, err
}

// lockToken is what a lock of this process is kept under. No process's name holds a blank.
func (s *Store) lockToken(token string) string { return s.process + " " + token }

// diedWith reports whether the process that took a lock has ended. Of a lock that an older version took nothing is known.
func (s *Store) diedWith(holder string) bool {
	process, _, known := strings.Cut(holder, " ")
	return known && process != s.process && !alive(process)
}

// Unlock gives a lock up. One that ran out, or is another's by now, is no error.
func (s *Store) Unlock(ctx context.Context, name, token string) error {
	return s.writeSoon(ctx, func(ctx context.Context, q *statements) error {
		_, err := q.exec(ctx, "DELETE FROM locks WHERE name = ? AND token = ?", name, s.lockToken(token))
		return err
	})
}
