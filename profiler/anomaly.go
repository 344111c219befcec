package profiler

import (
	"cmp"
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
	outlierMin     = 8      // fewer numbers have no shape
	outlierSeries  = 6      // residuals of short windows have heavy tails
	outlierMax     = 50     // reported per column, the farthest first
	seriesWindow   = 7      // neighbours, itself in the middle
	seriesStrength = 0.5    // lag-1 autocorrelation from which row order is taken for time
	madToSigma     = 1.4826 // the standard deviation of a normal distribution over its median absolute deviation
	quartileSigmas = 1.349  // the distance of its quartiles over its standard deviation
)

// Outliers finds the numbers of column c that stand out, the farthest first, at most 50. The shape of the column decides what is usual:
//
//   - where the middle half of the numbers are one and the same, that one; others are reported when they differ much and are few;
//   - where the row order carries the numbers, as in a series over time or a sorted column (the lag-1 autocorrelation of their ranks is one half or more), the median of
//     the neighbours, moved along their trend; the spread is that of the numbers nearby where it changes;
//   - always, the median: numbers beyond a gap at either end are reported, where the gap is too large for how fast the numbers thin out towards that end. Skewed positive
//     numbers are looked at on logarithms. Numbers that look like usual errors need less of a gap: placeholders such as 9999, the wrong
//     sign or zeros where all others are positive, other units.
//
// The score is the distance from the usual value in robust standard deviations: 1.4826 times the median absolute deviation. What is not rare is not reported: a group of numbers
// is no error. Columns with fewer than eight numbers, and such that are not numeric, have none. Whether a column's numbers are worth looking at is for the caller to
// know: identifiers and codes have no usual value.
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
	if sorted[0] == sorted[len(sorted)-1] {
		return nil
	}
	var found []Outlier
	switch {
	case sortedQuantile(sorted, 0.25) == sortedQuantile(sorted, 0.75):
		found = unlike(x, sortedQuantile(sorted, 0.5))
	case inOrder(x):
		found = union(offNeighbours(x, sorted), apart(x, sorted))
	default:
		found = apart(x, sorted)
	}
	slices.SortStableFunc(found, func(a, b Outlier) int { return cmp.Compare(math.Abs(b.Score), math.Abs(a.Score)) })
	found = found[:min(len(found), outlierMax)]
	for i := range found {
		found[i].tell()
	}
	return found
}

// union is a with those of b whose rows it does not have.
func union(a, b []Outlier) []Outlier {
	for _, o := range b {
		if !slices.ContainsFunc(a, func(p Outlier) bool { return p.Row == o.Row }) {
			a = append(a, o)
		}
	}
	return a
}

// unlike reports the numbers that differ from the one that nearly all are: by more than half of it, no more than one in ten; where the usual
// number is zero, any other, no more than one in fifty.
func unlike(x []float64, usual float64) []Outlier {
	rare := 10
	if usual == 0 {
		rare = 50
	}
	var out []Outlier
	factor := true // all are ten times the usual number or more, or have the other sign
	for i, v := range x {
		if d := v - usual; math.Abs(d) > math.Abs(usual)/2 {
			out = append(out, Outlier{Row: i, Value: v, Usual: usual, Score: d, Method: MethodConstant})
			factor = factor && usual != 0 && (v/usual >= 10 || v/usual <= 0)
		}
	}
	if rare*len(out) > len(x) && !(factor && len(out) <= max(1, len(x)/8)) {
		return nil
	}
	for i := range out {
		out[i].Score = math.Copysign(float64(len(x))/float64(len(out)), out[i].Score) // how rare, since there is no spread to measure by
	}
	return out
}

// tell completes the sentence for people, without the number itself, which the reader formats.
func (o *Outlier) tell() {
	side := "above"
	if o.Score < 0 {
		side = "below"
	}
	far := fmt.Sprintf("%.1f robust deviations %s ", math.Abs(o.Score), side)
	switch o.Method {
	case MethodConstant:
		far = "differs from the value that nearly all rows have"
	case MethodNeighbour:
		far += "its neighbours"
	case MethodLog:
		far += "the median on a logarithmic scale"
	default:
		far += "the median"
	}
	if o.Why != "" {
		far += "; " + o.Why
	}
	o.Why = far
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
