package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// gone is the status of what is left of such a run: its id and its digest.
const gone = "gone"

// StartKeyedRun is StartRun for a run whose id a client's key decides. The digest of its request outlives it: GoneRun.
func (s *Store) StartKeyedRun(ctx context.Context, owner, run, session, digest string, request, state []byte, at time.Time) error {
	return s.startRun(ctx, owner, run, session, digest, request, state, at, nil)
}

// GoneRun returns the digest of a run that was deleted with its session, for KeyLife. Meanwhile its id is taken.
func (s *Store) GoneRun(ctx context.Context, run string) (digest string, err error) {
	err = s.read(ctx, func(q *statements) error {
		err := q.row(ctx, "SELECT digest FROM runs WHERE id = ? AND status = ? AND expires > ?", run, gone, s.opts.Now().UnixMicro()).Scan(&digest)
		if errors.Is(err, sql.ErrNoRows) {
			return backend.Missing("run", run)
		}
		return err
	})
	return digest, err
}

// removeRuns removes the runs of a session but for the digests of those that have one. No epoch is theirs, so that
// nobody writes to them any more.
func removeRuns(ctx context.Context, q *statements, owner, session string, now time.Time) error {
	for _, query := range []string{
		"DELETE FROM calls WHERE run IN (SELECT id FROM runs WHERE session = ? AND owner = ?)",
		"DELETE FROM runs WHERE session = ? AND owner = ? AND digest = ''",
		"DELETE FROM events WHERE run IN (SELECT id FROM runs WHERE session = ? AND owner = ?)",
	} {
		if _, err := q.exec(ctx, query, session, owner); err != nil {
			return err
		}
	}
	_, err := q.exec(ctx, `UPDATE runs SET owner = '', session = '', process = '', status = ?, request = x'', response = NULL, state = NULL, epoch = -1,
		ended = ?, expires = ? WHERE session = ? AND owner = ?`, gone, now.UnixMicro(), now.Add(store.KeyLife).UnixMicro(), session, owner)
	return err
}
