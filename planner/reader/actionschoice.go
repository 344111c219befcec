package reader

import (
	"reflect"
	"slices"

	"catena/planner/reader/link"
	"catena/table"
)

// choice is which of two values comes first by a measure: measure or adjective, the values, a word.
func choice(s *scope, p []meaning, k []string) (meaning, []Feature) {
	c, ok := p[1].(*condition)
	if !ok || c.op != opAmong || len(c.values) < 2 {
		return nil, nil
	}
	shown := []column{c.of}
	op := operator(p, k)
	first := p[0]
	if x, ok := first.(scaled); ok && len(k) > 0 && k[0] == aggMean {
		first = &measure{agg: aggMean, of: x.of, counted: anyTable}
	}
	switch x := first.(type) {
	case scaled:
		if x.of.Table != c.of.Table {
			return nil, nil
		}
		desc := x.op == "max" || x.op == "gt"
		set := &rows{
			table:   c.of.Table,
			implied: true,
			where:   []*condition{c},
			order:   []ordering{{by: x.of, desc: desc}},
			take:    1,
		}
		return &answer{of: set, show: shown}, nil
	case *measure:
		set := &rows{table: c.of.Table, implied: true, where: []*condition{c}}
		desc := op != "min" && op != "lt"
		return &answer{
			of:       set,
			groups:   shown,
			measures: []*measure{x},
			order:    []ordering{{measure: x, desc: desc}},
			take:     1,
			ties:     true,
		}, nil
	}
	return nil, nil
}

// against is a measure of rows for which one condition holds beside that of those for which another does: measure or
// adjective, whose mean is meant, and the conditions. Are the ones heavier than the others?
func against(s *scope, p []meaning, k []string) (meaning, []Feature) {
	m, ok := p[0].(*measure)
	if x, is := p[0].(scaled); is {
		m, ok = &measure{agg: aggMean, of: x.of, counted: anyTable}, true
	}
	a, isA := p[1].(*condition)
	b, isB := p[2].(*condition)
	if !ok || !isA || !isB {
		return nil, nil
	}
	if a.op != b.op || a.of != b.of {
		return nil, nil
	}
	if m.agg == aggCount && m.of.Table != anyTable { // the years in which
		return nil, nil
	}
	both, _ := eitherCondition(s, []meaning{a, b}, nil)
	return sideBySide(s, []meaning{&answer{measures: []*measure{m}}, both}, k)
}

// rivalsOf is a measure for each of the values that a question asks to choose between, the most first: do members or
// guests spend more? Measure or adjective, whose mean is meant, the values.
func rivalsOf(s *scope, p []meaning, k []string) (meaning, []Feature) {
	m, ok := p[0].(*measure)
	if x, is := p[0].(scaled); is {
		m, ok = &measure{agg: aggMean, of: x.of, counted: anyTable}, true
	}
	if !ok {
		return nil, nil
	}
	made, facts := sideBySide(s, []meaning{&answer{measures: []*measure{m}}, p[1]}, k)
	a, ok := made.(*answer)
	if !ok {
		return nil, nil
	}
	a.order = []ordering{{measure: m, desc: operator(p[2:], k) != "lt"}}
	return a, facts
}

// rivals are one measure of different rows, beside each other: is coal output larger than wind output?
func rivals(s *scope, p []meaning, k []string) (meaning, []Feature) {
	a, okA := p[0].(*measure)
	b, okB := p[1].(*measure)
	if !okA || !okB {
		return nil, nil
	}
	if a.where == nil || b.where == nil {
		return nil, nil
	}
	left, right := *a, *b
	left.where, right.where = nil, nil
	if !reflect.DeepEqual(left, right) {
		return nil, nil
	}
	return against(s, []meaning{&left, a.where, b.where}, k)
}

// difference is a measure of some rows less that of others: measure, rows or conditions of both.
func difference(_ *scope, p []meaning, k []string) (meaning, []Feature) {
	m, ok := p[0].(*measure)
	if !ok || m.op != "" {
		return nil, nil
	}
	a, okA := p[1].(*condition)
	b, okB := p[2].(*condition)
	if !okA || !okB || a.op != b.op || a.of != b.of {
		return nil, nil
	}
	op := "sub"
	if len(k) > 0 {
		op = k[0]
	}
	left, right := *m, *m
	left.where, right.where = a, b
	return &answer{measures: []*measure{{op: op, left: &left, right: &right}}}, nil
}

// shareOf is how large a part of a measure rows have that a condition holds for: measure or rows, condition.
func shareOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	c, ok := p[1].(*condition)
	if !ok {
		return nil, nil
	}
	a := &answer{}
	var m *measure
	switch x := p[0].(type) {
	case *measure:
		m = x
		if len(p) > 2 { // of those that another condition holds for
			made, _ := rowsOf(s, p[2:], nil)
			set, ok := made.(*rows)
			if !ok {
				return nil, nil
			}
			a.of = set
		}
	case *rows:
		if slices.ContainsFunc(x.where, c.excluded) {
			return nil, nil // none of the ones are the others
		}
		x, c = wholeAndPart(x, c)
		if m = s.numberOf(x.table); m.of.FieldRef == c.of.FieldRef {
			m = rowsOfTable(x.table) // those that stand for one are rows
		}
		a.of = x
	}
	if m == nil || !m.plain() || !m.sums() {
		return nil, nil
	}
	part := *m
	part.where = c
	a.measures = []*measure{{op: "share", left: &part, right: m}}
	if base, ok := s.baseOf(a); !ok || !s.reachable(base, c) {
		return nil, nil
	}
	return a, nil
}

