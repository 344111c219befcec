//go:build integration

package redis_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	driver "github.com/redis/go-redis/v9"

	"catena/internal/store"
	"catena/internal/store/redis"
	"catena/internal/store/storetest"
)

// redisBackend gives each test keys of its own on one server.
func redisBackend(address string) storetest.Backend {
	var n atomic.Int64
	return storetest.Backend{New: func(t *testing.T, opts store.Options) func() store.Store {
		place := address + "?prefix=test" + strconv.FormatInt(n.Add(1), 10)
		return func() store.Store {
			s, err := redis.Open(context.Background(), place, "", opts)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	}}
}

func TestIntegrationStoreRedis(t *testing.T) {
	server := storetest.StartRedis(t)
	storetest.Run(t, redisBackend("redis://"+server.Addr))
	// Each write is one command: what a crash leaves of several between MULTI and EXEC harms what is written after it.
	server.Stop()
	written, err := os.ReadFile(server.AppendOnlyFile())
	must(t, err)
	if n := bytes.Count(written, []byte("\r\nMULTI\r\n")); n > 0 || len(written) == 0 {
		at := max(0, bytes.Index(written, []byte("\r\nMULTI\r\n")))
		t.Errorf("%d writes of %d bytes are of several commands; the first:\n%s", n, len(written), written[at:min(at+400, len(written))])
	}
}

// A sweep that outlasts its lock leaves that of the process which sweeps since.
func TestIntegrationStoreRedisSweepLock(t *testing.T) {
	server := storetest.StartRedis(t)
	client := driver.NewClient(&driver.Options{Addr: server.Addr})
	defer func() { must(t, client.Close()) }()
	ctx := t.Context()
	lock, sweeping := "", false
	now := func() time.Time {
		if keys, err := client.Keys(ctx, "*sweep*").Result(); sweeping && err == nil && len(keys) == 1 {
			lock = keys[0]
			must(t, client.Set(ctx, lock, "another's", time.Minute).Err())
		}
		return time.Now()
	}
	s := openRedis(t, "redis://"+server.Addr, store.Options{Now: now, SweepEvery: -1, RenewEvery: -1})
	must(t, s.CreateSession(ctx, "ann", "ses_1", "", time.Now()))
	sweeping = true
	_, err := s.Sweep(ctx)
	must(t, err)
	if whose, err := client.Get(ctx, lock).Result(); err != nil || whose != "another's" {
		t.Errorf("the lock %q: %q, %v", lock, whose, err)
	}
	must(t, client.Del(ctx, lock).Err())
	sweeping = false
	_, err = s.Sweep(ctx)
	must(t, err)
	if left, err := client.Keys(ctx, "*sweep*").Result(); err != nil || len(left) > 0 {
		t.Error("its own lock stays:", left, err)
	}
}

// TestIntegrationStoreRedisLimits counts over two processes at once.
func TestIntegrationStoreRedisLimits(t *testing.T) {
	server := storetest.StartRedis(t)
	both := []*redis.Store{openRedis(t, "redis://"+server.Addr, store.Options{}), openRedis(t, "redis://"+server.Addr, store.Options{})}
	const every, window = 300 * time.Millisecond, 1500 * time.Millisecond
	atOnce := func(n int, take func(s *redis.Store, i int) (bool, error)) int {
		var wg sync.WaitGroup
		var taken atomic.Int32
		for i := range n {
			wg.Go(func() {
				ok, err := take(both[i%2], i)
				if err != nil {
					t.Error(err)
				}
				if ok {
					taken.Add(1)
				}
			})
		}
		wg.Wait()
		return int(taken.Load())
	}
	ctx := context.Background()
	rate := func(s *redis.Store, _ int) (bool, error) {
		ahead, ok, err := s.TakeRate(ctx, "ann", every, window)
		if ahead > window {
			t.Errorf("%v ahead of a window of %v", ahead, window)
		}
		return ok, err
	}
	if n := atOnce(20, rate); n < 5 || n > 6 { // one more when the requests themselves take so long
		t.Errorf("%d requests were taken at once, want 5", n)
	}
	time.Sleep(every)
	if n := atOnce(20, rate); n < 1 || n > 2 {
		t.Errorf("%d requests were taken after a pause, want 1", n)
	}
	place := func(s *redis.Store, i int) (bool, error) {
		return s.TakePlace(ctx, "ann", fmt.Sprint("run_", i), 3, time.Minute)
	}
	if n := atOnce(20, place); n != 3 {
		t.Errorf("%d runs had a place, want 3", n)
	}
	for i := range 20 {
		must(t, both[i%2].LeavePlace(ctx, "ann", fmt.Sprint("run_", i)))
	}
	for range 2 { // one that has a place keeps it
		if ok, err := place(both[0], 1); err != nil || !ok {
			t.Error(ok, err)
		}
	}
}

func TestIntegrationStoreRedisCluster(t *testing.T) {
	var hosts []string
	for _, node := range storetest.StartRedisCluster(t, 3) {
		hosts = append(hosts, node.Addr)
	}
	storetest.Run(t, redisBackend("redis+cluster://"+strings.Join(hosts, ",")))
}
