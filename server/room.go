package server

import "sync"

// room is memory, in bytes, that requests share. It is safe for concurrent use.
type room struct {
	mu    sync.Mutex
	size  int64
	taken int64
	by    map[string]int64 // of each caller
}

// newRoom makes room of a size.
func newRoom(size int64) *room { return &room{size: size, by: map[string]int64{}} }

// take takes some for a caller and reports whether there was. No caller may have more than three quarters, so that there is some for
// others; and whoever is the only one may have as much as one request needs.
func (r *room) take(caller string, n int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
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
}
