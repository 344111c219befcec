package redis

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// lockKept is how long the server keeps a lock that ran out and that nobody gave up.
const lockKept = time.Hour

func (s *Store) lockKey(name string) string { return s.key("lock", name, "") }

// Lock takes a lock for ttl by the server's clock, under a token that only its holder uses: it reports false while another's lasts.
func (s *Store) Lock(ctx context.Context, name, token string, ttl time.Duration) (locked bool, err error) {
	key := s.lockKey(name)
	keep := func(p redis.Pipeliner) { p.PExpire(ctx, key, ttl+lockKept) }
	err = s.runAll(ctx, []job{{takeLock, []string{key}, []any{token, millis(ttl)}}}, keep, func(_ int, a answer, _ bool) error {
		locked = a.word() == "ok"
		return nil
	})
	return locked && err == nil, err
}

// Unlock gives a lock up. One that ran out, or is another's by now, is no error.
func (s *Store) Unlock(ctx context.Context, name, token string) error {
	return s.run(ctx, dropLock, []string{s.lockKey(name)}, func(answer, bool) error { return nil }, token)
}
