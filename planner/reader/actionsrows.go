package reader

import (
	"errors"
	"reflect"
	"slices"

	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
)

func allRows(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	e, ok := p[0].(link.EntityRef)
	if !ok {
		return nil, nil
	}
	return &rows{table: e.Table}, nil
}

// rowsOf are the rows of a condition's own table.
func rowsOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	c, ok := p[0].(*condition)
	if !ok {
		return nil, nil
	}
	t := c.table()
	if t == anyTable {
		if len(s.Model.Entities) != 1 {
			return nil, nil
		}
		t = 0
	}
	return &rows{table: t, implied: true, where: []*condition{c}}, nil
}

// whereRows are the rows that a condition holds for.
func whereRows(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	c, also := p[1].(*condition)
	if !ok || !also || !s.reachable(set.table, c) || slices.ContainsFunc(set.where, c.contradicts) {
		return nil, nil
	}
	c = s.conditionAt(set.table, c)
	if slices.ContainsFunc(set.where, c.same) {
		return set, nil
	}
	if set.take > 0 { // the best of those, not those of the best
		out := *set
		out.where = append(slices.Clone(set.where), c)
		return &out, nil
	}
	out := *set
	out.where = append(slices.Clone(set.where), c)
	facts := s.hops(set.table, c)
	if !set.implied && s.ownName(set.table, c) {
		facts = append(facts, fact("tables own name"))
	}
	return &out, facts
}

// ownName reports whether a condition says what the rows of a table are called: the rivers Colorado, and not those in it.
func (s *scope) ownName(t int, c *condition) bool {
	return c.op == opAmong && c.of.Table == t && c.of.Field >= 0 && s.Field(c.of.FieldRef).Name == s.Entity(t).Name
}

// reachable reports whether the tables of a condition have to do with a table.
func (s *scope) reachable(t int, c *condition) bool {
	ok := true
	s.conditionAt(t, c).tables(func(other int) {
		if other != anyTable && other != t {
			_, err := s.path(t, other)
			ok = ok && !errors.Is(err, semantic.ErrNoPath)
		}
	})
	return ok
}

// hops is a feature of how far a condition's tables are.
func (s *scope) hops(t int, c *condition) []Feature {
	var out []Feature
	s.conditionAt(t, c).tables(func(other int) {
		if other != anyTable && other != t {
			path, _ := s.path(t, other)
			out = append(out, Feature{Name: "tables hops", Value: float64(len(path))})
		}
	})
	return out
}

// relatedRows are rows that belong to some of another set; where the rule says so, not to one of all.
func relatedRows(s *scope, p []meaning, k []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	other, also := p[1].(*rows)
	if !ok || !also || set.take > 0 {
		return nil, nil
	}
	if len(k) > 0 && other.all() {
		return nil, nil
	}
	c := &condition{op: opRelated, set: other}
	if set.table == other.table || set.saysOf(other) || !s.reachable(set.table, c) {
		return nil, nil
	}
	out := *set
	out.where = append(slices.Clone(set.where), c)
	facts := s.hops(set.table, c)
	if path, err := s.path(set.table, other.table); err == nil && path.Fans() && other.implied && s.bestOfFlow(other) {
		facts = append(facts, fact("best by copies"))
	}
	return &out, facts
}

// saysOf reports whether it is said already that the rows belong to some of another set, or to none.
func (r *rows) saysOf(other *rows) bool {
	return slices.ContainsFunc(r.where, func(c *condition) bool {
		if c.op == opNot {
			c = c.parts[0]
		}
		related := c.op == opRelated || c.op == opReferred
		if !related || c.set.table != other.table || c.set.take+other.take > 0 {
			return false
		}
		return reflect.DeepEqual(c.set.where, other.where)
	})
}

// bestOfFlow reports whether rows come first by a number that adds up: the most of it is a sum.
func (s *scope) bestOfFlow(set *rows) bool {
	return set.take > 0 && slices.ContainsFunc(set.order, func(o ordering) bool {
		return o.by.Table != anyTable && o.by.Field >= 0 && s.Field(o.by.FieldRef).Adds == query.AddsFlow
	})
}

