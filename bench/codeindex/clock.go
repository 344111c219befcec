package main

import (
	"runtime"
	"slices"
	"time"
)

// sample is how long something took: on the wall, and of the processor where the system tells. The first is what a reader waits for; the
// second does not depend on what else the machine does.
type sample struct{ wall, cpu time.Duration }

// timed measures f. The goroutine stays on its thread meanwhile.
func timed(f func() error) (sample, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cpu, start := threadTime(), time.Now()
	err := f()
	return sample{time.Since(start), threadTime() - cpu}, err
}

type samples []sample

// wall is a percentile in milliseconds. There are none of the processor's time: many systems count it in steps of 4 ms.
func (s samples) wall(p int) float64 {
	all := make([]time.Duration, len(s))
	for i, x := range s {
		all[i] = x.wall
	}
	slices.Sort(all)
	if len(all) == 0 {
		return 0
	}
	return ms(all[min(len(all)*p/100, len(all)-1)])
}

// mean is in milliseconds.
func (s samples) mean(of func(sample) time.Duration) float64 {
	sum := 0.0
	for _, x := range s {
		sum += ms(of(x))
	}
	return sum / float64(max(len(s), 1))
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
