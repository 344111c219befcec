package server

import (
	"context"
	"slices"
	"sync"
	"time"
)

// room is memory, in bytes, that requests share. It is safe for concurrent use.
type room struct {
	mu    sync.Mutex
	size  int64
	taken int64
	by    map[string]int64 // of each caller
	// waiting are those who wait for some, in the order in which they came. Only those whose turn it is are woken:
	// hundreds at once, of whom one finds room, would keep everybody else from the processors.
	waiting []*roomWaiter
}

// roomWaiter is one who waits for room.
type roomWaiter struct {
	caller string
	size   int64
	ready  chan struct{} // closed when it has been taken
}

// newRoom makes room of a size.
func newRoom(size int64) *room { return &room{size: size, by: map[string]int64{}} }

// take takes some for a caller and reports whether there was. No caller may have more than three quarters, so that
// there is some for others; and whoever is the only one may have as much as one request needs.
func (r *room) take(caller string, n int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.takeLocked(caller, n)
}

// takeWithin is take that waits so long for what others give back, or until ctx ends. Those who wait have their turn in
// the order in which they came, each when there is room for it; who comes when there is some need not wait.
func (r *room) takeWithin(ctx context.Context, caller string, n int64, wait time.Duration) bool {
	r.mu.Lock()
	if r.takeLocked(caller, n) {
		r.mu.Unlock()
		return true
	}
	w := &roomWaiter{caller: caller, size: n, ready: make(chan struct{})}
	r.waiting = append(r.waiting, w)
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case <-w.ready:
		return true
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.Index(r.waiting, w)
	if at < 0 { // it had its turn at that moment
		return true
	}
	r.waiting = slices.Delete(r.waiting, at, at+1)
	return false
}

func (r *room) takeLocked(caller string, n int64) bool {
	if r.taken > 0 && (r.taken+n > r.size || r.by[caller]+n > r.size/4*3) {
		return false
	}
	r.taken += n
	r.by[caller] += n
	return true
}

// give gives back what was taken.
func (r *room) give(caller string, n int64) {
	if n == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken -= n
	if r.by[caller] -= n; r.by[caller] <= 0 {
		delete(r.by, caller)
	}
	r.waiting = slices.DeleteFunc(r.waiting, func(w *roomWaiter) bool {
		taken := r.takeLocked(w.caller, w.size)
		if taken {
			close(w.ready)
		}
		return taken
	})
}
