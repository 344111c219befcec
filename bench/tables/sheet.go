package main

import (
	"fmt"
	"math"
)

// sheet collects the figures and what they should be.
type sheet struct {
	figures map[string]any
	bars    []bar
}

type bar struct {
	figure string
	value  float64
	sign   string // >= or <=
	limit  float64
	met    bool
}

// atLeast takes a figure that should reach the limit; 0 is none.
func (s *sheet) atLeast(figure string, value, limit float64) {
	s.add(bar{figure, value, ">=", limit, value >= limit})
}

// atMost takes a figure that should not exceed the limit; 0 is none.
func (s *sheet) atMost(figure string, value, limit float64) {
	s.add(bar{figure, value, "<=", limit, value <= limit})
}

func (s *sheet) add(b bar) {
	s.figures[b.figure] = round(b.value, 3)
	fmt.Printf("  %-52s %9.2f%s\n", b.figure, b.value, b.verdict())
	if b.limit > 0 {
		s.bars = append(s.bars, b)
	}
}

func (b bar) verdict() string {
	switch {
	case b.limit == 0:
		return ""
	case b.met:
		return fmt.Sprintf("      bar %s %g: met", b.sign, b.limit)
	}
	return fmt.Sprintf("      bar %s %g: MISSED", b.sign, b.limit)
}

// verdict sums up.
func (s *sheet) verdict() {
	met := 0
	for _, b := range s.bars {
		if b.met {
			met++
		}
	}
	s.figures["bars_met"], s.figures["bars"] = met, len(s.bars)
	fmt.Printf("\nbars met: %d of %d\n", met, len(s.bars))
	for _, b := range s.bars {
		if !b.met {
			fmt.Printf("  missed: %s %.2f (bar %s %g)\n", b.figure, b.value, b.sign, b.limit)
		}
	}
}

func round(f float64, digits int) float64 {
	p := math.Pow10(digits)
	return math.Round(f*p) / p
}
