package profiler

import (
	"math"
	"slices"

	"catena/table"
)

// addStats fills in the statistics of a finished scan. Sums, means and deviations are the table's own, which are exact for whole
// numbers and decimals; quantiles and the histogram are over doubles.
func (m *ColumnMetadata) addStats(t *table.Table, s *scan, opt Options) {
	m.TopValues = s.top(opt.TopValues)
	if s.col.Type == table.Text && s.rows > s.nulls {
		l := s.lengths
		m.Lengths = &l
	}
	if !s.col.Type.Numeric() || len(s.numbers) == 0 || m.Role == RoleIdentifier {
		return
	}
	m.addMoments(t, s)
	if m.Aggregation == AggregateNone && m.Role != RoleMeasure {
		m.Sum = nil
	}
	if m.Role == RoleMeasure {
		m.Autocorrelation = lagOne(s.numbers)
	}
	sorted := slices.Clone(s.numbers)
	slices.Sort(sorted)
	m.Quantiles = &Quantiles{P5: quantile(sorted, 0.05), P25: quantile(sorted, 0.25), P50: quantile(sorted, 0.5), P75: quantile(sorted, 0.75), P95: quantile(sorted, 0.95)}
	median := m.Quantiles.P50
	m.Median = &median
	m.Histogram = histogram(sorted, opt.Bins)
}

// addMoments takes sum, mean and sample standard deviation from the table's aggregates. A sum may be too large for its column
// where the others are not.
func (m *ColumnMetadata) addMoments(t *table.Table, s *scan) {
	got, errs := t.Fold(s.index, table.Sum, table.Mean, table.Stddev)
	if errs[0] != nil {
		m.Warnings = append(m.Warnings, "the sum is too large to be stored")
	} else {
		m.Sum = got[0].Any()
	}
	if errs[1] != nil || errs[2] != nil {
		m.Warnings = append(m.Warnings, "the mean is too large to be stored")
		return
	}
	if f, ok := got[1].Float(); ok {
		m.Mean = &f
	}
	if f, ok := got[2].Float(); ok {
		m.Stddev = &f
	}
}

// quantile interpolates linearly between order statistics: type 7 of Hyndman and Fan (The American Statistician 50, 1996).
func quantile(sorted []float64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(math.Floor(h))
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	lo, hi := sorted[i], sorted[i+1]
	if lo == hi {
		return lo
	}
	return lo + (h-float64(i))*(hi-lo)
}

// lagOne is the lag-1 autocorrelation as NIST's Dataplot has it: Σ(x[i]−m)(x[i+1]−m) / Σ(x[i]−m)². Nil for fewer than three values and
// for constant ones.
func lagOne(x []float64) *float64 {
	if len(x) < 3 {
		return nil
	}
	mean := meanOf(x)
	var num, den, cn, cd float64
	for i, v := range x {
		d := v - mean
		den, cd = addComp(den, cd, d*d)
		if i > 0 {
			num, cn = addComp(num, cn, d*(x[i-1]-mean))
		}
	}
	if den += cd; den == 0 || math.IsInf(den, 0) || math.IsNaN(den) {
		return nil
	}
	r := (num + cn) / den
	return &r
}

// meanOf is the mean with a compensated sum and one step of correction.
func meanOf(x []float64) float64 {
	var sum, comp float64
	for _, v := range x {
		sum, comp = addComp(sum, comp, v)
	}
	mean := (sum + comp) / float64(len(x))
	sum, comp = 0, 0
	for _, v := range x {
		sum, comp = addComp(sum, comp, v-mean)
	}
	return mean + (sum+comp)/float64(len(x))
}

// addComp is one step of Neumaier's compensated sum (Zeitschrift für Angewandte Mathematik und Mechanik 54, 1974).
func addComp(sum, comp, x float64) (newSum, newComp float64) {
	t := sum + x
	if math.Abs(sum) >= math.Abs(x) {
		return t, comp + (sum - t) + x
	}
	return t, comp + (x - t) + sum
}

// histogram cuts the range into equal bars by the rule of Freedman and Diaconis (Zeitschrift für Wahrscheinlichkeitstheorie 57, 1981):
// a width of 2·IQR/∛n, by Sturges' rule where the IQR is zero; at most limit bars.
func histogram(sorted []float64, limit int) []Bucket {
	n := len(sorted)
	low, high := sorted[0], sorted[n-1]
	span := high - low
	if limit <= 0 || span == 0 || math.IsInf(span, 0) {
		return nil
	}
	bars := int(math.Ceil(math.Log2(float64(n)))) + 1
	if iqr := quantile(sorted, 0.75) - quantile(sorted, 0.25); iqr > 0 {
		if want := math.Ceil(span / (2 * iqr / math.Cbrt(float64(n)))); want < float64(limit) {
			bars = int(want)
		} else {
			bars = limit
		}
	}
	bars = max(1, min(bars, limit))
	out := make([]Bucket, bars)
	at := 0
	for i := range out {
		out[i].Low, out[i].High = low+span*float64(i)/float64(bars), low+span*float64(i+1)/float64(bars)
		if i == bars-1 {
			out[i].High = high
			out[i].Count = n - at
			break
		}
		end, _ := slices.BinarySearch(sorted, out[i].High)
		end = max(end, at)
		out[i].Count, at = end-at, end
	}
	return out
}
