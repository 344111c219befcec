package backend

import (
	"slices"
	"sync"
	"time"

	"catena/internal/store"
)

// NearPercent is the part of a quota, in percent, from which on its owner is warned.
const NearPercent = 80

// What people are told of the quota of tables: its kind and its setting.
const (
	TablesKind    = "tables"
	TablesSetting = "store.tables_mb"
)

// Near is what a sweep found of an owner.
type Near struct {
	Uses []store.QuotaUse
	Told time.Time // when store.Options.NearQuota was told of it last
}

// Quotas keeps what the last sweep found. It is safe for concurrent use.
type Quotas struct {
	mu   sync.Mutex
	near map[string]Near
}

// Uses are those of an owner.
func (w *Quotas) Uses(owner string) []store.QuotaUse {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.near[owner].Uses
}

// All is what the last sweep found. The caller must not change it.
func (w *Quotas) All() map[string]Near {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.near
}

// Set takes what somebody else's sweep found.
func (w *Quotas) Set(near map[string]Near) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.near = near
}

// Found takes what a sweep found, and tells of those that were not told of for a day. before is what the sweep before
// it found.
func (w *Quotas) Found(near, before map[string]Near, now time.Time, tell func(owner string, use store.QuotaUse)) {
	var due []string
	for owner, n := range near {
		n.Told = before[owner].Told
		if n.Told.IsZero() || now.Sub(n.Told) >= 24*time.Hour {
			n.Told = now
			due = append(due, owner)
		}
		near[owner] = n
	}
	w.Set(near)
	if tell == nil {
		return
	}
	slices.Sort(due)
	for _, owner := range due {
		for _, use := range near[owner].Uses {
			tell(owner, use)
		}
	}
}
