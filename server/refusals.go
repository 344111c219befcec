package server

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// Bounds of counting refusals.
const (
	refusalsEvery = time.Minute // between two reports of what was not told one by one
	refusalsMost  = 10_000      // addresses that are counted apart; further ones count together
	othersRefused = "others"    // the address of those
	reasonBeyond  = "further requests without a good key came from this address, beyond the limit; each was answered " +
		"with 429"
)

// refusalCount counts the requests without a good key that come faster than they are told one by one, so that the audit
// has how many there were without growing with each. It is safe for concurrent use.
type refusalCount struct {
	tell  func(ctx context.Context, remote, reason string, times int) // nil tells nobody
	mu    sync.Mutex
	count map[string]int // by address; nil while nothing waits to be told
	timer *time.Timer
}

// add counts one request.
func (r *refusalCount) add(address string) {
	if r.tell == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == nil {
		r.count = map[string]int{}
		r.timer = time.AfterFunc(refusalsEvery, r.flush)
	}
	if _, known := r.count[address]; !known && len(r.count) >= refusalsMost {
		address = othersRefused
	}
	r.count[address]++
}

// flush tells what was counted. The end of Serve calls it, so that nothing is lost.
func (r *refusalCount) flush() {
	r.mu.Lock()
	count := r.count
	if r.timer != nil {
		r.timer.Stop()
	}
	r.count, r.timer = nil, nil
	r.mu.Unlock()
	for _, address := range slices.Sorted(maps.Keys(count)) {
		r.tell(context.Background(), address, reasonBeyond, count[address])
	}
}
