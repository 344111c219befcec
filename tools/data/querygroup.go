package data

import (
	"fmt"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/planner/plan"
	"catena/table"
)

// shape groups and aggregates, or notes which plain columns to keep at the end.
func (r *queryRun) shape() error {
	aggregates := slices.ContainsFunc(r.q.Select, func(s plan.Select) bool { return s.Expr != "" })
	if !aggregates && len(r.q.GroupBy) == 0 {
		return r.plain()
	}
	if err := checkPeriods(r.q.GroupBy); err != nil {
		return err
	}
	names := r.keyNames()
	keys := make([]table.GroupKey, len(r.q.GroupBy))
	for i, k := range r.q.GroupBy {
		keys[i] = table.GroupKey{Column: k.Column, Period: table.Period(k.Period), As: names[i]}
	}
	if err := r.decades(keys); err != nil {
		return err
	}
	if err := r.spelledAlike(keys); err != nil {
		return err
	}
	c := &columns{run: r, t: r.t}
	var shares, means []plan.Select
	shown := slices.Clone(names)
	var aggs []table.Aggregate
	for _, s := range r.q.Select {
		switch {
		case s.Expr == "" && slices.ContainsFunc(r.q.GroupBy, func(k plan.GroupKey) bool { return k.Column == s.Column || k.As == s.Column }):
		case s.Expr == "":
			return queryErrorf("column %q is neither grouped by nor aggregated", s.Column)
		case s.Expr == "share":
			a, err := c.share(s)
			if err != nil {
				return err
			}
			aggs, shares, shown = append(aggs, a...), append(shares, s), append(shown, s.Name())
		default:
			a, err := c.aggregate(s, s.Name())
			if err != nil {
				return err
			}
			aggs, shown = append(aggs, a), append(shown, s.Name())
			if more := c.longMeans(s, a); more != nil {
				aggs, means = append(aggs, more...), append(means, s)
			}
		}
	}
	if len(aggs) == 0 {
		aggs, shown = append(aggs, table.Aggregate{Func: table.Count, As: "count"}), append(shown, "count")
	}
	grouped, err := c.t.Group(keys, aggs)
	if err != nil {
		return err
	}
	r.t = grouped
	if err := r.quotients(shares, means); err != nil {
		return err
	}
	if r.t, err = r.t.Select(shown...); err != nil {
		return err
	}
	r.noteNulls(aggs)
	r.renamed(names)
	return r.marked(names)
}

// quotients computes the columns that are made of two aggregates.
func (r *queryRun) quotients(shares, means []plan.Select) error {
	for _, s := range shares {
		if err := r.percent(s.Name(), partOf(s), wholeOf(s)); err != nil {
			return err
		}
	}
	for _, s := range means {
		if err := r.exactly(s.Name(), partOf(s), wholeOf(s)); err != nil {
			return err
		}
	}
	return nil
}

// decades cuts columns of years, which are whole numbers, into decades; the other periods need dates.
func (r *queryRun) decades(keys []table.GroupKey) error {
	for i, k := range keys {
		c := r.t.Index(k.Column)
		if c < 0 || r.t.Column(c).Type != table.Int || k.Period != table.Decade && k.Period != table.Year {
			continue
		}
		values := r.t.NewValues()
		for row := range r.t.Rows() {
			v := r.t.Value(row, c)
			if year, ok := v.Int(); ok && k.Period == table.Decade {
				v = table.IntValue(year - (year%10+10)%10)
			}
			values[row] = v
		}
		name := k.Column + " " + string(k.Period) // of a column for the grouping only
		keys[i].Column, keys[i].Period = name, ""
		var err error
		if r.t, err = r.t.WithColumn(table.Column{Name: name, Type: table.Int}, values); err != nil {
			return err
		}
	}
	return nil
}

func partOf(s plan.Select) string  { return s.Name() + " part" }
func wholeOf(s plan.Select) string { return s.Name() + " whole" }

