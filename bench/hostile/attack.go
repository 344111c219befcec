package main

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// attack is one kind of attack with what came of it. Either send or hold is set.
type attack struct {
	tally
	// send attacks once and tells what came of it, such as "413 body_too_large", and whether that is right. These are sent at the rate of the
	// attack, all kinds in turn.
	send func(ctx context.Context, t *target, n int) (outcome string, right bool)
	// hold keeps a connection until the server lets it go, and tells how; or until ctx ends, and tells "". Each is made anew at once.
	hold func(ctx context.Context, conn net.Conn, t *target, n int) (outcome string, right bool)
	// prepare makes what is sent, before the first turn; nil where nothing takes long.
	prepare func() error
	at      int // that many at a time
	n       atomic.Int64
}

// stillOpen is the outcome of a connection that the server had not let go at the end of a turn. Whether that is right its age says.
const stillOpen = "still open at the end"

// keep keeps connections until ctx ends.
func (a *attack) keep(ctx context.Context, t *target, late *lateness) {
	var all sync.WaitGroup
	a.places(a.at)
	start := time.Now()
	for i := range a.at {
		time.Sleep(time.Until(start.Add(time.Duration(i) * time.Millisecond))) // one that comes late must not make all others late
		all.Go(func() {
			for ctx.Err() == nil {
				a.holdOnce(ctx, t, late)
				select {
				case <-ctx.Done():
				case <-time.After(time.Second): // else one that is refused would come again at once
				}
			}
		})
	}
	all.Wait()
}

// holdOnce opens a connection and keeps it. Its time begins when it is open, and ends before this process came late to see its end.
func (a *attack) holdOnce(ctx context.Context, t *target, late *lateness) {
	conn, end, err := t.dial(ctx)
	if err != nil {
		if !ending(ctx) {
			a.add("no connection: "+err.Error(), false, 0)
		}
		return
	}
	defer end()
	a.opened()
	defer a.closed()
	start := time.Now()
	outcome, right := a.hold(ctx, conn, t, int(a.n.Add(1)-1))
	now := time.Now()
	took := max(0, now.Sub(start)-late.before(now))
	if outcome == "" || !right && ending(ctx) { // the end of the turn broke it off
		outcome, right = stillOpen, true
	}
	a.add(outcome, right, took)
}

// sendOnce attacks once. What the end of its time broke off says nothing.
func (a *attack) sendOnce(ctx context.Context, t *target) {
	start := time.Now()
	outcome, right := a.send(ctx, t, int(a.n.Add(1)-1))
	if right || !ending(ctx) {
		a.add(outcome, right, time.Since(start))
	}
}

// ending reports whether ctx has ended, or ends so soon that an error is of that: deadlines of connections are not to the millisecond.
func ending(ctx context.Context) bool {
	end, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && time.Until(end) < 200*time.Millisecond
}

// grace is for the answers to what was sent before the end of a turn, so that a kind has an outcome on a machine that is busy.
const grace = 15 * time.Second

// pace sends attacks at a rate until ctx ends, all kinds in turn, and counts those that were due. What came late to be sent is sent then;
// one of which as many are under way as may be is passed over.
func pace(ctx context.Context, t *target, attacks []*attack, rate float64, length time.Duration) {
	if len(attacks) == 0 {
		return
	}
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), length+grace)
	defer cancel()
	var all sync.WaitGroup
	defer all.Wait()
	places := make([]chan struct{}, len(attacks))
	for i, a := range attacks {
		places[i] = make(chan struct{}, a.at)
	}
	start := time.Now()
	for n := range int(length.Seconds() * rate) {
		due := start.Add(time.Duration(float64(n) / rate * float64(time.Second)))
		select {
		case <-ctx.Done():
		case <-time.After(time.Until(due)):
		}
		i := n % len(attacks)
		attacks[i].due()
		if ctx.Err() != nil {
			continue // to count what was due
		}
		select {
		case places[i] <- struct{}{}:
			attacks[i].sent()
			all.Go(func() { attacks[i].sendOnce(within, t); <-places[i] })
		default:
		}
	}
}
