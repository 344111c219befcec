package server

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"catena/server/servertest"
)

// TestEveryRefusalIsCounted: however many bad keys come, the record has all of them, and not a line for each.
func TestEveryRefusalIsCounted(t *testing.T) {
	var mu sync.Mutex
	told, times := 0, 0
	s, url := keyed(t, func(o *Options) {
		o.Refused = func(_ context.Context, remote, reason string, n int) {
			mu.Lock()
			defer mu.Unlock()
			told, times = told+1, times+n
			if remote == "" || strings.Contains(reason, "guess") {
				t.Errorf("%q %q", remote, reason)
			}
		}
	})
	const sent = 200
	limited := 0
	for i := range sent {
		if status, _, _ := servertest.Ask(t, "GET", url+"/api/v1/tools", "", servertest.Bearer(fmt.Sprint("guess-", i))...); status == 429 {
			limited++
		}
	}
	s.refusals.flush()
	mu.Lock()
	defer mu.Unlock()
	if limited == 0 || times != sent || told != sent-limited+1 {
		t.Errorf("%d requests, %d beyond the limit: %d lines have %d", sent, limited, told, times)
	}
}

// TestRefusalsAreBounded: many addresses take no more memory than so many, and none is lost.
func TestRefusalsAreBounded(t *testing.T) {
	times := 0
	r := refusalCount{tell: func(_ context.Context, _, _ string, n int) { times += n }}
	const more = 50
	for i := range refusalsMost + more {
		r.add(fmt.Sprint("address-", i))
	}
	if len(r.count) > refusalsMost+1 {
		t.Errorf("%d addresses are held", len(r.count))
	}
	r.flush()
	if times != refusalsMost+more {
		t.Errorf("%d of %d", times, refusalsMost+more)
	}
}
