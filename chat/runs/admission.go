package runs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// placeTimeout is how long a message waits for what counts its caller's runs.
const placeTimeout = 200 * time.Millisecond

// counted reports whether a caller's runs are counted over all processes, and how many there may be.
func (r *Runs) counted(l *liveRun) (limit int, ok bool) {
	if r.opts.Places == nil || r.opts.PerCaller == nil {
		return 0, false
	}
	limit = r.opts.PerCaller(l.caller)
	return limit, limit > 0
}

// takePlace counts a run among those of its caller at all processes. Where that cannot be done those of this process
// were counted.
func (r *Runs) takePlace(ctx context.Context, l *liveRun) error {
	limit, ok := r.counted(l)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, placeTimeout)
	defer cancel()
	free, err := r.opts.Places.TakePlace(ctx, l.caller.ID, l.id, limit, 2*r.opts.Timeout)
	l.placed = free || err != nil // without an answer it may have been taken
	if err != nil {
		r.opts.Log.WarnContext(ctx, "a caller's runs are counted in this process only", "run", l.id,
			"error", err.Error())
		return nil
	}
	if !free {
		return fmt.Errorf("chat: %w: %d", ErrCallerBusy, limit)
	}
	return nil
}

// giveBack leaves the place of a run that does not begin here, for an error: not where another process began it, whose
// place it is too.
func (r *Runs) giveBack(ctx context.Context, l *liveRun, err error) {
	if l.placed && errors.Is(err, fs.ErrExist) {
		if open, err := r.open(context.WithoutCancel(ctx), l.caller, l.id); err == nil && open {
			return
		}
	}
	r.leavePlace(l)
}

// leavePlace ends what takePlace began, whatever the limit is by now. What is not left counts until its time is over.
func (r *Runs) leavePlace(l *liveRun) {
	if !l.placed {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), logTimeout)
	defer cancel()
	if err := r.opts.Places.LeavePlace(ctx, l.caller.ID, l.id); err != nil {
		r.opts.Log.Warn("a run that is over counts as one under way for a while", "run", l.id, "error", err.Error())
	}
}

// admit takes a place for a run.
func (r *Runs) admit(l *liveRun) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return fmt.Errorf("chat: %w", ErrClosed)
	}
	if r.live[l.id] != nil {
		return inFlight(l.id)
	}
	if l.taken != nil {
		return r.place(l)
	}
	if len(r.live) >= r.opts.Max {
		return fmt.Errorf("chat: %w: %d", ErrBusy, len(r.live))
	}
	if n := r.runsOf(
		l.caller.ID,
	); r.opts.PerCaller != nil && r.opts.PerCaller(l.caller) > 0 &&
		n >= r.opts.PerCaller(l.caller) {
		return fmt.Errorf("chat: %w: %d", ErrCallerBusy, n)
	}
	return r.place(l)
}

// place has a run count as one under way. The caller holds the lock.
func (r *Runs) place(l *liveRun) error {
	r.live[l.id] = l
	r.all.Add(1)
	r.watch.Start(func(ctx context.Context) { r.stopCancelled(ctx); r.stopRevoked(ctx) })
	r.running(1)
	return nil
}

// runsOf counts a caller's runs under way. There are few runs at a time, so that a count of its own would be dearer to
// keep right.
func (r *Runs) runsOf(caller string) int {
	n := 0
	for _, l := range r.live {
		if l.caller.ID == caller {
			n++
		}
	}
	return n
}

func (r *Runs) release(l *liveRun) {
	r.mu.Lock()
	delete(r.live, l.id)
	if len(r.live) == 0 {
		r.watch.Stop()
	}
	r.mu.Unlock()
	r.running(-1)
	r.all.Done()
}

// abandon gives up a run that was admitted and does not begin here. Whoever took it for one of this process, as the run
// that another process started with the same key, goes on with what the log says.
func (r *Runs) abandon(l *liveRun) {
	r.lose(l)
	r.release(l)
	close(l.done)
}

func (r *Runs) running(delta int) {
	if f := r.opts.Running; f != nil {
		f(delta)
	}
}
