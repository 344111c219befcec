package reader

import "slices"

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
