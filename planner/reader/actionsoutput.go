package reader

import (
	"slices"

	"catena/planner/reader/link"
)

// outputs are what a question asks to be given: columns, and numbers beside them.
type outputs struct {
	cols     []column
	measures []*measure
}

// outputsOf is a list of what is asked for, out of columns, numbers and lists. A number that is asked for twice is
// asked for once.
func outputsOf(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	out := outputs{}
	for _, x := range p {
		switch v := x.(type) {
		case column:
			out.cols = append(slices.Clone(out.cols), v)
		case *measure:
			out.measures = append(slices.Clone(out.measures), v)
		case outputs:
			out = outputs{append(slices.Clone(out.cols), v.cols...), append(slices.Clone(out.measures), v.measures...)}
		}
	}
	for i, c := range out.cols {
		if slices.Contains(out.cols[:i], c) {
			return nil, nil
		}
	}
	return out, nil
}

// tableOf is an answer of columns and numbers: what is asked for, and whatever its rows are. The columns are its groups.
func tableOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	asked, ok := p[0].(outputs)
	if !ok || len(asked.cols) == 0 || len(asked.measures) == 0 || s.measures(asked.cols) {
		return nil, nil
	}
	a := &answer{groups: asked.cols, measures: asked.measures}
	if len(p) < 2 || p[1] == nil {
		return a, nil
	}
	set, ok := p[1].(*rows)
	if !ok || !s.near(set.table, asked.cols) {
		return nil, nil
	}
	a.of = set
	return a, nil
}

// alsoGive is an answer with what else is asked for. Numbers beside rows are those of each row's group.
func alsoGive(s *scope, p []meaning, k []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	asked, also := p[1].(outputs)
	switch {
	case !ok || !also || a.both != nil || a.exists || a.fold != "" || a.shares:
		return nil, nil
	case len(a.measures) == 0 && (a.of == nil || len(asked.measures) == 0 || len(a.show) > 0):
		return nil, nil
	case len(a.measures) == 0:
		return tableOf(s, []meaning{asked, a.of}, k)
	}
	var facts []Feature
	var out meaning = a
	for _, m := range asked.measures {
		made, f := addMeasure(s, []meaning{out, m}, nil)
		if made == nil {
			return nil, nil
		}
		out, facts = made, append(facts, f...)
	}
	given, ok := out.(*answer)
	if !ok || len(asked.cols) == 0 {
		return out, facts
	}
	if len(given.groups) > 0 {
		made, f := s.alsoGroup(given, asked.cols)
		return made, append(facts, f...)
	}
	grouped := *given
	grouped.groups = asked.cols
	return &grouped, facts
}

// namesBeside are rows with columns of what belongs to them: cats with their owners. Where several things belong to a
// row, there is a line for each. Answer, columns.
func namesBeside(s *scope, p []meaning, k []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	cols, also := p[1].([]column)
	if fits := ok && also && a.lists(); !fits || cols[0].Table == anyTable {
		return nil, nil
	}
	other := s.home(cols[0])
	path, err := s.path(a.of.table, other)
	if other == a.of.table || err != nil || !path.Fans() {
		return alsoShow(s, p, k)
	}
	own, ok := s.called(a.of)
	if !ok || len(a.show) > 0 || a.of.take > 0 {
		return nil, nil
	}
	each := &rows{table: other}
	if len(a.of.where) > 0 {
		made, _ := relatedRows(s, []meaning{each, a.of}, nil)
		if each, ok = made.(*rows); !ok {
			return nil, nil
		}
	}
	show := append([]column{own}, cols...)
	if !s.near(other, show) {
		return nil, nil
	}
	return &answer{of: each, show: show}, nil
}

// countsBeside are rows with a number of what belongs to them: films and their number of screenings. Answer, measure.
func countsBeside(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	m, also := p[1].(*measure)
	if fits := ok && also && a.lists(); !fits || len(a.show) > 0 || a.of.take > 0 {
		return nil, nil
	}
	if m.of.Table == a.of.table || m.counted == a.of.table { // its own number is a column
		return nil, nil
	}
	own, ok := s.called(a.of)
	if !ok {
		return nil, nil
	}
	return &answer{of: a.of, groups: []column{own}, measures: []*measure{m}}, nil
}

// countsToo are groups that have so many rows, with how many, which stands beside them already: answer.
func countsToo(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	if a, ok := p[0].(*answer); ok && len(a.having) == 1 && len(a.measures) == 1 {
		return a, nil
	}
	return nil, nil
}

// lists reports whether an answer is a list of rows and no more.
func (a *answer) lists() bool {
	computes := len(a.measures)+len(a.groups)+len(a.per) > 0 || a.both != nil
	return a.of != nil && !computes && !a.exists
}

// called is what rows are called by.
func (s *scope) called(set *rows) (column, bool) {
	if set.called != nil {
		return *set.called, true
	}
	at := s.nameField(set.table)
	return column{FieldRef: link.FieldRef{Table: set.table, Field: at}}, at >= 0
}
