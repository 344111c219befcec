package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"time"

	"catena/internal/store/backend"
)

// CreateSession makes an empty session. It is on disk before whatever is written after it and awaited. A taken id gives
// fs.ErrExist, whoever owns it.
func (s *Store) CreateSession(ctx context.Context, owner, id, title string, at time.Time) error {
	return s.writeSoon(ctx, func(ctx context.Context, q *statements) error {
		return insertSession(ctx, q, owner, id, title, at)
	})
}

func insertSession(ctx context.Context, q *statements, owner, id, title string, at time.Time) error {
	n, err := q.exec(
		ctx,
		"INSERT INTO sessions (id, owner, title, created, updated) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		id,
		owner,
		title,
		at.UnixMicro(),
		at.UnixMicro(),
	)
	if err == nil && n == 0 {
		err = backend.Taken("session", id)
	}
	return err
}

// AppendTurn adds a turn at the session's end. The one of an open run of this store's is written with the run's end, in
// one commit; any other is durable when it returns.
func (s *Store) AppendTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error {
	return s.writeTurn(ctx, run, func(ctx context.Context, q *statements) error {
		return insertTurn(ctx, q, owner, session, run, data, at)
	})
}

func insertTurn(ctx context.Context, q *statements, owner, session, run string, data []byte, at time.Time) error {
	var n int64
	err := q.row(
		ctx,
		"UPDATE sessions SET turns = turns + 1, updated = max(updated, ?) WHERE id = ? AND owner = ? RETURNING turns",
		at.UnixMicro(),
		session,
		owner,
	).Scan(
		&n,
	)
	if errors.Is(err, sql.ErrNoRows) {
		return backend.Missing("session", session)
	}
	if err != nil {
		return err
	}
	_, err = q.exec(
		ctx,
		"INSERT INTO turns (session, n, run, data, at) VALUES (?, ?, ?, ?, ?)",
		session,
		n,
		run,
		blob(data),
		at.UnixMicro(),
	)
	return err
}

// writeTurn has a turn written by the end of its run, where this store has the run, or else now.
func (s *Store) writeTurn(ctx context.Context, run string, do func(ctx context.Context, q *statements) error) error {
	if s.held.LeaveTurn(run, do) {
		return ctx.Err()
	}
	return s.write(ctx, do)
}

// ReplaceTurn writes a turn in place of the one that the same run left in the session, where it stands; where there is none it is
// AppendTurn. It is as durable.
func (s *Store) ReplaceTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error {
	return s.writeTurn(ctx, run, func(ctx context.Context, q *statements) error {
		if err := ownsSession(ctx, q, owner, session); err != nil {
			return err
		}
		n, err := q.exec(ctx, "UPDATE turns SET data = ? WHERE session = ? AND run = ?", blob(data), session, run)
		if err == nil && n == 0 {
			err = insertTurn(ctx, q, owner, session, run, data, at)
		}
		return err
	})
}

// Turns returns the last n turns of a session, oldest first; none for a session without turns or n below 1.
func (s *Store) Turns(ctx context.Context, owner, session string, n int) ([][]byte, error) {
	var turns [][]byte
	err := s.read(ctx, func(q *statements) error {
		turns = nil
		if err := ownsSession(ctx, q, owner, session); err != nil || n < 1 {
			return err
		}
		return q.each(ctx, func(rows *sql.Rows) error {
			var data []byte
			err := rows.Scan(&data)
			turns = append(turns, data)
			return err
		}, "SELECT data FROM turns WHERE session = ? ORDER BY n DESC LIMIT ?", session, n)
	})
	slices.Reverse(turns)
	return turns, err
}

// SetTitle renames a session.
func (s *Store) SetTitle(ctx context.Context, owner, session, title string) error {
	return s.write(ctx, func(ctx context.Context, q *statements) error {
		n, err := q.exec(ctx, "UPDATE sessions SET title = ? WHERE id = ? AND owner = ?", title, session, owner)
		if err == nil && n == 0 {
			err = backend.Missing("session", session)
		}
		return err
	})
}

// DeleteSession removes a session and all that belongs to it: turns, runs, events, the journal of its calls, its tables. Only the digests of runs that
// were started under a key stay for KeyLife. The bytes are overwritten, also in the write-ahead log as soon as no reader needs that.
func (s *Store) DeleteSession(ctx context.Context, owner, session string) error {
	err := s.writeFreeing(ctx, func(ctx context.Context, q *statements) error {
		if err := ownsSession(ctx, q, owner, session); err != nil {
			return err
		}
		return removeSession(ctx, q, owner, session, s.opts.Now())
	})
	if err != nil {
		return err
	}
	s.tidy(ctx)
	return nil
}

