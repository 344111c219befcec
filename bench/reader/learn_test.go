package main

import (
	"math"
	"testing"

	"catena/bench/answers"
	"catena/planner/reader"
)

// What is only true of right readings gets a weight, what tells nothing stays what it was.
func TestFit(t *testing.T) {
	x := &index{of: map[string]int{}}
	good := x.vector([]reader.Feature{{Name: "good", Value: 1}, {Name: "same", Value: 1}})
	bad := x.vector([]reader.Feature{{Name: "bad", Value: 2}, {Name: "same", Value: 1}})
	list := []choices{{[]vector{good, bad}, []bool{true, false}, 1}, {[]vector{bad, good}, []bool{false, true}, 1}}
	how := tuning{rate: 0.1, l1: 1e-4, l2: 1e-3, hold: 0.5, epochs: 50}
	w, likelihood := fit(list, []float64{0, -0.2, 0}, make([]bool, 3), how)
	again, _ := fit(list, []float64{0, -0.2, 0}, make([]bool, 3), how)
	if w[0] < 0.5 || w[1] != -0.2 || w[2] > -0.5 || likelihood > 0 || likelihood < -0.2 {
		t.Error(w, likelihood)
	}
	for i := range w {
		if w[i] != again[i] {
			t.Error("learning twice differs")
		}
	}
}

// What a person gave a weight is not turned round.
func TestFitHolds(t *testing.T) {
	x := &index{of: map[string]int{}}
	good, bad := x.vector([]reader.Feature{{Name: "skip", Value: 1}}), x.vector(nil)
	list := []choices{{[]vector{good, bad}, []bool{true, false}, 1}}
	w, _ := fit(list, []float64{-2}, []bool{false}, tuning{rate: 1, hold: 0.5, epochs: 100})
	if w[0] != -1 {
		t.Error(w)
	}
}

func TestLogistic(t *testing.T) {
	var list []trial
	for i := range 100 { // right in four of five where the feature is there, else in one of five
		list = append(list, trial{evidence: vector{{0, 1}, {1, float64(i % 2)}}, right: (i/2%5 < 4) == (i%2 == 1), weight: 1})
	}
	w := logistic(list, make([]bool, 2), 1e-4)
	for value, want := range map[float64]float64{0: 0.2, 1: 0.8} {
		if p := chance(w[0] + w[1]*value); math.Abs(p-want) > 0.03 {
			t.Errorf("%v: %v, want %v", value, p, want)
		}
	}
}

func TestLogisticAgainst(t *testing.T) {
	list := []trial{{evidence: vector{{0, 1}}, right: true, weight: 1}, {evidence: vector{{1, 1}}, right: false, weight: 1}}
	if w := logistic(list, []bool{true, true}, 1e-4); w[0] != 0 || w[1] > -1 {
		t.Error(w)
	}
}

func TestBarAt(t *testing.T) {
	var list []tried
	for i := range 100 {
		list = append(list, tried{Verdict: answers.Verdict{Confidence: 1 - float64(i)/100, Wrong: i >= 50 && i%2 == 0}, weight: 1})
	}
	for risk, want := range map[float64]int{0.01: 0, 0.02: 50, 0.1: 60, 0.5: 100} {
		if _, n := barAt(list, risk); n < want-2 || n > want+2 {
			t.Errorf("risk %v: %d answered, want about %d", risk, n, want)
		}
	}
	for i := range list {
		list[i].doubtful = 0.1
	}
	if _, n := barAt(list, 0.02); n < 55 {
		t.Errorf("%d answered where a tenth of the golds is doubtful", n)
	}
	if bar, n := barAt(nil, 0.5); bar != 1 || n != 0 {
		t.Error(bar, n)
	}
}
