package cli

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
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
}
