package reader

import (
	"slices"
	"strconv"

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

// held is a number of which no word says what it is of, with the measure that it must be of.
type held struct {
	number link.NumberRef
	of     link.FieldRef
}

// heldNumbers marks such numbers for each table of which just one measure has values below and above: flats under
// 200000 have a price of less, where no flat has as many rooms or square metres.
func (s *scope) heldNumbers(spans []link.Span) []link.Span {
	out := spans
	for _, sp := range spans {
		n, ok := sp.Meaning.(link.NumberRef)
		if !ok || sp.Category != catAlone || longerNumber(spans, sp) {
			continue
		}
		if said := n.Unit != "" || n.Percent || n.Ordinal; said || yearLike(n) {
			continue
		}
		for t := range s.Model.Entities {
			if of, one := s.holder(t, n); one {
				sp.Category, sp.Meaning = catHeld, held{n, of}
				out = append(out, sp)
			}
		}
	}
	return out
}

// longerNumber reports whether a number is but the beginning of another: 60 minutes.
func longerNumber(spans []link.Span, n link.Span) bool {
	return slices.ContainsFunc(spans, func(o link.Span) bool {
		return o.Category == link.CatNumber && o.From == n.From && o.To > n.To
	})
}

// holder is the one measure of a table among whose values a number lies. Nothing is said where it is not known of each
// measure what values it has.
func (s *scope) holder(t int, n link.NumberRef) (link.FieldRef, bool) {
	found, one := link.FieldRef{}, false
	for i, f := range s.Entity(t).Fields {
		of := link.FieldRef{Table: t, Field: i}
		if f.Role != semantic.Measure || !s.numeric(of) {
			continue
		}
		within, known := s.within(of, n)
		switch {
		case !known, within && one:
			return link.FieldRef{}, false
		case within:
			found, one = of, true
		}
	}
	return found, one
}

// within reports whether a column has values below and above a number, and whether that is known.
func (s *scope) within(of link.FieldRef, n link.NumberRef) (within, known bool) {
	info := s.statistics(of)
	low, err := strconv.ParseFloat(info.Min, 64)
	if err != nil {
		return false, false
	}
	high, err := strconv.ParseFloat(info.Max, 64)
	if err != nil {
		return false, false
	}
	v, ok := n.Value.Float()
	return low < v && v < high, ok
}

// compareHeld compares the measure that a number must be of. Operator, number.
func compareHeld(s *scope, p []meaning, k []string) (meaning, []Feature) {
	h, ok := p[1].(held)
	if !ok {
		return nil, nil
	}
	made, facts := compareField(s, []meaning{h.of, p[0], h.number}, k)
	return made, append(facts, fact("measure implied"))
}

// betweenHeld is that the measure that two numbers must be of lies between them.
func betweenHeld(s *scope, p []meaning, k []string) (meaning, []Feature) {
	low, a := p[0].(held)
	high, b := p[1].(held)
	if !a || !b || low.of != high.of {
		return nil, nil
	}
	made, facts := betweenField(s, []meaning{low.of, low.number, high.number}, k)
	return made, append(facts, fact("measure implied"))
}
