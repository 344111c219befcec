//go:build integration

package redis_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"catena/internal/store"
	"catena/internal/store/redis"
	"catena/internal/store/storetest"
)

// What one server has can be put into another, one server or a cluster, under another prefix, with the time that each key has to live.
func TestIntegrationStoreRedisCopy(t *testing.T) {
	one := storetest.StartRedis(t)
	var hosts []string
	for _, node := range storetest.StartRedisCluster(t, 3) {
		hosts = append(hosts, node.Addr)
	}
	cluster := "redis+cluster://" + strings.Join(hosts, ",")
	from := openRedis(t, "redis://"+one.Addr, store.Options{})
	for i := range 700 {
		if err := from.Put(t.Context(), "key "+strings.Repeat("x", i%7)+time.Duration(i).String(), bytes.Repeat([]byte("v"), i), time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	if err := from.Put(t.Context(), "short", []byte("life"), time.Minute); err != nil {
		t.Fatal(err)
	}
	var first bytes.Buffer
	n, err := from.Export(t.Context(), &first)
	if err != nil || n < 701 {
		t.Fatalf("%d keys, %v", n, err)
	}
	to := openRedis(t, cluster+"?prefix=other", store.Options{})
	if got, err := to.Import(t.Context(), bytes.NewReader(first.Bytes()), n, false); err != nil || got != n {
		t.Fatalf("%d of %d keys, %v", got, n, err)
	}
	if v, _, err := to.Get(t.Context(), "short"); err != nil || string(v) != "life" {
		t.Errorf("%q %v", v, err)
	}
	if _, err := to.Import(t.Context(), bytes.NewReader(first.Bytes()), n, false); !errors.Is(err, redis.ErrNotEmpty) {
		t.Errorf("into a full store: %v", err)
	}
	if err := to.Put(t.Context(), "later", []byte("goes"), time.Hour); err != nil {
		t.Fatal(err)
	}
	if got, err := to.Import(t.Context(), bytes.NewReader(first.Bytes()), n, true); err != nil || got != n {
		t.Errorf("%d of %d keys, %v", got, n, err)
	}
	if _, ok, err := to.Get(t.Context(), "later"); ok || err != nil {
		t.Errorf("what was there is still there: %v", err)
	}
	spoilt := func(what string, data []byte, want int) {
		t.Helper()
		if _, err := to.Import(t.Context(), bytes.NewReader(data), want, true); err == nil {
			t.Errorf("%s was taken", what)
		}
		if v, _, err := to.Get(t.Context(), "short"); err != nil || string(v) != "life" {
			t.Fatalf("%s changed the store: %q %v", what, v, err)
		}
	}
	for _, cut := range []int{first.Len() - 1, first.Len() / 2, 0} { // the last ends between two keys
		if _, err := to.Import(t.Context(), bytes.NewReader(first.Bytes()[:cut]), n, true); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("a copy cut at %d of %d was taken: %v", cut, first.Len(), err)
		}
		spoilt("a cut", first.Bytes()[:cut], n)
	}
	spoilt("one key too many", first.Bytes(), n-1)
	spoilt("junk behind it", append(bytes.Clone(first.Bytes()), 0, 0, 0), n)
	flipped := bytes.Clone(first.Bytes())
	flipped[len(flipped)-1] ^= 1 // of the last value's checksum
	spoilt("a flip in a value", flipped, n)

	// What was staged and not adopted is not the store; what was adopted is at once, also for who opens it later.
	generation, err := to.Stage(t.Context(), bytes.NewReader(first.Bytes()), n, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := to.Put(t.Context(), "former", []byte("store"), time.Hour); err != nil {
		t.Fatal(err)
	}
	look := func(wanted bool) {
		t.Helper()
		late := openRedis(t, cluster+"?prefix=other", store.Options{})
		for _, s := range []*redis.Store{to, late} {
			if _, ok, err := s.Get(t.Context(), "former"); ok != wanted || err != nil {
				t.Errorf("the former store is there: %v, %v", ok, err)
			}
		}
	}
	look(true)
	for range 2 {
		if err := to.Adopt(t.Context(), generation); err != nil {
			t.Fatal(err)
		}
		look(false)
	}
	if err := to.Adopt(t.Context(), ":gABCDEFGHIJKLMNOPQRSTUVWXYZ"); err == nil {
		t.Error("a generation that is not there was adopted")
	}
	var again bytes.Buffer
	if got, err := to.Export(t.Context(), &again); err != nil || got != n {
		t.Errorf("%d of %d keys are exported, %v", got, n, err)
	}
}
