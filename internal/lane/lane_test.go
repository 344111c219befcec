package lane

import (
	"context"
	"slices"
	"sync/atomic"
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

// What Go may run at once follows the limit of processors, and has some to spare above it: so many that the garbage
// collector, which takes a quarter, has whole workers.
func TestSpareFollows(t *testing.T) {
	defer allowed.Store(allowed.Load())
	synctest.Test(t, func(t *testing.T) {
		var limit, procs atomic.Int64
		s := scheduler{
			set: func(n int) int {
				if n > 0 {
					return int(procs.Swap(int64(n)))
				}
				return int(procs.Load())
			},
			toLimits: func() { procs.Store(limit.Load()) },
		}
		ctx, end := context.WithCancel(t.Context())
		go s.follow(ctx)
		for _, tt := range []struct{ n, want int64 }{{1, 2}, {2, 4}, {8, 9}, {8, 9}, {3, 4}, {5, 7}} {
			limit.Store(tt.n)
			time.Sleep(followEvery)
			synctest.Wait()
			if procs.Load() != tt.want || Processors() != int(tt.n) {
				t.Errorf("%d at once and %d processors for a limit of %d", procs.Load(), Processors(), tt.n)
			}
		}
		end() // which ends the goroutine, or the test does not end
	})
}
