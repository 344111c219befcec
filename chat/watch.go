package chat

import (
	"context"
	"maps"
	"slices"
	"time"
)

// cancelEvery is the pause between looks for runs of this process that were cancelled at another.
const cancelEvery = 300 * time.Millisecond

// startWatch looks for cancelled runs until the last run is over. The caller holds the lock.
func (r *Runs) startWatch() {
	ctx, cancel := context.WithCancel(context.Background())
	r.watch = cancel
	go r.watchCancelled(ctx)
}

func (r *Runs) watchCancelled(ctx context.Context) {
	tick := time.NewTicker(cancelEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			r.stopCancelled(ctx)
		}
	}
}

// stopCancelled stops the runs of this process for which somebody called Cancel at another.
func (r *Runs) stopCancelled(ctx context.Context) {
	r.mu.Lock()
	runs := slices.Collect(maps.Keys(r.live))
	r.mu.Unlock()
	cancelled, err := r.log.CancelledRuns(ctx, runs)
	if err != nil && ctx.Err() == nil {
		r.opts.Log.WarnContext(ctx, "runs that were cancelled elsewhere could not be looked for", "error", err.Error())
	}
	for _, run := range cancelled {
		r.mu.Lock()
		l := r.live[run]
		r.mu.Unlock()
		if l != nil {
			l.cancel()
		}
	}
}
