package main

import (
	"fmt"
	"slices"
	"strings"

	"catena/bench/program"
)

// figure is one that must not grow, with what is no growth: a part of it, and so much in any case.
type figure struct {
	name  string
	unit  float64 // what it is divided by to be read
	of    func(program.Sample) int64
	part  float64
	least int64
}

// figures are what is judged. Memory that the system gave stays with the process for a while, so that it moves more than the heap.
var figures = []figure{
	{"resident memory, MiB", 1 << 20, func(s program.Sample) int64 { return s.RSS }, .10, 12 << 20},
	{"heap after a collection, MiB", 1 << 20, func(s program.Sample) int64 { return s.Heap }, .05, 2 << 20},
	{"goroutines", 1, func(s program.Sample) int64 { return s.Goroutines }, .10, 15},
	{"descriptors", 1, func(s program.Sample) int64 { return s.Descriptors }, .10, 10},
}

// verdict says what grew.
type verdict struct {
	well         bool
	grown        []string
	middle, last map[string]float64 // lower quartiles of the second and the last third, by the figures' names
}

// judge compares the last third of the samples with the one before. Fewer than six samples are too few.
func judge(samples []program.Sample) verdict {
	v := verdict{middle: map[string]float64{}, last: map[string]float64{}, grown: []string{}}
	third := len(samples) / 3
	if third < 2 {
		v.grown = append(v.grown, "nothing can be said of so few samples")
		return v
	}
	for _, f := range figures {
		before, after := low(samples[third:2*third], f.of), low(samples[2*third:], f.of)
		v.middle[f.name], v.last[f.name] = float64(before)/f.unit, float64(after)/f.unit
		if after-before > max(int64(f.part*float64(before)), f.least) {
			v.grown = append(v.grown, f.name)
		}
	}
	v.well = len(v.grown) == 0
	return v
}

// low is the lower quartile: what is under way at a sample comes on top of what is held, and a leak raises both.
func low(samples []program.Sample, of func(program.Sample) int64) int64 {
	list := make([]int64, len(samples))
	for i, s := range samples {
		list[i] = of(s)
	}
	slices.Sort(list)
	return list[len(list)/4]
}

// String is a table of the quartiles and the verdict.
func (v verdict) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-30s %10s %10s\n", "lower quartile of the", "2nd third", "last third")
	for _, f := range figures {
		fmt.Fprintf(&b, "%-30s %10.1f %10.1f\n", f.name, v.middle[f.name], v.last[f.name])
	}
	if v.well {
		b.WriteString("nothing grew\n")
	} else {
		fmt.Fprintf(&b, "grew: %s\n", strings.Join(v.grown, ", "))
	}
	return b.String()
}
