package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// attack is one kind of attack with what came of it.
type attack struct {
	tally
	// do attacks once and tells what came of it, such as "413 body_too_large", and whether that is right. It may take until ctx ends.
	do func(ctx context.Context, t *target, n int) (outcome string, right bool)
	at int // that many at a time
	// paced ones are sent at the rate of the attack, all kinds in turn; the others hold a connection each and are made anew at once.
	paced bool
	n     atomic.Int64
}

// hold keeps connections until ctx ends.
func (a *attack) hold(ctx context.Context, t *target) {
	var all sync.WaitGroup
	for range a.at {
		all.Go(func() {
			for ctx.Err() == nil {
				a.once(ctx, t)
			}
		})
		time.Sleep(time.Millisecond)
	}
	all.Wait()
}

// once attacks once.
func (a *attack) once(ctx context.Context, t *target) {
	start := time.Now()
	outcome, right := a.do(ctx, t, int(a.n.Add(1)-1))
	if end, ok := ctx.Deadline(); outcome == "" || !right && (ctx.Err() != nil || ok && time.Until(end) < 200*time.Millisecond) {
		return // what the end of the turn broke off says nothing
	}
	a.add(outcome, right, time.Since(start))
	if !a.paced {
		time.Sleep(time.Second) // else one that is refused would come again at once
	}
}

// send sends attacks at a rate until ctx ends, all kinds in turn. One of which as many are under way as may be is passed over.
func send(ctx context.Context, t *target, attacks []*attack, rate float64) {
	var all sync.WaitGroup
	defer all.Wait()
	places := make([]chan struct{}, len(attacks))
	for i, a := range attacks {
		places[i] = make(chan struct{}, a.at)
	}
	tick := time.NewTicker(time.Duration(float64(time.Second) / rate))
	defer tick.Stop()
	for n := 0; len(attacks) > 0; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		i := n % len(attacks)
		select {
		case places[i] <- struct{}{}:
			all.Go(func() { attacks[i].once(ctx, t); <-places[i] })
		default:
		}
	}
}
