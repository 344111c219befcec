package redis

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// nearKey is where the process that sweeps leaves what it found of quotas for the others, among what is cached.
const nearKey = "quotas near"

// nearLife is how long that is worth reading: an owner is told once a day.
const nearLife = 48 * time.Hour

// NearQuota says of which of its quotas an owner uses 80 % and more, as the last sweep of any process found it. It does not
// ask the server. The caller must not change what it gets.
func (s *Store) NearQuota(owner string) []store.QuotaUse { return s.quotas.Uses(owner) }

// watchQuotas finds the owners that come near to the quota of tables, reports each of them once a day over all processes, and tells the
// others. Logs of runs have no quota here: the server has maxmemory.
func (s *Store) watchQuotas(ctx context.Context, owners []string) error {
	before, err := s.readNear(ctx)
	if err != nil {
		return err
	}
	near := map[string]backend.Near{}
	limit := s.opts.OwnerBytes
	for some := range slices.Chunk(owners, inOneTrip) {
		sizes, err := s.tableBytes(ctx, some)
		if err != nil {
			return err
		}
		for i, owner := range some {
			if sizes[i] >= limit/100*backend.NearPercent {
				near[owner] = backend.Near{Uses: []store.QuotaUse{{Kind: backend.TablesKind, Setting: backend.TablesSetting, Bytes: sizes[i], Limit: limit}}}
			}
		}
	}
	s.quotas.Found(near, before, s.opts.Now(), s.opts.NearQuota)
	data, err := json.Marshal(near)
	if err != nil {
		return err
	}
	return s.Put(ctx, nearKey, data, nearLife)
}

// tableBytes are the bytes of the tables of some owners.
func (s *Store) tableBytes(ctx context.Context, owners []string) (sizes []int64, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		p := s.client.Pipeline()
		all := make([]*redis.SliceCmd, len(owners))
		for i, owner := range owners {
			all[i] = p.HMGet(ctx, s.ownerTables(owner)[2], "")
		}
		if err := s.exec(ctx, p); err != nil {
			return err
		}
		sizes = make([]int64, len(owners))
		for i, total := range all {
			sizes[i], _ = strconv.ParseInt(fields(total.Val())[0], 10, 64) // "" is an owner without tables
		}
		return nil
	})
	return sizes, err
}

// readNear is what the last sweep of any process found.
func (s *Store) readNear(ctx context.Context) (map[string]backend.Near, error) {
	near := map[string]backend.Near{}
	data, ok, err := s.Get(ctx, nearKey)
	if err != nil || !ok {
		return near, err
	}
	return near, json.Unmarshal(data, &near)
}

// takeNear takes over what another process found.
func (s *Store) takeNear(ctx context.Context) error {
	near, err := s.readNear(ctx)
	if err == nil {
		s.quotas.Set(near)
	}
	return err
}
