package anomaly

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"catena/internal/text"
	"catena/table"
)

// Outlier is a number that stands out in its column.
type Outlier struct {
	Row    int     // from 0, in the table
	Value  float64 // the number
	Usual  float64 // what would be usual in its place: the median, or the median of its neighbours
	Score  float64 // how far: robust standard deviations from Usual, on the scale that fits the shape
	Method string  // one of the Method* constants
	// with MethodSeason: of the period, in words for a sentence, such as "on Mondays", "in December", "at 14:00"; else
	// ""
	Phase string
	Why   string // a sentence for people
}

// How outliers are found, by the shape of the column.
const (
	MethodMedian    = "median"     // deviations from the median
	MethodLog       = "log_median" // the same on logarithms, for skewed positive numbers
	MethodNeighbour = "neighbours" // deviations from the median of the neighbours in row order, for series
	// deviations from the median of the same phase: the same weekday, month, quarter or hour
	MethodSeason   = "season"
	MethodConstant = "constant" // the few numbers that differ where nearly all are one
)

const (
	outlierMin     = FewRows
	outlierSeries  = 6      // residuals of short windows have heavy tails
	zeroPart       = 50     // one number in so many may differ from the zeros that all others are
	zeroOthers     = 5      // and no more than these: what comes again and again is no error
	outlierMax     = 50     // reported per column, the farthest first
	seriesWindow   = 7      // neighbours, itself in the middle
	seriesStrength = 0.5    // lag-1 autocorrelation from which row order is taken for time
	madToSigma     = 1.4826 // the standard deviation of a normal distribution over its median absolute deviation
	quartileSigmas = 1.349  // the distance of its quartiles over its standard deviation
)

// Outliers finds the numbers of column c that stand out, the farthest first, at most 50. The shape of the column
// decides what is usual:
//
//   - where the middle half of the numbers are one and the same, that one; others are reported when they differ much
//     and are few; where they are many, as in a column that is
//     zero more often than not, they are judged by themselves;
//   - where the numbers repeat over a period, that which is usual in the same phase of it: quarters of a year, months,
//     weekdays, hours of the day or the week, when a column of dates has one
//     row in each step, else every 4th, 5th, 7th, 12th, 24th or 52nd row. It is the median of the phase's other numbers along a line through the medians
//     of whole periods. The period is the one with the highest autocorrelation, three of it at least, and must tell the numbers better than the neighbours do;
//   - where the row order carries the numbers, as in a series over time or a sorted column (the lag-1 autocorrelation
//     of their ranks is one half or more), the median of
//     the neighbours, moved along their trend; the spread is that of the numbers nearby where it changes;
//   - always, the median: numbers beyond a gap at either end are reported, where the gap is too large for how fast the
//     numbers thin out towards that end. Skewed positive
//     numbers are looked at on logarithms. Numbers that look like usual errors need less of a gap: placeholders such as 9999, the wrong
//     sign or zeros where all others are positive, other units.
//
// A far number does not hide a nearer one: the farthest are set aside and the others looked at again, as with the tests
// for one outlier that Rosner repeats (Percentage points for a generalized ESD many-outlier procedure, Technometrics
// 25, 1983), with robust scales in place of means and standard deviations.
//
// The score is the distance from the usual value in robust standard deviations: 1.4826 times the median absolute
// deviation. What is not rare is not reported: a group of numbers is no error. Columns with fewer than eight numbers,
// and such that are not numeric, have none. Whether a column's numbers are worth looking at is for the caller to know:
// identifiers and codes have no usual value.
func Outliers(t *table.Table, c int) []Outlier {
	if !t.Column(c).Type.Numeric() {
		return nil
	}
	x, rows := numbersOf(t, c)
	if len(x) < outlierMin {
		return nil
	}
	grid, rhythms := timeGrid(t, x, rows)
	found := outliersIn(x, grid, rhythms)
	for i := range found {
		found[i].Row = rows[found[i].Row]
	}
	return found
}

