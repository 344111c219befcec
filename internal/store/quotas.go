package store

import (
	"context"
	"database/sql"
	"slices"
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
	uses []QuotaUse
	told time.Time // when Options.NearQuota was told of it last
}

// NearQuota says of which of its quotas an owner uses 80 % and more, as the last sweep found it. It does not read the
// file. The caller must not change what it gets.
func (s *SQLite) NearQuota(owner string) []QuotaUse {
	s.nearMu.Lock()
	defer s.nearMu.Unlock()
	return s.near[owner].uses
}

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
				n.uses = append(n.uses, use)
				near[owner] = n
				return err
			}, k.query, limit/100*nearQuota)
		})
		if err != nil {
			return err
		}
	}
	s.reportNear(near, now)
	return nil
}

// reportNear keeps what a sweep found, and tells of those that were not told of for a day.
func (s *SQLite) reportNear(near map[string]quotaNear, now time.Time) {
	s.nearMu.Lock()
	var due []string
	for owner, n := range near {
		n.told = s.near[owner].told
		if n.told.IsZero() || now.Sub(n.told) >= 24*time.Hour {
			n.told = now
			due = append(due, owner)
		}
		near[owner] = n
	}
	s.near = near
	s.nearMu.Unlock()
	if s.opts.NearQuota == nil {
		return
	}
	slices.Sort(due)
	for _, owner := range due {
		for _, use := range near[owner].uses {
			s.opts.NearQuota(owner, use)
		}
	}
}
