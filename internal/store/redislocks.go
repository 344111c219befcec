package store

import (
	"context"
	"time"
)

func (s *Redis) lockKey(name string) string { return s.key("lock", name, "") }

// Lock takes a lock for ttl by the server's clock, under a token that only its holder uses: it reports false while another's lasts.
func (s *Redis) Lock(ctx context.Context, name, token string, ttl time.Duration) (locked bool, err error) {
	err = s.run(ctx, takeLock, []string{s.lockKey(name)}, func(a answer, _ bool) error {
		locked = a.word() == "ok"
		return nil
	}, token, millis(ttl))
	return locked && err == nil, err
}

// Unlock gives a lock up. One that ran out, or is another's by now, is no error.
func (s *Redis) Unlock(ctx context.Context, name, token string) error {
	return s.run(ctx, unlock, []string{s.lockKey(name)}, func(answer, bool) error { return nil }, token)
}
