package main

import (
	"container/heap"
	"runtime"
	"time"
)

// waits end at their time, to a few dozen microseconds: the delays of the DAGs are a few milliseconds, and what is measured is
// the client, not the server's timers. One thread looks after all of them.
type waits struct {
	add chan wait
}

type wait struct {
	until time.Time
	over  chan struct{}
}

// tick is how long the thread sleeps at most while there are waits: what is added meanwhile is seen then.
const tick = 150 * time.Microsecond

func newWaits() *waits {
	w := &waits{add: make(chan wait, 1024)}
	go w.work()
	return w
}

// sleep returns after d, never earlier.
func (w *waits) sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	one := wait{time.Now().Add(d), make(chan struct{})}
	w.add <- one
	<-one.over
}

func (w *waits) work() {
	runtime.LockOSThread()
	var queue waitHeap
	for {
		if len(queue) == 0 {
			heap.Push(&queue, <-w.add)
		}
		for more := true; more; {
			select {
			case one := <-w.add:
				heap.Push(&queue, one)
			default:
				more = false
			}
		}
		now := time.Now()
		for len(queue) > 0 && !now.Before(queue[0].until) {
			close(heap.Pop(&queue).(wait).over)
		}
		if len(queue) > 0 {
			nap(min(tick, queue[0].until.Sub(now)))
		}
	}
}

// waitHeap has the wait that ends first at its top.
type waitHeap []wait

func (h waitHeap) Len() int           { return len(h) }
func (h waitHeap) Less(i, j int) bool { return h[i].until.Before(h[j].until) }
func (h waitHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *waitHeap) Push(x any)        { *h = append(*h, x.(wait)) }
func (h *waitHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
