package offline

import (
	"cmp"
	"slices"

	"catena/planner/plan"
)

// carriers are the tools that carry out what was said, the best one first: those that speak of more of it, then those whose
// names the message says, then those that need less.
func (c *catalogue) carriers(sp spoken) []*toolFacts {
	m, low := sp.m, lowsOf(sp.all)
	type carrier struct {
		f     *toolFacts
		score int
	}
	var found []carrier
	for _, f := range c.calledBy(m.about) {
		if f.tabular() {
			continue
		}
		words := f.lemmas
		about := count(m.about, words)
		does := count(m.does, words)
		if about == 0 || len(m.does) > 0 && does == 0 || len(m.takes) > 0 && f.taker(m) == nil {
			continue
		}
		open := 0 // required ids that only another tool gives
		for _, p := range f.params {
			if p.required && p.entity != "" && m.slot != idSlot && m.slot != namesSlot && m.slot != changeSlot {
				open++
			}
		}
		told := 0
		for _, w := range words {
			told += b2i(low[w])
		}
		found = append(found, carrier{f, 8*about + 2*does + 2*told - 16*open - len(words)})
	}
	slices.SortStableFunc(found, func(a, b carrier) int { return cmp.Compare(b.score, a.score) })
	out := make([]*toolFacts, len(found))
	for i, x := range found {
		out[i] = x.f
	}
	return out
}

// count gives how many of the words are in a set of lemmas, by their stems.
func count(words []string, in []string) int {
	n := 0
	for _, w := range words {
		if slices.ContainsFunc(in, func(have string) bool { return have == w || stem(have) == stem(w) }) {
			n++
		}
	}
	return n
}

// calledBy are the tools of whose names one of some words is a part, in their order.
func (c *catalogue) calledBy(words []string) []*toolFacts {
	var at []int
	for _, w := range words {
		at = append(at, c.called[stem(w)]...)
	}
	slices.Sort(at)
	out := make([]*toolFacts, 0, len(at))
	for _, i := range slices.Compact(at) {
		out = append(out, c.tools[i])
	}
	return out
}

// taker gives the argument that takes what a message says for a meaning, nil when there is none.
func (f *toolFacts) taker(m *meaning) *param {
	for _, want := range m.takes {
		for i := range f.params {
			p := &f.params[i]
			words := plan.NameWords(p.name)
			if len(words) == 0 || p.typ != "string" && p.typ != "" && p.typ != "array" {
				continue
			}
			if last := words[len(words)-1]; p.name == want || last == want {
				return p
			}
		}
	}
	return nil
}
