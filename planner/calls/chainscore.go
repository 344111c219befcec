package calls

import (
	"slices"

	"catena/planner/plan"
)

func (l *link) taken(free []bool, i, j int) bool {
	return slices.Contains(free[i:j], false) || slices.Contains(l.vals[i:j], true)
}

// total is how many values of the message a link and those before it take.
func (l *link) total() int {
	n := l.uses
	for _, d := range l.deps {
		n += d.from.total()
	}
	return n
}

// words are what each token says for the tools of a chain, the most it says for one.
func (l *link) words() []float64 {
	all := slices.Clone(l.lex)
	for _, d := range l.deps {
		for i, w := range d.from.words() {
			all[i] = max(all[i], w)
		}
	}
	return all
}

// used marks the tokens of values.
func (l *link) used() []bool {
	all := slices.Clone(l.vals)
	for _, d := range l.deps {
		for i, v := range d.from.used() {
			all[i] = all[i] || v
		}
	}
	return all
}

func (l *link) calls() int {
	n := 1
	for _, d := range l.deps {
		n += d.from.calls()
	}
	return n
}

// gain is what speaks for a chain.
func (l *link) gain() float64 {
	sum := valueGain*float64(l.total()) - chainCost*float64(l.calls()) - chainOpen*float64(len(l.open))
	sum += l.parts()
	used := l.used()
	for i, w := range l.words() {
		if !used[i] {
			sum += min(w, wordMost)
		}
	}
	return sum
}

// parts is what the parts that things have in rows say for a chain, less what is only guessed to be a name.
func (l *link) parts() float64 {
	sum := -looseName * float64(l.loose)
	for _, d := range l.deps {
		sum += roleGain*d.role + d.from.parts()
	}
	return sum
}

// looseName is what plain words say less than a name.
const looseName = 0.7

// shared is what the words of a sub say that speak for the link already.
func (l *link) shared(sub *link) float64 {
	sum, used := 0.0, sub.used()
	for i, w := range sub.words() {
		if !used[i] {
			sum += min(w, l.lex[i], wordMost)
		}
	}
	return sum
}

// all reports whether the message asks for all things of a kind: each customer, all sensors.
func (l *linking) all(kind string) bool {
	for i, tok := range l.t.toks {
		if tok.kind != word || !alike(plan.Singular(tok.low), kind) {
			continue
		}
		for k := max(0, i-3); k < i; k++ {
			if nouns().every[l.t.toks[k].low] {
				return true
			}
		}
	}
	return false
}

// role is how much the message says of what the thing is to the row.
func (l *linking) role(g giver, part []string) float64 {
	switch {
	case g.own && len(part) > 0 && l.spoken(part):
		return 1.3
	case g.own:
		return 0.3 + 0.7*b2f(l.asksWho && nouns().person[g.of.kind])
	case g.guess:
		return -0.5
	}
	return b2f(len(g.role) > 0)
}

// spoken reports whether the message has one of some words.
func (l *linking) spoken(words []string) bool {
	return slices.ContainsFunc(l.t.toks, func(tok token) bool {
		return tok.kind == word && isKin(words, tok)
	})
}
