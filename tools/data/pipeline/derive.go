package pipeline

import (
	"encoding/json"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/profiler"
	"catena/query"
	"catena/table"
)

// operations are the functions of those operations of a derived column that are nothing but one.
var operations = map[string]string{"add": "add", "sub": "sub", "mul": "mul", "more": "gt", "less": "lt", "same": "eq"}

// derive adds the computed columns, each of which may use those before it.
func (p *pipeline) derive() error {
	for _, d := range p.q.Derive {
		if d.As == "" {
			return Errorf("a derived column needs a name in as")
		}
		path := "derive of " + d.As
		if d.Op == "row" {
			place := hidden + "row " + d.As
			window := query.WindowColumn{As: place, Func: "row_number"}
			if err := p.then(path, windows(window), added(d.As, query.Col(place))); err != nil {
				return err
			}
			continue
		}
		e, unit, err := p.derived(d)
		if err != nil {
			return err
		}
		if err := p.then(path, added(d.As, e)); err != nil {
			return err
		}
		p.originsOf(d)
		delete(p.adds, d.As)
		if unit != "" {
			p.setUnit(d.As, unit)
		}
	}
	return nil
}

// derived is the expression of a computed column, and its unit where the operation says it.
func (p *pipeline) derived(d plan.Derived) (e query.Expr, unit string, err error) {
	if d.Op == "number" || d.Op == "year" {
		e, err = p.read(d)
		return e, "", err
	}
	if !slices.Contains(plan.DerivedOps, d.Op) {
		known := strings.Join(plan.DerivedOps, ", ")
		return nil, "", Errorf("there is no operation %q; the operations are %s", d.Op, known)
	}
	left, err := p.operand(d, d.Left)
	if err != nil {
		return nil, "", err
	}
	right, err := p.operand(d, d.Right)
	if err != nil {
		return nil, "", err
	}
	switch d.Op {
	case "div":
		e, err = p.ratio(left, right, Label(d.As))
	case "percent":
		e, err = p.percentage(left, right, Label(d.As))
		return e, "%", err
	case "sub", "abs_diff":
		e = query.Do("sub", left, right)
		if d.Op == "abs_diff" {
			e = query.Do("abs", e)
		}
		var ratio, are bool
		if ratio, are, err = p.bothPercentages(d); are {
			return points100(e, ratio), profiler.UnitPoints, err
		}
	default:
		e = query.Do(operations[d.Op], left, right)
	}
	return e, "", err
}

// points100 is a difference between percentages in percentage points.
func points100(difference query.Expr, ratio bool) query.Expr {
	if !ratio {
		return difference
	}
	return query.Do("mul", difference, whole(100))
}

// bothPercentages says whether a derived column is the difference between two columns of percentages that are written
// alike, and whether as ratios.
func (p *pipeline) bothPercentages(d plan.Derived) (ratio, are bool, err error) {
	for i, side := range []any{d.Left, d.Right} {
		name, _ := side.(string)
		if p.schema.Index(name) < 0 {
			return false, false, nil
		}
		t, err := p.table()
		if err != nil {
			return false, false, err
		}
		before := ratio
		if ratio, are = percentagesIn(t, t.Index(name)); !are || i > 0 && ratio != before {
			return false, false, nil
		}
	}
	return ratio, true, nil
}

// operand is a column or a number. Text that mostly holds numbers is read as those.
func (p *pipeline) operand(d plan.Derived, v any) (query.Expr, error) {
	switch x := v.(type) {
	case string:
		f, err := p.field(x)
		if err != nil {
			return nil, err
		}
		if f.Type == table.Text {
			e, _, ok, err := p.numbers(f.Name)
			if ok || err != nil {
				return e, err
			}
		}
		compares := d.Op == "more" || d.Op == "less" || d.Op == "same"
		if isNumber := f.Type.Numeric() || f.Type == table.Null; !compares && !isNumber {
			return nil, Errorf("%s needs numbers on both sides", d.Op)
		}
		return query.Col(f.Name), nil
	case json.Number, float64, int, int64:
		n, ok := decimal(scalarText(v))
		if !ok {
			return nil, Errorf("%v is no number", v)
		}
		return query.Lit(plainNumber(n)), nil
	}
	return nil, Errorf("a derived column is made of columns' names and numbers, not of %v", v)
}

// plainNumber is a whole number as an integer where 64 bits hold it.
func plainNumber(v table.Value) table.Value {
	if i, ok := v.Int(); ok && v.Scale() == 0 {
		return table.IntValue(i)
	}
	return v
}

// numbers reads a text column as numbers, in a column of the pipeline's own; bad cells are none. ok is false for
// texts that are mostly none.
func (p *pipeline) numbers(name string) (e query.Expr, bad int, ok bool, err error) {
	t, err := p.table()
	if err != nil {
		return nil, 0, false, err
	}
	values, bad, ok := NumbersOf(t, t.Index(name))
	if !ok {
		return nil, 0, false, nil
	}
	e, err = p.prepared(hidden+"number "+name, table.Column{}, values)
	return e, bad, true, err
}

