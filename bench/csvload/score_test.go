package main

import (
	"math"
	"testing"
)

func TestScore(t *testing.T) {
	want := [][]string{{"a", "b"}, {"1", "x"}, {"2", "y"}}
	for _, tt := range []struct {
		name string
		got  [][]string
		sum  float64
	}{
		{"the same", [][]string{{"A", "b"}, {"1", "x"}, {"2", "Y"}}, 10 - 3*(1-4.0/6)},
		{"nothing", nil, 1},
		{"a row too few", [][]string{{"a", "b"}, {"1", "x"}}, 1 + 3 + (0.5 + 1 + 2.0/3) + (4.0/6 + 1 + 0.8)},
		{"numbers by value, but cells as they are", [][]string{{"a", "b"}, {" 1", "x"}, {"2", "y"}}, 7 + 3*5.0/6},
	} {
		if got := score(want, tt.got).sum(); math.Abs(got-tt.sum) > 1e-9 {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.sum)
		}
	}
	if !score(nil, want).perfect() || !score(want, want).perfect() {
		t.Error("what must be perfect is not")
	}
}

func TestNormal(t *testing.T) {
	for in, want := range map[string]string{"True": "1", "false": "0", " 007 ": "7", "1e2": "float 100", "9:05": "09:05:00", "$1,200.50": "$1200.5", "Ab": "ab", " ": " "} {
		if got := normal(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
