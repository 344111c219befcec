package access

import (
	"context"
	"sync/atomic"
	"time"
)

// RateStore counts requests for several processes. *redis.Store implements it.
type RateStore interface {
	// TakeRate takes one request off a bucket: requests are every apart on average, and the next may be ahead of now by window at most. It tells
	// how far ahead the bucket is then, and whether the request was within that.
	TakeRate(ctx context.Context, key string, every, window time.Duration) (ahead time.Duration, allowed bool, err error)
}

// Bounds of asking the store.
const (
	rateWait = 100 * time.Millisecond // for its answer: each request waits for it
	rateAway = time.Second            // until it is asked again after it did not answer
)

// Shared is a Limiter whose buckets several processes share in a store. While the store does not answer it counts in memory,
// so that each process allows the whole rate. It is safe for concurrent use.
type Shared struct {
	store  RateStore
	local  *Buckets
	report func(error)
	away   atomic.Int64 // until when the store is not asked; nanoseconds since 1970
}

// NewShared makes a Limiter over a store for a rate, which must have a PerMinute. report takes what the store says when it does not
// answer, once a second at most; nil drops it.
func NewShared(store RateStore, rate Rate, report func(error)) *Shared {
	if report == nil {
		report = func(error) {}
	}
	return &Shared{store: store, local: NewBuckets(rate, nil), report: report}
}

// Take implements Limiter. Its error is always nil.
func (s *Shared) Take(ctx context.Context, key string) (Decision, error) {
	now := time.Now()
	if now.UnixNano() < s.away.Load() {
		return s.local.Take(ctx, key)
	}
	every, window := s.local.every, s.local.every*time.Duration(s.local.burst)
	within, cancel := context.WithTimeout(ctx, rateWait)
	defer cancel()
	ahead, allowed, err := s.store.TakeRate(within, key, every, window)
	if err != nil {
		if ctx.Err() == nil {
			s.away.Store(now.Add(rateAway).UnixNano())
			s.report(err)
		}
		return s.local.Take(ctx, key)
	}
	d := Decision{Allowed: allowed, Limit: s.local.burst, Window: window, Reset: ahead}
	if allowed {
		d.Remaining = int((window - ahead) / every)
	} else {
		d.Retry = ahead + every - window
	}
	return d, nil
}
