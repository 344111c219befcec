package anomaly

import (
	"math"
	"slices"
)

// How gaps are judged. The chances were chosen on one half of a set of columns with errors put into them and confirmed
// on the other.
const (
	gapChance   = 0.04 // that clean numbers have such a gap at one end, from which on it is believed
	typedChance = 0.12 // the same, where what lies beyond looks like a usual error
	gapPenalty  = 3    // how much smaller the chance must be for each further number beyond one gap
	gapPoints   = 30   // spacings that say how fast a tail thins out, at most
	leastPoints = 6    // the same, at least
	fewPart     = 25   // one number in so many may lie beyond a gap
	groupPart   = 10   // where more than one number in so many lies beyond a gap, they are a group of their own
	manifold    = 8    // times as large as all others, a number looks like one in another unit
)

// sample is numbers that are looked at without regard to their order, and what is usual among them.
type sample struct {
	sorted []float64
	few    int  // how many may stand out at one end
	skewed bool // they are positive and spread by factors
	median float64
	gone   int     // how many were set aside before: each makes the next less likely
	grain  float64 // the least difference between two numbers: what is written, not what is measured
}

func newSample(sorted []float64) *sample {
	s := &sample{sorted: sorted, few: max(3, len(sorted)/fewPart), median: sortedQuantile(sorted, 0.5)}
	if sorted[0] > 0 {
		q1, q3 := sortedQuantile(sorted, 0.25), sortedQuantile(sorted, 0.75)
		body := sorted[:len(sorted)-s.few]
		s.skewed = q3-s.median > 1.5*(s.median-q1) || sortedQuantile(body, 0.95) > 10*sortedQuantile(body, 0.05)
	}
	s.grain = math.Inf(1)
	for i := 1; i < len(sorted); i++ {
		if d := sorted[i] - sorted[i-1]; d > 0 {
			s.grain = min(s.grain, d)
		}
	}
	return s
}

// apart finds the numbers that a gap keeps apart from the others, at either end. The upper end is looked at on
// logarithms, where heavy tails fall no faster than exponentially; the lower one too where the numbers are skewed.
func apart(x, sorted []float64, gone int) []Outlier {
	s := newSample(sorted)
	s.gone = gone
	high, low := s.above(), s.below()
	if high+low == 0 {
		return nil
	}
	scale, method := identity, MethodMedian
	if s.skewed {
		scale, method = math.Log, MethodLog
	}
	sigma := s.spread(scale)
	var found []Outlier
	for i, v := range x {
		if high > 0 && v >= sorted[len(sorted)-high] || low > 0 && v <= sorted[low-1] {
			found = append(found, Outlier{Row: i, Value: v, Usual: s.median,
				Score: (scale(v) - scale(s.median)) / sigma, Method: method, Why: s.looks(v)})
		}
	}
	return found
}

// peeled is apart, repeated without what was found: in a small sample a far number hides a nearer one.
func peeled(x []float64) []Outlier {
	rest := slices.Clone(x)
	at := make([]int, len(x))
	for i := range at {
		at[i] = i
	}
	var found []Outlier
	for len(rest) >= outlierMin && len(found) < max(3, len(x)/fewPart) {
		sorted := slices.Clone(rest)
		slices.Sort(sorted)
		if sortedQuantile(sorted, 0.25) == sortedQuantile(sorted, 0.75) {
			break
		}
		more := apart(rest, sorted, len(found))
		if len(more) == 0 {
			break
		}
		gone := make(map[int]bool, len(more))
		for _, o := range more {
			gone[o.Row] = true
			o.Row = at[o.Row]
			found = append(found, o)
		}
		var keep []float64
		var rows []int
		for i, v := range rest {
			if !gone[i] {
				keep, rows = append(keep, v), append(rows, at[i])
			}
		}
		rest, at = keep, rows
	}
	return found
}

func identity(v float64) float64 { return v }

// above is how many numbers a gap keeps apart at the upper end.
func (s *sample) above() int {
	n, scale := len(s.sorted), identity
	if s.sorted[n/4] > 0 && s.sorted[1] >= 0 {
		// one of the wrong sign may be an error; two are numbers on both sides of zero
		scale = math.Log
	}
	end := func(i int) float64 { return s.sorted[n-1-i] }
	return s.beyond(scale, end, 1, func(k int) bool {
		v, next := s.sorted[n-k], s.sorted[n-k-1]
		return isSentinel(v) || next > 0 && v >= manifold*next
	})
}

