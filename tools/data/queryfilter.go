package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/table"
)

// rowTest says whether a row is kept.
type rowTest func(row int) bool

// compileAll gives the test that all conditions hold.
func compileAll(t *table.Table, list []plan.Condition) (rowTest, error) {
	tests, err := compileEach(t, list)
	if err != nil {
		return nil, err
	}
	return func(row int) bool {
		for _, test := range tests {
			if !test(row) {
				return false
			}
		}
		return true
	}, nil
}

func compileEach(t *table.Table, list []plan.Condition) ([]rowTest, error) {
	tests := make([]rowTest, len(list))
	for i, c := range list {
		var err error
		if tests[i], err = compile(t, c); err != nil {
			return nil, err
		}
	}
	return tests, nil
}

func compile(t *table.Table, c plan.Condition) (rowTest, error) {
	if len(c.Any) > 0 {
		tests, err := compileEach(t, c.Any)
		if err != nil {
			return nil, err
		}
		return func(row int) bool {
			return slices.ContainsFunc(tests, func(test rowTest) bool { return test(row) })
		}, nil
	}
	col, err := t.Lookup(c.Column)
	if err != nil {
		return nil, err
	}
	switch c.Op {
	case "is_null":
		return func(row int) bool { return blank(t.Value(row, col)) }, nil
	case "not_null":
		return func(row int) bool { return !blank(t.Value(row, col)) }, nil
	}
	of := cells{t: t, col: col, typ: t.Column(col).Type, value: func(row int) table.Value { return t.Value(row, col) }}
	if c.Period != "" {
		period := table.Period(c.Period)
		if !period.Valid() {
			return nil, queryErrorf("there is no period %q", c.Period)
		}
		if !of.typ.Temporal() {
			return nil, &table.TypeError{Column: t.Column(col).Name, Type: of.typ, Reason: "only dates can be cut into periods"}
		}
		of.value, of.typ = func(row int) table.Value { return table.TruncPeriod(t.Value(row, col), period) }, period.Type()
	}
	if ref, ok := c.Value.(map[string]any); ok {
		return compileRelative(t, of.value, c, ref)
	}
	return compileConstant(of, c)
}

// blank reports whether a cell holds nothing: a null, or text of white space only.
func blank(v table.Value) bool {
	return v.IsNull() || v.Type() == table.Text && strings.TrimSpace(v.Text()) == ""
}

// compileRelative compares with another column, or with an aggregate of a whole column.
func compileRelative(t *table.Table, cell func(int) table.Value, c plan.Condition, ref map[string]any) (rowTest, error) {
	name, _ := ref["column"].(string)
	other, err := t.Lookup(name)
	if err != nil {
		return nil, err
	}
	holds, err := ordering(c.Op)
	if err != nil {
		return nil, err
	}
	right := func(row int) table.Value { return t.Value(row, other) }
	if expr, _ := ref["expr"].(string); expr != "" {
		of, err := filtered(t, ref["filter"])
		if err != nil {
			return nil, err
		}
		agg, err := of.Group(nil, []table.Aggregate{{Func: table.AggFunc(expr), Column: name, As: "x"}})
		if err != nil {
			return nil, err
		}
		x := agg.Value(0, 0)
		right = func(int) table.Value { return x }
	}
	return func(row int) bool {
		a, b := cell(row), right(row)
		return !a.IsNull() && !b.IsNull() && sameKind(a, b) && holds(table.Compare(a, b))
	}, nil
}

// filtered gives the rows that meet conditions as JSON has them; nil keeps all.
func filtered(t *table.Table, filter any) (*table.Table, error) {
	if filter == nil {
		return t, nil
	}
	raw, err := json.Marshal(filter)
	if err != nil {
		return nil, queryErrorf("the filter of a compared value cannot be read: %v", err)
	}
	var list []plan.Condition
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	dec.DisallowUnknownFields()
	if err := dec.Decode(&list); err != nil {
		return nil, queryErrorf("the filter of a compared value is a list of conditions: %v", err)
	}
	test, err := compileAll(t, list)
	if err != nil {
		return nil, err
	}
	return t.Filter(test)
}

func sameKind(a, b table.Value) bool {
	x, y := a.Type(), b.Type()
	return x == y || x.Numeric() && y.Numeric() || x.Temporal() && y.Temporal()
}

// ordering gives the test of a comparison's sign.
func ordering(op string) (func(int) bool, error) {
	switch op {
	case "eq":
		return func(c int) bool { return c == 0 }, nil
	case "ne":
		return func(c int) bool { return c != 0 }, nil
	case "lt":
		return func(c int) bool { return c < 0 }, nil
	case "le":
		return func(c int) bool { return c <= 0 }, nil
	case "gt":
		return func(c int) bool { return c > 0 }, nil
	case "ge":
		return func(c int) bool { return c >= 0 }, nil
	}
	return nil, queryErrorf("op %q does not compare; use eq, ne, lt, le, gt or ge", op)
}

