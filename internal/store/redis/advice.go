package redis

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// clockApart is how far the server's clock may be from this machine's before that is worth a word. Leases go by the server's alone.
const clockApart = 2 * time.Second

// Advice looks at the servers' settings and returns a sentence for each that breaks what a reply promises, with what to do. A server
// that does not tell is not judged.
func (s *Store) Advice(ctx context.Context) ([]string, error) {
	var mu sync.Mutex
	var all []string
	look := func(ctx context.Context, c redis.Cmdable) error {
		list, err := s.adviceOf(ctx, c)
		mu.Lock()
		defer mu.Unlock()
		all = append(all, list...)
		return err
	}
	var err error
	if cluster, ok := s.client.(*redis.ClusterClient); ok {
		err = cluster.ForEachMaster(ctx, func(ctx context.Context, c *redis.Client) error { return look(ctx, c) })
	} else {
		err = look(ctx, s.client)
	}
	slices.Sort(all)
	return slices.Compact(all), s.explain(ctx, err)
}

func (s *Store) adviceOf(ctx context.Context, c redis.Cmdable) ([]string, error) {
	info, err := c.Info(ctx).Result()
	if err != nil {
		return nil, err
	}
	facts := infoFacts(info)
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if facts["aof_enabled"] == "0" {
		say("appendonly is off, so what was answered is lost when the server stops; set appendonly yes")
	}
	if policy := facts["maxmemory_policy"]; policy != "" && policy != "noeviction" {
		say("maxmemory-policy is %s, so the server may throw away sessions and runs; set noeviction", policy)
	}
	if facts["aof_last_write_status"] == "err" {
		say("the server could not write its append-only file; free some space on its disk, and see its log")
	}
	now, err := c.Time(ctx).Result()
	if err != nil {
		return list, err
	}
	if apart := time.Since(now).Abs(); apart > clockApart {
		say("the server's clock is %v from this machine's; set both by NTP", apart.Round(time.Second))
	}
	return list, nil
}
