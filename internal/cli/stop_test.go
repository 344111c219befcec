package cli

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"catena/internal/app"
)

// A process that was told to stop ends within its time, and one that was not goes on.
func TestEndWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan time.Time, 1)
		endWithin(ctx, stopTime, func() { ended <- time.Now() })
		time.Sleep(time.Hour)
		if len(ended) != 0 {
			t.Error("it ended before it was told to stop")
		}
		told := time.Now()
		cancel()
		if took := (<-ended).Sub(told); took != stopTime {
			t.Errorf("it ended after %s", took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		forget := endWithin(ctx, stopTime, func() { t.Error("what was over was ended") })
		cancel()
		synctest.Wait()
		forget()
		time.Sleep(time.Hour)
	})
}

// TestLostOutput: a command whose output cannot be written fails, whatever it printed.
func TestLostOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	stdout := os.Stdout
	defer func() { os.Stdout = stdout }()
	os.Stdout = full
	for _, args := range [][]string{{"version"}, {"help"}, {"index", "--help"}} {
		if code := Main(nil, args); code != app.ExitError {
			t.Errorf("%q: exit code %d", args, code)
		}
	}
}
