//go:build integration

package main

import (
	"testing"
	"time"
)

// TestIntegrationFaults is a short run of what `make faults` does.
func TestIntegrationFaults(t *testing.T) {
	f, err := run(t.Context(), options{replicas: 3, chains: 8, kills: 1, every: 2 * time.Second, atOnce: 8, pause: 100 * time.Millisecond, sqlite: 3, streams: 8})
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
