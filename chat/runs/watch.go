package runs

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"catena/chat"
	"catena/internal/access"
)

// cancelEvery is the pause between looks for what was cancelled at another process.
const cancelEvery = 300 * time.Millisecond

// CancelWatch looks, while something is under way in this process, for what of it was cancelled at another. The zero
// value does not look. It is not safe for concurrent use: its methods are called under the lock of what is watched.
type CancelWatch struct{ end context.CancelFunc }

// Start calls look every 300 ms until Stop, if it does not do so yet; the context ends with Stop. It looks without the
// caller's lock.
func (w *CancelWatch) Start(look func(context.Context)) {
	if w.end != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.end = cancel
	go func() {
		tick := time.NewTicker(cancelEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				look(ctx)
			}
		}
	}()
}

// Stop ends the looks and does not wait for one under way. It may be called when there are none.
func (w *CancelWatch) Stop() {
	if w.end != nil {
		w.end()
		w.end = nil
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

// stopRevoked ends the runs of this process whose key is gone by now. A store that does not answer is no reason.
func (r *Runs) stopRevoked(ctx context.Context) {
	if r.opts.Present == nil {
		return
	}
	r.mu.Lock()
	live := slices.Collect(maps.Values(r.live))
	r.mu.Unlock()
	for _, l := range live {
		_, err := r.opts.Present(ctx, l.caller)
		var gone *access.CredentialError
		if errors.As(err, &gone) {
			l.stop(&chat.InputError{Code: "key_revoked",
				Detail: "The answer was stopped: the key that it was asked with is gone, or is another owner's. " +
					gone.Reason,
				Hint: "Ask again with another key.", Err: access.ErrForbidden})
		}
	}
}
