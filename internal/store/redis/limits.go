package redis

import (
	"context"
	"strconv"
	"time"
)

// TakeRate takes one request off a bucket that all processes share, by the generic cell rate algorithm and the server's clock: requests are
// every apart on average, and the next may be ahead of now by window at most. It tells how far ahead the bucket is then. It asks
// once: an error, also that ctx has ended, says that nothing is known.
func (s *Store) TakeRate(ctx context.Context, key string, every, window time.Duration) (ahead time.Duration, allowed bool, err error) {
	a, err := takeRate.Run(ctx, s.client, []string{s.key("rate", key, "")}, every.Microseconds(), window.Microseconds()).Slice()
	if err != nil {
		return 0, false, s.explain(ctx, err)
	}
	return time.Duration(answer(a).number(1)) * time.Microsecond, answer(a).word() == "ok", nil
}

// TakePlace has a run count as one of its owner's under way, at whichever process, until LeavePlace or for keep at most. It reports whether
// there was a place: fewer than limit counted, or this one did already. It asks once.
func (s *Store) TakePlace(ctx context.Context, owner, run string, limit int, keep time.Duration) (bool, error) {
	a, err := takePlace.Run(ctx, s.client, []string{s.placesKey(owner)}, run, strconv.Itoa(limit), millis(keep)).Slice()
	if err != nil {
		return false, s.explain(ctx, err)
	}
	return answer(a).word() == "ok", nil
}

// LeavePlace ends what TakePlace began.
func (s *Store) LeavePlace(ctx context.Context, owner, run string) error {
	if err := s.client.ZRem(ctx, s.placesKey(owner), run).Err(); err != nil {
		return s.explain(ctx, err)
	}
	return s.explain(ctx, tidyPlaces.Run(ctx, s.client, []string{s.placesKey(owner)}).Err())
}

func (s *Store) placesKey(owner string) string { return s.key("owner", owner, ":open") }
