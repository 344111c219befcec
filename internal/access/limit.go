package access

import (
	"context"
	"sync"
	"time"
)

// Rate is how often something may be done: so many times at once, and then as often as the bucket fills again.
type Rate struct {
	PerMinute int // 0 is no limit
	Burst     int // at once; 0 means 1
}

// Decision is what a Limiter says about one request.
type Decision struct {
	Allowed   bool
	Limit     int           // requests at once
	Remaining int           // that may still be made now
	Window    time.Duration // in which Limit requests are there again from none
	Reset     time.Duration // until Limit requests are there again
	Retry     time.Duration // until the next request is allowed; 0 when this one is
}

// Limiter counts requests by key. Implementations are safe for concurrent use; one over a store that processes share may return that
// store's errors.
type Limiter interface {
	Take(ctx context.Context, key string) (Decision, error)
}

// limitKeys is how many keys a Buckets holds: about 10 MB.
const limitKeys = 100_000

// Buckets is a Limiter in memory, by the generic cell rate algorithm in its virtual scheduling form (ITU-T I.371, annex A; ATM Forum
// Traffic Management 4.0, 4.4.2): of each key it keeps one time, the theoretical arrival time of the next request. Keys whose time has
// passed are as good as new and are forgotten; when there are too many others, new keys share one bucket.
type Buckets struct {
	every time.Duration // between requests: the emission interval
	burst int
	now   func() time.Time
	most  int

	mu    sync.Mutex
	next  map[string]time.Time // theoretical arrival times
	swept time.Time
}

// NewBuckets makes a Limiter for a rate, which must have a PerMinute. now may be nil, for the clock.
func NewBuckets(rate Rate, now func() time.Time) *Buckets {
	if now == nil {
		now = time.Now
	}
	return &Buckets{every: time.Minute / time.Duration(max(rate.PerMinute, 1)), burst: max(rate.Burst, 1), now: now, most: limitKeys, next: map[string]time.Time{}}
}

// Take implements Limiter. Its error is always nil.
func (b *Buckets) Take(_ context.Context, key string) (Decision, error) {
	now := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	at, known := b.next[key]
	if !known && len(b.next) >= b.most {
		b.sweep(now)
		if len(b.next) >= b.most {
			key = "" // no caller's
			at = b.next[key]
		}
	}
	window := b.every * time.Duration(b.burst)
	d := Decision{Limit: b.burst, Window: window}
	if at.Before(now) {
		at = now
	}
	next := at.Add(b.every)
	if wait := next.Add(-window).Sub(now); wait > 0 {
		d.Retry, d.Reset = wait, at.Sub(now)
		return d, nil
	}
	b.next[key] = next
	d.Allowed, d.Reset = true, next.Sub(now)
	d.Remaining = int((window - d.Reset) / b.every)
	return d, nil
}

// sweep forgets the keys that are as good as new, at most once a second.
func (b *Buckets) sweep(now time.Time) {
	if now.Sub(b.swept) < time.Second {
		return
	}
	b.swept = now
	for key, at := range b.next {
		if !at.After(now) {
			delete(b.next, key)
		}
	}
}
