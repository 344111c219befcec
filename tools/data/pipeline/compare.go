package pipeline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/planner/plan"
	"catena/query"
	"catena/table"
)

// constant compares with what the condition says itself.
func (p *pipeline) constant(of compared, c plan.Condition) (query.Expr, error) {
	switch c.Op {
	case "contains", "starts_with", "ends_with":
		return query.Do(c.Op, foldedCell(of), word(foldText(scalarText(c.Value)))), nil
	case "not_contains":
		c.Op = "contains"
		e, err := p.constant(of, c)
		return query.Do("not", e), err
	case "between":
		list, ok := c.Value.([]any)
		if !ok || len(list) != 2 {
			return nil, Errorf("between on %q needs a list of two values", c.Column)
		}
		low, err := p.scalar(of, c.Column, "ge", list[0])
		if err != nil {
			return nil, err
		}
		high, err := p.scalar(of, c.Column, "le", list[1])
		return query.Do("and", low, high), err
	case "in", "not_in":
		list, ok := c.Value.([]any)
		if !ok {
			return nil, Errorf("%s on %q needs a list of values", c.Op, c.Column)
		}
		return p.member(of, c, list)
	}
	if !slices.Contains(orderings, c.Op) {
		return nil, Errorf("op %q does not compare; use eq, ne, lt, le, gt or ge", c.Op)
	}
	return p.scalar(of, c.Column, c.Op, c.Value)
}

// manyValues is from how many values on a list is a table of its own.
const manyValues = 1000

// member is that a value is one of a list, or none. Equalities of one thing with constants become one look-up.
func (p *pipeline) member(of compared, c plan.Condition, list []any) (query.Expr, error) {
	var parts, looked []query.Expr
	sets := map[string][]query.Expr{} // by the thing that is looked up: the constants
	for _, v := range list {
		if v == nil {
			continue // no cell equals it
		}
		e, err := p.scalar(of, c.Column, "eq", v)
		if err != nil {
			return nil, err
		}
		for _, e := range alternatives(e) {
			call, ok := e.(query.Call)
			if !ok || call.Func != "eq" || !isLiteral(call.Args[1]) {
				parts = append(parts, e)
				continue
			}
			key := fmt.Sprintf("%#v", call.Args[0])
			if sets[key] == nil {
				looked = append(looked, call.Args[0])
			}
			sets[key] = append(sets[key], call.Args[1])
		}
	}
	for _, e := range looked {
		in, err := p.lookUp(e, sets[fmt.Sprintf("%#v", e)])
		if err != nil {
			return nil, err
		}
		parts = append(parts, in)
	}
	no := query.Lit(table.BoolValue(false))
	e := query.Do("or", append(parts, no, no)...)
	if c.Op == "in" {
		return e, nil
	}
	return query.Do("and", notNull(of.Expr), query.Do("not", query.Do("coalesce", e, no))), nil
}

// lookUp is that a value is one of constants.
func (p *pipeline) lookUp(e query.Expr, constants []query.Expr) (query.Expr, error) {
	if len(constants) < manyValues {
		return query.Do("in", append([]query.Expr{e}, constants...)...), nil
	}
	values := make([]table.Value, len(constants))
	for i, c := range constants {
		values[i] = c.(query.Literal).Value
	}
	var none *table.Table
	t, err := none.WithColumn(table.Column{Name: "value"}, values)
	if err != nil {
		return nil, err
	}
	return query.In{Expr: e, Query: query.From(p.add(t))}, nil
}

// alternatives are the parts of a condition of which one must hold.
func alternatives(e query.Expr) []query.Expr {
	if c, ok := e.(query.Call); ok && c.Func == "or" {
		return c.Args
	}
	return []query.Expr{e}
}

func isLiteral(e query.Expr) bool {
	_, ok := e.(query.Literal)
	return ok
}

// scalar compares with a constant: dates with the period that it names, numbers by value, text without regard to case
// and outer space.
func (p *pipeline) scalar(of compared, column, op string, value any) (query.Expr, error) {
	text := scalarText(value)
	switch {
	case of.Type.Temporal():
		span, err := parseSpan(text)
		if err != nil {
			const told = "%q is compared with %q, which is no date: write 2005, 2005-Q1, 2005-03 or 2005-03-01"
			return nil, Errorf(told, column, text)
		}
		return within(of, op, span), nil
	case of.Type.Numeric():
		n, ok := decimal(strings.ReplaceAll(text, ",", ""))
		if !ok {
			return nil, noNumber(column, text)
		}
		if err := inPeriod(of.period, op, n); err != nil {
			return nil, err
		}
		return query.Do(op, of.Expr, query.Lit(ofType(n, of.Type))), nil
	case of.Type == table.Bool:
		is, ok := truths[foldText(text)]
		if !ok {
			return nil, Errorf("%q is true or false and is compared with %q", column, text)
		}
		return query.Do(op, of.Expr, query.Lit(table.BoolValue(is))), nil
	case of.Type == table.Text:
		if e, err := p.limitIn(of, op, text); e != nil || err != nil {
			return e, err
		}
		return p.loose(of, op, foldText(text))
	}
	return query.Do(op, foldedCell(of), word(foldText(text))), nil
}