// removeSession removes all that belongs to a session.
func removeSession(ctx context.Context, q *statements, owner, session string, now time.Time) error {
	if err := removeRuns(ctx, q, owner, session, now); err != nil {
		return err
	}
	for _, query := range []string{
		"DELETE FROM handles WHERE session = ? AND owner = ?",
		"DELETE FROM sessions WHERE id = ? AND owner = ?",
	} {
		if _, err := q.exec(ctx, query, session, owner); err != nil {
			return err
		}
	}
	return nil
}

// sweepSessions removes sessions without a turn since before, oldest first, and returns how many. One with a run under way stays.
func sweepSessions(ctx context.Context, q *statements, before, now time.Time) (removed int, err error) {
	type key struct{ id, owner string }
	var old []key
	err = q.each(ctx, func(rows *sql.Rows) error {
		var k key
		err := rows.Scan(&k.id, &k.owner)
		old = append(old, k)
		return err
	}, `SELECT id, owner FROM sessions WHERE updated <= ?
		AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.session = sessions.id AND ended IS NULL) ORDER BY updated LIMIT ?`, before.UnixMicro(), backend.MaxSwept)
	if err != nil {
		return 0, err
	}
	for _, k := range old {
		if err := removeSession(ctx, q, k.owner, k.id, now); err != nil {
			return 0, err
		}
	}
	return len(old), nil
}

// scrubLimit bounds how long a deletion waits for the log to be emptied.
const scrubLimit = 2 * time.Second

// scrubNow is scrub after a deletion that is committed: it is done whether or not somebody still waits, and when it fails the
// deletion has not: the next sweep does it again.
func (s *Store) scrubNow(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), scrubLimit)
	defer cancel()
	_ = s.scrub(ctx) // marked as not done; the sweep reports it when it fails too
}

// scrub empties the write-ahead log, so that deleted data do not live on in it. While a reader still needs the log, that is
// left to the next sweep.
func (s *Store) scrub(ctx context.Context) error {
	if s.reads == nil {
		return nil // in memory there is no log
	}
	s.unscrubbed.Store(true) // until it is known to be done
	err := s.checkpoint(ctx, "TRUNCATE")
	s.unscrubbed.Store(err != nil)
	if errors.Is(err, errLogInUse) {
		return nil
	}
	return err
}

// sessionColumns are what sessionRow reads.
const sessionColumns = "SELECT id, title, created, updated, turns FROM sessions "

func sessionRow(row interface{ Scan(...any) error }) (map[string]any, error) {
	var id, title string
	var created, updated, turns int64
	err := row.Scan(&id, &title, &created, &updated, &turns)
	return map[string]any{
		"id":      id,
		"title":   title,
		"turns":   turns,
		"created": time.UnixMicro(created).UTC(),
		"updated": time.UnixMicro(updated).UTC(),
	}, err
}

// ListSessions returns the owner's sessions, the last updated first: id, title, turns (int64), created and updated (time.Time, UTC). With a
// time they are those that come after the session of that time and id in the list.
func (s *Store) ListSessions(
	ctx context.Context,
	owner string,
	before time.Time,
	beforeID string,
	limit int,
) ([]map[string]any, error) {
	list, bound := []map[string]any{}, int64(math.MaxInt64)
	if !before.IsZero() {
		bound = before.UnixMicro()
	}
	err := s.read(ctx, func(q *statements) error {
		list = list[:0]
		return q.each(ctx, func(rows *sql.Rows) error {
			one, err := sessionRow(rows)
			list = append(list, one)
			return err
		}, sessionColumns+"WHERE owner = ? AND (updated < ? OR updated = ? AND id < ?) ORDER BY updated DESC, id DESC LIMIT ?", owner, bound, bound, beforeID, max(limit, 0))
	})
	return list, err
}

// Session returns one session as ListSessions has it.
func (s *Store) Session(ctx context.Context, owner, id string) (one map[string]any, err error) {
	err = s.read(ctx, func(q *statements) error {
		var err error
		one, err = sessionRow(q.row(ctx, sessionColumns+"WHERE id = ? AND owner = ?", id, owner))
		if errors.Is(err, sql.ErrNoRows) {
			return backend.Missing("session", id)
		}
		return err
	})
	return one, err
}

// OwnsSession is nil for a session of the owner's that is there.
func (s *Store) OwnsSession(ctx context.Context, owner, session string) error {
	return s.read(ctx, func(q *statements) error { return ownsSession(ctx, q, owner, session) })
}

func ownsSession(ctx context.Context, q *statements, owner, session string) error {
	var one int
	err := q.row(ctx, "SELECT 1 FROM sessions WHERE id = ? AND owner = ?", session, owner).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return backend.Missing("session", session)
	}
	return err
}

// blob keeps an empty value apart from NULL.
func blob(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}
