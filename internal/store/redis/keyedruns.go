package redis

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// StartKeyedRun is StartRun for a run whose id a client's key decides. The digest of its request outlives it: GoneRun.
func (s *Store) StartKeyedRun(ctx context.Context, owner, run, session, digest string, request, state []byte, at time.Time) error {
	return s.startRun(ctx, owner, run, digest, session, request, state, at, s.inSession(ctx, run, session))
}

// GoneRun returns the digest of a run that was deleted with its session, for KeyLife. Meanwhile its id is taken.
func (s *Store) GoneRun(ctx context.Context, run string) (digest string, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		v, err := s.client.HMGet(ctx, s.runKey(run), "owner", "digest").Result()
		if err != nil {
			return err
		}
		f := fields(v)
		if f[0] != "" || f[1] == "" {
			return backend.Missing("run", run)
		}
		digest = f[1]
		return nil
	})
	return digest, err
}

// keepDigests leaves of those runs of a session that have a digest nothing else, and returns the others. Without an
// epoch nobody writes to a run; whose it was goes last, so that what broke off can be done again.
func (s *Store) keepDigests(ctx context.Context, owner, session string, runs []string) (others []string, err error) {
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
			p.PExpire(ctx, s.runKey(run), store.KeyLife)
			p.HDel(ctx, s.runKey(run), "owner", "session")
		}
		if p.Len() == 0 {
			return nil
		}
		return s.exec(ctx, p)
	})
	return others, err
}

// RunningIn lists the runs of a session of the owner's that have not ended, oldest first, at most limit.
func (s *Store) RunningIn(ctx context.Context, owner, session string, limit int) (runs []string, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		all, err := s.client.SMembers(ctx, s.runsKey(session)).Result()
		if err != nil {
			return err
		}
		runs, err = s.running(ctx, owner, all)
		return err
	})
	return runs[:min(len(runs), max(limit, 0))], err
}

// running are those of some runs that are the owner's and have not ended, oldest first.
func (s *Store) running(ctx context.Context, owner string, all []string) ([]string, error) {
	began := map[string]int64{}
	for some := range slices.Chunk(all, inOneTrip) {
		p := s.client.Pipeline()
		records := make([]*redis.SliceCmd, len(some))
		for i, run := range some {
			records[i] = p.HMGet(ctx, s.runKey(run), "owner", "ended", "started")
		}
		if err := s.exec(ctx, p); err != nil {
			return nil, err
		}
		for i, r := range records {
			f := fields(r.Val())
			if r.Val()[0] != owner || f[1] != "" {
				continue
			}
			at, err := strconv.ParseInt(f[2], 10, 64)
			if err != nil {
				return nil, err
			}
			began[some[i]] = at
		}
	}
	open := make([]string, 0, len(began))
	for run := range began {
		open = append(open, run)
	}
	slices.SortFunc(open, func(a, b string) int { return cmp.Or(cmp.Compare(began[a], began[b]), cmp.Compare(a, b)) })
	return open, nil
}
