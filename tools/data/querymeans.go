package data

import (
	"catena/planner/plan"
	"catena/table"
)

// longMeans adds, for means of whole numbers and decimals, their sums and counts, so that those that a double cannot hold are computed of them.
func (c *columns) longMeans(s plan.Select, agg table.Aggregate) []table.Aggregate {
	if agg.Func != table.Mean {
		return nil
	}
	i := c.t.Index(agg.Column)
	if i < 0 || c.t.Column(i).Type != table.Decimal && c.t.Column(i).Type != table.Int || !long(c.t, i) {
		return nil
	}
	return []table.Aggregate{{Func: table.Sum, Column: agg.Column, As: partOf(s)}, {Func: table.Count, Column: agg.Column, As: wholeOf(s)}}
}

// long reports whether a column has a number of more digits than a double tells.
func long(t *table.Table, col int) bool {
	const least = 1e12
	for row := range t.Rows() {
		if x, ok := t.Value(row, col).Float(); ok && (x >= least || x <= -least) {
			return true
		}
	}
	return false
}

// exactly replaces a mean of doubles by one with all of its digits, where one of its groups needs them.
func (r *queryRun) exactly(name, sum, count string) error {
	at, s, n := r.t.Index(name), r.t.Index(sum), r.t.Index(count)
	if at < 0 || s < 0 || n < 0 {
		return nil
	}
	values, needed := r.t.NewValues(), false
	for row := range r.t.Rows() {
		values[row] = r.t.Value(row, at)
		rows, _ := r.t.Value(row, n).Int()
		if mean, ok := table.LongMean(r.t.Value(row, s), int(rows)); ok {
			values[row], needed = mean, true
		}
	}
	if !needed {
		return nil
	}
	var err error
	r.t, err = r.t.WithColumn(table.Column{Name: name, Unit: r.t.Column(at).Unit}, values)
	return err
}
