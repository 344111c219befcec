// Package lane keeps heavy work of the whole process from taking all of its processors. Go lets a goroutine that
// computes have its processor for 10 ms at a time: where every processor has one, all else waits so long at each of its
// steps.
package lane

import (
	"context"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Lane is where heavy work waits for its turn: bodies that are checked, files that are read. Make one with New. It is
// safe for concurrent use.
type Lane struct {
	mu      sync.Mutex
	free    int
	waiting []*waiter                // in the order in which they came
	used    map[string]time.Duration // by each caller since nobody waited last
}

// waiter is one who waits for a turn.
type waiter struct {
	caller string
	ready  chan struct{} // closed when it has it
}

// New makes a lane in which so much goes on at once; one at least. Processors less one leaves a processor free.
func New(places int) *Lane {
	return &Lane{free: max(1, places), used: map[string]time.Duration{}}
}

// Enter waits for a turn until ctx ends, and reports whether there was one. Leave, which must be called then, gives it
// to who waits and whose caller used least, of one caller to who came first: a caller who sends very much waits longer,
// and nobody else.
func (l *Lane) Enter(ctx context.Context, caller string) (leave func(), ok bool) {
	l.mu.Lock()
	if l.free > 0 {
		l.free--
		l.mu.Unlock()
		return l.leaver(caller), true
	}
	w := &waiter{caller, make(chan struct{})}
	l.waiting = append(l.waiting, w)
	l.mu.Unlock()
	select {
	case <-w.ready:
		return l.leaver(caller), true
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if at := slices.Index(l.waiting, w); at >= 0 {
		l.waiting = slices.Delete(l.waiting, at, at+1)
		return nil, false
	}
	return l.leaver(caller), true // it had its turn at that moment
}

// leaver ends a turn that begins now.
func (l *Lane) leaver(caller string) func() {
	began := time.Now()
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.used[caller] += time.Since(began)
		if len(l.waiting) == 0 {
			l.free++
			clear(l.used)
			return
		}
		next := 0
		for i, w := range l.waiting {
			if l.used[w.caller] < l.used[l.waiting[next].caller] {
				next = i
			}
		}
		close(l.waiting[next].ready)
		l.waiting = slices.Delete(l.waiting, next, next+1)
	}
}

// followEvery is how often the limit of processors is looked at again.
const followEvery = 30 * time.Second

// scheduler is Go's, as far as Spare changes it. Tests replace it.
type scheduler struct {
	set      func(n int) (before int)
	toLimits func() // sets what the machine, its affinities and its control group allow
}

var goScheduler = scheduler{runtime.GOMAXPROCS, runtime.SetDefaultGOMAXPROCS}

// allowed is how many processors there are to compute on, while Go runs more goroutines than that at once; 0 while it
// does not.
var allowed atomic.Int64

// Spare has Go run more goroutines at once than there are processors: see places. So one that answers somebody finds
// its place while others compute on all of them, and the system, which favours who has waited, shares the processors
// out within a few milliseconds. Until ctx ends it follows a change of the process's limit of processors, as Go does
// by itself where nobody sets GOMAXPROCS; one that the environment sets stays. A second call, while the first one's
// effect lasts, does nothing. On Linux the process's threads are given processors sooner, too, than those that
// GiveWay.
func Spare(ctx context.Context) {
	n := goScheduler.set(0)
	if allowed.CompareAndSwap(0, int64(n)) {
		goScheduler.set(places(n))
		prompt()
		if os.Getenv("GOMAXPROCS") == "" {
			go goScheduler.follow(ctx)
		}
	}
}

// follow looks for a change of the limit.
func (s scheduler) follow(ctx context.Context) {
	t := time.NewTicker(followEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		s.toLimits() // which is the only way to learn it
		n := s.set(0)
		allowed.Store(int64(n))
		s.set(places(n))
	}
}

// places is how many goroutines run at once on so many processors: one more, or two where that gives the garbage
// collector whole workers. It takes a quarter of the places. Where that is far from a whole number, as of 3 and of 6,
// each place works for it a part of the time, for 5 ms and more at once (runtime, gcControllerState.startCycle), and
// what has become ready there waits, though others are free: nobody else looks into that place's queue.
func places(processors int) int {
	if processors == 2 || processors == 5 {
		return processors + 2
	}
	return processors + 1
}

// Processors is how many goroutines one work may compute with at once: GOMAXPROCS without those to spare.
func Processors() int {
	if n := allowed.Load(); n > 0 {
		return int(n)
	}
	return runtime.GOMAXPROCS(0)
}
