package reader

import (
	"slices"

	"catena/internal/text"
	"catena/planner/reader/link"
	"catena/query/semantic"
)

// thanOther compares a field with the other of its row that it is the bound of: what is below the reorder level. Field,
// operator.
func thanOther(s *scope, p []meaning, k []string) (meaning, []Feature) {
	b, ok := fieldIn(p[0])
	if !ok || !s.scalar(b) || s.Field(b).Role != semantic.Measure {
		return nil, nil
	}
	a, ok := s.counterpart(b)
	if !ok {
		return nil, nil
	}
	made, facts := thanField(s, append([]meaning{a}, p...), k)
	return made, append(facts, fact("other field implied"))
}

// counterpart is the number of a row that another is compared with where none is said: the one whose name shares a word
// with its own, stock and minimum stock, or else the only one of its kind.
func (s *scope) counterpart(b link.FieldRef) (link.FieldRef, bool) {
	var called, alike []link.FieldRef
	words := text.Words(s.Field(b).Label)
	for i, f := range s.Entity(b.Table).Fields {
		a := link.FieldRef{Table: b.Table, Field: i}
		if a == b || f.Role != semantic.Measure || !s.comparable(a, b) {
			continue
		}
		if slices.ContainsFunc(text.Words(f.Label), func(w string) bool { return slices.Contains(words, w) }) {
			called = append(called, a)
		}
		if f.Kind == s.Field(b).Kind {
			alike = append(alike, a)
		}
	}
	for _, list := range [][]link.FieldRef{called, alike} {
		if len(list) == 1 {
			return list[0], true
		}
	}
	return link.FieldRef{}, false
}

// remainingOf is what is left of a bound: the budget that is not spent. Field.
func remainingOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	b, ok := fieldIn(p[0])
	if !ok || !s.numeric(b) || s.Field(b).Role != semantic.Measure {
		return nil, nil
	}
	a, ok := s.counterpart(b)
	if !ok {
		return nil, nil
	}
	made, facts := derivedOf(s, []meaning{b, a}, []string{"sub"})
	return made, append(facts, fact("other field implied"))
}
