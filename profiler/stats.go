package profiler

import (
	"fmt"
	"math"

	"catena/table"
)

// addStats fills in the statistics of a finished scan of what v says: counts, and for numbers and durations that are
// measured or that classify the moments, quantiles and bars of a histogram.
func (m *ColumnMetadata) addStats(s *scan, v *verdict, opt Options) {
	m.TopValues, m.TopError = s.top(opt.TopValues), s.lost
	if s.lost > 0 {
		m.Warnings = append(m.Warnings,
			fmt.Sprintf("there are too many different cells to count each: counts of frequent values may be too low "+
				"by %d", s.lost))
	}
	if s.col.Type == table.Text && s.rows > s.nulls {
		l := s.lengths
		m.Lengths = &l
	}
	if len(s.numbers) == 0 || v.role == RoleIdentifier || v.semantic == PostalCode || v.semantic == Phone {
		return
	}
	m.addMoments(s, v)
	r := &s.ranks
	q := Quantiles{P5: s.quantile(r, 5), P25: s.quantile(r, 25), P50: s.quantile(r, 50), P75: s.quantile(r, 75),
		P95: s.quantile(r, 95)}
	m.Quantiles, m.Median = &q, &q.P50
	m.Histogram = s.histogram(r, &q, opt.Bins)
}

// addMoments adds those that the role gives a meaning. A sum may be too large for its column where the others are not.
func (m *ColumnMetadata) addMoments(s *scan, v *verdict) {
	got := s.moments()
	switch {
	case got.sum.IsNull():
		m.Warnings = append(m.Warnings, "the sum is too large to be stored")
	case v.aggregate != AggregateNone || v.role == RoleMeasure:
		m.Sum = got.sum.Any()
	}
	if math.IsInf(*got.Mean, 0) || math.IsNaN(*got.Mean) {
		m.Warnings = append(m.Warnings, "the mean is too large to be stored")
		return
	}
	m.Mean = got.Mean
	if got.Stddev != nil && !math.IsInf(*got.Stddev, 0) {
		m.Stddev = got.Stddev
	}
	if v.role == RoleMeasure {
		m.Autocorrelation = got.Lag
	}
}
