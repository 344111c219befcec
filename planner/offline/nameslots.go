package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// fillText takes a quoted text, a name, or what stands beside the word that the argument is called by: the Berlin office.
func (s *filling) fillText(p param) {
	for i, t := range s.toks {
		if t.kind == quoteToken && !s.used[i] {
			s.args[p.name] = t.text
			s.mark(i, i+1)
			s.named = s.named || p.named
			return
		}
	}
	if !p.named {
		s.fillLabelled(p)
		return
	}
	i, j := s.properName()
	if i < 0 && s.needed {
		i, j = s.plainName()
	}
	if i >= 0 {
		s.args[p.name] = s.nameText(i, j)
		s.mark(i, j)
		s.named = true
	}
}

// fillLabelled takes the word before or behind the one that an argument is called by.
func (s *filling) fillLabelled(p param) {
	words := plan.NameWords(p.name)
	for i, t := range s.toks {
		label := t.kind == wordToken && (slices.Contains(words, t.lemma) || slices.ContainsFunc(nounAliases[t.lemma], func(a string) bool { return slices.Contains(words, a) }))
		if !label {
			continue
		}
		at := -1
		switch {
		case i > 0 && s.mayLabel(i-1):
			at = i - 1
		case i+1 < len(s.toks) && s.mayLabel(i+1) && capital(s.toks[i+1].text):
			at = i + 1
		case i+2 < len(s.toks) && (s.toks[i+1].low == "of" || s.toks[i+1].low == "is" || s.toks[i+1].low == "in") && s.mayLabel(i+2) && capital(s.toks[i+2].text):
			at = i + 2
		}
		if at >= 0 {
			s.args[p.name] = s.nameText(at, at+1)
			s.mark(at, at+1)
			s.used[i] = true
			return
		}
	}
}

// mayLabel reports whether a token may be the value beside a label.
func (s *filling) mayLabel(i int) bool {
	t := s.toks[i]
	return t.kind == wordToken && (s.unknownAt(i) || capital(t.text) && i > 0 && !s.said[i])
}

// nameText is a name as the message has it, without the s of a genitive or of several.
func (s *filling) nameText(i, j int) string {
	name := s.c.s.req.Message[s.toks[i].start:s.toks[j-1].end]
	name = strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")
	if n := len(name); n > 2 && name[n-1] == 's' && name[n-2] >= '0' && name[n-2] <= '9' {
		name = name[:n-1]
	}
	return name
}

// takesName reports whether an argument of that name takes a name or a phrase to search for.
func takesName(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return w == "name" || w == "query" || w == "q" || w == "search" || w == "text" || w == "term"
	})
}

// properName finds the first run of unused words with capitals, numbers within included, with the unknown words around it that belong
// to it: pump P80, 24V power supply.
func (s *filling) properName() (i, j int) {
	for i, t := range s.toks {
		coined := t.kind == wordToken && strings.ContainsAny(t.text, "0123456789")
		if s.used[i] || t.kind != wordToken || !capital(t.text) && !coined || s.c.isID(t.text) || t.place || currencyCode(t) != "" || i == 0 && (stopWords[t.low] || !s.unknownAt(i)) || benignWords[t.low] && i == 0 {
			continue
		}
		j := i + 1
		for j < len(s.toks) && (s.namePart(j) || s.unknownAt(j) && j+1 < len(s.toks) && s.namePart(j+1)) {
			j++
		}
		for i > 0 && s.toks[i-1].kind == wordToken && s.unknownAt(i-1) && s.toks[i-1].end+1 >= s.toks[i].start {
			i--
		}
		return i, j
	}
	return -1, -1
}

// namePart reports whether a token goes on with a name that the one before it is part of.
func (s *filling) namePart(j int) bool {
	t := s.toks[j]
	return !s.used[j] && t.start <= s.toks[j-1].end+1 && (t.kind == wordToken && (capital(t.text) || strings.ContainsAny(t.text, "0123456789")) || t.kind == numberToken)
}

// plainName finds a name without capitals: unknown words behind "of", "for" and the like.
func (s *filling) plainName() (i, j int) {
	for i, t := range s.toks {
		if !prepositions[t.low] {
			continue
		}
		from := i + 1
		for from < len(s.toks) && (articles[s.toks[from].low] || s.toks[from].kind == wordToken && s.c.cat.nouns[s.toks[from].lemma]) {
			from++
		}
		to := from
		for to < len(s.toks) && s.toks[to].kind != markToken && s.unknownAt(to) {
			to++
		}
		if to > from {
			return from, to
		}
	}
	return -1, -1
}

// prepositions stand before names.
var prepositions = plan.WordSet("of for from by with at to")
