package pipeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/query"
	"catena/table"
)

// where is that all conditions hold; nil where there are none.
func (p *pipeline) where(path string, list []plan.Condition) (query.Expr, error) {
	all := make([]query.Expr, len(list))
	for i, c := range list {
		var err error
		if all[i], err = p.condition(fmt.Sprintf("%s[%d]", path, i), c); err != nil {
			return nil, err
		}
	}
	return query.Conjunction(all), nil
}

// compared is what a condition looks at: a column, or the periods that it is in.
type compared struct {
	query.Expr
	query.Field
	period table.Period
}

func (p *pipeline) condition(path string, c plan.Condition) (query.Expr, error) {
	if len(c.Any) > 0 {
		any := make([]query.Expr, len(c.Any))
		for i, o := range c.Any {
			var err error
			if any[i], err = p.condition(fmt.Sprintf("%s.any[%d]", path, i), o); err != nil {
				return nil, err
			}
		}
		if len(any) == 1 {
			return any[0], nil
		}
		return query.Do("or", any...), nil
	}
	f, err := p.field(c.Column)
	if err != nil {
		return nil, err
	}
	of := compared{Expr: query.Col(f.Name), Field: f}
	switch c.Op {
	case "is_null":
		return blankCell(of), nil
	case "not_null":
		return query.Do("not", blankCell(of)), nil
	}
	if c.Period != "" {
		if of, err = cut(of, table.Period(c.Period)); err != nil {
			return nil, err
		}
	}
	if ref, ok := c.Value.(map[string]any); ok {
		return p.relative(path, of, c, ref)
	}
	return p.constant(of, c)
}

// cut is the period in which a date lies.
func cut(of compared, period table.Period) (compared, error) {
	if !period.Valid() {
		return of, noPeriod(string(period))
	}
	e, ok := PeriodOf(of.Expr, of.Type, period)
	if !ok {
		return of, &table.TypeError{Column: of.Name, Type: of.Type, Reason: "only dates can be cut into periods"}
	}
	of.Expr, of.period, of.Type, of.Zone = e, period, period.Type(), ""
	return of, nil
}

// PeriodOf cuts a date to a period, or a whole number that is a year; false for what has none.
func PeriodOf(e query.Expr, t table.Type, period table.Period) (query.Expr, bool) {
	isYear := t == table.Int && (period == table.Year || period == table.Decade)
	isClock := t == table.Time && period == table.Hour
	if hasPeriods := t.Temporal() || t == table.Null; !hasPeriods && !isYear && !isClock {
		return nil, false
	}
	year := e
	if !isYear {
		year = query.Do("part", word("year"), e)
	}
	switch period {
	case table.Year:
		return year, true
	case table.Decade:
		ten := whole(10)
		return query.Do("sub", year, query.Do("mod", query.Do("add", query.Do("mod", year, ten), ten), ten)), true
	case table.MonthOfYear:
		return query.Do("part", word("month"), e), true
	case table.Weekday:
		return query.Do("part", word("isoweekday"), e), true
	case table.Hour:
		return query.Do("part", word("hour"), e), true
	}
	begins := query.Do("trunc", word(string(period)), e)
	if t == table.Date {
		return begins, true
	}
	return query.Cast{Expr: begins, Type: table.Date}, true
}

// spaces are those of Unicode, which do not count at the ends of a text.
const spaces = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
	"\u2028\u2029\u202f\u205f\u3000"

func trimmed(e query.Expr) query.Expr {
	return query.Do("trim", e, word(spaces))
}

// foldedCell is a cell's text without regard to case and outer space, as foldText has it.
func foldedCell(of compared) query.Expr {
	if of.Type == table.Text {
		return query.Do("lower", trimmed(of.Expr))
	}
	return query.Do("lower", query.Cast{Expr: of.Expr, Type: table.Text})
}

// blankCell is that a cell holds nothing: a null, or text of white space only.
func blankCell(of compared) query.Expr {
	null := query.Do("is_null", of.Expr)
	if of.Type != table.Text {
		return null
	}
	return query.Do("or", null, query.Do("eq", trimmed(of.Expr), word("")))
}

// Blank reports whether a cell holds nothing: a null, or text of white space only.
func Blank(v table.Value) bool {
	return v.IsNull() || v.Type() == table.Text && strings.TrimSpace(v.Text()) == ""
}

// orderings are the operators that compare, which the algebra calls the same.
var orderings = []string{"eq", "ne", "lt", "le", "gt", "ge"}

// relative compares with another column, or with an aggregate of a whole column.
func (p *pipeline) relative(path string, of compared, c plan.Condition, ref map[string]any) (query.Expr, error) {
	if !slices.Contains(orderings, c.Op) {
		return nil, Errorf("op %q does not compare; use eq, ne, lt, le, gt or ge", c.Op)
	}
	for key := range ref {
		if key != "column" && key != "expr" && key != "filter" {
			return nil, Errorf("%s.value has no %q: it is a scalar, {column}, or {expr, column, filter}", path, key)
		}
	}
	name, _ := ref["column"].(string)
	f, err := p.field(name)
	if err != nil {
		return nil, err
	}
	other := compared{Expr: query.Col(f.Name), Field: f}
	if expr, _ := ref["expr"].(string); expr != "" {
		if other, err = p.aggregated(path, expr, f, ref["filter"]); err != nil {
			return nil, err
		}
	}
	if of.Type == table.Text && other.Type == table.Text {
		return query.Do(c.Op, foldedCell(of), foldedCell(other)), nil
	}
	for _, side := range []*compared{&of, &other} {
		if side.Type != table.Text {
			continue
		}
		e, _, ok, err := p.numbers(side.Name)
		if err != nil {
			return nil, err
		}
		if !ok || side.period != "" {
			return nil, Errorf("%s does not compare with %s: one holds text", of.Name, other.Name)
		}
		side.Expr = e
	}
	return query.Do(c.Op, of.Expr, other.Expr), nil
}

// aggregated is an aggregate of the rows as they are, or of those that meet conditions as JSON has them.
func (p *pipeline) aggregated(path, expr string, f query.Field, filter any) (of compared, err error) {
	var list []plan.Condition
	if filter != nil {
		raw, err := json.Marshal(filter)
		if err != nil {
			return of, Errorf("the filter of a compared value cannot be read: %v", err)
		}
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		dec.DisallowUnknownFields()
		if err := dec.Decode(&list); err != nil {
			return of, Errorf("the filter of a compared value is a list of conditions: %v", err)
		}
	}
	a, _, err := p.aggregate(path+".value", plan.Select{Expr: expr, Column: f.Name, Filter: list, As: "x"})
	if err != nil {
		return of, err
	}
	if _, err := p.table(); err != nil { // the rows are computed once
		return of, err
	}
	q := p.query().With(query.Group{Aggregates: []query.Aggregate{a}})
	of = compared{Expr: query.Scalar{Query: q}, Field: f}
	if schema, _ := query.Check(q, hereCatalog{p: p}); len(schema) == 1 {
		of.Type = schema[0].Type
	}
	return of, nil
}
