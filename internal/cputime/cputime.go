// Package cputime tells how long one thread has computed, for benchmarks that must say something on a busy machine: what other
// programs take of the processor is not in it, nor what the garbage collector does on other threads.
package cputime

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

// Each runs f b.N times on one thread, with the round as its argument, and reports the times that the slowest percent and the middle
// one took, as p99-us and p50-us. Where the system does not tell a thread's time it is wall time.
func Each(b *testing.B, f func(round int)) {
	b.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		start := thread()
		f(i)
		took = append(took, thread()-start)
	}
	slices.Sort(took)
	b.ReportMetric(micros(took[len(took)*99/100]), "p99-us")
	b.ReportMetric(micros(took[len(took)/2]), "p50-us")
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
