package profiler

import (
	"fmt"
	"math"
	"slices"

	"catena/table"
)

// Outlier is a number that stands out in its column.
type Outlier struct {
	Row    int     // from 0, in the table
	Value  float64 // the number
	Usual  float64 // what would be usual in its place: the median, or the median of its neighbours
	Score  float64 // how far: robust standard deviations from Usual, on the scale that fits the shape
	Method string  // one of the Method* constants
	Why    string  // a sentence for people
}

// How outliers are found, by the shape of the column.
const (
	MethodMedian    = "median"     // deviations from the median
	MethodLog       = "log_median" // the same on logarithms, for skewed positive numbers
	MethodNeighbour = "neighbours" // deviations from the median of the neighbours in row order, for series
	MethodConstant  = "constant"   // the few numbers that differ where nearly all are one
)

const (
	outlierMin     = 8   // fewer numbers have no shape
	outlierScore   = 3.5 // Iglewicz and Hoaglin's limit for the modified z-score (How to Detect and Handle Outliers, 1993)
	outlierLog     = 5   // on logarithms, which are only roughly normal
	outlierSeries  = 6   // residuals of short windows have heavy tails
	outlierMax     = 50  // reported per column, the farthest first
	seriesWindow   = 7   // neighbours, itself in the middle
	seriesStrength = 0.5 // lag-1 autocorrelation from which row order is taken for time
	madToSigma     = 1.4826
)

// Outliers finds the numbers of column c that stand out, the farthest first, at most 50. The score is a modified z-score: the distance
// from the usual value over 1.4826 times the median absolute deviation. The shape of the column decides what is usual:
//
//   - where the middle half of the numbers are one and the same, that one; others are reported when they differ much and are few;
//   - where the row order carries a trend or a season (lag-1 autocorrelation of one half or more, and the table is not sorted by the
//     column), the median of the neighbours, moved along their trend;
//   - for positive numbers and counts with a long upper tail the median, on logarithms;
//   - else the median.
//
// What is not rare is not reported. Columns with fewer than eight numbers, and such that are not numeric, have none.
func Outliers(t *table.Table, c int) []Outlier {
	if !t.Column(c).Type.Numeric() {
		return nil
	}
	x, rows := numbersOf(t, c)
	found := outliers(x)
	for i := range found {
		found[i].Row = rows[found[i].Row]
	}
	return found
}

// outliers is Outliers over plain numbers; rows are indexes into x.
func outliers(x []float64) []Outlier {
	if len(x) < outlierMin {
		return nil
	}
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	median := sortedQuantile(sorted, 0.5)
	var found []Outlier
	r := floatMoments(x).lag
	switch {
	case sortedQuantile(sorted, 0.25) == sortedQuantile(sorted, 0.75):
		found = unlike(x, median)
	case r != nil && *r >= seriesStrength && !nearlySorted(x):
		found = scored(x, neighbourMedians(x), outlierSeries, MethodNeighbour)
	case skewed(sorted):
		shift := 0.0
		if sorted[0] < 1 && wholeNumbers(sorted) {
			shift = 1 // counts: a zero is next to a one
		}
		logs := make([]float64, len(x))
		for i, v := range x {
			logs[i] = math.Log(v + shift)
		}
		found = scored(logs, constant(len(x), math.Log(median+shift)), outlierLog, MethodLog)
		for i := range found {
			found[i].Value, found[i].Usual = x[found[i].Row], median
		}
	default:
		found = scored(x, constant(len(x), median), outlierScore, MethodMedian)
	}
	slices.SortStableFunc(found, func(a, b Outlier) int { return compareDown(math.Abs(a.Score), math.Abs(b.Score)) })
	found = found[:min(len(found), outlierMax)]
	for i := range found {
		found[i].Why = found[i].why()
	}
	return found
}

func wholeNumbers(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v != math.Trunc(v) })
}

// skewed reports whether all numbers are positive, or counts, and their upper tail is much longer than the lower.
func skewed(sorted []float64) bool {
	if sorted[0] < 0 || sorted[0] == 0 && !wholeNumbers(sorted) {
		return false
	}
	q1, q2, q3 := sortedQuantile(sorted, 0.25), sortedQuantile(sorted, 0.5), sortedQuantile(sorted, 0.75)
	return q3-q2 > 1.5*(q2-q1) || sortedQuantile(sorted, 0.95) > 10*sortedQuantile(sorted, 0.05)
}

