package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// attack is one kind of attack with what came of it.
type attack struct {
	name string
	// do attacks once and tells what came of it, such as "413 body_too_large", and whether that is right. It may take until ctx ends.
	do func(ctx context.Context, t *target, n int) (outcome string, right bool)
	at int // that many at a time
	// paced ones are sent at the rate of the attack, all kinds in turn; the others hold a connection each and are made anew at once.
	paced bool
	// most is how long a connection may be held at the most; 0 where that is not what the attack is about.
	most time.Duration

	mu      sync.Mutex
	n       int
	came    map[string]int
	wrong   map[string]int
	longest time.Duration
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
	outcome, right := a.do(ctx, t, a.next())
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

func (a *attack) next() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n++
	return a.n - 1
}

func (a *attack) add(outcome string, right bool, took time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.came == nil {
		a.came, a.wrong = map[string]int{}, map[string]int{}
	}
	a.came[outcome]++
	if !right {
		a.wrong[outcome]++
	}
	a.longest = max(a.longest, took)
}

// faults are answers that are wrong, and connections that were held for too long.
func (a *attack) faults() (list []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for outcome, n := range a.wrong {
		list = append(list, fmt.Sprintf("%s: %d times %s", a.name, n, outcome))
	}
	if a.most > 0 && a.longest > a.most {
		list = append(list, fmt.Sprintf("%s: a connection was held for %.0f s, and %.0f are the bound", a.name, a.longest.Seconds(), a.most.Seconds()))
	}
	return list
}

// answers are how often what came.
func (a *attack) answers() map[string]int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.came
}

// String is a line.
func (a *attack) String() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	outcomes := make([]string, 0, len(a.came))
	for outcome, n := range a.came {
		outcomes = append(outcomes, fmt.Sprintf("%d × %s", n, outcome))
	}
	slices.Sort(outcomes)
	return fmt.Sprintf("%-44s longest %5.1f s: %s\n", a.name, a.longest.Seconds(), strings.Join(outcomes, "; "))
}
