package backend

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"catena/internal/store"
)

// keepLost is how long the epoch of a lost lease is remembered. No run takes that long.
const keepLost = time.Hour

// maxTaken bounds the runs that OpenRuns looks at: of those that it lists others may be quicker to take some.
const maxTaken = 1000

// Leases are the leases of one store: what it sends along as the epoch of each write to a run. T is how the store keeps
// a turn that the end of its run writes. The zero value is ready.
type Leases[T any] struct {
	mu     sync.Mutex
	epochs map[string]uint64
	lost   map[string]time.Time // when it was seen that somebody else took them over: kept a while, so that late writes are still refused
	turns  map[string]T         // of runs whose turn waits for their end
}

// LeaveTurn keeps the turn of a run that the store owns, in place of an earlier one, until the run's end. It reports
// false for any other run.
func (h *Leases[T]) LeaveTurn(run string, do T) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.epochs[run] == 0 {
		return false
	}
	if h.turns == nil {
		h.turns = map[string]T{}
	}
	h.turns[run] = do
	return true
}

// Turn is what LeaveTurn keeps; the zero value for nothing.
func (h *Leases[T]) Turn(run string) T {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.turns[run]
}

// Epoch returns what a write to a run carries: 0 for a run that this store does not own.
func (h *Leases[T]) Epoch(run string) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.epochs[run]
}

// Put keeps the epoch of a lease that was acquired.
func (h *Leases[T]) Put(run string, epoch uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.epochs == nil {
		h.epochs, h.lost = map[string]uint64{}, map[string]time.Time{}
	}
	h.epochs[run] = epoch
	delete(h.lost, run)
}

// Drop forgets a lease.
func (h *Leases[T]) Drop(run string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forget(run)
}

// forget needs the lock.
func (h *Leases[T]) forget(run string) {
	delete(h.epochs, run)
	delete(h.lost, run)
	delete(h.turns, run)
}

// Lose marks a lease as lost when err says that it is, and returns err.
func (h *Leases[T]) Lose(run string, err error) error {
	var lease *store.LeaseError
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

// Alive lists the leases that are worth renewing, and forgets those that were lost long ago.
func (h *Leases[T]) Alive() map[string]uint64 {
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

// TakeOver acquires the runs whose owner is gone. Those that somebody else was quicker to take, or to finish, are left
// out.
func TakeOver(ctx context.Context, s store.Store, limit int) (runs []string, err error) {
	expired, err := s.ExpiredRuns(ctx, maxTaken)
	if err != nil {
		return nil, err
	}
	for _, run := range expired {
		if len(runs) >= limit {
			break
		}
		_, err := s.AcquireLease(ctx, run)
		if errors.Is(err, store.ErrLeased) || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
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

// Renew renews all leases of a store, in the background. One that turns out to be lost is only marked: its next write
// is refused. Any other failure ends it, and is reported once.
func (h *Leases[T]) Renew(ctx context.Context, s store.Store, report func(error)) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(renewAtOnce)
	for run := range h.Alive() {
		g.Go(func() error {
			err := s.RenewLease(ctx, run)
			var lost *store.LeaseError
			if errors.As(err, &lost) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) ||
				errors.Is(err, store.ErrClosed) {
				return nil
			}
			return err
		})
	}
	report(g.Wait())
}