// sideBySide is a measure for each of the values, or the periods, that a condition names.
func sideBySide(s *scope, p []meaning, k []string) (meaning, []Feature) {
	c, ok := p[1].(*condition)
	if !ok {
		return nil, nil
	}
	by, ok := c.tellsApart()
	if !ok {
		return nil, nil
	}
	made, facts := filteredBy(s, p[:2], k)
	a, ok := made.(*answer)
	if !ok || len(a.groups) > 0 || len(a.measures) == 0 {
		return nil, nil
	}
	a.groups = []column{by}
	return a, facts
}

// tellsApart is the column by which the several values, or periods, that a condition names are told apart.
func (c *condition) tellsApart() (column, bool) {
	if c.op == opAmong {
		return c.of, len(c.values) > 1
	}
	if c.op != opOr {
		return column{}, false
	}
	by, first := c.parts[0].of, c.parts[0].period
	for _, p := range c.parts {
		if p.op != opDuring || p.of != by || !sameKind(p.period, first) {
			return column{}, false
		}
	}
	grain := first.Grain
	if first.Cycle != "" {
		grain = cyclic + first.Cycle
	}
	if by.grain != "" && by.grain != grain {
		return column{}, false
	}
	by.grain = grain
	return by, true
}

// sameKind reports whether a period is a whole one of the kind that another is of: months, or quarters of any year.
func sameKind(p, first *link.PeriodRef) bool {
	if p.Cycle != "" || first.Cycle != "" {
		return p.Cycle == first.Cycle && len(p.Parts) == 1
	}
	return p.Last == 0 && p.Grain == first.Grain && p.To.Equal(link.After(p.Grain, p.From, 1))
}

// wholeAndPart are the rows that a share is of, and which of them are meant: of snowy days in 2012, those of that year
// are the whole.
func wholeAndPart(x *rows, c *condition) (*rows, *condition) {
	if c.op == opDuring && len(x.where) == 1 && x.take == 0 {
		return &rows{table: x.table, implied: x.implied, where: []*condition{c}}, x.where[0]
	}
	return x, c
}

// shareOfAll is how large a part of a table's rows a condition holds for: condition, or the rows of one.
func shareOfAll(s *scope, p []meaning, k []string) (meaning, []Feature) {
	if set, ok := p[0].(*rows); ok { // the rows of a condition
		if set.take > 0 || len(set.where) == 0 {
			return nil, nil
		}
		return shareOf(s, []meaning{&rows{table: set.table, implied: set.implied}, allOf(set.where)}, k)
	}
	c, ok := p[0].(*condition)
	if !ok {
		return nil, nil
	}
	set, _ := rowsOf(s, p, k)
	of, ok := set.(*rows)
	if !ok {
		return nil, nil
	}
	return shareOf(s, []meaning{&rows{table: of.table, implied: true}, c}, k)
}

// inPercent is an answer that is a share already, of which is said once more that it is in percent.
func inPercent(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	if !ok {
		return nil, nil
	}
	isShare := func(m *measure) bool { return m.op == "share" || m.op == growShare }
	if a.shares || slices.ContainsFunc(a.measures, isShare) {
		return a, nil
	}
	return nil, nil
}

// pairOf is one value of two answers: both, and the operator.
func pairOf(s *scope, p []meaning, k []string) (meaning, []Feature) {
	a, okA := s.oneValue(p[0])
	b, okB := s.oneValue(p[1])
	if !okA || !okB || len(k) == 0 {
		return nil, nil
	}
	return &answer{both: &pair{op: k[0], left: a, right: b}}, nil
}

// oneValue is a part as an answer of one value: of rows, how many there are; of a column of numbers, what they come to.
func (s *scope) oneValue(x meaning) (*answer, bool) {
	switch v := x.(type) {
	case *rows:
		made, _ := countOf(s, []meaning{v}, nil)
		a, ok := made.(*answer)
		return a, ok
	case *measure:
		return &answer{measures: []*measure{v}}, true
	case *answer:
		if v.both != nil || !singleValue(v) {
			return nil, false
		}
		if of, ok := v.listed(); ok && s.numeric(of) {
			made, _ := amountOf(s, []meaning{of}, nil)
			sum, _ := measuredOf(s, []meaning{made, v.of}, nil)
			a, ok := sum.(*answer)
			return a, ok
		}
		return v, true
	}
	return nil, false
}

// shareOfGroups is what each group has of the whole: columns, measure. Where no measure is said, a table's only one is
// meant.
func shareOfGroups(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	if !ok {
		return nil, nil
	}
	var m *measure
	var facts []Feature
	if len(p) > 1 {
		m, ok = p[1].(*measure)
	} else {
		m, ok = s.onlyMeasure(cols[0].Table)
		facts = append(facts, fact("shares of what"))
	}
	if !ok || m.op != "" || m.agg != aggSum && m.agg != aggCount || m.distinct {
		return nil, nil
	}
	if len(cols) == 1 && cols[0].Table != anyTable && s.Field(cols[0].FieldRef).Type == table.Bool {
		facts = append(facts, fact("shares of what"))
	}
	if m.where != nil {
		facts = append(facts, fact("shares of some"))
	}
	return &answer{groups: cols, measures: []*measure{m}, shares: true}, facts
}

// listed is the one column that an answer lists.
func (a *answer) listed() (link.FieldRef, bool) {
	if a.of == nil || a.of.take > 0 || len(a.show) != 1 || len(a.measures)+len(a.groups) > 0 {
		return link.FieldRef{}, false
	}
	return fieldIn(a.show[0])
}
