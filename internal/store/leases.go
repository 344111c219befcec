package store

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// keepLost is how long the epoch of a lost lease is remembered. No run takes that long.
const keepLost = time.Hour

// maxTaken bounds the runs that OpenRuns looks at: of those that it lists others may be quicker to take some.
const maxTaken = 1000

// held are the leases of one store: what it sends along as the epoch of each write to a run.
type held struct {
	mu     sync.Mutex
	epochs map[string]uint64
	lost   map[string]time.Time // when it was seen that somebody else took them over: kept a while, so that late writes are still refused
	turns  map[string]turnWrite // of runs that have none yet: the end of the run writes it
}

// turnWrite writes the turn of a run into its session. It may run twice, as write.do.
type turnWrite func(ctx context.Context, q *statements) error

// leaveTurn keeps the turn of a run that the store owns, in place of an earlier one, until the run's end. It reports
// false for any other run.
func (h *held) leaveTurn(run string, do turnWrite) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.epochs[run] == 0 {
		return false
	}
	if h.turns == nil {
		h.turns = map[string]turnWrite{}
	}
	h.turns[run] = do
	return true
}

// turn is what leaveTurn keeps, nil for nothing.
func (h *held) turn(run string) turnWrite {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.turns[run]
}

// epoch returns what a write to a run carries: 0 for a run that this store does not own.
func (h *held) epoch(run string) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.epochs[run]
}

func (h *held) put(run string, epoch uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.epochs == nil {
		h.epochs, h.lost = map[string]uint64{}, map[string]time.Time{}
	}
	h.epochs[run] = epoch
	delete(h.lost, run)
}

func (h *held) drop(run string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forget(run)
}

// forget needs the lock.
func (h *held) forget(run string) {
	delete(h.epochs, run)
	delete(h.lost, run)
	delete(h.turns, run)
}

// lose marks a lease as lost when err says that it is, and returns err.
func (h *held) lose(run string, err error) error {
	var lease *LeaseError
	if !errors.As(err, &lease) {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.epochs[run] == lease.Held && lease.Held > 0 {
		h.lost[run] = time.Now()
	}
	return err
}

// alive lists the leases that are worth renewing, and forgets those that were lost long ago.
func (h *held) alive() map[string]uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make(map[string]uint64, len(h.epochs))
	for run, epoch := range h.epochs {
		switch at, lost := h.lost[run]; {
		case !lost:
			list[run] = epoch
		case time.Since(at) > keepLost:
			h.forget(run)
		}
	}
	return list
}

// takeOver acquires the runs whose owner is gone. Those that somebody else was quicker to take, or to finish, are left out.
func takeOver(ctx context.Context, s Store, limit int) (runs []string, err error) {
	expired, err := s.ExpiredRuns(ctx, maxTaken)
	if err != nil {
		return nil, err
	}
	for _, run := range expired {
		if len(runs) >= limit {
			break
		}
		_, err := s.AcquireLease(ctx, run)
		if errors.Is(err, ErrLeased) || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return runs, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// renewAtOnce is how many leases are renewed at a time: each waits for a group of writes or for a server's answer, and the last of thousands must
// be renewed before it ends.
const renewAtOnce = 64

// renew renews all leases of a store, in the background. One that turns out to be lost is only marked: its next write is refused. Any other
// failure ends it, and is reported once.
func (h *held) renew(ctx context.Context, s Store, report func(error)) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(renewAtOnce)
	for run := range h.alive() {
		g.Go(func() error {
			err := s.RenewLease(ctx, run)
			var lost *LeaseError
			if errors.As(err, &lost) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) ||
				errors.Is(err, ErrClosed) {
				return nil
			}
			return err
		})
	}
	report(g.Wait())
}
