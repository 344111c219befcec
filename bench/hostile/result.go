package main

import (
	"fmt"
	"strings"

	"catena/bench/program"
)

// result is all that was found out.
type result struct {
	o               options
	attacks         []*tally
	quiet, attacked *honest
	before, after   program.Sample
	peak            int64
}

// worse is by how much the p99 of honest messages may rise.
const worse = 1.1

// faults are what was not as it must be.
func (r result) faults() []string {
	var list []string
	for _, a := range r.attacks {
		list = append(list, a.faults()...)
	}
	for name, h := range map[string]*honest{"without": r.quiet, "with": r.attacked} {
		if h.failed > 0 {
			list = append(list, fmt.Sprintf("%d honest messages failed %s the attack: %v", h.failed, name, h.first))
		}
	}
	if r.peak > r.o.memory<<20 {
		list = append(list, fmt.Sprintf("the program took %d MiB, and %d are the bound", r.peak>>20, r.o.memory))
	}
	if r.after.Goroutines > r.before.Goroutines+30 {
		list = append(list, fmt.Sprintf("%d goroutines are left of %d", r.after.Goroutines, r.before.Goroutines))
	}
	if r.after.Descriptors > r.before.Descriptors+20 {
		list = append(list, fmt.Sprintf("%d descriptors are left of %d", r.after.Descriptors, r.before.Descriptors))
	}
	if !r.o.short && r.ratio() > worse {
		list = append(list, fmt.Sprintf("the p99 of honest messages is %.2f times as high under the attack", r.ratio()))
	}
	return list
}

func (r result) ratio() float64 {
	before := r.quiet.ms(.99)
	if before == 0 {
		return 0
	}
	return r.attacked.ms(.99) / before
}

// String is a table.
func (r result) String() string {
	var b strings.Builder
	for _, a := range r.attacks {
		b.WriteString(a.String())
	}
	for _, h := range []*honest{r.quiet, r.attacked} {
		name := "without the attack"
		if h == r.attacked {
			name = "with it"
		}
		fmt.Fprintf(&b, "honest messages %-19s %5d, failed %d, %d times told to come again; p50 %.1f ms, p99 %.1f ms\n", name, h.count(), h.failed, h.busy, h.ms(.5), h.ms(.99))
	}
	fmt.Fprintf(&b, "p99 with the attack / without: %.2f\n", r.ratio())
	fmt.Fprintf(&b, "resident memory: %d MiB before, %d MiB at the most, %d MiB after; heap %d MiB before, %d MiB after; goroutines %d, %d; descriptors %d, %d; processor %.1f s\n",
		r.before.RSS>>20, r.peak>>20, r.after.RSS>>20, r.before.Heap>>20, r.after.Heap>>20, r.before.Goroutines, r.after.Goroutines,
		r.before.Descriptors, r.after.Descriptors, (r.after.CPU - r.before.CPU).Seconds())
	return b.String()
}

// figures are the results by name.
func (r result) figures(faults []string) map[string]any {
	f := map[string]any{
		"faults": len(faults), "honest_p99_ms": r.quiet.ms(.99), "attacked_p99_ms": r.attacked.ms(.99), "p99_ratio": r.ratio(),
		"peak_mib": r.peak >> 20, "honest_failed": r.quiet.failed + r.attacked.failed,
	}
	for _, a := range r.attacks {
		f[a.Name] = a.Came
	}
	return f
}
