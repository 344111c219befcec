//go:build integration

package redis_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	driver "github.com/redis/go-redis/v9"

	"catena/internal/store"
	"catena/internal/store/redis"
	"catena/internal/store/storetest"
)

// endRun adds a run that has ended at a time.
func endRun(t *testing.T, s *redis.Store, run string, at time.Time) {
	t.Helper()
	ctx := t.Context()
	must(t, s.StartRun(ctx, "ann", run, "ses_1", []byte("{}"), nil, at))
	must(t, s.AppendEvents(ctx, run, 1, [][]byte{[]byte("event")}))
	must(t, s.FinishRun(ctx, run, "answer", []byte("{}"), at))
}

// A store on a server that held runs before they had an age says so first, and deletes none of them, nor of those that end meanwhile, for a
// week.
func TestIntegrationStoreRedisAgeOfAnOldStore(t *testing.T) {
	server := storetest.StartRedis(t)
	client := driver.NewClient(&driver.Options{Addr: server.Addr})
	defer func() { must(t, client.Close()) }()
	begin := time.Now().Truncate(time.Microsecond).UTC()
	var day atomic.Int64
	opts := store.Options{SweepEvery: -1, RenewEvery: -1, Now: func() time.Time { return begin.AddDate(0, 0, int(day.Load())) }}
	old := openRedis(t, "redis://"+server.Addr, opts)
	must(t, old.CreateSession(t.Context(), "ann", "ses_1", "", begin))
	endRun(t, old, "run_old", begin.AddDate(-1, 0, 0))
	must(t, old.Close())

	opts.KeepRuns = 24 * time.Hour
	const grace = 7 * 24 * time.Hour
	s := openRedis(t, "redis://"+server.Addr, opts)
	if from := s.Retention().From; !from.Equal(begin.Add(grace)) {
		t.Fatalf("from %v, want a week after %v", from, begin)
	}
	endRun(t, s, "run_new", begin)
	keys, err := client.Keys(t.Context(), "*{run:run_*").Result()
	must(t, err)
	slices.Sort(keys)
	if len(keys) < 4 {
		t.Fatalf("keys of two runs: %v", keys)
	}
	for _, after := range []int64{0, 1, 6} {
		day.Store(after)
		_, err := s.Sweep(t.Context())
		must(t, err)
		for _, key := range keys {
			left, err := client.PTTL(t.Context(), key).Result()
			if must(t, err); left >= 0 && left < grace-time.Minute {
				t.Errorf("%s goes in %s, %d days after it was said", key, left, after)
			}
		}
		must(t, s.Close())
		s = openRedis(t, "redis://"+server.Addr, opts)
		if from := s.Retention().From; !from.Equal(begin.Add(grace)) {
			t.Errorf("it is said anew: %v", from)
		}
	}
	day.Store(7)
	_, err = s.Sweep(t.Context())
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for err = nil; err == nil; {
		_, _, _, _, err = s.Run(ctx, "ann", "run_old")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error("the log of a year ago, a week after it was said:", err)
	}
}

// An owner near the quota of tables is told of once a day over all processes, and each of them knows.
func TestIntegrationStoreRedisNearQuota(t *testing.T) {
	server := storetest.StartRedis(t)
	begin := time.Now()
	var hours atomic.Int64
	var told []string
	opts := store.Options{SweepEvery: -1, RenewEvery: -1, OwnerBytes: 10_000, OwnerRunBytes: 1,
		Now: func() time.Time { return begin.Add(time.Duration(hours.Load()) * time.Hour) },
		NearQuota: func(owner string, use store.QuotaUse) {
			told = append(told, fmt.Sprintf("%s %s %s %d of %d", owner, use.Kind, use.Setting, use.Bytes, use.Limit))
		}}
	both := []*redis.Store{openRedis(t, "redis://"+server.Addr, opts), openRedis(t, "redis://"+server.Addr, opts)}
	put := func(owner, handle string, bytes int) {
		t.Helper()
		must(t, both[0].PutHandle(t.Context(), owner, handle, "", "", nil, make([]byte, bytes), begin.AddDate(1, 0, 0)))
	}
	sweep := func(by int, want ...string) {
		t.Helper()
		told = nil
		_, err := both[by].Sweep(t.Context())
		must(t, err)
		if !slices.Equal(told, want) {
			t.Errorf("told %q, want %q", told, want)
		}
	}
	put("ann", "tbl_1", 7_900)
	put("bob", "tbl_2", 1_000)
	sweep(0)
	put("ann", "tbl_3", 100)
	const near = "ann tables store.tables_mb 8000 of 10000"
	sweep(0, near)
	sweep(1) // told by the other
	for i, s := range both {
		if uses := s.NearQuota("ann"); len(uses) != 1 || uses[0].Bytes != 8000 || len(s.NearQuota("bob")) > 0 {
			t.Errorf("process %d: %+v, %+v", i, uses, s.NearQuota("bob"))
		}
	}
	late := openRedis(t, "redis://"+server.Addr, opts)
	if len(late.NearQuota("ann")) != 1 {
		t.Error("a process that starts later does not know")
	}
	hours.Store(25)
	sweep(1, near)
	must(t, both[1].DeleteHandle(t.Context(), "ann", "tbl_1"))
	sweep(0)
	if uses := both[0].NearQuota("ann"); len(uses) > 0 {
		t.Errorf("%+v", uses)
	}
}