// outliersIn is outliers where the grid, unless it is nil, tells the time of each number.
func outliersIn(x []float64, grid *places, rhythms []rhythm) []Outlier {
	if len(x) < outlierMin {
		return nil
	}
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	if sorted[0] == sorted[len(sorted)-1] {
		return nil
	}
	var found []Outlier
	if sortedQuantile(sorted, 0.25) == sortedQuantile(sorted, 0.75) {
		found = unlike(x, sortedQuantile(sorted, 0.5))
	} else {
		found = offOrder(x, sorted, grid, rhythms)
	}
	slices.SortStableFunc(found, func(a, b Outlier) int { return cmp.Compare(math.Abs(b.Score), math.Abs(a.Score)) })
	found = found[:min(len(found), outlierMax)]
	for i := range found {
		found[i].tell()
	}
	return found
}

// offOrder finds what is wrong for its phase or its neighbours, and what a gap keeps apart from all others.
func offOrder(x, sorted []float64, grid *places, rhythms []rhythm) []Outlier {
	if grid == nil {
		grid, rhythms = inRows(x), rowRhythms()
	}
	far := peeled(x)
	if s := seasonOf(grid, rhythms); s != nil {
		if wrong, ok := s.wrong(); ok {
			return union(wrong, s.surprising(far))
		}
	}
	if inOrder(x) {
		return union(offNeighbours(x, sorted), far)
	}
	return far
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

// unlike reports the numbers that differ from the one that nearly all are: by more than half of it, no more than one in
// ten; where the usual number is zero, any other, no more than one in fifty and five in all. Where more differ, it
// reports those that a gap keeps apart from the others that differ.
func unlike(x []float64, usual float64) []Outlier {
	var out []Outlier
	var differ []int
	factor := true // all are ten times the usual number or more, or have the other sign
	for i, v := range x {
		if v != usual {
			differ = append(differ, i)
		}
		if d := v - usual; math.Abs(d) > math.Abs(usual)/2 {
			out = append(out, Outlier{Row: i, Value: v, Usual: usual, Score: d, Method: MethodConstant})
			factor = factor && usual != 0 && (v/usual >= 10 || v/usual <= 0)
		}
	}
	if !rare(out, len(x), usual) && !(factor && len(out) <= max(1, len(x)/8)) &&
		!(factor && 6*len(out) <= len(x) && distinct(out)) {
		return amongOthers(x, differ)
	}
	for i := range out {
		out[i].Score = math.Copysign(
			float64(len(x))/float64(len(out)),
			out[i].Score,
		) // how rare, since there is no spread to measure by
	}
	return out
}

// distinct reports whether the numbers differ from each other, as errors do and groups do not.
func distinct(out []Outlier) bool {
	seen := make(map[float64]bool, len(out))
	for _, o := range out {
		seen[o.Value] = true
	}
	return len(seen) == len(out)
}

// rare reports whether so few of n numbers differ from the usual one that they are worth a look.
func rare(out []Outlier, n int, usual float64) bool {
	if usual == 0 {
		return zeroPart*len(out) <= n && len(out) <= zeroOthers
	}
	return 10*len(out) <= n
}

// amongOthers judges the numbers at some indexes by themselves.
func amongOthers(x []float64, at []int) []Outlier {
	part := make([]float64, len(at))
	for i, r := range at {
		part[i] = x[r]
	}
	if len(part) < outlierMin {
		return nil
	}
	found := peeled(part)
	for i := range found {
		found[i].Row = at[found[i].Row]
		found[i].Why = joined("among the numbers that are not the usual one", found[i].Why)
	}
	return found
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
	case MethodSeason:
		far += "what is usual " + o.Phase
	case MethodLog:
		far += "the median on a logarithmic scale"
	default:
		far += "the median"
	}
	o.Why = joined(far, o.Why)
}

// joined are two parts of a sentence, either of which may be empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
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

// FewRows is the number of rows below which a column's numbers have no shape: Outliers and UnusualRows find nothing in
// fewer, and means and deviations say little.
const FewRows = 8

// TooFew says of fewer than FewRows rows why nothing in them is called unusual.
func TooFew(rows int) string {
	return fmt.Sprintf(
		"Nothing is said to be unusual: %s too few to tell, %d are needed.",
		text.Are(rows, "row"),
		FewRows,
	)
}