// cells are what a condition looks at: those of a column, or the periods that they are in.
type cells struct {
	t     *table.Table
	col   int
	typ   table.Type
	value func(row int) table.Value
}

func compileConstant(of cells, c plan.Condition) (rowTest, error) {
	switch c.Op {
	case "contains", "not_contains", "starts_with", "ends_with":
		return compileText(of.value, c)
	case "between":
		list, ok := c.Value.([]any)
		if !ok || len(list) != 2 {
			return nil, queryErrorf("between on %q needs a list of two values", c.Column)
		}
		low, err := compileConstant(of, plan.Condition{Column: c.Column, Op: "ge", Value: list[0]})
		if err != nil {
			return nil, err
		}
		high, err := compileConstant(of, plan.Condition{Column: c.Column, Op: "le", Value: list[1]})
		if err != nil {
			return nil, err
		}
		return func(row int) bool { return low(row) && high(row) }, nil
	case "in", "not_in":
		return compileMember(of, c)
	}
	holds, err := ordering(c.Op)
	if err != nil {
		return nil, err
	}
	return compileScalar(of, c, holds)
}

func compileMember(of cells, c plan.Condition) (rowTest, error) {
	list, ok := c.Value.([]any)
	if !ok {
		return nil, queryErrorf("%s on %q needs a list of values", c.Op, c.Column)
	}
	tests := make([]rowTest, len(list))
	for i, v := range list {
		var err error
		if tests[i], err = compileConstant(of, plan.Condition{Column: c.Column, Op: "eq", Value: v}); err != nil {
			return nil, err
		}
	}
	in := func(row int) bool {
		return slices.ContainsFunc(tests, func(test rowTest) bool { return test(row) })
	}
	if c.Op == "in" {
		return in, nil
	}
	return func(row int) bool { return !of.value(row).IsNull() && !in(row) }, nil
}

func compileText(cell func(int) table.Value, c plan.Condition) (rowTest, error) {
	want := foldText(scalarText(c.Value))
	test := map[string]func(s, part string) bool{
		"contains": strings.Contains, "starts_with": strings.HasPrefix, "ends_with": strings.HasSuffix,
		"not_contains": func(s, part string) bool { return !strings.Contains(s, part) },
	}[c.Op]
	return func(row int) bool {
		v := cell(row)
		return !v.IsNull() && test(foldText(v.Text()), want)
	}, nil
}

// compileScalar compares cells of one type with a constant: dates with the period that the constant names, numbers by value,
// text without regard to case and outer space.
func compileScalar(of cells, c plan.Condition, holds func(int) bool) (rowTest, error) {
	switch {
	case of.typ.Temporal():
		span, err := parseSpan(scalarText(c.Value))
		if err != nil {
			return nil, queryErrorf("%q is compared with %q, which is no date: write 2005, 2005-Q1, 2005-03 or 2005-03-01", c.Column, scalarText(c.Value))
		}
		return func(row int) bool {
			at, ok := of.value(row).Time()
			return ok && holds(span.compare(wallClock(at)))
		}, nil
	case of.typ.Numeric():
		want, err := table.ParseDecimal(strings.ReplaceAll(scalarText(c.Value), ",", ""))
		if err != nil {
			if c.Op == "eq" || c.Op == "ne" {
				return func(row int) bool { return !of.value(row).IsNull() && c.Op == "ne" }, nil
			}
			return nil, queryErrorf("%q holds numbers and is compared with %q", c.Column, scalarText(c.Value))
		}
		return func(row int) bool {
			v := of.value(row)
			return !v.IsNull() && holds(table.Compare(v, want))
		}, nil
	}
	if test, err := limitIn(of, c, holds); test != nil || err != nil {
		return test, err
	}
	return compileLoose(of, c, holds), nil
}

// compileLoose compares text: as numbers where the constant is one and the cell reads as one, else as folded text.
func compileLoose(of cells, c plan.Condition, holds func(int) bool) rowTest {
	text := foldText(scalarText(c.Value))
	number, err := table.ParseDecimal(text)
	isNumber := err == nil
	var point byte
	if isNumber {
		point = decimalPoint(of.t, of.col)
	}
	return func(row int) bool {
		v := of.value(row)
		if v.IsNull() {
			return false
		}
		have := foldText(v.Text())
		if isNumber && have != text {
			if n, ok := textNumber(have, point); ok {
				return holds(table.Compare(n, number))
			}
			if c.Op != "eq" && c.Op != "ne" {
				return false
			}
		}
		return holds(strings.Compare(have, text))
	}
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
