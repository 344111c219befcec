package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// KeyLife is how long the digest of a run that was started under a key outlives the session that the run was deleted with.
const KeyLife = 24 * time.Hour

// gone is the status of what is left of such a run: its id and its digest.
const gone = "gone"

// StartKeyedRun is StartRun for a run whose id a client's key decides. The digest of its request outlives it: GoneRun.
func (s *SQLite) StartKeyedRun(ctx context.Context, owner, run, session, digest string, request, state []byte, at time.Time) error {
	return s.startRun(ctx, owner, run, session, digest, request, state, at, nil)
}

// GoneRun returns the digest of a run that was deleted with its session, for KeyLife. Meanwhile its id is taken.
func (s *SQLite) GoneRun(ctx context.Context, run string) (digest string, err error) {
	err = s.read(ctx, func(q *statements) error {
		err := q.row(ctx, "SELECT digest FROM runs WHERE id = ? AND status = ? AND expires > ?", run, gone, s.opts.Now().UnixMicro()).Scan(&digest)
		if errors.Is(err, sql.ErrNoRows) {
			return missing("run", run)
		}
		return err
	})
	return digest, err
}

// removeRuns removes the runs of a session but for the digests of those that have one. No epoch is theirs, so that nobody writes to them any more.
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
		ended = ?, expires = ? WHERE session = ? AND owner = ?`, gone, now.UnixMicro(), now.Add(KeyLife).UnixMicro(), session, owner)
	return err
}

// StartKeyedRun is StartRun for a run whose id a client's key decides. The digest of its request outlives it: GoneRun.
func (s *Redis) StartKeyedRun(ctx context.Context, owner, run, session, digest string, request, state []byte, at time.Time) error {
	return s.startRun(ctx, owner, run, digest, session, request, state, at, s.inSession(ctx, run, session))
}

// GoneRun returns the digest of a run that was deleted with its session, for KeyLife. Meanwhile its id is taken.
func (s *Redis) GoneRun(ctx context.Context, run string) (digest string, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		v, err := s.client.HMGet(ctx, s.runKey(run), "owner", "digest").Result()
		if err != nil {
			return err
		}
		f := fields(v)
		if f[0] != "" || f[1] == "" {
			return missing("run", run)
		}
		digest = f[1]
		return nil
	})
	return digest, err
}

// keepDigests leaves of those runs of a session that have a digest nothing else, and returns the others. Without an epoch nobody writes to a run; whose
// it was goes last, so that what broke off can be done again.
func (s *Redis) keepDigests(ctx context.Context, owner, session string, runs []string) (others []string, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		p := s.client.Pipeline()
		asked := make([]*redis.SliceCmd, len(runs))
		for i, run := range runs {
			asked[i] = p.HMGet(ctx, s.runKey(run), "owner", "session", "digest")
		}
		if err := s.exec(ctx, p); err != nil {
			return err
		}
		others = nil
		p = s.client.Pipeline()
		for i, run := range runs {
			if f := fields(asked[i].Val()); f[0] != owner || f[1] != session || f[2] == "" {
				others = append(others, run)
				continue
			}
			p.HDel(ctx, s.runKey(run), "process", "request", "started", "status", "epoch", "until", "ended", "response", "end_token", "lease_token", "state", "cancelled")
			p.Unlink(ctx, s.eventsKey(run))
			p.Unlink(ctx, s.callsKey(run))
			p.PExpire(ctx, s.runKey(run), KeyLife)
			p.HDel(ctx, s.runKey(run), "owner", "session")
		}
		if p.Len() == 0 {
			return nil
		}
		return s.exec(ctx, p)
	})
	return others, err
}
