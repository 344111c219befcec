package planner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Hedged asks a second model when the first one fails, or has not answered after some time; the first good answer counts, and the
// other call is cancelled. The error of both is the first one's. It is safe for concurrent use.
type Hedged struct {
	First, Second Completer
	After         time.Duration // when the second is asked beside the first; 0 waits for the first to fail
}

// Complete asks. With OnText the pieces are those of whoever writes first; the completion is what counts.
func (h *Hedged) Complete(ctx context.Context, p Prompt) (Completion, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type reply struct {
		done Completion
		err  error
		nth  int
	}
	replies := make(chan reply, 2) // both end without a reader
	relay := relay{to: p.OnText, from: -1}
	ask := func(nth int, c Completer) {
		own := p
		if p.OnText != nil {
			own.OnText = func(piece string) { relay.write(nth, piece) }
		}
		go func() {
			done, err := c.Complete(ctx, own)
			replies <- reply{done, err, nth}
		}()
	}
	ask(0, h.First)
	var late <-chan time.Time
	if h.After > 0 {
		timer := time.NewTimer(h.After)
		defer timer.Stop()
		late = timer.C
	}
	asked, over := 1, 0
	errs := [2]error{}
	var spent Completion
	for {
		select {
		case <-late:
			late = nil
			if asked == 1 {
				ask(1, h.Second)
				asked = 2
			}
		case r := <-replies:
			over++
			r.done.Usage = spent.Usage.Add(r.done.Usage)
			if r.err == nil {
				relay.close()
				return r.done, nil
			}
			errs[r.nth], spent = r.err, r.done
			if ctx.Err() != nil || over == 2 {
				relay.close()
				return spent, errors.Join(errs[0], errs[1])
			}
			if asked == 1 {
				ask(1, h.Second)
				asked = 2
			}
		}
	}
}

// relay passes on the pieces of the call that writes first, one at a time, until it is closed.
type relay struct {
	mu   sync.Mutex
	to   func(string)
	from int // -1 as long as nobody has written
	over bool
}

func (r *relay) write(nth int, piece string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.from < 0 {
		r.from = nth
	}
	if r.from == nth && !r.over {
		r.to(piece)
	}
}

func (r *relay) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
}

// Breaker stops asking a model that fails again and again, so that nobody waits for it: after a number of failures in a row each call
// fails at once for a while; then one call tries, and when it succeeds all do. It is safe for concurrent use.
type Breaker struct {
	Completer Completer
	Failures  int              // in a row that open it; 0 is DefaultFailures
	Rest      time.Duration    // how long it stays open; 0 is DefaultRest
	Now       func() time.Time // nil is the clock

	mu     sync.Mutex
	failed int
	until  time.Time
	trying bool
}

// The defaults of Breaker.
const (
	DefaultFailures = 5
	DefaultRest     = 30 * time.Second
)

// Complete asks while the model answers. What the asker cancelled, or asked for wrongly (400), says nothing about the model.
func (b *Breaker) Complete(ctx context.Context, p Prompt) (Completion, error) {
	if err := b.enter(); err != nil {
		return Completion{}, err
	}
	done, err := b.Completer.Complete(ctx, p)
	b.leave(err)
	return done, err
}

func (b *Breaker) now() time.Time {
	if b.Now != nil {
		return b.Now()
	}
	return time.Now()
}

// Resting reports whether the model is not asked now, or only to try, after how many failures in a row.
func (b *Breaker) Resting() (failed int, resting bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed, b.failed >= b.limit()
}

// limit is how many failures in a row open the breaker.
func (b *Breaker) limit() int {
	if b.Failures > 0 {
		return b.Failures
	}
	return DefaultFailures
}

func (b *Breaker) enter() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed < b.limit() {
		return nil
	}
	if b.trying || b.now().Before(b.until) {
		return &CompletionError{Provider: "breaker", Reason: fmt.Sprintf("it failed %d times in a row, and is not asked for a while", b.failed), RetryAfter: max(0, b.until.Sub(b.now()))}
	}
	b.trying = true
	return nil
}

func (b *Breaker) leave(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying = false
	var c *CompletionError
	switch {
	case err == nil:
		b.failed = 0
	case errors.Is(err, context.Canceled), errors.As(err, &c) && c.Status >= 400 && c.Status < 500 && c.Status != 429 && c.Status != 408:
	default:
		b.failed++
		rest := b.Rest
		if rest <= 0 {
			rest = DefaultRest
		}
		b.until = b.now().Add(rest)
	}
}
