package lane

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A caller who sends very much waits longer, and nobody else.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(1)
		var order []string
		work := func(caller string, takes time.Duration) {
			leave, ok := l.Enter(t.Context(), caller)
			if !ok {
				t.Error("no turn for", caller)
				return
			}
			order = append(order, caller)
			time.Sleep(takes)
			leave()
		}
		for _, caller := range []string{"many", "many", "many", "ann", "bob", "ann"} {
			go work(caller, time.Second)
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := []string{"many", "ann", "bob", "many", "ann", "many"}; !slices.Equal(order, want) {
			t.Errorf("%v, want %v", order, want)
		}
		if l.free != 1 || len(l.used) != 0 || len(l.waiting) != 0 {
			t.Errorf("%d free, %v, %d wait", l.free, l.used, len(l.waiting))
		}
	})
}

// Who hangs up waits no longer, and leaves no turn behind.
func TestHangUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(1)
		leave, _ := l.Enter(t.Context(), "ann")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, ok := l.Enter(ctx, "bob"); ok {
			t.Error("two turns at once")
		}
		leave()
		if l.free != 1 || len(l.waiting) != 0 {
			t.Errorf("%d free, %d wait", l.free, len(l.waiting))
		}
	})
}
