package formatter

import (
	"math"

	"catena/profiler"
	"catena/table"
)

// aggregation is how column c, the view's i-th, is folded: as the profile says, but for shares, of which only those of
// one whole add up.
func (v *View) aggregation(t *table.Table, meta []profiler.ColumnMetadata, c, i int) string {
	m := meta[c]
	if !t.Column(c).Type.Numeric() && t.Column(c).Type != table.Duration {
		return profiler.AggregateNone
	}
	if m.Aggregation != profiler.AggregateSum || m.SemanticType != profiler.Percentage || v.Columns[i].derived {
		return m.Aggregation
	}
	return wholeOf(t, meta, c, v.Total > t.NumRows())
}

// wholeOf says how shares are folded. They add up where they are shares of one whole: where all of them are the whole,
// where they are in proportion to amounts beside them, or where more rows than these may hold the rest of it. Shares
// that make a whole in each of several groups say nothing together; those of more than one whole are rates of their
// rows, with a mean; those of less could be either.
func wholeOf(t *table.Table, meta []profiler.ColumnMetadata, c int, more bool) string {
	const slack = 0.005 // shares are rounded
	whole := 100.0
	if f, err := profiler.ParseSuggestion(meta[c].FormattingSuggestion); err == nil && f.Ratio {
		whole = 1
	}
	sum, ok := fold(t, c, table.Sum).Float()
	switch {
	case !ok:
		return profiler.AggregateNone
	case math.Abs(sum-whole) <= slack*whole, sum < whole && (more || proportional(t, meta, c)):
		return profiler.AggregateSum
	case sum < whole || wholePerGroup(t, meta, c, whole):
		return profiler.AggregateNone
	}
	return profiler.AggregateMean
}

// proportional reports whether shares are those of another column: each is the same part of the amount beside it, but
// for rounding.
func proportional(t *table.Table, meta []profiler.ColumnMetadata, c int) bool {
	const slack, enough = 0.02, 2
	for a, m := range meta {
		amounts := m.Aggregation == profiler.AggregateSum && m.SemanticType != profiler.Percentage
		if a == c || !amounts || !t.Column(a).Type.Numeric() {
			continue
		}
		rows, least, most := 0, math.Inf(1), math.Inf(-1)
		for r := range t.NumRows() {
			share, ok := t.Value(r, c).Float()
			amount, okA := t.Value(r, a).Float()
			if known := ok && okA; !known || amount <= 0 || share <= 0 {
				continue
			}
			rows, least, most = rows+1, min(least, share/amount), max(most, share/amount)
		}
		if rows >= enough && m.DistinctCount > 1 && most-least <= slack*most {
			return true
		}
	}
	return false
}

// wholePerGroup reports whether shares make a whole within each value of another column.
func wholePerGroup(t *table.Table, meta []profiler.ColumnMetadata, c int, whole float64) bool {
	const slack = 0.015
	for g, m := range meta {
		groups := m.DistinctCount >= 2 && 2*m.DistinctCount <= m.Count
		if g == c || m.Role == profiler.RoleMeasure || !groups {
			continue
		}
		grouped, err := t.Group([]table.GroupKey{{Column: t.Column(g).Name}},
			[]table.Aggregate{{Func: table.Sum, Column: t.Column(c).Name, As: "sum of shares"}})
		if err != nil {
			continue
		}
		all := true
		for r := range grouped.NumRows() {
			sum, ok := grouped.Value(r, 1).Float()
			all = all && ok && math.Abs(sum-whole) <= slack*whole
		}
		if all {
			return true
		}
	}
	return false
}
