package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"catena/planner/reader"
)

// index gives features numbers.
type index struct {
	of    map[string]int
	names []string
}

func (x *index) number(name string) int {
	n, ok := x.of[name]
	if !ok {
		n = len(x.names)
		x.of[name] = n
		x.names = append(x.names, name)
	}
	return n
}

// vector is features of a reading, by number.
type vector []struct {
	feature int
	value   float64
}

func (x *index) vector(list []reader.Feature) vector {
	out := make(vector, len(list))
	for i, f := range list {
		out[i].feature, out[i].value = x.number(f.Name), f.Value
	}
	return out
}

func (v vector) dot(w []float64) float64 {
	sum := 0.0
	for _, f := range v {
		if f.feature < len(w) {
			sum += w[f.feature] * f.value
		}
	}
	return sum
}

// adagrad learns weights that are drawn to where they began, by l1 and l2. What a person gave a weight is changed by a
// share of it at most: what costs goes on to cost.
type adagrad struct {
	w, prior, squares []float64
	frozen            []bool // weights that stay
	tuning
}

// tuning is how weights are learnt.
type tuning struct {
	rate, l1, l2 float64
	hold         float64 // share of what a person gave that a weight may change by
	epochs       int
}

// slack is how far each weight may change that a person gave.
const slack = 0.1

func newAdagrad(prior []float64, frozen []bool, t tuning) *adagrad {
	return &adagrad{w: slices.Clone(prior), prior: prior, frozen: frozen, squares: make([]float64, len(prior)), tuning: t}
}

// step goes along a gradient of what is to be made large.
func (a *adagrad) step(gradient map[int]float64) {
	for i, g := range gradient {
		if a.frozen[i] {
			continue
		}
		g -= a.l2 * (a.w[i] - a.prior[i])
		a.squares[i] += g * g
		if a.squares[i] == 0 {
			continue
		}
		rate := a.rate / math.Sqrt(a.squares[i])
		moved := a.w[i] + rate*g - a.prior[i]
		moved = math.Copysign(max(0, math.Abs(moved)-rate*a.l1), moved)
		if a.prior[i] != 0 {
			most := max(a.hold*math.Abs(a.prior[i]), slack)
			moved = max(-most, min(most, moved))
		}
		a.w[i] = a.prior[i] + moved
	}
}

// choices are the readings of a question, with which of them are right.
type choices struct {
	readings []vector
	right    []bool
	weight   float64
}

// gradient is that of the logarithm of how likely a right reading is taken, which it gives, too.
func (c choices) gradient(w []float64) (map[int]float64, float64) {
	scores := make([]float64, len(c.readings))
	for i, v := range c.readings {
		scores[i] = v.dot(w)
	}
	best := slices.Max(scores)
	all, good := 0.0, 0.0
	for i := range scores {
		scores[i] = math.Exp(scores[i] - best)
		all += scores[i]
		if c.right[i] {
			good += scores[i]
		}
	}
	out := map[int]float64{}
	for i, v := range c.readings {
		by := -scores[i] / all
		if c.right[i] && good > 0 {
			by += scores[i] / good
		}
		if math.Abs(by) < 1e-6 {
			continue
		}
		for _, f := range v {
			out[f.feature] += c.weight * by * f.value
		}
	}
	return out, math.Log(max(good, 1e-300) / all)
}

// fit learns from choices. The order in which they come is the same each time.
func fit(list []choices, prior []float64, frozen []bool, t tuning) ([]float64, float64) {
	a := newAdagrad(prior, frozen, t)
	order := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same each time
	mean := 0.0
	for range t.epochs {
		mean = 0
		for _, i := range order.Perm(len(list)) {
			g, likelihood := list[i].gradient(a.w)
			mean += likelihood / float64(len(list))
			a.step(g)
		}
	}
	return a.w, mean
}

// trial is what was known of a first reading, and whether it was right.
type trial struct {
	evidence vector
	right    bool
	source   string
	weight   float64
}

// logistic learns how likely first readings are right. What only speaks against a reading never makes it likelier.
func logistic(list []trial, against []bool, l2 float64) []float64 {
	features := len(against)
	w, squares := make([]float64, features), make([]float64, features)
	total := 0.0
	for _, t := range list {
		total += t.weight
	}
	const rounds, rate = 400, 0.3
	for range rounds {
		gradient := make([]float64, features)
		for _, t := range list {
			by := -chance(t.evidence.dot(w))
			if t.right {
				by++
			}
			for _, f := range t.evidence {
				gradient[f.feature] += by * f.value * t.weight / total
			}
		}
		for i := range w {
			g := gradient[i] - l2*w[i]
			if squares[i] += g * g; squares[i] > 0 {
				w[i] += rate * g / math.Sqrt(squares[i])
			}
			if against[i] {
				w[i] = min(w[i], 0)
			}
		}
	}
	return w
}

func chance(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
