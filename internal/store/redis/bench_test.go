//go:build integration

package redis_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	driver "github.com/redis/go-redis/v9"

	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/internal/store/storetest"
)

// writes is something that a run writes.
type writes struct {
	name string
	op   func(s store.Store) func(i int) error // makes what one writer does the i-th time
	bare func() []func(p driver.Pipeliner)     // what one writer sends, trip by trip
}

// places are names that were not used before.
var places atomic.Int64

func place(kind string) string { return fmt.Sprint(kind, "_", places.Add(1)) }

func newRun(b *testing.B, s store.Store) string {
	run := place("run")
	must(b, s.StartRun(context.Background(), "ann", run, "", nil, nil, time.Now()))
	return run
}

func eventWrites(ctx context.Context, b *testing.B) writes {
	event := []byte(`{"type":"TOOL_CALL_START","toolCallId":"s1","toolCallName":"get_top_clients"}`)
	return writes{"append event", func(s store.Store) func(i int) error {
		run := newRun(b, s)
		return func(i int) error { return s.AppendEvents(ctx, run, uint64(i), [][]byte{event}) }
	}, func() []func(p driver.Pipeliner) {
		key := place("bare")
		return []func(p driver.Pipeliner){func(p driver.Pipeliner) {
			p.HMGet(ctx, key, "epoch", "ended", "ring")
			p.LLen(ctx, key+":events")
			p.RPush(ctx, key+":events", event)
			p.HSet(ctx, key, "ring", "abcdefgh")
		}}
	}}
}

func turnWrites(ctx context.Context, b *testing.B) writes {
	turn := []byte(strings.Repeat("x", 4096))
	return writes{"append turn", func(s store.Store) func(i int) error {
		session := place("ses")
		must(b, s.CreateSession(ctx, "ann", session, "", time.Now()))
		return func(int) error { return s.AppendTurn(ctx, "ann", session, "run_1", turn, time.Now()) }
	}, func() []func(p driver.Pipeliner) {
		key := place("bare")
		return []func(p driver.Pipeliner){func(p driver.Pipeliner) {
			p.HMGet(ctx, key, "owner", "gone", "ring", "updated")
			p.RPush(ctx, key+":turns", turn)
			p.HSet(ctx, key, "ring", "abcdefgh", "turns", 1, "updated", 1)
			p.ZAdd(ctx, "bare_sessions", driver.Z{Score: float64(time.Now().UnixMicro()), Member: key})
		}}
	}}
}

func journalWrites(ctx context.Context, b *testing.B) writes {
	return writes{"journal begin and end", func(s store.Store) func(i int) error {
		run := newRun(b, s)
		return func(i int) error {
			step := fmt.Sprint("s", i)
			if err := s.Begin(ctx, run, step, "write_it", "hash", false); err != nil {
				return err
			}
			return s.End(ctx, run, step, "done", time.Millisecond, nil)
		}
	}, func() []func(p driver.Pipeliner) {
		key, i := place("bare"), 0
		return []func(p driver.Pipeliner){func(p driver.Pipeliner) {
			i++
			p.HMGet(ctx, key, "epoch", "ended")
			p.HGet(ctx, key+":calls", fmt.Sprint("bs", i))
			p.HSet(ctx, key+":calls", fmt.Sprint("bs", i), `{"tool":"write_it","hash":"hash","at":1795300000000000,"token":"abcdefgh"}`)
			p.HDel(ctx, key+":calls", fmt.Sprint("es", i))
			p.HIncrBy(ctx, key+":calls", fmt.Sprint("ns", i), 1)
		}, func(p driver.Pipeliner) {
			p.HMGet(ctx, key, "epoch", "ended")
			p.HExists(ctx, key+":calls", fmt.Sprint("bs", i))
			p.HSet(ctx, key+":calls", fmt.Sprint("es", i), `{"status":"done","took":1000}`+"\n")
		}}
	}}
}

// BenchmarkStores writes what a run writes to both stores. Between rounds of Redis it sends the same commands, without their checks, as
// pipelines over the bare client, the least that they can cost, and reports the median of the rounds' ratios (x-bare).
func BenchmarkStores(b *testing.B) {
	ctx := context.Background()
	local, err := sqlite.Open(ctx, filepath.Join(b.TempDir(), "s.db"), store.Options{})
	must(b, err)
	defer local.Close()
	server := storetest.StartRedis(b)
	shared := openRedis(b, "redis://"+server.Addr, store.Options{})
	client := driver.NewClient(&driver.Options{Addr: server.Addr, MaxRetries: -1, DisableIdentity: true, Protocol: 2, PoolSize: 64})
	defer client.Close()
	for _, w := range []writes{eventWrites(ctx, b), turnWrites(ctx, b), journalWrites(ctx, b)} {
		for _, writers := range []int{1, 16} {
			name := fmt.Sprintf("%s/writers=%d", w.name, writers)
			b.Run("sqlite/"+name, func(b *testing.B) {
				newLoad(writers, func() func(i int) error { return w.op(local) }).round(b, b.N)
			})
			b.Run("redis/"+name, func(b *testing.B) {
				own := newLoad(writers, func() func(i int) error { return w.op(shared) })
				bare := newLoad(writers, func() func(i int) error { return send(client, w.bare()) })
				inTurns(b, own, bare)
			})
		}
	}
}

// inTurns measures two loads in turns, so that what else the machine does is both's.
func inTurns(b *testing.B, own, bare *load) {
	const rounds = 10
	n := (b.N + rounds - 1) / rounds
	var ratios []float64
	var took time.Duration
	for range rounds {
		d := own.round(b, n)
		took += d
		ratios = append(ratios, float64(d)/float64(bare.round(b, n)))
	}
	slices.Sort(ratios)
	b.ReportMetric(float64(took.Nanoseconds())/float64(rounds*n), "ns/op")
	b.ReportMetric(ratios[rounds/2], "x-bare")
}

// send sends each trip as a pipeline.
func send(client *driver.Client, trips []func(p driver.Pipeliner)) func(int) error {
	return func(int) error {
		for _, fill := range trips {
			p := client.Pipeline()
			fill(p)
			if _, err := p.Exec(context.Background()); err != nil && !errors.Is(err, driver.Nil) {
				return err
			}
		}
		return nil
	}
}

// load are writers, and how often each has written.
type load struct {
	ops  []func(i int) error
	done []int
}

func newLoad(writers int, writer func() func(i int) error) *load {
	l := &load{ops: make([]func(i int) error, writers), done: make([]int, writers)}
	for w := range l.ops {
		l.ops[w] = writer()
	}
	return l
}

// round writes n times, spread over the writers side by side, and returns how long that took.
func (l *load) round(b *testing.B, n int) time.Duration {
	ended := make(chan error, len(l.ops))
	began := time.Now()
	for w, op := range l.ops {
		go func() {
			for range (n + len(l.ops) - 1 - w) / len(l.ops) {
				l.done[w]++
				if err := op(l.done[w]); err != nil {
					ended <- err
					return
				}
			}
			ended <- nil
		}()
	}
	for range l.ops {
		must(b, <-ended)
	}
	return time.Since(began)
}
