package reader

import (
	"slices"

	"catena/planner/reader/link"
	"catena/query"
)

// topForEach are the groups that come first for each of some columns' values: the top two products of each region.
// Groups that come first, columns.
func topForEach(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	cols, also := p[1].([]column)
	if !ok || !also || !a.firstOnly() {
		return nil, nil
	}
	if s.measures(cols) {
		return nil, nil
	}
	for _, c := range cols {
		if c.op != "" || slices.Contains(a.groups, c) {
			return nil, nil
		}
	}
	out := *a
	out.per, out.groups = cols, append(slices.Clone(cols), a.groups...)
	return &out, []Feature{fact("first of each")}
}

// firstOnly reports whether an answer is the groups that come first, and nothing is made of them.
func (a *answer) firstOnly() bool {
	if len(a.groups) == 0 || len(a.order) == 0 || a.take == 0 {
		return false
	}
	made := a.fold+a.window != "" || a.shares
	return !made && a.skip == 0 && len(a.per) == 0
}

// topOfEach are the groups that come first by a measure for each of some columns' values: columns, measure,
// superlative, columns.
func topOfEach(s *scope, p []meaning, k []string) (meaning, []Feature) {
	top, facts := topGroup(s, p[:3], k)
	made, more := topForEach(s, []meaning{top, p[3]}, nil)
	return made, append(facts, more...)
}

// firstGroups are the groups of an answer in their order, or the first of them.
func (s *scope) firstGroups(a *answer, q query.Query, keys []query.SortKey, base int) query.Query {
	if len(a.per) > 0 {
		return s.firstOfEach(a, q, keys, base)
	}
	return ordered(q, keys, query.Take{Rows: a.take, Offset: a.skip}, a.ties)
}

// firstOfEach puts the groups of an answer side by side with those they are the first of, and keeps so many of each.
func (s *scope) firstOfEach(a *answer, q query.Query, keys []query.SortKey, base int) query.Query {
	t := query.Take{Rows: a.take}
	if a.ties {
		t.Ties = keys
	}
	var order []query.SortKey
	for _, c := range a.per {
		as := s.title(c, base)
		t.Per = append(t.Per, as)
		order = append(order, query.SortKey{Expr: query.Col(as)})
	}
	return q.With(query.Sort{Keys: append(order, keys...)}, t)
}

// byFlag are the rows that are so beside those that are not: with and without a reminder. A column of yes and no.
func byFlag(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	of, ok := p[0].(link.FieldRef)
	if !ok {
		return nil, nil
	}
	if _, _, says := s.answers(of); !says {
		return nil, nil
	}
	return []column{{FieldRef: of}}, nil
}

// bothSides are the rows that are so beside those that are not, by two conditions: insured and uninsured.
func bothSides(s *scope, p []meaning, k []string) (meaning, []Feature) {
	a, ok := p[0].(*condition)
	b, also := p[1].(*condition)
	if !ok || !also || a.of != b.of {
		return nil, nil
	}
	if !a.isOne() || !b.isOne() || a.values[0] == b.values[0] {
		return nil, nil
	}
	return byFlag(s, []meaning{a.of.FieldRef}, k)
}

// isOne reports whether a condition is that a column has one value.
func (c *condition) isOne() bool { return c.op == opAmong && len(c.values) == 1 }

// countBy is how many rows a condition holds for, of each group: hires by department. Condition, columns.
func countBy(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	c, ok := p[0].(*condition)
	if !ok || c.op != opAmong || c.table() == anyTable {
		return nil, nil
	}
	set := &rows{table: c.table(), implied: true, where: []*condition{c}}
	a := &answer{of: set, measures: []*measure{rowsOfTable(c.table())}}
	made, facts := groupedBy(s, []meaning{a, p[1]}, nil)
	if made == nil {
		return nil, nil
	}
	return made, append(facts, fact("counts of a condition"))
}

// mostBy are the groups that most of the rows are in which a condition holds for: columns, condition, superlative.
func mostBy(s *scope, p []meaning, k []string) (meaning, []Feature) {
	if c, ok := p[1].(*condition); !ok || c.op != opAmong {
		return nil, nil
	}
	top, facts := mostRows(s, []meaning{p[0], p[2]}, k)
	if top == nil {
		return nil, nil
	}
	made, more := filteredBy(s, []meaning{top, p[1]}, nil)
	return made, append(append(facts, more...), fact("counts of a condition"))
}

// bestForEach are the first rows for each of some columns' values: rows that come first, columns.
func bestForEach(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	cols, also := p[1].([]column)
	if !ok || !also || a.of == nil || !a.of.best() || len(a.measures)+len(a.per)+len(a.groups) > 0 || a.exists || a.both != nil {
		return nil, nil
	}
	if s.measures(cols) { // the longest by distance is no longest for each distance
		return nil, nil
	}
	for _, c := range cols {
		if !s.oneOf(a.of.table, c) || c.op != "" || slices.Contains(a.show, c) {
			return nil, nil
		}
	}
	out := *a
	out.per, out.distinct = cols, false
	if len(a.show) > 0 {
		out.show = append(slices.Clone(cols), a.show...)
	}
	return &out, nil
}

// oneOf reports whether each row of a table has one value of a column, its own or that of a row it refers to.
func (s *scope) oneOf(t int, c column) bool {
	if c.Table == anyTable || s.home(c) == t {
		return true
	}
	path, err := s.path(t, s.home(c))
	return err == nil && !path.Fans()
}
