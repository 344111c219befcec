package redis

import (
	"context"

	"github.com/redis/go-redis/v9"

	"catena/internal/store/backend"
)

// Accepted returns what StartRun was given, whoever owns the run.
func (s *Store) Accepted(ctx context.Context, run string) (owner, session string, request []byte, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		v, err := s.client.HMGet(ctx, s.runKey(run), "owner", "session", "request").Result()
		if err != nil {
			return err
		}
		if v[0] == nil {
			return backend.Missing("run", run)
		}
		f := fields(v)
		owner, session, request = f[0], f[1], []byte(f[2])
		return nil
	})
	return owner, session, request, err
}

// CancelRun asks whoever runs an open run of the owner's to cancel it.
func (s *Store) CancelRun(ctx context.Context, owner, run string) error {
	return s.run(ctx, cancelRun, []string{s.runKey(run)}, func(a answer, _ bool) error { return runAnswer(a, run, 0) }, owner)
}

// CancelledRuns returns those of the runs that CancelRun was called for.
func (s *Store) CancelledRuns(ctx context.Context, runs []string) ([]string, error) {
	var list []string
	err := s.retry(ctx, func(ctx context.Context, _ bool) error {
		p := s.client.Pipeline()
		marks := make([]*redis.StringCmd, len(runs))
		for i, run := range runs {
			marks[i] = p.HGet(ctx, s.runKey(run), "cancelled")
		}
		if err := s.exec(ctx, p); err != nil {
			return err
		}
		list = nil
		for i, mark := range marks {
			if mark.Val() == "1" {
				list = append(list, runs[i])
			}
		}
		return nil
	})
	return list, err
}
