package redis

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"catena/internal/store/backend"
)

// Who owns an open run stands in its own record: the epoch, and until when the lease lasts by the server's clock. Beside it an index
// of all leases, in leaseShards sorted sets, says which may have run out. The index only has to name every open run: one too many,
// or one too early, is found out by a look at the record.

// mark puts a run into the index, for the time of a lease.
func (s *Store) mark(run string) job {
	return job{markLease, []string{s.leaseKey(shardOf(run))}, []any{millis(s.opts.LeaseTTL), run}}
}

// AcquireLease makes an open run this store's, with a new epoch.
func (s *Store) AcquireLease(ctx context.Context, run string) (epoch uint64, err error) {
	if s.held.Epoch(run) > 0 {
		return 0, backend.Leased(run)
	}
	acquire := job{acquireLease, []string{s.runKey(run)}, []any{s.process, newToken(), millis(s.opts.LeaseTTL)}}
	err = s.runAll(ctx, []job{acquire, s.mark(run)}, nil, func(i int, a answer, _ bool) error {
		switch {
		case a.word() == "leased":
			return backend.Leased(run)
		case i == 0:
			epoch = a.number(1)
		}
		return runAnswer(a, run, 0)
	})
	if err != nil {
		return 0, err
	}
	s.held.Put(run, epoch)
	return epoch, nil
}

// RenewLease makes the lease last Options.LeaseTTL from now.
func (s *Store) RenewLease(ctx context.Context, run string) error {
	carried := s.held.Epoch(run)
	renew := job{renewLease, []string{s.runKey(run)}, []any{carried, millis(s.opts.LeaseTTL)}}
	err := s.runAll(ctx, []job{renew, s.mark(run)}, nil, func(_ int, a answer, _ bool) error { return runAnswer(a, run, carried) })
	return s.held.Lose(run, err)
}

// ReleaseLease gives a run up, and forgets it.
func (s *Store) ReleaseLease(ctx context.Context, run string) error {
	carried := s.held.Epoch(run)
	if carried == 0 {
		return nil
	}
	release := job{renewLease, []string{s.runKey(run)}, []any{carried, 0}}
	defer s.held.Drop(run)
	now := job{markLease, []string{s.leaseKey(shardOf(run))}, []any{0, run}}
	return s.runAll(ctx, []job{release, now}, nil, func(_ int, a answer, _ bool) error {
		switch a.word() {
		case "missing", "finished", "fenced": // there is nothing left to give up
			return nil
		}
		return runAnswer(a, run, carried)
	})
}

// OpenRuns takes over the runs that ExpiredRuns lists. After the server was away it takes none for the time of a lease: nobody could
// renew theirs, and whoever lives does so first.
func (s *Store) OpenRuns(ctx context.Context, limit int) ([]string, error) {
	if time.Since(time.Unix(0, s.away.Load())) < s.opts.LeaseTTL {
		err := s.Ping(ctx)
		if err != nil {
			s.away.Store(time.Now().UnixNano())
		}
		return nil, err
	}
	return backend.TakeOver(ctx, s, limit)
}

// renewAll renews the leases of this store in the background.
func (s *Store) renewAll() {
	ctx, cancel := context.WithTimeout(context.Background(), s.opts.LeaseTTL)
	defer cancel()
	s.held.Renew(ctx, s, s.opts.ReportError)
}

// expiredRun is a run whose lease may have run out.
type expiredRun struct {
	id, started string
	gone        bool // finished, or deleted
}

// ExpiredRuns lists the runs that never finished and whose lease ran out, oldest first, at most limit.
func (s *Store) ExpiredRuns(ctx context.Context, limit int) ([]string, error) {
	var due []expiredRun
	err := s.retry(ctx, func(ctx context.Context, _ bool) (err error) {
		due, err = s.due(ctx, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(due, func(a, b expiredRun) int { return cmp.Or(cmp.Compare(a.started, b.started), cmp.Compare(a.id, b.id)) })
	var runs []string
	for _, r := range due {
		switch {
		case r.gone:
			if err := s.client.ZRem(ctx, s.leaseKey(shardOf(r.id)), r.id).Err(); err != nil {
				return nil, s.explain(ctx, err)
			}
		case len(runs) < limit:
			runs = append(runs, r.id)
		}
	}
	return runs, nil
}

// due asks the index, and the records of what it names.
func (s *Store) due(ctx context.Context, limit int) ([]expiredRun, error) {
	p := s.client.Pipeline()
	lists := make([]*redis.Cmd, leaseShards)
	for shard := range lists {
		lists[shard] = p.EvalSha(ctx, dueLeases.Hash(), []string{s.leaseKey(uint32(shard))}, max(limit, 0))
	}
	if err := s.exec(ctx, p); err != nil {
		return nil, err
	}
	var due []expiredRun
	for _, list := range lists {
		ids, err := list.StringSlice()
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			due = append(due, expiredRun{id: id})
		}
	}
	if len(due) == 0 {
		return nil, nil
	}
	p = s.client.Pipeline()
	records := make([]*redis.SliceCmd, len(due))
	for i, r := range due {
		records[i] = p.HMGet(ctx, s.runKey(r.id), "epoch", "ended", "started")
	}
	if err := s.exec(ctx, p); err != nil {
		return nil, err
	}
	for i, r := range records {
		v := r.Val()
		due[i].gone = v[0] == nil || fields(v)[1] != ""
		due[i].started = fields(v)[2]
	}
	return due, nil
}