// columns adds the helper columns that aggregates with filters need.
type columns struct {
	run *queryRun
	t   *table.Table
	n   int
}

// aggregate gives the table's aggregate for s, over a masked copy of its column where s has a filter.
func (c *columns) aggregate(s plan.Select, as string) (table.Aggregate, error) {
	agg := table.Aggregate{Func: table.AggFunc(s.Expr), Column: s.Column, As: as}
	if s.Column != "" && s.Column != "*" {
		name, err := c.numeric(s)
		if err != nil {
			return agg, err
		}
		agg.Column = name
	}
	if len(s.Filter) == 0 {
		return agg, nil
	}
	test, err := compileAll(c.t, s.Filter)
	if err != nil {
		return agg, err
	}
	mask := table.Column{Type: table.Int}
	from := -1
	if agg.Column != "" && agg.Column != "*" {
		if from, err = c.t.Lookup(agg.Column); err != nil {
			return agg, err
		}
		mask = c.t.Column(from)
	}
	values := c.t.NewValues()
	for row := range c.t.Rows() {
		switch {
		case !test(row):
		case from < 0:
			values[row] = table.IntValue(1)
		default:
			values[row] = c.t.Value(row, from)
		}
	}
	agg.Column, err = c.add(mask, values)
	return agg, err
}

// add gives the table one more column under a name of its own.
func (c *columns) add(col table.Column, values []table.Value) (string, error) {
	for c.n++; ; c.n++ {
		col.Name = "_" + string(rune('a'+c.n%26)) + string(rune('a'+c.n/26%26))
		if c.t.Index(col.Name) < 0 {
			break
		}
	}
	t, err := c.t.WithColumn(col, values)
	if err == nil {
		c.t = t
		c.t.Keep()
	}
	return col.Name, err
}

// numeric names the column that s aggregates: itself, or where a sum is asked of text that mostly holds numbers, their values.
func (c *columns) numeric(s plan.Select) (string, error) {
	i, err := c.t.Lookup(s.Column)
	if err != nil {
		return "", err
	}
	col := c.t.Column(i)
	if s.Period != "" {
		return c.truncated(i, table.Period(s.Period))
	}
	if cells, _ := oneSpelling(c.t, i); s.Expr == "count_distinct" && cells != nil {
		return c.add(col, cells)
	}
	if col.Type != table.Text || !slices.Contains([]string{"sum", "mean", "median", "stddev", "share", "min", "max"}, s.Expr) {
		return col.Name, nil
	}
	values, bad, ok := numbersOf(c.t, i)
	if !ok {
		return col.Name, nil
	}
	if bad > 0 {
		c.run.note("%s", notNumbers(c.t, i, values, bad))
	}
	return c.add(table.Column{}, values)
}

// notNumbers says which cells of a column are no numbers: how many, and the first two with their rows.
func notNumbers(t *table.Table, col int, values []table.Value, bad int) string {
	const most, longest = 2, 24
	var shown []string
	for row := 0; row < t.NumRows() && len(shown) < most; row++ {
		v := t.Value(row, col)
		if !values[row].IsNull() || blank(v) {
			continue
		}
		if text := strings.TrimSpace(v.Text()); len(text) <= longest && plan.SafeName(text) {
			shown = append(shown, fmt.Sprintf("“%s” in row %d", text, row+1))
		} else {
			shown = append(shown, fmt.Sprintf("row %d", row+1))
		}
	}
	list := strings.Join(shown, ", ")
	if bad > len(shown) {
		list += " ..."
	}
	return fmt.Sprintf("%s of %s %s no number and %s left out: %s.", text.Count(bad, "cell"), t.Column(col).Name, map[bool]string{true: "is", false: "are"}[bad == 1], wasWere(bad), list)
}

