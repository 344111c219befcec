package tools

import "context"

// Limit bounds how many calls are under way at a time, of a tool or of several that share it: a server that takes two at once.
// Nil is no bound. It is safe for concurrent use.
type Limit struct{ slots chan struct{} }

// NewLimit makes a bound of n calls; nil for n of 0 and less.
func NewLimit(n int) *Limit {
	if n <= 0 {
		return nil
	}
	return &Limit{make(chan struct{}, n)}
}

// size is how many calls may be under way, 0 without a bound.
func (l *Limit) size() int {
	if l == nil {
		return 0
	}
	return cap(l.slots)
}

// enter waits for a place and returns what gives it back, or the context's error.
func (l *Limit) enter(ctx context.Context) (leave func(), err error) {
	if l == nil {
		return func() {}, nil
	}
	select {
	case l.slots <- struct{}{}:
		return func() { <-l.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
