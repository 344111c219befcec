package redis

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// StartCall makes a call durable that goes on by itself: its run exists when it returns, is leased to this store, and the server
// removes it when it expires. It reports false while the owner has as many as limit.
func (s *Store) StartCall(ctx context.Context, owner, run string, request []byte, at, expires time.Time, limit int) (started bool, err error) {
	left := max(expires.Sub(s.opts.Now()), time.Millisecond)
	err = s.run(ctx, takePlace, []string{s.keptCallsKey(owner)}, func(a answer, _ bool) error {
		started = a.word() == "ok"
		return nil
	}, run, limit, millis(left))
	if err != nil || !started {
		return false, err
	}
	// Not where it expires already: then it is another call, and its time stays.
	expire := func(p redis.Pipeliner) { p.Do(ctx, "PEXPIRE", s.runKey(run), millis(left), "NX") }
	if err := s.startRun(ctx, owner, run, "", "", request, nil, at, expire); err != nil {
		return false, err
	}
	tidy := func(p redis.Pipeliner) {
		p.PExpire(ctx, s.keptCallsKey(owner), left+time.Hour)
		p.PExpire(ctx, s.runKey(run), left) // again: the former one found no key where the server did not know the script yet
	}
	if err := s.runAll(ctx, []job{{tidyPlaces, []string{s.keptCallsKey(owner)}, nil}}, tidy, func(int, answer, bool) error { return nil }); err != nil {
		s.opts.ReportError(err) // the next call tidies up
	}
	return true, nil
}

// keptCallsKey holds the calls of an owner that have not expired, by the time when they do.
func (s *Store) keptCallsKey(owner string) string { return s.key("owner", owner, ":calls") }
