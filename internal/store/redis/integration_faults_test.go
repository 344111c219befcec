//go:build integration

package redis_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"catena/internal/store"
	"catena/internal/store/redis"
	"catena/internal/store/storetest"
)

func openRedis(t testing.TB, address string, opts store.Options) *redis.Store {
	t.Helper()
	s, err := redis.Open(context.Background(), address, "", opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestIntegrationStoreRedisKilled kills the server again and again while events and turns are written, and starts it with what its
// file holds. With appendfsync always no acknowledged write is lost, none is done twice, and the log has no gap.
func TestIntegrationStoreRedisKilled(t *testing.T) {
	server := storetest.StartRedis(t, "--appendfsync", "always")
	s := openRedis(t, "redis://"+server.Addr, store.Options{BusyTimeout: 10 * time.Second})
	ctx := context.Background()
	at := time.Now()
	must(t, s.CreateSession(ctx, "ann", "ses_1", "", at))
	const runs = 4
	done := make(chan struct{})
	acknowledged := make([]int, runs+1)
	var wg sync.WaitGroup
	for r := range runs {
		run := fmt.Sprint("run_", r)
		must(t, s.StartRun(ctx, "ann", run, "ses_1", nil, nil, at))
		wg.Go(func() {
			for n := 1; !over(done); n++ {
				if err := s.AppendEvents(ctx, run, uint64(n), [][]byte{fmt.Append(nil, n)}); err != nil {
					t.Errorf("event %d of %s: %v", n, run, err)
					return
				}
				acknowledged[r] = n
			}
		})
	}
	wg.Go(func() {
		for n := 1; !over(done); n++ {
			if err := s.AppendTurn(ctx, "ann", "ses_1", "run_0", fmt.Append(nil, n), at); err != nil {
				t.Errorf("turn %d: %v", n, err)
				return
			}
			acknowledged[runs] = n
		}
	})
	for range 8 {
		time.Sleep(150 * time.Millisecond)
		server.Stop()
		server.Start()
	}
	close(done)
	wg.Wait()
	for r := range runs {
		_, events, err := s.Events(ctx, "ann", fmt.Sprint("run_", r), 0, 1<<30)
		must(t, err)
		checkCounted(t, fmt.Sprint("run_", r), events, acknowledged[r])
	}
	turns, err := s.Turns(ctx, "ann", "ses_1", 1<<30)
	must(t, err)
	checkCounted(t, "turns", turns, acknowledged[runs])
	t.Log("events and turns written over 8 kills:", acknowledged)
}

// TestIntegrationStoreRedisTorn cuts the server's file in the middle of its last write, as a crash does, and goes on: the write whose answer
// was lost is sent again, and the server is started once more. Everything is there once.
func TestIntegrationStoreRedisTorn(t *testing.T) {
	server := storetest.StartRedis(t, "--appendfsync", "always")
	s := openRedis(t, "redis://"+server.Addr, store.Options{BusyTimeout: 10 * time.Second, RenewEvery: -1, SweepEvery: -1})
	ctx := context.Background()
	at := time.Now()
	must(t, s.CreateSession(ctx, "ann", "ses_1", "", at))
	must(t, s.StartRun(ctx, "ann", "run_1", "ses_1", nil, nil, at))
	file := server.AppendOnlyFile()
	size := func() int64 {
		info, err := os.Stat(file)
		must(t, err)
		return info.Size()
	}
	writes := map[string]func(n int) error{
		"events": func(n int) error {
			return s.AppendEvents(ctx, "run_1", uint64(2*n-1), [][]byte{fmt.Append(nil, 2*n-1), fmt.Append(nil, 2*n)})
		},
		"turns": func(n int) error { return s.AppendTurn(ctx, "ann", "ses_1", "run_1", fmt.Append(nil, n), at) },
		"calls": func(n int) error { return s.Begin(ctx, "run_1", fmt.Sprint("s", n), "write_it", "h", false) },
	}
	const rounds = 4
	for n := 1; n <= rounds; n++ {
		for what, write := range writes {
			before := size()
			must(t, write(n))
			after := size()
			server.Stop()
			must(t, os.Truncate(file, before+(after-before)*int64(n)/(rounds+1)))
			server.Start()
			must(t, write(n)) // what was sent again after its answer was lost
			for range 2 {
				server.Stop()
				server.Start()
			}
			if t.Failed() {
				t.Fatal(what)
			}
		}
	}
	_, events, err := s.Events(ctx, "ann", "run_1", 0, 100)
	must(t, err)
	checkCounted(t, "events", events, 2*rounds)
	turns, err := s.Turns(ctx, "ann", "ses_1", 100)
	must(t, err)
	checkCounted(t, "turns", turns, rounds)
	calls := 0
	must(t, s.Calls(ctx, "run_1", func(string, string, string, string, int, []byte) error { calls++; return nil }))
	if calls != rounds {
		t.Errorf("%d calls", calls)
	}
}

func over(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// checkCounted wants 1, 2, 3 ... up to what was acknowledged.
func checkCounted(t *testing.T, what string, list [][]byte, acknowledged int) {
	t.Helper()
	if len(list) != acknowledged {
		t.Errorf("%s: %d are there, %d were acknowledged", what, len(list), acknowledged)
	}
	for i, data := range list {
		if string(data) != fmt.Sprint(i+1) {
			t.Fatalf("%s: at %d stands %s", what, i+1, data)
		}
	}
}

func TestIntegrationStoreRedisRefuses(t *testing.T) {
	ctx := context.Background()
	small := storetest.StartRedis(t, "--maxmemory", "4mb")
	s := openRedis(t, "redis://"+small.Addr, store.Options{BusyTimeout: time.Second})
	must(t, s.StartRun(ctx, "ann", "run_1", "", nil, nil, time.Now()))
	var err error
	n := uint64(1)
	for ; err == nil && n < 1000; n++ {
		err = s.AppendEvents(ctx, "run_1", n, [][]byte{make([]byte, 64<<10)})
	}
	wantServer(t, "out of memory", err, "is out of memory")
	seqs, _, err := s.Events(ctx, "ann", "run_1", 0, 1000)
	if err != nil || uint64(len(seqs)) != n-2 {
		t.Errorf("what was acknowledged is there: %d of %d, %v", len(seqs), n-2, err)
	}

	replica := storetest.StartRedis(t, "--replicaof", strings.ReplaceAll(small.Addr, ":", " "))
	err = openRedis(t, "redis://"+replica.Addr, store.Options{BusyTimeout: time.Second}).CreateSession(ctx, "ann", "ses_1", "", time.Now())
	wantServer(t, "a replica", err, "takes no writes")

	locked := storetest.StartRedis(t, "--requirepass", "canary")
	_, err = redis.Open(ctx, "redis://"+locked.Addr, "", store.Options{})
	wantServer(t, "no password", err, "wants a password")
	_, err = redis.Open(ctx, "redis://"+locked.Addr, "wrong-canary", store.Options{})
	wantServer(t, "a wrong password", err, "store.password")
	with, err := redis.Open(ctx, "redis://"+locked.Addr, "canary", store.Options{})
	must(t, err)
	must(t, with.Close())

	node := storetest.StartRedisCluster(t, 1)[0]
	_, err = redis.Open(ctx, "redis://"+node.Addr, "", store.Options{})
	wantServer(t, "a node of a cluster", err, "write redis+cluster://")
}

func wantServer(t *testing.T, what string, err error, text string) {
	t.Helper()
	var server *store.ServerError
	if !errors.As(err, &server) || !strings.Contains(err.Error(), text) || strings.Contains(err.Error(), "canary") {
		t.Errorf("%s: %v, want a *ServerError with %q", what, err, text)
	}
}

// TestIntegrationStoreRedisAway keeps the server away for longer than a lease: whoever works on a run goes on, and nobody takes it over.
func TestIntegrationStoreRedisAway(t *testing.T) {
	server := storetest.StartRedis(t, "--appendfsync", "always") // with everysec a slow disk loses up to 2 s, see docs/store.md
	opts := storetest.Options(t, time.Now)
	opts.LeaseTTL, opts.RenewEvery, opts.Report = 2*time.Second, 500*time.Millisecond, nil
	owner, other := openRedis(t, "redis://"+server.Addr, opts), openRedis(t, "redis://"+server.Addr, opts)
	ctx := context.Background()
	must(t, owner.StartRun(ctx, "ann", "run_1", "", nil, nil, time.Now()))
	must(t, owner.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("1")}))
	server.Stop()
	brief, cancel := context.WithTimeout(ctx, 2*opts.LeaseTTL)
	defer cancel()
	for ; brief.Err() == nil; time.Sleep(100 * time.Millisecond) {
		if _, err := other.OpenRuns(brief, 100); err == nil {
			t.Error("a server that is away has open runs")
		}
	}
	server.Start()
	for until := time.Now().Add(2 * opts.LeaseTTL); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		if runs, err := other.OpenRuns(ctx, 100); err != nil || len(runs) > 0 {
			t.Fatalf("taken from one that lives: %v, %v", runs, err)
		}
	}
	must(t, owner.AppendEvents(ctx, "run_1", 2, [][]byte{[]byte("2")}))
	must(t, owner.FinishRun(ctx, "run_1", "answer", nil, time.Now()))
}

