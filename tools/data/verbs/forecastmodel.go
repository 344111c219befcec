package verbs

import (
	"math"
	"slices"
)

// A model says the next values of a series, from what it has learnt of the values so far.
type model struct {
	name     string
	seasonal bool
	next     func(y []float64, season, ahead int) []float64
}

// models are tried from the simplest on. A later one is taken where it is clearly better in the back-test.
var models = []model{
	{name: "last value", next: func(y []float64, _, ahead int) []float64 {
		return slices.Repeat([]float64{y[len(y)-1]}, ahead)
	}},
	{name: "value of a season before", seasonal: true, next: func(y []float64, season, ahead int) []float64 {
		out := make([]float64, ahead)
		for i := range out {
			out[i] = y[len(y)-season+i%season]
		}
		return out
	}},
	{name: "smoothed level", next: func(y []float64, _, ahead int) []float64 { return smoothed(y, ahead, false) }},
	{name: "damped trend", next: func(y []float64, _, ahead int) []float64 { return smoothed(y, ahead, true) }},
	{name: "straight line", next: func(y []float64, _, ahead int) []float64 {
		return seasonLine(y, 1).next(len(y), ahead)
	}},
	{name: "straight line with seasons", seasonal: true, next: func(y []float64, season, ahead int) []float64 {
		return seasonLine(y, season).next(len(y), ahead)
	}},
	{name: "damped trend with seasons", seasonal: true, next: seasonSmoothed},
}

// line is a straight line with a level for each place in a season, by least squares.
type line struct {
	slope  float64
	levels []float64
}

// seasonLine fits a line to y. Its slope is that of the values and places less their means of each season, which is the
// regression with a dummy variable for each season (Frisch and Waugh, 1933).
func seasonLine(y []float64, season int) line {
	n, at, mean := make([]float64, season), make([]float64, season), make([]float64, season)
	for i, v := range y {
		s := i % season
		n[s]++
		at[s] += (float64(i) - at[s]) / n[s]
		mean[s] += (v - mean[s]) / n[s]
	}
	var xx, xy float64
	for i, v := range y {
		dx := float64(i) - at[i%season]
		xx, xy = xx+dx*dx, xy+dx*(v-mean[i%season])
	}
	l := line{levels: mean}
	if xx > 0 {
		l.slope = xy / xx
	}
	for s := range mean {
		l.levels[s] -= l.slope * at[s]
	}
	return l
}

func (l line) at(i int) float64 { return l.levels[i%len(l.levels)] + l.slope*float64(i) }

func (l line) next(from, ahead int) []float64 {
	out := make([]float64, ahead)
	for i := range out {
		out[i] = l.at(from + i)
	}
	return out
}

// What exponential smoothing tries: the weight of the newest value, and that of the newest trend.
var (
	levelWeights = []float64{0.1, 0.2, 0.3, 0.5, 0.7, 0.9}
	trendWeights = []float64{0.05, 0.1, 0.3}
)

// damping is how much of a trend is left a period later (Gardner and McKenzie, 1985).
const damping = 0.9

// smoothed is exponential smoothing, with a damped trend or without one. The weights are those with the least squared
// errors one period ahead.
func smoothed(y []float64, ahead int, trending bool) []float64 {
	least, best := math.Inf(1), smoothing{}
	weights := []float64{0}
	if trending {
		weights = trendWeights
	}
	for _, alpha := range levelWeights {
		for _, beta := range weights {
			if s, errors := smooth(y, alpha, beta); errors < least {
				least, best = errors, s
			}
		}
	}
	out, trend, step := make([]float64, ahead), 0.0, best.trend
	for i := range out {
		step *= damping
		trend += step
		out[i] = best.level + trend
	}
	return out
}

type smoothing struct{ level, trend float64 }

func smooth(y []float64, alpha, beta float64) (s smoothing, errors float64) {
	s.level = y[0]
	for _, v := range y[1:] {
		expected := s.level + damping*s.trend
		errors += (v - expected) * (v - expected)
		level := alpha*v + (1-alpha)*expected
		s.trend = beta*(level-s.level) + (1-beta)*damping*s.trend
		if beta == 0 {
			s.trend = 0
		}
		s.level = level
	}
	return s, errors
}

