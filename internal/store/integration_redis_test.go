//go:build integration

package store_test

import (
	"context"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"catena/internal/store"
	"catena/internal/store/storetest"
)

// redisBackend gives each test keys of its own on one server.
func redisBackend(address string) storetest.Backend {
	var n atomic.Int64
	return storetest.Backend{New: func(t *testing.T, opts store.Options) func() store.Store {
		place := address + "?prefix=test" + strconv.FormatInt(n.Add(1), 10)
		return func() store.Store {
			s, err := store.OpenRedis(context.Background(), place, "", opts)
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
}

func TestIntegrationStoreRedisCluster(t *testing.T) {
	var hosts []string
	for _, node := range storetest.StartRedisCluster(t, 3) {
		hosts = append(hosts, node.Addr)
	}
	storetest.Run(t, redisBackend("redis+cluster://"+strings.Join(hosts, ",")))
}
