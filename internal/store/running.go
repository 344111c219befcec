package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// RunningIn lists the runs of a session of the owner's that have not ended, oldest first, at most limit.
func (s *SQLite) RunningIn(ctx context.Context, owner, session string, limit int) (runs []string, err error) {
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

// RunningIn lists the runs of a session of the owner's that have not ended, oldest first, at most limit.
func (s *Redis) RunningIn(ctx context.Context, owner, session string, limit int) (runs []string, err error) {
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
func (s *Redis) running(ctx context.Context, owner string, all []string) ([]string, error) {
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