// ratio is a / b; where b is zero it is null, which is told.
func (p *pipeline) ratio(a, b query.Expr, name string) (query.Expr, error) {
	zero := query.Do("and", query.Do("eq", b, whole(0)), notNull(a))
	return query.Do("div", a, b), p.noteIf(zero, name+" is empty where it would divide by zero.")
}

// percentage is a in percent of b; null where b is not above zero, since a part of less than nothing means nothing.
func (p *pipeline) percentage(a, b query.Expr, name string) (query.Expr, error) {
	negative := query.Do("lt", b, whole(0))
	err := p.noteIf(query.Do("and", negative, notNull(a)), name+" is empty where it would be of a negative number.")
	if err != nil {
		return nil, err
	}
	e, err := p.ratio(query.Do("mul", whole(100), a), b, name)
	return query.Case{Branches: []query.Branch{{When: negative, Then: query.Lit(table.NullValue)}}, Else: e}, err
}

func notNull(e query.Expr) query.Expr { return query.Do("not", query.Do("is_null", e)) }

// noteIf notes something where a condition is true for a row.
func (p *pipeline) noteIf(where query.Expr, note string) error {
	found, err := p.any(where)
	if found {
		p.note("%s", note)
	}
	return err
}

// any reports whether a condition is true for a row.
func (p *pipeline) any(where query.Expr) (bool, error) {
	if _, err := p.table(); err != nil {
		return false, err
	}
	found := query.Aggregate{As: "any", Func: "any", Args: []query.Expr{where}}
	t, err := p.run(p.query().With(query.Group{Aggregates: []query.Aggregate{found}}))
	if err != nil {
		return false, err
	}
	return t.Value(0, 0).Bool(), nil
}

// read gives the numbers, or the years, in the cells of a column.
func (p *pipeline) read(d plan.Derived) (query.Expr, error) {
	name, _ := d.Left.(string)
	f, err := p.field(name)
	switch {
	case err != nil:
		return nil, err
	case d.Op == "year" && f.Type.Temporal():
		return query.Do("part", word("year"), query.Col(f.Name)), nil
	case d.Op == "number" && f.Type.Numeric():
		return query.Col(f.Name), nil
	}
	t, err := p.table()
	if err != nil {
		return nil, err
	}
	c := t.Index(f.Name)
	if m, several := mixed(t, c); several && d.Op == "number" {
		p.told(f.Name, m)
		return p.prepared(hidden+"read "+f.Name, table.Column{}, m.numbers)
	}
	point, values := decimalPoint(t, c), t.NewValues()
	for row := range t.Rows() {
		switch v := t.Value(row, c); {
		case v.IsNull():
		case d.Op == "year":
			values[row] = yearIn(v.Text())
		default:
			values[row] = numberIn(v.Text(), point)
		}
	}
	return p.prepared(hidden+d.Op+" in "+f.Name, table.Column{}, values)
}

// share adds the share of the total, in percent.
func (p *pipeline) share() error {
	if p.q.ShareOfTotal == "" {
		return nil
	}
	f, err := p.field(p.q.ShareOfTotal)
	if err != nil {
		return err
	}
	if err := summable(f, "sum"); err != nil {
		return err
	}
	as, sum, of := p.q.ShareOfTotal+"_share", hidden+"sum", query.Col(f.Name)
	err = p.then("share_of_total", windows(query.WindowColumn{As: sum, Func: "sum", Args: []query.Expr{of}}))
	if err != nil {
		return err
	}
	e, err := p.ratio(query.Do("mul", whole(100), of), query.Col(sum), Label(as))
	if err != nil {
		return err
	}
	err = p.then("share_of_total", added(as, e))
	p.setUnit(as, "%")
	p.showToo(as)
	return err
}

// rank numbers the rows from the largest value, ties sharing a rank; nulls have none.
func (p *pipeline) rank() error {
	if p.q.RankBy == "" {
		return nil
	}
	f, err := p.field(p.q.RankBy)
	if err != nil {
		return err
	}
	const as = "rank"
	by, place := query.Col(f.Name), hidden+as
	window := query.WindowColumn{As: place, Func: "rank", Order: []query.SortKey{{Expr: by, Desc: true}}}
	ranked := query.Case{Branches: []query.Branch{{When: notNull(by), Then: query.Col(place)}}}
	err = p.then("rank_by", windows(window), added(as, ranked))
	p.showToo(as)
	return err
}

// showToo keeps an added column in the result.
func (p *pipeline) showToo(name string) {
	if p.shown != nil && !slices.Contains(p.shown, name) {
		p.shown = append(p.shown, name)
	}
}
