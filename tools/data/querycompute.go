package data

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
)

// derive adds the computed columns, each of which may use those before it.
func (r *queryRun) derive() error {
	for _, d := range r.q.Derive {
		if d.As == "" {
			return queryErrorf("a derived column needs a name in as")
		}
		values, err := r.derived(d)
		if err != nil {
			return err
		}
		col := table.Column{Name: d.As}
		ratio, are := r.bothPercentages(d)
		switch {
		case d.Op == "percent":
			col.Unit = "%"
		case are:
			col.Unit = profiler.UnitPoints
			for row := range r.t.Rows() {
				values[row] = points(values[row], ratio)
			}
		}
		if r.t, err = r.t.WithColumn(col, values); err != nil {
			return err
		}
		r.t.Keep()
	}
	return nil
}

// derived gives the cells of a computed column.
func (r *queryRun) derived(d plan.Derived) ([]table.Value, error) {
	values := r.t.NewValues()
	switch d.Op {
	case "row":
		for row := range r.t.Rows() {
			values[row] = table.IntValue(int64(row + 1))
		}
		return values, nil
	case "number", "year":
		return values, r.readColumn(d, values)
	}
	left, err := r.operand(d.Left)
	if err != nil {
		return nil, err
	}
	right, err := r.operand(d.Right)
	if err != nil {
		return nil, err
	}
	for row := range r.t.Rows() {
		if values[row], err = r.compute(d, left(row), right(row)); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// bothPercentages says whether a derived column is the difference between two columns of percentages that are written alike, and whether
// as ratios.
func (r *queryRun) bothPercentages(d plan.Derived) (ratio, are bool) {
	if d.Op != "sub" && d.Op != "abs_diff" {
		return false, false
	}
	for i, side := range []any{d.Left, d.Right} {
		name, _ := side.(string)
		c := r.t.Index(name)
		if c < 0 {
			return false, false
		}
		before := ratio
		if ratio, are = percentagesIn(r.t, c); !are || i > 0 && ratio != before {
			return false, false
		}
	}
	return ratio, true
}

// operand reads a column's name or a number.
func (r *queryRun) operand(v any) (func(row int) table.Value, error) {
	switch x := v.(type) {
	case string:
		i, err := r.t.Lookup(x)
		if err != nil {
			return nil, err
		}
		if col := r.t.Column(i); col.Type == table.Text {
			if values, _, ok := numbersOf(r.t, i); ok {
				return func(row int) table.Value { return values[row] }, nil
			}
		}
		t := r.t
		return func(row int) table.Value { return t.Value(row, i) }, nil
	case json.Number, float64, int, int64:
		n, err := table.ParseDecimal(scalarText(v))
		if err != nil {
			return nil, queryErrorf("%v is no number", v)
		}
		return func(int) table.Value { return n }, nil
	}
	return nil, queryErrorf("a derived column is made of columns' names and numbers, not of %v", v)
}

// exact computes with enough digits for two 38-digit decimals.
var exact = apd.BaseContext.WithPrecision(80)

func (r *queryRun) compute(d plan.Derived, a, b table.Value) (table.Value, error) {
	if a.IsNull() || b.IsNull() {
		return table.NullValue, nil
	}
	switch d.Op {
	case "more", "less", "same":
		if !sameKind(a, b) {
			return table.NullValue, nil
		}
		return table.BoolValue(table.Compare(a, b) == map[string]int{"more": 1, "less": -1}[d.Op]), nil
	}
	if !a.Type().Numeric() || !b.Type().Numeric() {
		return table.NullValue, queryErrorf("%s needs numbers on both sides", d.Op)
	}
	switch d.Op {
	case "div":
		return r.ratio(a, b, 1, label(d.As)), nil
	case "percent":
		return r.percentage(a, b, label(d.As)), nil
	}
	var out apd.Decimal
	var err error
	switch d.Op {
	case "add":
		_, err = exact.Add(&out, a.Apd(), b.Apd())
	case "sub", "abs_diff":
		_, err = exact.Sub(&out, a.Apd(), b.Apd())
	case "mul":
		_, err = exact.Mul(&out, a.Apd(), b.Apd())
	default:
		return table.NullValue, queryErrorf("there is no operation %q; the operations are %s", d.Op, strings.Join(plan.DerivedOps, ", "))
	}
	if err != nil {
		return table.NullValue, queryErrorf("%s of %s and %s: %v", d.Op, a.Text(), b.Text(), err)
	}
	if d.Op == "abs_diff" {
		out.Abs(&out)
	}
	if v, err := table.DecimalFromApd(&out); err == nil {
		return v, nil
	}
	f, err := out.Float64()
	return table.FloatValue(f), err
}

// shares adds the share of the total and the rank.
func (r *queryRun) shares() error {
	if name := r.q.ShareOfTotal; name != "" {
		i, err := r.t.Lookup(name)
		if err != nil {
			return err
		}
		agg, err := r.t.Group(nil, []table.Aggregate{{Func: table.Sum, Column: name, As: "sum"}})
		if err != nil {
			return err
		}
		as := name + "_share"
		values := r.t.NewValues()
		for row := range r.t.Rows() {
			values[row] = r.ratio(r.t.Value(row, i), agg.Value(0, 0), 100, label(as))
		}
		if r.t, err = r.t.WithColumn(table.Column{Name: as, Type: table.Float, Unit: "%"}, values); err != nil {
			return err
		}
		r.show(as)
	}
	if r.q.RankBy == "" {
		return nil
	}
	return r.rank()
}

// show keeps an added column in the result.
func (r *queryRun) show(name string) {
	if r.shown != nil && !slices.Contains(r.shown, name) {
		r.shown = append(r.shown, name)
	}
}

// rank numbers the rows from the largest value, ties sharing a rank; nulls have none.
func (r *queryRun) rank() error {
	i, err := r.t.Lookup(r.q.RankBy)
	if err != nil {
		return err
	}
	rows, err := r.t.Order(r.t.NumRows(), table.SortKey{Column: r.t.Column(i).Name, Desc: true})
	if err != nil {
		return err
	}
	values := r.t.NewValues()
	var at, rank int64
	var last table.Value
	for place := range r.t.Rows() {
		row := rows[place]
		v := r.t.Value(row, i)
		if v.IsNull() {
			continue
		}
		if at++; at == 1 || !table.Equal(v, last) {
			rank = at
		}
		values[row], last = table.IntValue(rank), v
	}
	r.t, err = r.t.WithColumn(table.Column{Name: "rank", Type: table.Int}, values)
	r.show("rank")
	return err
}
