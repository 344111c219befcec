package reader

import (
	"slices"

	"catena/planner/reader/link"
	"catena/query/semantic"
	"catena/table"
)

// Ways to say how much something changed.
const (
	growBy    = "sub"    // the difference
	growShare = "growth" // in percent of what it was
)

// ends are the two periods that something changes between, and growing is what changes: an answer of one number, or of
// one for each group, and the way to say how much.
type (
	ends    struct{ from, to link.PeriodRef }
	growing struct {
		of *answer
		op string
		// best says which group's change is asked for: the largest, or the smallest; "" for all.
		best string
		// down says that the word of the change is one of getting less.
		down bool
	}
)

// dated reports whether a period is said by dates: neither what comes back, nor the last ones of the data.
func dated(p link.PeriodRef) bool { return p.Cycle == "" && p.Last == 0 }

// endsOf are two periods, or the first and the last stretch of a longer one: years of 2005 to 2009.
func endsOf(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(link.PeriodRef)
	if !ok || !dated(a) || halfOpen(&a) {
		return nil, nil
	}
	if len(p) > 1 {
		b, ok := p[1].(link.PeriodRef)
		if !ok || !dated(b) || !a.From.Before(b.From) {
			return nil, nil
		}
		return ends{a, b}, nil
	}
	first, last := a, a
	first.To = link.After(a.Grain, a.From, 1)
	last.From = link.After(a.Grain, a.To, -1)
	if !first.To.Before(a.To) {
		return nil, nil
	}
	return ends{first, last}, nil
}

// grow is the change of an answer's one number: answer, word.
func grow(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	w, also := p[1].(word)
	if !ok || !also || len(a.measures) != 1 || a.measures[0].op != "" {
		return nil, nil
	}
	if a.take > 0 || a.fold+a.window != "" || a.shares {
		return nil, nil
	}
	op := growBy
	if w.sense == "rate" {
		op = growShare
	}
	return growing{of: a, op: op, down: w.sense == "down"}, nil
}

// growPercent says a change in percent.
func growPercent(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	switch x := p[0].(type) {
	case growing:
		x.op = growShare
		return x, nil
	case *answer:
		if len(x.measures) != 1 || x.measures[0].op != growBy {
			return nil, nil
		}
		m := *x.measures[0]
		m.op = growShare
		return x.with(&m), nil
	}
	return nil, nil
}

// with is an answer with another number in the place of its one.
func (a *answer) with(m *measure) *answer {
	out := *a
	out.measures, out.order = []*measure{m}, slices.Clone(a.order)
	for i := range out.order {
		if out.order[i].measure != nil {
			out.order[i].measure = m
		}
	}
	return &out
}

// growBest asks for the group that changed the most: columns, change, word.
func growBest(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	g, also := p[1].(growing)
	w, is := p[2].(word)
	if !ok || !also || !is || len(g.of.groups) > 0 {
		return nil, nil
	}
	a := *g.of
	a.groups, g.best = cols, w.sense
	g.of = &a
	return g, nil
}

// growOnly is the change of the one number of a group's table: columns, word of change, word of the superlative.
func growOnly(s *scope, p []meaning, k []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	if !ok {
		return nil, nil
	}
	of, ok := s.onlyNumber(cols[0].Table)
	if !ok {
		return nil, nil
	}
	made, _ := amountOf(s, []meaning{of}, nil)
	total, _ := measuredOf(s, []meaning{made}, nil)
	g, _ := grow(s, []meaning{total, p[1]}, k)
	best, facts := growBest(s, []meaning{p[0], g, p[2]}, k)
	return best, append(facts, fact("number implied"))
}

// grown is how much something changed between two periods: change, ends.
func grown(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	g, ok := p[0].(growing)
	e, also := p[1].(ends)
	if !ok || !also {
		return nil, nil
	}
	before, after := *g.of.measures[0], *g.of.measures[0]
	for _, end := range []struct {
		of     *measure
		period link.PeriodRef
	}{{&before, e.from}, {&after, e.to}} {
		made, _ := duringField(s, []meaning{end.period}, nil)
		c, ok := made.(*condition)
		if !ok {
			return nil, nil
		}
		if end.of.where != nil {
			c = &condition{op: opAnd, parts: []*condition{end.of.where, c}}
		}
		end.of.where = c
	}
	m := &measure{op: g.op, left: &after, right: &before}
	out := g.of.with(m)
	if g.best != "" {
		out.order, out.take, out.ties = []ordering{{measure: m, desc: descends(g.best)}}, 1, true
	}
	return out, nil
}

// grownEach is the change from each stretch of time to the next: change, columns or a grain.
func grownEach(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	g, ok := p[0].(growing)
	if !ok || g.best != "" || len(g.of.groups) > 0 {
		return nil, nil
	}
	cols, ok := p[1].([]column)
	if w, is := p[1].(word); is {
		cols, ok = []column{{FieldRef: link.FieldRef{Table: anyTable}, grain: w.sense}}, true
	}
	if !ok || len(cols) != 1 || cols[0].op != "" {
		return nil, nil
	}
	if c := cols[0]; c.grain == "" &&
		(c.Table == anyTable || s.Field(c.FieldRef).Role != semantic.Time && !link.IsTime(s.Field(c.FieldRef))) {
		return nil, nil
	}
	out := *g.of
	out.groups, out.window = cols, windowChange
	if g.op == growShare {
		out.window = windowRate
	}
	return &out, nil
}

// grownWhose are the groups whose number grew, or fell, between two periods: columns, change, ends.
func grownWhose(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	g, also := p[1].(growing)
	if !ok || !also || len(g.of.groups) > 0 {
		return nil, nil
	}
	made, _ := grown(s, p[1:], nil)
	a, ok := made.(*answer)
	if !ok {
		return nil, nil
	}
	out := *a
	out.groups = cols
	op := "gt"
	if g.down {
		op = "lt"
	}
	out.having = []having{{of: a.measures[0], op: op, to: table.IntValue(0)}}
	return &out, nil
}

// grownLast is grown where the word of the change stands behind the periods, or before them: answer, ends, word.
func grownLast(s *scope, p []meaning, k []string) (meaning, []Feature) {
	g, _ := grow(s, []meaning{p[0], p[2]}, k)
	return grown(s, []meaning{g, p[1]}, k)
}
