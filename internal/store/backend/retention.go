package backend

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"time"

	"catena/internal/store"
)

// AgeGrace is how long a store that held runs before their logs were given an age keeps all of them after the first
// start that says so.
const AgeGrace = 7 * 24 * time.Hour

// The record that says from when on logs of runs may be deleted.
const (
	ageKind = "retention"
	ageID   = "runs"
)

// Retention is when logs of runs may be deleted.
type Retention struct{ from atomic.Int64 } // microseconds since 1970; 0 is never

// Begin reads since when the store is told that logs of runs have an age. A store that begins now has no grace; fresh
// asks whether it does.
func (a *Retention) Begin(ctx context.Context, s store.Store, opts store.Options, fresh func(context.Context) (bool, error)) error {
	if opts.KeepRuns <= 0 && opts.OwnerRunBytes <= 0 {
		return nil
	}
	var since time.Time
	err := s.Records(ctx, ageKind, func(id string, data []byte) error {
		if id != ageID {
			return nil
		}
		return json.Unmarshal(data, &since)
	})
	if err != nil {
		return err
	}
	if since.IsZero() {
		since = opts.Now().UTC()
		isNew, err := fresh(ctx)
		if err != nil {
			return err
		}
		if !isNew {
			since = since.Add(AgeGrace)
		}
		data, err := json.Marshal(since)
		if err == nil {
			err = s.PutRecord(ctx, ageKind, ageID, data)
		}
		if err != nil {
			return err
		}
	}
	a.from.Store(since.UnixMicro())
	return nil
}

// May reports whether logs may be deleted at a time.
func (a *Retention) May(now time.Time) bool {
	from := a.from.Load()
	return from != 0 && now.UnixMicro() >= from
}

// Plan is what a store's Retention returns.
func (a *Retention) Plan(opts store.Options) store.Retention {
	r := store.Retention{KeepRuns: opts.KeepRuns}
	if from := a.from.Load(); from != 0 {
		r.From = time.UnixMicro(from).UTC()
	}
	return r
}
