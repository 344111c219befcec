//go:build integration

package store_test

import (
	"bytes"
	"context"
	"os"
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
	// Each write is one command: what a crash leaves of several between MULTI and EXEC harms what is written after it.
	server.Stop()
	written, err := os.ReadFile(server.AppendOnlyFile())
	must(t, err)
	if n := bytes.Count(written, []byte("\r\nMULTI\r\n")); n > 0 || len(written) == 0 {
		at := max(0, bytes.Index(written, []byte("\r\nMULTI\r\n")))
		t.Errorf("%d writes of %d bytes are of several commands; the first:\n%s", n, len(written), written[at:min(at+400, len(written))])
	}
}

func TestIntegrationStoreRedisCluster(t *testing.T) {
	var hosts []string
	for _, node := range storetest.StartRedisCluster(t, 3) {
		hosts = append(hosts, node.Addr)
	}
	storetest.Run(t, redisBackend("redis+cluster://"+strings.Join(hosts, ",")))
}