// truncated names a copy of a column of dates that is cut to periods.
func (c *columns) truncated(i int, period table.Period) (string, error) {
	col := c.t.Column(i)
	if !period.Valid() || !col.Type.Temporal() {
		return "", &table.TypeError{Column: col.Name, Type: col.Type, Reason: "only dates can be cut into periods"}
	}
	values := c.t.NewValues()
	for row := range c.t.Rows() {
		values[row] = table.TruncPeriod(c.t.Value(row, i), period)
	}
	return c.add(table.Column{}, values)
}

// share gives the two aggregates that a share is computed of.
func (c *columns) share(s plan.Select) ([]table.Aggregate, error) {
	part := plan.Select{Expr: "count", Column: s.Column, Filter: s.Filter}
	if s.Column != "" && s.Column != "*" {
		part.Expr = "sum"
	}
	whole := part
	whole.Filter = nil
	a, err := c.aggregate(part, partOf(s))
	if err != nil {
		return nil, err
	}
	b, err := c.aggregate(whole, wholeOf(s))
	return []table.Aggregate{a, b}, err
}

// percent adds the column name: 100 * part / whole.
func (r *queryRun) percent(name, part, whole string) error {
	p, err := r.t.Lookup(part)
	if err != nil {
		return err
	}
	w, err := r.t.Lookup(whole)
	if err != nil {
		return err
	}
	values := r.t.NewValues()
	for row := range r.t.Rows() {
		values[row] = r.percentage(r.t.Value(row, p), r.t.Value(row, w), label(name))
	}
	r.t, err = r.t.WithColumn(table.Column{Name: name, Type: table.Float, Unit: "%"}, values)
	return err
}

// percentage is 100 * a / b as a double; null where b is not above zero, since a part of less than nothing means nothing, or either is null.
func (r *queryRun) percentage(a, b table.Value, name string) table.Value {
	if y, ok := b.Float(); ok && y < 0 && !a.IsNull() {
		r.note("%s is empty where it would be of a negative number.", name)
		return table.NullValue
	}
	return r.ratio(a, b, 100, name)
}

// ratio is scale * a / b as a double; null where b is zero or either is null.
func (r *queryRun) ratio(a, b table.Value, scale float64, name string) table.Value {
	x, ok := a.Float()
	y, ok2 := b.Float()
	if !ok || !ok2 {
		return table.NullValue
	}
	if y == 0 {
		r.note("%s is empty where it would divide by zero.", name)
		return table.NullValue
	}
	return table.FloatValue(scale * x / y)
}

// noteNulls says which aggregates had no value at all to work on.
func (r *queryRun) noteNulls(aggs []table.Aggregate) {
	if r.t.NumRows() == 0 {
		return
	}
	for _, a := range aggs {
		i := r.t.Index(a.As)
		if i < 0 || a.Func == table.Count || a.Func == table.CountDistinct {
			continue
		}
		empty := true
		for row := 0; row < r.t.NumRows() && empty; row++ {
			empty = r.t.IsNull(row, i)
		}
		if empty {
			r.note("%s is empty: no row that was asked for holds a value.", label(a.As))
		}
	}
}

// plain renames what Select renames and keeps for the end which columns to show.
func (r *queryRun) plain() error {
	if len(r.q.Select) == 0 {
		return nil
	}
	var err error
	keep := []string{}
	for _, s := range r.q.Select {
		i, err := r.t.Lookup(s.Column)
		if err != nil {
			return err
		}
		name := r.t.Column(i).Name
		by := r.beside(name)
		if s.As != "" && s.As != name {
			if r.t, err = r.t.Rename(name, s.As); err != nil {
				return err
			}
			name = s.As
		}
		for _, n := range []string{name, by} {
			if n != "" && !slices.Contains(keep, n) {
				keep = append(keep, n)
			}
		}
	}
	r.shown = keep
	for _, name := range []string{r.q.ShareOfTotal, r.q.RankBy} {
		if name != "" && !slices.Contains(keep, name) {
			if _, err = r.t.Lookup(name); err != nil {
				return err
			}
		}
	}
	return nil
}
