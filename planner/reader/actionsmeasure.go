package reader

import (
	"slices"

	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// signedField is that a field is below or above zero: word, field.
func signedField(s *scope, p []meaning, k []string) (meaning, []Feature) {
	return compareField(s, []meaning{p[1], p[0], link.NumberRef{Value: table.IntValue(0)}}, k)
}

// spellsText is that a text begins with, ends with or holds another: field or entity, word, text.
func spellsText(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	how, ok := p[1].(word)
	phrase, also := p[2].(string)
	of, named := fieldIn(p[0])
	if e, is := p[0].(link.EntityRef); is {
		made, _ := namedBy(s, []meaning{e}, nil)
		of, named = fieldIn(made)
	}
	if !ok || !also || !named || s.Field(of).Type != table.Text {
		return nil, nil
	}
	return &condition{op: opHolds, of: column{FieldRef: of}, values: []string{phrase}, compare: how.sense}, nil
}

// severalOf is a list of aggregates, out of words and lists.
func severalOf(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	var out []string
	for _, x := range p {
		switch v := x.(type) {
		case word:
			if slices.Contains(out, v.sense) {
				return nil, nil
			}
			out = append(out, v.sense)
		case []string:
			out = append(out, v...)
		}
	}
	return out, nil
}

// aggregatesOf are several aggregates of one field: words, field.
func aggregatesOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	list, ok := p[0].([]string)
	if !ok {
		return nil, nil
	}
	a := &answer{}
	for _, agg := range list {
		made, _ := aggregateOf(s, []meaning{word{sense: agg}, p[1]}, nil)
		m, ok := made.(*measure)
		if !ok {
			return nil, nil
		}
		a.measures = append(a.measures, m)
	}
	return a, nil
}

// onlyOf gives a rule's other action the one number of the table that its first part is about, in place of the word that
// nobody knows it by: the output of coal, where a table has one column of amounts. The number stands behind the parts.
func onlyOf(s *scope, p []meaning, k []string) (meaning, []Feature) {
	c, ok := p[0].(*condition)
	if !ok || len(k) == 0 || !slices.Contains([]string{opAmong, opRefers}, c.op) {
		return nil, nil
	}
	of, ok := s.onlyNumber(c.table())
	if !ok {
		return nil, nil
	}
	made, facts := implied[k[0]](s, append(slices.Clip(p), of), k[1:])
	return made, append(facts, fact("number implied"))
}

// implied are what a number that nobody names may be put into.
var implied = map[string]action{
	"compare": func(s *scope, p []meaning, k []string) (meaning, []Feature) { // condition, operator, number
		made, facts := compareField(s, []meaning{p[3], p[1], p[2]}, k)
		more, ok := made.(*condition)
		if !ok {
			return nil, nil
		}
		return &condition{op: opAnd, parts: []*condition{p[0].(*condition), more}}, facts //nolint:forcetypeassert // onlyOf saw it
	},
	"measure": func(s *scope, p []meaning, _ []string) (meaning, []Feature) { // condition
		made, facts := amountOf(s, p[1:], nil)
		m, more := whereMeasure(s, []meaning{p[0], made}, nil)
		return m, append(facts, more...)
	},
	"best": func(s *scope, p []meaning, k []string) (meaning, []Feature) { // condition, word
		by, _ := superOf(s, []meaning{p[1], p[2]}, k)
		set, _ := rowsOf(s, p[:1], nil)
		if by == nil || set == nil {
			return nil, nil
		}
		return bestRows(s, []meaning{set, by}, nil)
	},
}

// onlyNumber is the one column of a table that is computed with.
func (s *scope) onlyNumber(t int) (link.FieldRef, bool) {
	return s.onlyField(t, func(of link.FieldRef) bool { return s.Field(of).Role == semantic.Measure && s.numeric(of) })
}

// onlyAmount is the one column of a table that holds money which adds up: what its rows come to.
func (s *scope) onlyAmount(t int) (link.FieldRef, bool) {
	return s.onlyField(t, func(of link.FieldRef) bool {
		f := s.Field(of)
		return f.Kind == semantic.Money && f.Adds == query.AddsFlow
	})
}

// onlyField is the one column of a table that fits; false where none does, or several do.
func (s *scope) onlyField(t int, fits func(link.FieldRef) bool) (link.FieldRef, bool) {
	found := link.FieldRef{Table: t, Field: -1}
	if t == anyTable {
		return found, false
	}
	for i, f := range s.Entity(t).Fields {
		if f.Expression != "" || !fits(link.FieldRef{Table: t, Field: i}) {
			continue
		}
		if found.Field >= 0 {
			return found, false
		}
		found.Field = i
	}
	return found, found.Field >= 0
}