// below is how many numbers a gap keeps apart at the lower end.
func (s *sample) below() int {
	scale := identity
	if s.skewed {
		scale = math.Log
	}
	end := func(i int) float64 { return s.sorted[i] }
	return s.beyond(scale, end, -1, func(k int) bool {
		v := s.sorted[k-1]
		return s.sorted[k] > 0 && (v == 0 || v < 0 && (isSentinel(v) || -v >= sortedQuantile(s.sorted[k:], 0.1)))
	})
}

// tail is one end of the numbers on a scale, the farthest first, so that it falls. It ends where the scale does.
func (s *sample) tail(scale func(float64) float64, at func(i int) float64, sign float64) []float64 {
	n := len(s.sorted)
	size := min(n, s.few+max(leastPoints, min(gapPoints, n/4))+1)
	out := make([]float64, size)
	for i := range out {
		v := scale(at(i))
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return out[:i]
		}
		out[i] = sign * v
	}
	return out
}

// beyond is how many of the first numbers of a tail a gap keeps apart. The gap is measured against the spacings behind
// it: in a tail that falls exponentially the i-th spacing from the end, times i, is exponential too, with one mean for
// all i (Rényi, Acta Mathematica Hungarica 4, 1953), so that the quotient of a gap and the mean of m spacings exceeds t
// with the chance (1 + t/m)^-m. Tails of normal numbers fall faster, which makes the test careful. The greatest of the
// m spacings is left out, as it may be that between two groups of numbers; the mean is taken to be no smaller than the
// grain of the numbers. typed says whether the k-th number looks like a usual error.
func (s *sample) beyond(scale func(float64) float64, at func(i int) float64, sign float64, typed func(k int) bool) int {
	found, known := 0, true
	tail := s.tail(scale, at, sign)
	for k := 1; k <= s.few && k < len(tail); k++ {
		known = known && typed(k)
		rest := tail[k:]
		m := min(len(rest)-1, gapPoints)
		gap := tail[k-1] - tail[k]
		if m < leastPoints-2 || gap <= 0 || !known && k > 1 && groupPart*k > len(s.sorted) {
			continue
		}
		grain := math.Abs(scale(at(k)+s.grain) - scale(at(k)))
		f := float64(m - 1)
		chance := math.Pow(1+gap/(max(meanSpacing(rest, m), grain)*f), -f)
		limit := gapChance
		if known {
			limit = typedChance
		}
		if chance < limit/math.Pow(gapPenalty, float64(k-1+s.gone)) {
			found = k
		}
	}
	return found
}

// meanSpacing is the mean of the first m spacings of a falling tail, the i-th times i, estimated without the greatest
// one: of m exponential numbers with mean 1 the greatest has the mean 1 + 1/2 + ... + 1/m.
func meanSpacing(tail []float64, m int) float64 {
	sum, most, harmonic := 0.0, 0.0, 0.0
	for i := 1; i <= m; i++ {
		d := float64(i) * (tail[i-1] - tail[i])
		sum += d
		most = max(most, d)
		harmonic += 1 / float64(i)
	}
	return (sum - most) / (float64(m) - harmonic)
}

// spread is the robust standard deviation on a scale, and never 0 for numbers whose quartiles differ.
func (s *sample) spread(scale func(float64) float64) float64 {
	y := make([]float64, len(s.sorted))
	for i, v := range s.sorted {
		y[i] = scale(v)
	}
	if sigma := spreadAround(y, scale(s.median)); sigma > 0 {
		return sigma
	}
	return (sortedQuantile(y, 0.75) - sortedQuantile(y, 0.25)) / quartileSigmas
}

// looks says what usual error a number looks like, "" for none.
func (s *sample) looks(v float64) string {
	positive, _ := slices.BinarySearch(s.sorted, math.SmallestNonzeroFloat64)
	others := positive <= s.few
	switch {
	case isSentinel(v):
		return "it looks like a placeholder for a missing number"
	case v < 0 && others:
		return "it is negative where nearly all are positive"
	case v == 0 && others:
		return "it is zero where nearly all are positive"
	case s.median <= 0:
	default:
		for _, unit := range []float64{1000, 100} {
			if q := v / unit; q >= sortedQuantile(s.sorted, 0.1) && q <= sortedQuantile(s.sorted, 0.9) {
				return "divided by " + map[float64]string{1000: "1,000", 100: "100"}[unit] + " it would be usual"
			}
		}
	}
	return ""
}

// isSentinel reports whether a number is one that often stands for a missing one: -1, or three nines and more of either
// sign.
func isSentinel(v float64) bool {
	const most = 1e12
	for nines := 999.0; nines < most; nines = nines*10 + 9 {
		if math.Abs(v) == nines {
			return true
		}
	}
	return v == -1
}
