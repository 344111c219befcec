package redis

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// Get returns a cached value, and whether there is one that has not expired.
func (s *Store) Get(ctx context.Context, key string) (value []byte, ok bool, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		data, err := s.client.Get(ctx, s.cacheKey(key)).Bytes()
		if errors.Is(err, redis.Nil) || err == nil && len(data) < 8 {
			value, ok = nil, false
			return nil
		}
		if err != nil {
			return err
		}
		if ok = int64(binary.BigEndian.Uint64(data)) > s.opts.Now().UnixMicro(); ok {
			value = data[8:]
		}
		return nil
	})
	return value, ok, err
}

// Put caches a value for ttl, in place of an earlier one: its end in microseconds since 1970, then the value.
func (s *Store) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	data := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(value)), uint64(s.opts.Now().Add(ttl).UnixMicro()))
	data = append(data, value...)
	return s.retry(ctx, func(ctx context.Context, _ bool) error {
		return s.client.Set(ctx, s.cacheKey(key), data, max(ttl, time.Millisecond)).Err()
	})
}

// scanned is how many keys one step of a sweep looks at.
const scanned = 1000

// Sweep removes what has expired from the count of each owner's tables, goes on with deletions that broke off, and removes the
// sessions that are older than Options.KeepSessions and have no run under way. Tables, cached values and the journal of direct calls
// are removed by the server at their end. It returns how many tables and sessions went. Of several processes one at a time sweeps.
func (s *Store) Sweep(ctx context.Context) (removed int, err error) {
	lock, token := s.key("sweep", "", ""), newToken()
	mine, err := s.client.SetNX(ctx, lock, token, max(s.opts.SweepEvery/2, time.Second)).Result()
	if err != nil {
		return 0, s.explain(ctx, err)
	}
	if !mine {
		return 0, s.takeNear(ctx)
	}
	owners, err := s.owners(ctx)
	if err != nil {
		return 0, s.explain(ctx, err)
	}
	for _, owner := range owners {
		n, err := s.sweepTables(ctx, owner)
		removed += n
		if err == nil {
			n, err = s.sweepSessions(ctx, owner)
			removed += n
		}
		if err != nil {
			return removed, err
		}
	}
	if err := errors.Join(s.ageRuns(ctx), s.watchQuotas(ctx, owners)); err != nil {
		return removed, err
	}
	return removed, s.explain(ctx, unlock.Run(ctx, s.client, []string{lock}, token).Err())
}

// owners are those that have sessions or tables, from the keys on all masters.
func (s *Store) owners(ctx context.Context) ([]string, error) {
	begin := s.prefix() + ":{owner:"
	var mu sync.Mutex
	escaped := map[string]bool{}
	err := s.eachKey(ctx, begin, func(_ context.Context, _ redis.UniversalClient, keys []string) error {
		mu.Lock()
		defer mu.Unlock()
		for _, key := range keys {
			owner, _, _ := strings.Cut(strings.TrimPrefix(key, begin), "}")
			escaped[owner] = true
		}
		return nil
	})
	var owners []string
	for e := range escaped {
		if owner, err := url.QueryUnescape(e); err == nil { // or it is not this package's
			owners = append(owners, owner)
		}
	}
	return owners, err
}

// sweepTables takes tables whose end has come out of an owner's count, and removes those that the server still has.
func (s *Store) sweepTables(ctx context.Context, owner string) (removed int, err error) {
	gone, err := s.uncounted(ctx, owner, s.opts.Now().UnixMicro())
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	return len(gone), s.DeleteHandles(ctx, owner, gone...)
}

// sweepSessions removes an owner's sessions whose deletion broke off, and those without a turn for Options.KeepSessions, oldest first.
// One with a run under way stays.
func (s *Store) sweepSessions(ctx context.Context, owner string) (removed int, err error) {
	before := int64(0)
	if s.opts.KeepSessions > 0 {
		before = s.opts.Now().Add(-s.opts.KeepSessions).UnixMicro()
	}
	var old []string
	err = s.retry(ctx, func(ctx context.Context, _ bool) (err error) {
		by := &redis.ZRangeBy{Min: "-inf", Max: strconv.FormatInt(before, 10), Count: backend.MaxSwept}
		old, err = s.client.ZRangeByScore(ctx, s.sessionsKey(owner), by).Result()
		return err
	})
	for _, session := range old {
		busy, busyErr := s.busy(ctx, owner, session)
		if err = busyErr; err == nil && !busy {
			err = s.DeleteSession(ctx, owner, session)
			removed++
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, err
		}
	}
	return removed, backend.IgnoreMissing(err)
}

// busy reports whether a session that nobody is deleting has a run under way.
func (s *Store) busy(ctx context.Context, owner, session string) (busy bool, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		runs, err := s.client.SMembers(ctx, s.runsKey(session)).Result()
		if err != nil {
			return err
		}
		gone, err := s.client.HExists(ctx, s.sessionKey(session), "gone").Result()
		if err != nil {
			return err
		}
		open, err := s.running(ctx, owner, runs)
		if err != nil {
			return err
		}
		busy = len(open) > 0 && !gone
		return nil
	})
	return busy, err
}

// sweepOnce is Sweep in the background.
func (s *Store) sweepOnce() {
	ctx, cancel := context.WithTimeout(context.Background(), s.opts.SweepEvery)
	defer cancel()
	if _, err := s.Sweep(ctx); !errors.Is(err, store.ErrClosed) {
		s.opts.ReportError(err)
	}
}