// derivedOf is a number that is computed of two others of a row: fields, and the operator.
func derivedOf(s *scope, p []meaning, k []string) (meaning, []Feature) {
	a, ok := fieldIn(p[0])
	b, also := fieldIn(p[1])
	if !ok || !also || len(k) != 1 {
		return nil, nil
	}
	counts := func(f link.FieldRef) bool { return s.scalar(f) && s.numeric(f) }
	if beside := a != b && a.Table == b.Table; !beside || !counts(a) || !counts(b) {
		return nil, nil
	}
	return column{FieldRef: a, op: k[0], other: b}, nil
}

// productOf is an amount that is computed of a quantity and of what one costs.
func productOf(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	of, ok := p[0].(link.ProductRef)
	if !ok {
		return nil, nil
	}
	return column{FieldRef: of.Quantity, op: "mul", other: of.Price}, []Feature{fact("product implied")}
}

// adding reports whether a computed number adds up: what is left of something, and what a quantity costs.
func (s *scope) adding(c column) bool {
	if c.op != "mul" {
		return c.op == "sub" || c.op == ""
	}
	return (s.Field(c.FieldRef).Adds == query.AddsRate) != (s.Field(c.other).Adds == query.AddsRate)
}

// overTime is an answer for each stretch of time: answer, and the grain where one is said.
func overTime(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	if !ok || len(a.measures) == 0 || a.take > 0 || a.fold != "" {
		return nil, nil
	}
	for _, g := range a.groups {
		if g.grain != "" || g.Table != anyTable && link.IsTime(s.Field(g.FieldRef)) {
			return a, nil // the time is said already
		}
	}
	w, ok := p[1].(word)
	if !ok {
		return nil, nil
	}
	base, ok := s.baseOf(a)
	if !ok {
		return nil, nil
	}
	by := column{FieldRef: link.FieldRef{Table: anyTable}, grain: w.sense}
	if by.grain == "" {
		if by.grain, ok = s.grainOf(base); !ok {
			return nil, nil
		}
	}
	return groupedBy(s, []meaning{a, []column{by}}, nil)
}

// grainOf is the grain that a table's rows are told over time by: years where it knows no more, months else.
func (s *scope) grainOf(t int) (string, bool) {
	f, ok := s.timeFor(t)
	if !ok {
		return "", false
	}
	if s.Field(f).Type.Numeric() {
		return link.GrainYear, true
	}
	return link.GrainMonth, true
}

// runningOf adds up an answer's numbers over its groups, in their order: answer.
func runningOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	if !ok || len(a.groups) != 1 || len(a.measures) != 1 || !a.measures[0].sums() || a.take > 0 || a.fold != "" || a.shares {
		return nil, nil
	}
	out := *a
	out.window = windowRunning
	if c := a.groups[0]; c.grain == "" && (c.Table == anyTable || !link.IsTime(s.Field(c.FieldRef))) {
		return nil, nil
	}
	return &out, nil
}

// correlationOf is how two fields go together: fields.
func correlationOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := fieldIn(p[0])
	b, also := fieldIn(p[1])
	if !ok || !also || a == b || a.Table != b.Table || !s.numeric(a) || !s.numeric(b) {
		return nil, nil
	}
	return &measure{agg: "corr", of: column{FieldRef: a}, with: &b, counted: anyTable}, nil
}

// rankedGroups are all groups by a measure, the highest first, with their places where the message ranks them: columns,
// measure.
func rankedGroups(s *scope, p []meaning, k []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	m, also := p[1].(*measure)
	if !ok || !also || s.measures(cols) {
		return nil, nil
	}
	out := &answer{groups: cols, measures: []*measure{m}, order: []ordering{{measure: m, desc: true}}}
	if len(k) > 0 {
		out.window = k[0]
	}
	return out, nil
}

// countingWhere is how many rows of a table a condition holds for: entity, condition.
func countingWhere(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	made, _ := countingOf(s, p[:1], nil)
	m, ok := made.(*measure)
	c, also := p[1].(*condition)
	if !ok || !also || !s.reachable(m.counted, c) {
		return nil, nil
	}
	m.where = c
	return m, s.hops(m.counted, c)
}

// ratioOf is one number divided by another: fields or measures.
func ratioOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	var both [2]*measure
	for i, x := range p {
		m, ok := x.(*measure)
		if !ok || m.op != "" {
			return nil, nil
		}
		both[i] = m
	}
	if *both[0] == *both[1] || both[0].of.Table != both[1].of.Table || both[0].of.Table == anyTable {
		return nil, nil
	}
	return &measure{op: "div", left: both[0], right: both[1]}, nil
}

// madeOf reports whether a number of an answer is computed of a column, which it is never told for each value of.
func (a *answer) madeOf(f link.FieldRef) bool {
	return slices.ContainsFunc(a.measures, func(m *measure) bool {
		if m.op != "" || m.of.op == "" {
			return false
		}
		return m.of.FieldRef == f || m.of.other == f
	})
}
