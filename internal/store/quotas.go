package store

import (
	"context"
	"database/sql"
	"slices"
	"sync"
	"time"
)

// QuotaUse is how much of a quota an owner uses, from nearQuota on.
type QuotaUse struct {
	Kind    string // for people: "tables"
	Setting string // that sets the quota
	Bytes   int64
	Limit   int64 // bytes; beyond it the oldest go
}

// nearQuota is the part of a quota, in percent, from which on its owner is warned.
const nearQuota = 80

// quotaKinds are the quotas of an owner. Each query gives owners with their bytes, of those that have at least so many.
var quotaKinds = []struct {
	kind, setting, query string
	limit                func(Options) int64
}{
	{
		"tables", "store.tables_mb", "SELECT owner, bytes FROM owner_bytes WHERE bytes >= ?",
		func(o Options) int64 { return o.OwnerBytes },
	},
	{
		kindLogs, "store.runs_mb",
		`SELECT owner, sum(bytes) AS all_bytes FROM runs WHERE ended IS NOT NULL AND expires IS NULL
			GROUP BY owner HAVING all_bytes >= ?`,
		func(o Options) int64 { return o.OwnerRunBytes },
	},
}

// quotaNear is what a sweep found of an owner.
type quotaNear struct {
	Uses []QuotaUse
	Told time.Time // when Options.NearQuota was told of it last
}

// quotaWatch keeps what the last sweep found. It is safe for concurrent use.
type quotaWatch struct {
	mu   sync.Mutex
	near map[string]quotaNear
}

// uses are those of an owner.
func (w *quotaWatch) uses(owner string) []QuotaUse {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.near[owner].Uses
}

// all is what the last sweep found. The caller must not change it.
func (w *quotaWatch) all() map[string]quotaNear {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.near
}

// set takes what somebody else's sweep found.
func (w *quotaWatch) set(near map[string]quotaNear) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.near = near
}

// found takes what a sweep found, and tells of those that were not told of for a day. before is what the sweep before it found.
func (w *quotaWatch) found(near, before map[string]quotaNear, now time.Time, tell func(owner string, use QuotaUse)) {
	var due []string
	for owner, n := range near {
		n.Told = before[owner].Told
		if n.Told.IsZero() || now.Sub(n.Told) >= 24*time.Hour {
			n.Told = now
			due = append(due, owner)
		}
		near[owner] = n
	}
	w.set(near)
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

// NearQuota says of which of its quotas an owner uses 80 % and more, as the last sweep found it. It does not read the
// file. The caller must not change what it gets.
func (s *SQLite) NearQuota(owner string) []QuotaUse { return s.quotas.uses(owner) }

// watchQuotas finds the owners that come near to a quota, and reports each of them once a day.
func (s *SQLite) watchQuotas(ctx context.Context, now time.Time) error {
	near := map[string]quotaNear{}
	for _, k := range quotaKinds {
		limit := k.limit(s.opts)
		if limit <= 0 {
			continue
		}
		err := s.read(ctx, func(q *statements) error {
			return q.each(ctx, func(rows *sql.Rows) error {
				var owner string
				use := QuotaUse{Kind: k.kind, Setting: k.setting, Limit: limit}
				err := rows.Scan(&owner, &use.Bytes)
				n := near[owner]
				n.Uses = append(n.Uses, use)
				near[owner] = n
				return err
			}, k.query, limit/100*nearQuota)
		})
		if err != nil {
			return err
		}
	}
	s.quotas.found(near, s.quotas.all(), now, s.opts.NearQuota)
	return nil
}
