// Package redis is the store on Redis or Valkey that several replicas share: store.Store, and what only processes that
// share a server need (places, rates, generations). It keeps neither memories nor the graph of personas.
package redis

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// Store is a store on a Redis server (or Valkey), alone, behind Sentinel or as a cluster, for several processes at
// once. All methods are safe for concurrent use.
//
// Everything of a session is in one hash slot, and so is everything of a run; what must be atomic is a script over the keys of one
// slot. A write whose answer was lost is sent again for Options.BusyTimeout, and is not done twice: scripts know it by a token, or by
// what it wrote. What a write that succeeded promises is what the server is set to: docs/store.md.
type Store struct {
	server  redisServer
	opts    store.Options
	process string
	client  redis.UniversalClient
	// generation is which keys of the prefix are the store: see Stage.
	generation atomic.Pointer[string]
	held       backend.Leases[struct{}] // the leases of this store
	aged       backend.Retention
	quotas     backend.Quotas
	swept      atomic.Bool  // runs that ended before they had an end of life have one
	stamped    atomic.Int64 // the last time that stamp gave

	away   atomic.Int64 // when the server was last seen to be away, or to have just started; nanoseconds since 1970
	closed atomic.Bool
	done   chan struct{}  // closed by Close: ends the background work
	ending sync.WaitGroup // the sweep and the renewals
}

var _ store.Store = (*Store)(nil)

// minRedis is the version that has the commands used here (PEXPIRE GT).
const minRedis = 7

// inOneTrip bounds the commands that are sent together.
const inOneTrip = 256

// Open opens the store on the servers that address names (see Check); password may be "". It fails when they do not
// answer within Options.BusyTimeout, with a *ServerError.
func Open(ctx context.Context, address, password string, opts store.Options) (*Store, error) {
	server, err := parse(address)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s := &Store{server: server, opts: opts.WithDefaults(), process: backend.NewProcess(), done: make(chan struct{})}
	s.client = newClient(server, password, s.opts)
	err = s.checkServer(ctx)
	if err == nil {
		err = s.readGeneration(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.client.Close())
	}
	if err := s.aged.Begin(ctx, s, s.opts, s.empty); err != nil {
		return nil, errors.Join(err, s.client.Close())
	}
	s.opts.ReportError(s.takeNear(ctx))
	backend.Every(s.opts.SweepEvery, s.done, &s.ending, s.sweepOnce)
	backend.Every(s.opts.RenewEvery, s.done, &s.ending, s.renewAll)
	return s, nil
}

// checkServer asks for the server's version, and whether it is the kind that the address says.
func (s *Store) checkServer(ctx context.Context) error {
	var info string
	err := s.retry(ctx, func(ctx context.Context, _ bool) (err error) {
		info, err = s.client.Info(ctx, "server").Result()
		return err
	})
	if err != nil {
		return err
	}
	facts := infoFacts(info)
	if up, err := strconv.Atoi(facts["uptime_in_seconds"]); err == nil {
		s.away.Store(time.Now().Add(-time.Duration(up) * time.Second).UnixNano())
	}
	version, _, _ := strings.Cut(facts["redis_version"], ".")
	if n, err := strconv.Atoi(version); err == nil && n < minRedis {
		return &store.ServerError{
			Address: s.server.String(), Reason: "is Redis " + facts["redis_version"], Hint: fmt.Sprintf("Catena needs version %d.0 or later, or Valkey", minRedis),
		}
	}
	if facts["redis_mode"] == "cluster" && !s.server.cluster {
		return &store.ServerError{Address: s.server.String(), Reason: "is a node of a cluster", Hint: "write redis+cluster:// in place of redis:// in store.url"}
	}
	return nil
}

// infoFacts reads the lines of INFO.
func infoFacts(info string) map[string]string {
	facts := map[string]string{}
	for line := range strings.Lines(info) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			facts[name] = value
		}
	}
	return facts
}

// Pauses between attempts while a server is away.
const (
	firstPause = 20 * time.Millisecond
	lastPause  = 500 * time.Millisecond
)

// retry runs f, again and again while its error is one that passes, for Options.BusyTimeout at most; again says that an earlier
// attempt may have had its effect. Errors are explained.
func (s *Store) retry(ctx context.Context, f func(ctx context.Context, again bool) error) error {
	until := time.Now().Add(s.opts.BusyTimeout)
	pause := firstPause
	for again := false; ; again = true {
		if s.closed.Load() {
			return store.ErrClosed
		}
		err := f(ctx, again)
		if err != nil && passing(err) {
			s.away.Store(time.Now().UnixNano())
		}
		if err == nil || !passing(err) || ctx.Err() != nil || time.Now().Add(pause).After(until) {
			return s.explain(ctx, err)
		}
		wait := time.NewTimer(pause/2 + rand.N(pause/2+1))
		select {
		case <-wait.C:
		case <-ctx.Done():
		case <-s.done:
		}
		wait.Stop()
		pause = min(2*pause, lastPause)
	}
}

// Ping asks the servers, all of a cluster, and writes: a server that is out of memory or has lost its disk still answers.
func (s *Store) Ping(ctx context.Context) error {
	if s.closed.Load() {
		return store.ErrClosed
	}
	if cluster, ok := s.client.(*redis.ClusterClient); ok {
		err := cluster.ForEachMaster(ctx, func(ctx context.Context, c *redis.Client) error { return c.Ping(ctx).Err() })
		if err != nil {
			return s.explain(ctx, err)
		}
	}
	return s.explain(ctx, s.client.Set(ctx, s.key("cache", "health", ""), "ok", time.Minute).Err())
}

// String names the servers, without a password.
func (s *Store) String() string { return s.server.String() }

// Close ends the background work and closes the connections. Leases are not given up: a run that is still under way is taken over
// when its lease has run out.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	close(s.done)
	s.ending.Wait()
	return s.client.Close()
}