// seasonSmoothed is a damped trend of the values without their seasons, with these put on again.
func seasonSmoothed(y []float64, season, ahead int) []float64 {
	l := seasonLine(y, season)
	mean := 0.0
	for _, v := range l.levels {
		mean += v / float64(season)
	}
	bare := make([]float64, len(y))
	for i, v := range y {
		bare[i] = v - (l.levels[i%season] - mean)
	}
	out := smoothed(bare, ahead, true)
	for i := range out {
		out[i] += l.levels[(len(y)+i)%season] - mean
	}
	return out
}

// Bounds of the back-test.
const (
	leastHistory = 6  // periods from which on a forecast is tried
	leastTests   = 4  // forecasts of the furthest period
	mostTests    = 48 // points in time from which forecasts are tried, the latest ones
	clearly      = 0.95
)

// needed is how many periods a forecast needs.
func needed(ahead int) int { return leastHistory + ahead + leastTests - 1 }

// backTest is how far the forecasts of a model were from what came, made from several points in time with what was
// known by then.
type backTest struct {
	model    model
	spread   []float64 // by step: the root of the mean of the squared errors, which does not shrink with the step
	off      []float64 // by step: the mean of the absolute errors
	tests    []int     // by step
	mean     float64   // of all absolute errors
	seasoned bool      // models with seasons were tried
}

// chosen is the back-test of the model that did best. y has needed(ahead) values at least.
func chosen(y []float64, season, ahead int) (best, naive backTest) {
	start := leastHistory
	seasoned := season > 1 && len(y) >= 2*season+ahead+leastTests-1
	if seasoned {
		start = max(start, 2*season)
	}
	start = max(start, len(y)-ahead-mostTests+1)
	for i, m := range models {
		if m.seasonal && !seasoned {
			continue
		}
		b := tried(m, y, start, season, ahead)
		b.seasoned = seasoned
		if i == 0 {
			best, naive = b, b
		} else if b.mean < best.mean*clearly {
			best = b
		}
	}
	return best, naive
}

func tried(m model, y []float64, start, season, ahead int) backTest {
	b := backTest{model: m, spread: make([]float64, ahead), off: make([]float64, ahead), tests: make([]int, ahead)}
	all, n := 0.0, 0
	for origin := start; origin < len(y); origin++ {
		steps := min(ahead, len(y)-origin)
		for i, v := range m.next(y[:origin], season, steps) {
			off := math.Abs(y[origin+i] - v)
			b.spread[i] += off * off
			b.off[i] += off
			b.tests[i]++
			all, n = all+off, n+1
		}
	}
	b.mean = all / float64(n)
	for i := range b.spread {
		b.spread[i] = math.Sqrt(b.spread[i] / float64(b.tests[i]))
		b.off[i] /= float64(b.tests[i])
		if i > 0 {
			b.spread[i] = max(b.spread[i], b.spread[i-1])
		}
	}
	return b
}

// reach is how far the bounds of a step lie from its forecast, so that the share level of errors like those of the
// back-test is inside.
func (b backTest) reach(step int, level float64) float64 {
	return b.spread[step] * studentQuantile(level, b.tests[step])
}

// studentQuantile is t such that the share level of Student's distribution lies from -t to t.
func studentQuantile(level float64, freedom int) float64 {
	low, high := 0.0, 1.0
	for studentWithin(high, freedom) < level {
		low, high = high, 2*high
	}
	for range 60 {
		if mid := (low + high) / 2; studentWithin(mid, freedom) < level {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

// studentWithin is the share of Student's distribution from -t to t, by the finite sums for whole degrees of freedom
// (Abramowitz and Stegun, 26.7.3 and 26.7.4).
func studentWithin(t float64, freedom int) float64 {
	angle := math.Atan(t / math.Sqrt(float64(freedom)))
	sin, cos := math.Sincos(angle)
	term, sum := 1.0, 0.0
	if freedom%2 == 1 {
		term = cos
		for k := 1; k <= freedom-2; k += 2 {
			sum += term
			term *= cos * cos * float64(k+1) / float64(k+2)
		}
		return 2 / math.Pi * (angle + sin*sum)
	}
	for k := 0; k <= freedom-2; k += 2 {
		sum += term
		term *= cos * cos * float64(k+1) / float64(k+2)
	}
	return sin * sum
}
