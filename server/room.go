package server

import (
	"context"
	"sync"
	"time"
)

// room is memory, in bytes, that requests share. It is safe for concurrent use.
type room struct {
	mu    sync.Mutex
	size  int64
	taken int64
	by    map[string]int64 // of each caller
	freed chan struct{}    // closed when some is given back; nil while nobody waits
}

// newRoom makes room of a size.
func newRoom(size int64) *room { return &room{size: size, by: map[string]int64{}} }

// take takes some for a caller and reports whether there was. No caller may have more than three quarters, so that there is some for
// others; and whoever is the only one may have as much as one request needs.
func (r *room) take(caller string, n int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.takeLocked(caller, n)
}

// takeWithin is take that waits so long for what others give back, or until ctx ends. It is no queue: whoever comes when there is some may have it
// before those who wait.
func (r *room) takeWithin(ctx context.Context, caller string, n int64, wait time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		r.mu.Lock()
		if r.takeLocked(caller, n) {
			r.mu.Unlock()
			return true
		}
		if r.freed == nil {
			r.freed = make(chan struct{})
		}
		freed := r.freed
		r.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return false
		}
	}
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
	if r.freed != nil {
		close(r.freed)
		r.freed = nil
	}
}
