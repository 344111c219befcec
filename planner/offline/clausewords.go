package offline

import (
	"slices"
	"strings"
)

// useNouns marks the words that only say what is found: they are explained by the tool that finds it.
func (s *filling) useNouns() {
	key := nounKey{s.f, stretchOf(s.toks)}
	at, ok := s.c.s.made.nouns[key]
	if !ok {
		for i, t := range s.toks {
			if t.kind == wordToken && (slices.Contains(s.f.nouns, t.lemma) || slices.ContainsFunc(nounAliases[t.lemma], func(a string) bool { return slices.Contains(s.f.nouns, a) })) {
				at = append(at, i)
			}
		}
		s.c.s.made.nouns[key] = at
	}
	for _, i := range at {
		s.used[i] = true
	}
}

// nounKey is the words of a stretch that say what a tool is about.
type nounKey struct {
	tool *toolFacts
	toks stretch
}

// unknownAt reports whether a token is a word that nothing here explains.
func (s *filling) unknownAt(i int) bool {
	t := s.toks[i]
	if s.used[i] || t.kind == markToken || t.kind == dateToken || stopWords[t.low] && !t.code || benignWords[t.low] || verbForms[t.low] || s.c.cat.nouns[t.lemma] || s.c.cat.enums[t.lemma] || currencyCode(t) != "" || leading[t.low] || askers[t.low] {
		return false
	}
	return !slices.ContainsFunc(nounAliases[t.lemma], func(a string) bool { return s.c.cat.nouns[a] }) && !strings.HasSuffix(t.low, "ing")
}

// softAt reports whether a word is said of the result rather than of what is asked for: a column that the tool's things have, one of a
// list of columns at the end, or what somebody does with them.
func (s *filling) softAt(i int) bool {
	t := s.toks[i]
	if t.kind != wordToken || len(s.c.s.views) > 0 {
		return false
	}
	switch {
	case strings.HasSuffix(t.low, "ing") && len(t.low) > 5 && !s.c.cat.enums[t.lemma]:
		return true
	case t.low == "address" && i > 0 && strings.HasSuffix(s.toks[i-1].low, "mail"):
		return true
	case s.c.cat.about[s.f.entity][t.lemma]:
		return true
	}
	return len(s.f.OutputSchema) == 0 && s.listed(i)
}

// listed reports whether a word is in a list of columns that ends the clause behind a mark: "...? employee id, start and end".
func (s *filling) listed(i int) bool {
	from := -1
	for k, t := range s.toks[:i] {
		if t.text == ":" || t.text == "?" || t.text == "(" || t.text == "–" || t.text == "-" {
			from = k
		}
	}
	if from < 0 || from < len(s.toks)/3 {
		return false
	}
	return !slices.ContainsFunc(s.toks[from+1:], func(t token) bool {
		return askers[t.low] || deniers[t.low] || t.kind == numberToken || t.kind == quoteToken || t.kind == dateToken
	})
}

// forEach reports whether the clause says that all things of a kind are meant: each customer, all employees.
func (s *filling) forEach(entity string) bool {
	for i, t := range s.toks {
		if t.low != "each" && t.low != "every" && t.low != "all" && t.low != "any" && t.low != "per" {
			continue
		}
		for k := i + 1; k < min(i+4, len(s.toks)); k++ {
			if s.toks[k].lemma == entity || slices.Contains(nounAliases[s.toks[k].lemma], entity) {
				return true
			}
		}
	}
	return false
}

// theOne reports whether the clause speaks of one thing of a kind: the order, this ticket.
func (s *filling) theOne(entity string) bool {
	for i, t := range s.toks {
		if t.lemma != entity || t.low != entity || i == 0 {
			continue
		}
		for k := i - 1; k >= max(0, i-4); k-- {
			switch s.toks[k].low {
			case "each", "every", "all", "any", "no":
				return false
			case "the", "this", "that":
				return true
			}
		}
	}
	return false
}