// TestIntegrationStoreRedisGivenUp gives a run up while the server is away: nobody can be told, and the lease runs out all the same.
func TestIntegrationStoreRedisGivenUp(t *testing.T) {
	server := storetest.StartRedis(t, "--appendfsync", "always")
	opts := storetest.Options(t, time.Now)
	opts.LeaseTTL, opts.RenewEvery, opts.BusyTimeout, opts.Report = 2*time.Second, 100*time.Millisecond, 200*time.Millisecond, nil
	owner := openRedis(t, "redis://"+server.Addr, opts)
	ctx := context.Background()
	must(t, owner.StartRun(ctx, "ann", "run_1", "", nil, nil, time.Now()))
	server.Stop()
	if err := owner.ReleaseLease(ctx, "run_1"); err == nil {
		t.Error("a server that is away was told")
	}
	server.Start()
	for until := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		runs, err := owner.OpenRuns(ctx, 100)
		must(t, err)
		if len(runs) == 1 {
			break
		}
		if time.Now().After(until) {
			t.Fatal("the lease is renewed for a run that nobody works on")
		}
	}
	must(t, owner.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("1")}))
}

// TestIntegrationStoreRedisFlushed throws everything away under a store's feet: nothing is made up, and work on it stops.
func TestIntegrationStoreRedisFlushed(t *testing.T) {
	server := storetest.StartRedis(t)
	s := openRedis(t, "redis://"+server.Addr, storetest.Options(t, time.Now))
	ctx := context.Background()
	must(t, s.CreateSession(ctx, "ann", "ses_1", "", time.Now()))
	must(t, s.StartRun(ctx, "ann", "run_1", "ses_1", nil, nil, time.Now()))
	must(t, s.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("a")}))
	server.Do("FLUSHALL")
	server.Do("SCRIPT FLUSH")
	for what, err := range map[string]error{
		"events": s.AppendEvents(ctx, "run_1", 2, [][]byte{[]byte("b")}), "a call": s.Begin(ctx, "run_1", "s1", "write_it", "h", false),
		"a turn": s.AppendTurn(ctx, "ann", "ses_1", "run_1", nil, time.Now()), "a renewal": s.RenewLease(ctx, "run_1"), "the end": s.FinishRun(ctx, "run_1", "answer", nil, time.Now()),
	} {
		if err == nil {
			t.Errorf("%s was taken by an empty server", what)
		}
	}
	must(t, s.CreateSession(ctx, "ann", "ses_2", "", time.Now()))
}