// relatedBoth are rows that belong to one row of which a condition holds, and to one of which another does: authors of
// both crime and poetry. Rows, conditions.
func relatedBoth(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	if !ok || set.take > 0 {
		return nil, nil
	}
	out := *set
	out.where = slices.Clone(set.where)
	var facts []Feature
	for _, x := range p[1:] {
		c, ok := x.(*condition)
		if !ok || c.table() == anyTable {
			return nil, nil
		}
		if c.table() == set.table || !s.reachable(set.table, c) {
			return nil, nil
		}
		one := &rows{table: c.table(), implied: true, where: []*condition{c}}
		out.where = append(out.where, &condition{op: opRelated, set: one})
		facts = append(facts, s.hops(set.table, c)...)
	}
	return &out, append(facts, fact("belongs to both"))
}

// unrelatedRows are rows that belong to none of another set.
func unrelatedRows(s *scope, p []meaning, k []string) (meaning, []Feature) {
	made, facts := relatedRows(s, p, k)
	set, ok := made.(*rows)
	if !ok {
		return nil, nil
	}
	last := len(set.where) - 1
	set.where[last] = &condition{op: opNot, parts: []*condition{set.where[last]}}
	return set, facts
}

// superOf is a field with the direction of a superlative: word, field.
func superOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	w, ok := p[0].(word)
	if c, derived := p[1].(column); derived && ok && c.op != "" {
		return scaled{of: c, op: w.sense, nth: w.nth}, nil
	}
	of, also := fieldIn(p[1])
	if !ok || !also {
		return nil, nil
	}
	f := s.Field(of)
	if !s.numeric(of) && !link.IsTime(f) {
		return nil, nil
	}
	switch {
	case f.Adds == query.AddsIdentifier:
		return scaled{of: column{FieldRef: of}, op: w.sense, nth: w.nth}, []Feature{fact("best identifier")}
	case link.IsTime(f): // there are no most days; the latest ones are another word
		return scaled{of: column{FieldRef: of}, op: w.sense, nth: w.nth}, []Feature{fact("best time")}
	case link.MixedUnits(f):
		return scaled{of: column{FieldRef: of}, op: w.sense, nth: w.nth}, []Feature{fact("sums mixed")}
	}
	return scaled{of: column{FieldRef: of}, op: w.sense, nth: w.nth}, nil
}

// bestRows are the rows that come first by a field: rows, superlative, and how many.
func bestRows(s *scope, p []meaning, k []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	by, also := p[1].(scaled)
	if c, is := p[1].(column); is { // top 5 clients by age
		by, also = scaled{of: c, op: operator(p[3:], k)}, c.Table != anyTable
	}
	if !ok || !also || set.take > 0 {
		return nil, nil
	}
	by.of = s.columnAt(set.table, by.of)
	var facts []Feature
	if t := by.of.Table; t != set.table {
		path, err := s.path(set.table, t)
		if err != nil || path.Fans() {
			return nil, nil
		}
		facts = append(facts, Feature{Name: "tables best by related", Value: float64(len(path))})
	}
	if set.implied {
		facts = append(facts, fact("best of implied rows"))
	}
	out := *set
	out.order = []ordering{{by: by.of, desc: by.op != "min" && by.op != "bottom" && by.op != "asc"}}
	out.take, out.ties = 1, true
	if by.nth > 0 {
		out.skip, out.ties = by.nth-1, false
	}
	if len(p) > 2 && p[2] != nil {
		n, ok := count(p[2])
		if !ok {
			return nil, nil
		}
		out.take, out.ties = n, false
	}
	return &out, facts
}

// count is a whole number of rows.
func count(x meaning) (int64, bool) {
	n, ok := x.(link.NumberRef)
	if !ok || n.Ordinal || n.Percent {
		return 0, false
	}
	i, whole := n.Value.Int()
	return i, whole && i > 0 && i <= 10_000
}

// best reports whether rows are those that come first by what is known of them.
func (r *rows) best() bool { return r.take > 0 && len(r.order) > 0 && r.order[0].by.Field != rowPlace }
