package main

import (
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain makes the test binary a server when it is asked to be one.
func TestMain(m *testing.M) {
	if mode := os.Getenv(modeVariable); mode != "" {
		serve(mode)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// TestFaults makes each fault once, in small: calls under way fail in time, other servers go on, a server is back by itself, and nothing
// is left behind.
func TestFaults(t *testing.T) {
	said := func(line string) (int, error) { t.Log(line); return len(line), nil }
	f, err := run(t.Context(), settings{rounds: 1, calm: 50 * time.Millisecond, gigabytes: 0.3, notifications: 30_000, short: true}, said)
	if err != nil {
		t.Fatal(err)
	}
	if f.Faults != len(faults) || f.Right != f.Faults || f.Zombies != 0 || f.Goroutines > 0 {
		t.Errorf("%+v", f)
	}
}