// scored reports the numbers whose distance from the usual value is more than limit robust deviations. What is not rare is no outlier but
// a second mode or a heavy tail: the limit doubles until no more than three, or one in twenty-five, are left.
func scored(x, usual []float64, limit float64, method string) []Outlier {
	dist := make([]float64, len(x))
	for i := range x {
		dist[i] = math.Abs(x[i] - usual[i])
	}
	slices.Sort(dist)
	sigma := madToSigma * sortedQuantile(dist, 0.5)
	if sigma == 0 {
		sigma = 1.253314 * *floatMoments(dist).mean // the mean absolute deviation of a normal distribution is σ·√(2/π)
	}
	if sigma == 0 || math.IsInf(sigma, 0) {
		return nil
	}
	for rare := max(3, len(x)/25); len(dist) > rare && dist[len(dist)-1-rare] > limit*sigma; {
		limit *= 2
	}
	var out []Outlier
	for i := range x {
		if z := (x[i] - usual[i]) / sigma; math.Abs(z) > limit {
			out = append(out, Outlier{Row: i, Value: x[i], Usual: usual[i], Score: z, Method: method})
		}
	}
	return out
}

// unlike reports the numbers that differ from the one that nearly all are: by more than half of it, no more than one in ten; where the usual
// number is zero, any other, no more than one in fifty.
func unlike(x []float64, usual float64) []Outlier {
	rare := 10
	if usual == 0 {
		rare = 50
	}
	var out []Outlier
	for i, v := range x {
		if d := v - usual; math.Abs(d) > math.Abs(usual)/2 {
			out = append(out, Outlier{Row: i, Value: v, Usual: usual, Score: d, Method: MethodConstant})
		}
	}
	if rare*len(out) > len(x) {
		return nil
	}
	for i := range out {
		out[i].Score = math.Copysign(float64(len(x))/float64(len(out)), out[i].Score) // how rare, since there is no spread to measure by
	}
	return out
}

// neighbourMedians gives what the window around each number would put in its place, itself apart: the median of the neighbours, each moved
// along the window's median step, so that trends and the ends of the series do not stand out.
func neighbourMedians(x []float64) []float64 {
	out := make([]float64, len(x))
	var steps, moved []float64
	for i := range x {
		from := min(max(0, i-seriesWindow/2), len(x)-seriesWindow)
		steps, moved = steps[:0], moved[:0]
		for j := from; j < from+seriesWindow-1; j++ {
			if j != i && j+1 != i {
				steps = append(steps, x[j+1]-x[j])
			}
		}
		slices.Sort(steps)
		step := sortedQuantile(steps, 0.5)
		for j := from; j < from+seriesWindow; j++ {
			if j != i {
				moved = append(moved, x[j]+step*float64(i-j))
			}
		}
		slices.Sort(moved)
		out[i] = sortedQuantile(moved, 0.5)
	}
	return out
}

func constant(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// nearlySorted reports whether a table was sorted by the numbers, a few apart: then row order is not time.
func nearlySorted(x []float64) bool {
	up, down := 0, 0
	for i := 1; i < len(x); i++ {
		switch {
		case x[i] > x[i-1]:
			up++
		case x[i] < x[i-1]:
			down++
		}
	}
	return min(up, down) <= max(2, len(x)/25)
}

func compareDown(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// why is the sentence for people, without the number itself, which the reader formats.
func (o Outlier) why() string {
	side := "above"
	if o.Score < 0 {
		side = "below"
	}
	switch o.Method {
	case MethodConstant:
		return "differs from the value that nearly all rows have"
	case MethodNeighbour:
		return fmt.Sprintf("%.1f robust deviations %s its neighbours", math.Abs(o.Score), side)
	case MethodLog:
		return fmt.Sprintf("%.1f robust deviations %s the median on a logarithmic scale", math.Abs(o.Score), side)
	}
	return fmt.Sprintf("%.1f robust deviations %s the median", math.Abs(o.Score), side)
}

// sortedQuantile is a quantile of sorted numbers, interpolated as in Quantiles.
func sortedQuantile(sorted []float64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(h)
	if i+1 >= len(sorted) || sorted[i] == sorted[i+1] {
		return sorted[i]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}
