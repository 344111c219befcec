package main

import (
	"testing"

	"catena/bench/program"
)

func TestJudge(t *testing.T) {
	const mb = 1 << 20
	for name, c := range map[string]struct {
		at   func(i int64) program.Sample
		n    int64
		well bool
	}{
		"level": {func(int64) program.Sample {
			return program.Sample{RSS: 90 * mb, Heap: 30 * mb, Goroutines: 40, Descriptors: 30}
		}, 60, true},
		"warming up":            {func(i int64) program.Sample { return program.Sample{RSS: min(90, 60+3*i) * mb, Heap: 30 * mb} }, 60, true},
		"a heap that grows":     {func(i int64) program.Sample { return program.Sample{RSS: 90 * mb, Heap: 30*mb + i*mb/4} }, 60, false},
		"a goroutine each":      {func(i int64) program.Sample { return program.Sample{Goroutines: 40 + i} }, 60, false},
		"descriptors":           {func(i int64) program.Sample { return program.Sample{Descriptors: 20 + i} }, 60, false},
		"memory that is up":     {func(i int64) program.Sample { return program.Sample{RSS: 90*mb + i*mb} }, 60, false},
		"one sample that peaks": {func(i int64) program.Sample { return program.Sample{Heap: 30*mb + i/59*100*mb} }, 60, true},
		"too few":               {func(int64) program.Sample { return program.Sample{} }, 5, false},
	} {
		t.Run(name, func(t *testing.T) {
			var samples []program.Sample
			for i := range c.n {
				samples = append(samples, c.at(i))
			}
			if v := judge(samples); v.well != c.well {
				t.Errorf("well is %v\n%s", v.well, v)
			}
		})
	}
}
