package tools

import (
	"context"
	"sync"
	"time"
)

// patience is a context that ends when nothing was heard for a while, or when a bound is reached. Its error is then
// context.DeadlineExceeded. It is safe for concurrent use.
type patience struct {
	context.Context               // of the asker; its values and its end
	silence         time.Duration // the longest time between two signs of life
	bound           time.Time
	done            chan struct{}

	mu    sync.Mutex
	err   error
	due   time.Time // when it ends, unless extend is called before
	heard bool      // extend was called
	timer *time.Timer
	stop  func() bool // hears no more of the asker's end
}

// withPatience makes a context that ends after silence, unless it is extended, and at the latest after longest. end must be called.
func withPatience(ctx context.Context, silence, longest time.Duration) (p *patience, end func()) {
	now := time.Now()
	p = &patience{Context: ctx, silence: silence, bound: now.Add(longest), due: now.Add(silence), done: make(chan struct{})}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(silence, p.late)
	p.stop = context.AfterFunc(ctx, func() { p.finish(ctx.Err()) })
	return p, func() { p.finish(context.Canceled) }
}

// Deadline is the bound, or that of the asker where it is earlier.
func (p *patience) Deadline() (time.Time, bool) {
	if own, ok := p.Context.Deadline(); ok && own.Before(p.bound) {
		return own, true
	}
	return p.bound, true
}

// Done is closed at the end.
func (p *patience) Done() <-chan struct{} { return p.done }

// Err is nil before the end.
func (p *patience) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// extend starts the time of silence anew. After the end it does nothing.
func (p *patience) extend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return
	}
	p.heard = true
	if p.due = time.Now().Add(p.silence); p.due.After(p.bound) {
		p.due = p.bound
	}
}

// late is the timer's turn: extend only moves due, so that a flood of reports costs no timers.
func (p *patience) late() {
	p.mu.Lock()
	left := time.Until(p.due)
	if left > 0 && p.err == nil {
		p.timer.Reset(left)
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	p.finish(context.DeadlineExceeded)
}

// finish ends the context. The first reason stays.
func (p *patience) finish(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return
	}
	p.err = err
	p.timer.Stop()
	p.stop()
	close(p.done)
}

// wasHeard reports whether there was a sign of life, and whether the bound is what ended it. Nil never heard one.
func (p *patience) wasHeard() (heard, bound bool) {
	if p == nil {
		return false, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.heard, p.heard && !p.due.Before(p.bound)
}