// truths are how true and false may be written.
var truths = map[string]bool{"true": true, "yes": true, "1": true, "false": false, "no": false, "0": false}

// ofType is a number as the type that it is compared with has it, where nothing is lost.
func ofType(n table.Value, t table.Type) table.Value {
	if f, ok := n.Float(); ok && t == table.Float {
		return table.FloatValue(f)
	}
	return plainNumber(n)
}

// periodRanges are what the numbers of a period go from and to.
var periodRanges = map[table.Period]struct {
	low, high int64
	says      string
}{
	table.Weekday:     {1, 7, "a weekday goes from 1 for Monday to 7 for Sunday"},
	table.MonthOfYear: {1, 12, "a month of the year goes from 1 for January to 12 for December"},
	table.Hour:        {0, 23, "an hour goes from 0 to 23"},
}

// inPeriod refuses a number that a period does not have, which would match nothing, or all, without a word.
func inPeriod(period table.Period, op string, n table.Value) error {
	r, ok := periodRanges[period]
	if !ok || op != "eq" && op != "ne" {
		return nil
	}
	if i, whole := n.Int(); !whole || i < r.low || i > r.high {
		return Errorf("%s; %s is none", r.says, n.Text())
	}
	return nil
}

// within compares dates with a stretch of time, by their own wall clock.
func within(of compared, op string, s span) query.Expr {
	at := func(t time.Time) query.Expr {
		if y, m, d := t.Date(); of.Type == table.Date && t.Equal(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)) {
			return query.Lit(table.DateValue(y, m, d))
		}
		v := table.DateTimeIn(t, of.Zone)
		if zoned, ok := table.DateTimeIn(t, of.Zone).Time(); ok && of.Zone != "" {
			y, m, d := t.Date()
			h, min, s := t.Clock()
			v = table.DateTimeIn(time.Date(y, m, d, h, min, s, t.Nanosecond(), zoned.Location()), of.Zone)
		}
		return query.Lit(v)
	}
	start, end := at(s.start), at(s.end)
	switch op {
	case "lt":
		return query.Do("lt", of.Expr, start)
	case "le":
		return query.Do("lt", of.Expr, end)
	case "gt":
		return query.Do("ge", of.Expr, end)
	case "ge":
		return query.Do("ge", of.Expr, start)
	}
	if of.Type == table.Date && s.end.Sub(s.start) == 24*time.Hour {
		return query.Do(op, of.Expr, start)
	}
	if op == "ne" {
		return query.Do("or", query.Do("lt", of.Expr, start), query.Do("ge", of.Expr, end))
	}
	return query.Do("and", query.Do("ge", of.Expr, start), query.Do("lt", of.Expr, end))
}

// loose compares text: as numbers where the constant is one and the cell reads as one, else as folded text.
func (p *pipeline) loose(of compared, op, text string) (query.Expr, error) {
	folded := foldedCell(of)
	plain := query.Do(op, folded, word(text))
	n, ok := decimal(text)
	if !ok {
		return plain, nil
	}
	number, err := p.leading(of.Name)
	if err != nil {
		return nil, err
	}
	compared := query.Do(op, number, query.Lit(n))
	same := query.Do("eq", folded, word(text))
	none := query.Do("is_null", number)
	switch op {
	case "eq":
		return query.Do("or", same, compared), nil
	case "le", "ge":
		return query.Do("or", query.Do("and", none, same), compared), nil
	case "ne":
		differs := query.Do("and", compared, query.Do("not", same))
		return query.Case{Branches: []query.Branch{{When: none, Then: plain}}, Else: differs}, nil
	}
	return compared, nil
}

// leading reads the number that each cell of a text column begins with, in a column of the pipeline's own.
func (p *pipeline) leading(name string) (query.Expr, error) {
	as := hidden + "leading " + name
	if p.schema.Index(as) >= 0 {
		return query.Col(as), nil
	}
	t, err := p.table()
	if err != nil {
		return nil, err
	}
	values, _, _ := NumbersOf(t, t.Index(name))
	return p.prepared(as, table.Column{}, values)
}

// noNumber says that a column of numbers is compared with what is none, or one that no column can hold.
func noNumber(column, text string) error {
	const digits = "0123456789"
	if strings.ContainsAny(text, digits) && strings.Trim(text, "+-.,eE"+digits) == "" {
		return Errorf("%q is compared with %q; numbers here have %d digits at most", column, text, table.MaxDigits)
	}
	return Errorf("%q holds numbers and is compared with %q", column, text)
}

// decimal reads a number; false where a text is none.
func decimal(s string) (table.Value, bool) {
	n, err := table.ParseDecimal(s)
	return n, err == nil
}

// scalarText is a JSON scalar as text.
func scalarText(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	case nil:
		return ""
	}
	return strings.TrimSpace(fmt.Sprint(v))
}

func foldText(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
