package sqlite

import (
	"context"
	"database/sql"
	"time"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// quotaKinds are the quotas of an owner. Each query gives owners with their bytes, of those that have at least so many.
var quotaKinds = []struct {
	kind, setting, query string
	limit                func(store.Options) int64
}{
	{
		backend.TablesKind, backend.TablesSetting, "SELECT owner, bytes FROM owner_bytes WHERE bytes >= ?",
		func(o store.Options) int64 { return o.OwnerBytes },
	},
	{
		kindLogs, "store.runs_mb",
		`SELECT owner, sum(bytes) AS all_bytes FROM runs WHERE ended IS NOT NULL AND expires IS NULL
			GROUP BY owner HAVING all_bytes >= ?`,
		func(o store.Options) int64 { return o.OwnerRunBytes },
	},
}

// NearQuota says of which of its quotas an owner uses 80 % and more, as the last sweep found it. It does not read the
// file. The caller must not change what it gets.
func (s *Store) NearQuota(owner string) []store.QuotaUse { return s.quotas.Uses(owner) }

// watchQuotas finds the owners that come near to a quota, and reports each of them once a day.
func (s *Store) watchQuotas(ctx context.Context, now time.Time) error {
	near := map[string]backend.Near{}
	for _, k := range quotaKinds {
		limit := k.limit(s.opts)
		if limit <= 0 {
			continue
		}
		err := s.read(ctx, func(q *statements) error {
			return q.each(ctx, func(rows *sql.Rows) error {
				var owner string
				use := store.QuotaUse{Kind: k.kind, Setting: k.setting, Limit: limit}
				err := rows.Scan(&owner, &use.Bytes)
				n := near[owner]
				n.Uses = append(n.Uses, use)
				near[owner] = n
				return err
			}, k.query, limit/100*backend.NearPercent)
		})
		if err != nil {
			return err
		}
	}
	s.quotas.Found(near, s.quotas.All(), now, s.opts.NearQuota)
	return nil
}
