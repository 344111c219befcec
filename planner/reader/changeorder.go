package reader

import (
	"slices"
	"strings"
)

// changeSort puts what was answered in another order: columns to sort by, or a direction, or both.
func changeSort(s *scope, p []meaning, k string) change {
	var by *column
	dir := word{sense: k}
	for _, x := range p {
		switch v := x.(type) {
		case column:
			by = &v
		case word:
			dir = v
		}
	}
	if by == nil && dir.sense == "" {
		return nil
	}
	return func(a *answer) (*answer, bool) {
		if listed := len(a.measures)+len(a.groups) == 0; listed && by == nil && !a.ordered() {
			return nil, false
		}
		parts := []meaning{a, dir}
		if by != nil {
			parts = append(parts, a.sortable(*by))
		}
		made, _ := sortedBy(s, parts, nil)
		out, ok := made.(*answer)
		return out, ok
	}
}

// ordered reports whether an answer's rows come in an order.
func (a *answer) ordered() bool { return a.of != nil && len(a.of.order) > 0 }

// sortable is what an answer is sorted by for a column: its number that is made of the column, where it has one.
func (a *answer) sortable(c column) meaning {
	for _, m := range a.measures {
		if m.op == "" && m.of == c {
			return m
		}
	}
	return c
}

// changeTake changes how many there are, and from which end.
func changeTake(s *scope, p []meaning, _ string) change {
	n, ok := count(p[0])
	if !ok || n > mostTaken {
		return nil
	}
	dir := operator(p[1:], nil)
	return func(a *answer) (*answer, bool) {
		if len(a.groups) > 0 {
			return a.firstGroups(n, dir)
		}
		if a.of == nil || len(a.measures) > 0 {
			return nil, false
		}
		set := *a.of
		set.order, set.take, set.skip, set.ties = slices.Clone(set.order), n, 0, false
		if dir == "min" && len(set.order) > 0 && set.order[0].by.Field != rowPlace {
			set.order[0].desc = !set.order[0].desc
		}
		out := *a
		out.of = &set
		return &out, true
	}
}

// mostTaken is more than the first of anything that somebody asks for by a number alone: 2019 is a year.
const mostTaken = 1000

// changeBest asks for the rows that come first by a column.
func changeBest(s *scope, p []meaning, _ string) change {
	by, ok := p[0].(scaled)
	if !ok {
		return nil
	}
	return func(a *answer) (*answer, bool) {
		if a.of == nil || len(a.measures)+len(a.groups) > 0 || a.exists {
			return nil, false
		}
		set := *a.of
		set.take, set.skip, set.order = 0, 0, nil
		made, _ := bestRows(s, []meaning{&set, by}, nil)
		best, ok := made.(*rows)
		if !ok {
			return nil, false
		}
		if a.of.take > 0 {
			best.take, best.skip, best.ties = a.of.take, a.of.skip, a.of.ties
		}
		out := *a
		out.of, out.distinct = best, false
		return &out, true
	}
}

// changeFirst asks for what comes first, or last, of what was answered: word, and the columns of the groups where they
// are said again.
func changeFirst(_ *scope, p []meaning, _ string) change {
	w, ok := p[0].(word)
	if !ok {
		return nil
	}
	of, named := []column(nil), len(p) > 1
	if named {
		if of, ok = p[1].([]column); !ok {
			return nil
		}
	}
	return func(a *answer) (*answer, bool) {
		switch {
		case named && !slices.Equal(a.groups, of):
			return nil, false
		case len(a.groups) > 0:
			return a.firstGroups(0, w.sense)
		case len(a.measures) > 0:
			return a.remeasured(func(m *measure) *measure { return m.extreme(w.sense) })
		}
		if !a.ordered() || a.of.take == 0 {
			return nil, false
		}
		set := *a.of
		set.order = slices.Clone(set.order)
		set.order[0].desc = descends(w.sense)
		out := *a
		out.of = &set
		return &out, true
	}
}

// extreme is the highest or the lowest value in place of the other; nil where the measure is neither.
func (m *measure) extreme(sense string) *measure {
	if m.agg != "max" && m.agg != "min" {
		return nil
	}
	out := *m
	out.agg = sense
	return &out
}

// firstGroups are the groups that come first by their first number; 0 are as many as before, or the one and those equal
// to it. dir "" is the order of before, or the highest first.
func (a *answer) firstGroups(n int64, dir string) (*answer, bool) {
	if len(a.measures) == 0 {
		return nil, false
	}
	out := *a
	out.order = slices.Clone(out.order)
	if len(out.order) == 0 || out.order[0].measure == nil {
		out.order = []ordering{{measure: a.measures[0], desc: true}}
	}
	switch {
	case n > 0:
		out.take, out.skip, out.ties = n, 0, false
	case out.take == 0:
		out.take, out.ties = 1, true
	}
	if dir != "" {
		out.order[0].desc = descends(dir)
	}
	return &out, true
}

func descends(sense string) bool {
	dir, _, _ := strings.Cut(sense, ":")
	return dir == "desc" || dir == "top" || dir == "max"
}
