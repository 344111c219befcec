//go:build integration

package main

import (
	"maps"
	"strings"
	"testing"
	"time"
)

// TestIntegrationFaults is a short run of what `make faults` does. One kill would not do: the replica that it falls
// upon may have nothing to do at that moment.
func TestIntegrationFaults(t *testing.T) {
	f, err := run(t.Context(), options{
		replicas: 3, chains: 8, kills: 4, every: 2 * time.Second, atOnce: 8, pause: 100 * time.Millisecond, sqlite: 3, streams: 8,
		patience: 5 * time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.check(); err != nil {
		t.Error(err)
	}
	if f["redis_takeovers"] == 0 {
		t.Error("nothing was taken over, so nothing was shown")
	}
}

// TestIntegrationOutages is a short run of what -outages does. The wrong clock is left out: it takes a Go library built anew.
func TestIntegrationOutages(t *testing.T) {
	f, err := run(t.Context(), options{
		replicas: 3, atOnce: 8, pause: 100 * time.Millisecond, patience: 5 * time.Minute, outages: "away,failover,memory,flush,pause",
		before: 2 * time.Second, away: 7 * time.Second, paused: 17 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(f, func(name string, _ any) bool { return strings.HasSuffix(name, "_recovery_s") }) // no timed assertions
	if err := f.check(); err != nil {
		t.Error(err)
	}
}
