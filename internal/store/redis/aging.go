package redis

import (
	"context"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"catena/internal/store"
)

// The log of a run that has ended is removed by the server, at the end of its life, which is set when the run ends. A run that goes on has no
// such end.

// Retention says what is deleted without being asked for, and from when on.
func (s *Store) Retention() store.Retention { return s.aged.Plan(s.opts) }

// empty reports whether the store holds nothing.
func (s *Store) empty(ctx context.Context) (bool, error) {
	empty := true
	err := s.eachKey(ctx, s.prefix()+":{", func(_ context.Context, _ redis.UniversalClient, keys []string) error {
		for _, key := range keys {
			empty = empty && strings.HasPrefix(key, s.prefix()+":{cache:")
		}
		return nil
	})
	return empty, s.explain(ctx, err)
}

func (s *Store) logKeys(run string) []string {
	return []string{s.runKey(run), s.eventsKey(run), s.callsKey(run)}
}

// age takes a run that has ended out of the index of leases, and gives its log its end of life, which is not before
// logs may go at all. Where the server does not answer, a look at what the index names, and a sweep, do so later.
func (s *Store) age(ctx context.Context, run string) {
	p := s.client.Pipeline()
	p.ZRem(ctx, s.leaseKey(shardOf(run)), run)
	if s.opts.KeepRuns > 0 {
		s.expire(ctx, p, run, max(s.opts.KeepRuns, s.aged.Plan(s.opts).From.Sub(s.opts.Now())))
	}
	if s.exec(ctx, p) != nil {
		s.swept.Store(false)
	}
}

// expire has the keys of a run end, unless they end before.
func (s *Store) expire(ctx context.Context, p redis.Pipeliner, run string, life time.Duration) {
	for _, key := range s.logKeys(run) {
		p.Do(ctx, "pexpire", key, millis(life), "NX")
	}
}

// ageless takes the end of life off the log of a run that goes on.
func (s *Store) ageless(ctx context.Context, run string) error {
	if s.opts.KeepRuns <= 0 {
		return nil
	}
	return s.retry(ctx, func(ctx context.Context, _ bool) error {
		session, err := s.client.HGet(ctx, s.runKey(run), "session").Result()
		if err != nil || session == "" { // a call has an end of its own
			return err
		}
		p := s.client.Pipeline()
		for _, key := range s.logKeys(run) {
			p.Persist(ctx, key)
		}
		return s.exec(ctx, p)
	})
}

// ageRuns gives runs an end of life that ended without one, once for each process.
func (s *Store) ageRuns(ctx context.Context) error {
	now := s.opts.Now()
	if s.opts.KeepRuns <= 0 || !s.aged.May(now) || s.swept.Load() {
		return nil
	}
	begin := s.prefix() + ":{run:"
	err := s.eachKey(ctx, begin, func(ctx context.Context, c redis.UniversalClient, keys []string) error {
		var records []string
		for _, key := range keys {
			if strings.HasSuffix(key, "}") {
				records = append(records, key)
			}
		}
		return s.ageOld(ctx, c, records, now)
	})
	if err == nil {
		s.swept.Store(true)
	}
	return s.explain(ctx, err)
}

// ageOld does so for the runs with some keys.
func (s *Store) ageOld(ctx context.Context, c redis.UniversalClient, records []string, now time.Time) error {
	if len(records) == 0 {
		return nil
	}
	p := c.Pipeline()
	ended, lives := make([]*redis.SliceCmd, len(records)), make([]*redis.DurationCmd, len(records))
	for i, key := range records {
		ended[i], lives[i] = p.HMGet(ctx, key, "ended"), p.PTTL(ctx, key)
	}
	if _, err := p.Exec(ctx); err != nil {
		return err
	}
	p = c.Pipeline()
	for i, key := range records {
		at := fields(ended[i].Val())[0]
		if at == "" || lives[i].Val() >= 0 {
			continue
		}
		life := max(micros(at).Add(s.opts.KeepRuns).Sub(now), time.Millisecond)
		for _, end := range []string{"", ":events", ":calls"} {
			p.Do(ctx, "pexpire", key+end, millis(life), "NX")
		}
	}
	if p.Len() == 0 {
		return nil
	}
	_, err := p.Exec(ctx)
	return err
}