// TestIntegrationStoreRedisSentinel goes through a failover: writes wait for the new master, and go on there.
func TestIntegrationStoreRedisSentinel(t *testing.T) {
	master := storetest.StartRedis(t)
	replica := storetest.StartRedis(t, "--replicaof", strings.ReplaceAll(master.Addr, ":", " "))
	sentinel := storetest.StartSentinel(t, "main", master.Addr)
	s := openRedis(t, "redis+sentinel://"+sentinel+"/main", store.Options{BusyTimeout: 30 * time.Second})
	ctx := context.Background()
	must(t, s.StartRun(ctx, "ann", "run_1", "", nil, nil, time.Now()))
	must(t, s.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("1")}))
	for until := time.Now().Add(10 * time.Second); replica.Do("LLEN catena:{run:run_1}:events") != ":1"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the replica does not follow")
		}
	}
	master.Stop()
	stopped := time.Now()
	must(t, s.AppendEvents(ctx, "run_1", 2, [][]byte{[]byte("2")}))
	took := time.Since(stopped)
	if took > 15*time.Second {
		t.Errorf("the failover took %v", took)
	}
	t.Logf("went on after %v", took.Round(10*time.Millisecond))
	_, events, err := s.Events(ctx, "ann", "run_1", 0, 10)
	must(t, err)
	checkCounted(t, "events", events, 2)
}

func TestIntegrationStoreRedisAdvice(t *testing.T) {
	ctx := context.Background()
	good := openRedis(t, "redis://"+storetest.StartRedis(t).Addr, store.Options{})
	if list, err := good.Advice(ctx); err != nil || len(list) != 0 {
		t.Errorf("%q, %v", list, err)
	}
	bad := openRedis(t, "redis://"+storetest.StartRedis(t, "--appendonly", "no", "--maxmemory-policy", "allkeys-lru").Addr, store.Options{})
	list, err := bad.Advice(ctx)
	if err != nil || len(list) != 2 || !strings.Contains(list[0], "set appendonly yes") || !strings.Contains(list[1], "set noeviction") {
		t.Errorf("%q, %v", list, err)
	}
}
