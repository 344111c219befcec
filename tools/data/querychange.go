package data

import (
	"context"
	"slices"

	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
)

// changing is a table in order, of which one column changes.
type changing struct {
	t              *table.Table
	by             []int
	order, col     int
	diff           table.Column // of the differences
	ratio, percent bool         // the column holds percentages; ratio: as 0.15
	period         table.Period // that the order was cut to; "" where it was not
}

// change reduces the rows to first, last and what happened between, or says of each row what changed since the one before, per
// combination of By.
func (r *queryRun) change() error {
	if r.q.Change == nil {
		return nil
	}
	c, err := r.changing()
	if err != nil {
		return err
	}
	cols := make([]table.Column, 0, len(c.by)+6)
	for _, i := range c.by {
		cols = append(cols, c.t.Column(i))
	}
	row := r.firstToLast
	if r.q.Change.Every {
		cols, row = append(cols, c.t.Column(c.order), c.t.Column(c.col)), r.stepByStep
	} else {
		cols = append(cols, c.ends()...)
	}
	b := table.NewBuilder(append(cols, c.diff, table.Column{Name: "change_percent", Type: table.Float, Unit: "%"})...)
	groups, err := c.t.GroupRows(c.by...)
	if err != nil {
		return err
	}
	for _, rows := range groups {
		rows = slices.DeleteFunc(rows, func(row int) bool { return c.t.IsNull(row, c.col) || c.t.IsNull(row, c.order) })
		if len(rows) == 0 {
			continue
		}
		if err := row(b, c, rows); err != nil {
			return err
		}
	}
	r.t, r.shown = b.Table(), nil
	return nil
}

func (r *queryRun) changing() (c changing, err error) {
	q := r.q.Change
	c.by = make([]int, len(q.By))
	for i, name := range q.By {
		if c.by[i], err = r.t.Lookup(name); err != nil {
			return c, err
		}
	}
	if c.t, err = r.t.Sort(table.SortKey{Column: q.Order}); err != nil {
		return c, err
	}
	if c.col, err = c.t.Lookup(q.Column); err != nil {
		return c, err
	}
	c.order, _ = c.t.Lookup(q.Order) // Sort has found it
	c.period = r.periods[q.Order]
	if typ := c.t.Column(c.col).Type; !typ.Numeric() && typ != table.Null {
		return c, &table.TypeError{Column: q.Column, Type: typ, Reason: "a change needs numbers"}
	}
	c.diff = c.t.Column(c.col)
	c.diff.Name = "change"
	if !c.diff.Type.Numeric() {
		return c, nil
	}
	alone, err := c.t.Select(c.t.Column(c.col).Name)
	if err != nil {
		return c, err
	}
	meta := profiler.Describe(context.Background(), alone)[0]
	if c.ratio, c.percent = percentages(meta); c.percent {
		c.diff.Unit = profiler.UnitPoints
		c.diff = wide(c.diff)
	} else if c.diff.Unit == "" && meta.SemanticType == profiler.Currency {
		c.diff.Unit = meta.Units // which the name says, but not that of the difference
	}
	return c, nil
}

// ends are the columns of the first and the last row.
func (c changing) ends() []table.Column {
	var cols []table.Column
	for _, of := range []int{c.order, c.col} {
		for _, suffix := range []string{"_first", "_last"} {
			col := c.t.Column(of)
			col.Name += suffix
			if of == c.col && c.percent && c.ratio {
				col.Unit = "ratio" // of two numbers alone it could not be told
			}
			cols = append(cols, col)
		}
	}
	return cols
}

func (r *queryRun) firstToLast(b *table.Builder, c changing, rows []int) error {
	first, last := rows[0], rows[len(rows)-1]
	if first == last {
		r.note("There is one value only, so nothing changed.")
	}
	cells := append(c.keys(first), c.t.Value(first, c.order), c.t.Value(last, c.order), c.t.Value(first, c.col), c.t.Value(last, c.col))
	return b.Append(append(cells, r.difference(c, first, last)...)...)
}

func (r *queryRun) stepByStep(b *table.Builder, c changing, rows []int) error {
	for i, row := range rows {
		cells := append(c.keys(row), c.t.Value(row, c.order), c.t.Value(row, c.col))
		switch {
		case i == 0:
			cells = append(cells, table.NullValue, table.NullValue)
		case !c.follows(rows[i-1], row):
			r.note("A %s after one without rows has no change.", c.period)
			cells = append(cells, table.NullValue, table.NullValue)
		default:
			cells = append(cells, r.difference(c, rows[i-1], row)...)
		}
		if err := b.Append(cells...); err != nil {
			return err
		}
	}
	return nil
}

// follows reports whether nothing is missing between the times of two rows. Days may be missing, as weekends are.
func (c changing) follows(before, row int) bool {
	if c.period != table.Quarter && c.period != table.Month && c.period != table.Week {
		return true
	}
	at, ok := c.t.Value(row, c.order).Time()
	if !ok {
		return true
	}
	y, m, d := at.AddDate(0, 0, -1).Date()
	return table.Equal(table.TruncPeriod(table.DateValue(y, m, d), c.period), c.t.Value(before, c.order))
}

func (c changing) keys(row int) []table.Value {
	out := make([]table.Value, 0, len(c.by)+6)
	for _, i := range c.by {
		out = append(out, c.t.Value(row, i))
	}
	return out
}

// difference is what changed from one row to another, and that in percent of the first.
func (r *queryRun) difference(c changing, from, to int) []table.Value {
	a, b := c.t.Value(from, c.col), c.t.Value(to, c.col)
	diff, err := r.compute(plan.Derived{Op: "sub"}, b, a)
	if err != nil {
		diff = table.NullValue
	}
	percent := r.percentage(diff, a, "The change in percent")
	if c.percent {
		diff = points(diff, c.ratio)
	}
	return []table.Value{diff, percent}
}
