package chat_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"catena/chat/runs"
)

// A watch looks at its pace while it is on, however often it was begun, again after each Stop, and never beside an earlier one.
func TestCancelWatch(t *testing.T) {
	const every, rounds = 300 * time.Millisecond, 5
	synctest.Test(t, func(t *testing.T) {
		var w runs.CancelWatch
		w.Stop() // there is nothing to stop
		looks := 0
		var last context.Context
		look := func(ctx context.Context) { looks, last = looks+1, ctx }
		for turn := range 3 {
			looks = 0
			w.Start(look)
			w.Start(look) // it does so already
			time.Sleep(rounds*every + every/2)
			synctest.Wait()
			if looks != rounds {
				t.Errorf("turn %d: %d looks in the time of %d", turn, looks, rounds)
			}
			if last == nil || last.Err() != nil {
				t.Fatalf("turn %d: a look has no time", turn)
			}
			w.Stop()
			w.Stop()
			synctest.Wait()
			if last.Err() == nil {
				t.Errorf("turn %d: a look under way is not told of the end", turn)
			}
			time.Sleep(rounds * every)
			synctest.Wait()
			if looks != rounds {
				t.Errorf("turn %d: it looks after its end", turn)
			}
		}
	})
}
