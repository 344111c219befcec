//go:build integration

package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"catena/internal/store"
	"catena/internal/store/storetest"
)

// BenchmarkStores writes what a run writes to both stores. Beside Redis it sends the same commands without checks as one pipeline over
// the bare client, the least that they can cost, and reports how often that goes into the store's time (x-bare).
func BenchmarkStores(b *testing.B) {
	ctx := context.Background()
	local, err := store.Open(ctx, filepath.Join(b.TempDir(), "s.db"), store.Options{})
	must(b, err)
	defer local.Close()
	server := storetest.StartRedis(b)
	shared := openRedis(b, "redis://"+server.Addr, store.Options{})
	client := redis.NewClient(&redis.Options{Addr: server.Addr, MaxRetries: -1, DisableIdentity: true, Protocol: 2, PoolSize: 64})
	defer client.Close()
	event := []byte(`{"type":"TOOL_CALL_START","toolCallId":"s1","toolCallName":"get_top_clients"}`)
	turn := []byte(strings.Repeat("x", 4096))
	var n atomic.Int64
	newRun := func(s store.Store) string {
		run := fmt.Sprint("run_", n.Add(1))
		must(b, s.StartRun(ctx, "ann", run, "", nil, time.Now()))
		return run
	}
	cases := []struct {
		name string
		op   func(s store.Store) func(i int) error // makes what one writer does the i-th time
		bare func() func(p redis.Pipeliner)
	}{
		{"append event", func(s store.Store) func(i int) error {
			run := newRun(s)
			return func(i int) error { return s.AppendEvents(ctx, run, uint64(i), [][]byte{event}) }
		}, func() func(p redis.Pipeliner) {
			key := fmt.Sprint("bare_", n.Add(1))
			return func(p redis.Pipeliner) {
				p.HMGet(ctx, key, "epoch", "ended", "ring")
				p.LLen(ctx, key+":events")
				p.RPush(ctx, key+":events", event)
				p.HSet(ctx, key, "ring", "abcdefgh")
			}
		}},
		{"append turn", func(s store.Store) func(i int) error {
			session := fmt.Sprint("ses_", n.Add(1))
			must(b, s.CreateSession(ctx, "ann", session, "", time.Now()))
			return func(int) error { return s.AppendTurn(ctx, "ann", session, "run_1", turn, time.Now()) }
		}, func() func(p redis.Pipeliner) {
			key := fmt.Sprint("bare_", n.Add(1))
			return func(p redis.Pipeliner) {
				p.HMGet(ctx, key, "owner", "gone", "ring", "updated")
				p.RPush(ctx, key+":turns", turn)
				p.HSet(ctx, key, "ring", "abcdefgh", "turns", 1, "updated", 1)
				p.ZAdd(ctx, "bare_sessions", redis.Z{Score: float64(time.Now().UnixMicro()), Member: key})
			}
		}},
		{"journal begin and end", func(s store.Store) func(i int) error {
			run := newRun(s)
			return func(i int) error {
				step := fmt.Sprint("s", i)
				if err := s.Begin(ctx, run, step, "write_it", "hash", false); err != nil {
					return err
				}
				return s.End(ctx, run, step, "done", time.Millisecond, nil)
			}
		}, func() func(p redis.Pipeliner) {
			key, i := fmt.Sprint("bare_", n.Add(1)), 0
			return func(p redis.Pipeliner) {
				i++
				p.HMGet(ctx, key, "epoch", "ended")
				p.HGet(ctx, key+":calls", fmt.Sprint("bs", i))
				p.HSet(ctx, key+":calls", fmt.Sprint("bs", i), `{"tool":"write_it","hash":"hash","at":1795300000000000,"token":"abcdefgh"}`)
				p.HDel(ctx, key+":calls", fmt.Sprint("es", i))
				p.HIncrBy(ctx, key+":calls", fmt.Sprint("ns", i), 1)
				p.HMGet(ctx, key, "epoch", "ended")
				p.HExists(ctx, key+":calls", fmt.Sprint("bs", i))
				p.HSet(ctx, key+":calls", fmt.Sprint("es", i), `{"status":"done","took":1000}`+"\n")
			}
		}},
	}
	for _, c := range cases {
		for _, writers := range []int{1, 16} {
			name := fmt.Sprintf("%s/writers=%d", c.name, writers)
			b.Run("sqlite/"+name, func(b *testing.B) {
				own := measure(b, writers, func() func(i int) error { return c.op(local) })
				b.ReportMetric(float64(own.Nanoseconds())/float64(b.N), "ns/op")
			})
			b.Run("redis/"+name, func(b *testing.B) {
				own := measure(b, writers, func() func(i int) error { return c.op(shared) })
				bare := measure(b, writers, func() func(i int) error {
					fill := c.bare()
					return func(int) error {
						p := client.Pipeline()
						fill(p)
						_, err := p.Exec(ctx)
						if errors.Is(err, redis.Nil) {
							err = nil
						}
						return err
					}
				})
				b.ReportMetric(float64(own.Nanoseconds())/float64(b.N), "ns/op")
				b.ReportMetric(float64(own)/float64(bare), "x-bare")
			})
		}
	}
}

// measure runs b.N operations by so many writers side by side, and returns how long they took.
func measure(b *testing.B, writers int, writer func() func(i int) error) time.Duration {
	ops := make([]func(i int) error, writers)
	for w := range ops {
		ops[w] = writer()
	}
	ended := make(chan error, writers)
	began := time.Now()
	for w, op := range ops {
		go func() {
			for i := 1; i <= (b.N+writers-1-w)/writers; i++ {
				if err := op(i); err != nil {
					ended <- err
					return
				}
			}
			ended <- nil
		}()
	}
	for range writers {
		must(b, <-ended)
	}
	return time.Since(began)
}
