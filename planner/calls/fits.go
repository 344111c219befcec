package calls

import (
	"slices"
	"strings"
	"time"

	"catena/planner/plan"
)

// Use says what a reading makes of a word of the message.
type Use uint8

// From nothing to all.
const (
	Unused Use = iota
	Left       // a name, a quoted text or a number that no call uses
	Small      // the word carries no meaning by itself
	About      // a word of the tool's description, or of its arguments'
	Named      // a word of the tool's name
	Filled     // a part of an argument
)

// Part is a word, number or quoted text of a message, and its use.
type Part struct {
	Start, End int // bytes of the message
	Use        Use
}

// Fit is a message read as calls, with all that says how well they fit it.
type Fit struct {
	Reading
	Parts []Part   // in order; marks are left out
	Tools []string // that are called, in order, also where something is missing
	Open  []string // the arguments that are missing of the first tool with any
	// Guesses counts the arguments that must be there and that plain words fill, which nothing points to.
	Guesses int
	// Passed counts the ids of the message that no call takes, and the names beside one that a call takes: ann and bob.
	Passed int
	// Words is what the words of the message say for the least named of the tools, Sure what its arguments do.
	Words, Sure float64
	// NameShare is how much of the first tool's name the message says, 0 to 1.
	NameShare float64
}

// Fits are the ways to read a message as calls of the tools that may be called: all tools together first, then each of
// the few that come nearest for itself. The day is now's.
func (s *Set) Fits(message string, now time.Time, may func(plan.Tool) bool) []Fit {
	const alone = 4
	inner := Unquoted(message)
	t := s.text(inner, now)
	var cands []*candidate
	for _, n := range s.shortlist(t.s) {
		if len(t.toks) > 0 && may(s.tools[n]) {
			cands = append(cands, t.candidate(s.facts[n]))
		}
	}
	if len(cands) == 0 {
		return nil
	}
	offset := strings.Index(message, inner)
	var out []Fit
	take := func(list []*candidate) {
		groups := t.settled(t.groups(list))
		if len(list) == 1 && len(groups) == 0 { // little speaks for it: that is for the score to say
			g := group{c: list[0], from: 0, to: len(t.toks), fit: t.fit(list[0], 0, len(t.toks))}
			if g.fit.lex > 0 {
				groups = []group{g}
			}
		}
		f := Fit{Reading: t.reading(groups)}
		f.describe(t, groups, offset)
		again := slices.ContainsFunc(out, func(o Fit) bool {
			return slices.Equal(o.Tools, f.Tools) && slices.EqualFunc(o.Calls, f.Calls, same)
		})
		if len(f.Tools) > 0 && !again {
			out = append(out, f)
		}
	}
	take(cands)
	for _, c := range cands[:min(len(cands), alone)] {
		take([]*candidate{c})
	}
	return out
}

// FitOf is a message read as one call of a tool, whatever else it may mean.
func (s *Set) FitOf(tool, message string, now time.Time) (Fit, bool) {
	at := slices.IndexFunc(s.tools, func(t plan.Tool) bool { return t.Name == tool })
	if at < 0 {
		return Fit{}, false
	}
	t := s.text(message, now)
	c := t.candidate(s.facts[at])
	g := group{c: c, from: 0, to: len(t.toks), fit: t.fit(c, 0, len(t.toks))}
	var f Fit
	call, missing := t.call(g)
	if f.Missing = missing; missing == "" {
		f.Calls = []Call{call}
	}
	f.describe(t, []group{g}, 0)
	return f, true
}

// describe says what the groups make of the words of the message.
func (f *Fit) describe(t *text, groups []group, offset int) {
	for k, tok := range t.toks {
		if tok.kind == mark {
			continue
		}
		p := Part{Start: offset + tok.start, End: offset + tok.end}
		for _, g := range groups {
			p.Use = max(p.Use, g.use(t, k))
		}
		switch {
		case p.Use != Unused:
		case t.at[k] >= 0 && !t.values[t.at[k]].weak:
			p.Use = Left
			if t.known != nil && (t.known.id(tok.text) || tok.kind == number) {
				f.Passed++
			}
		case tok.kind == word && stopWords[tok.low]:
			p.Use = Small
		case tok.kind == word && slices.ContainsFunc(groups, func(g group) bool { return t.joins(g, k) }):
			p.Use, f.Passed = Left, f.Passed+1 // the second of two names: the call would do half of what is said
		}
		f.Parts = append(f.Parts, p)
	}
	for n, g := range groups {
		f.Tools = append(f.Tools, g.c.f.name)
		if n == 0 || g.fit.lex < f.Words {
			f.Words, f.Sure = g.fit.lex, g.fit.sure()
		}
		f.Guesses += g.fit.guesses()
		if len(f.Open) == 0 {
			f.Open = t.missing(g)
		}
	}
	if len(groups) > 0 {
		f.NameShare = groups[0].nameShare(t)
	}
}

// joins reports whether a token is one more of what an argument of plain words took the one next to: ann and bob.
func (t *text) joins(g group, k int) bool {
	if !t.plain(g.c.f, k) {
		return false
	}
	for _, pr := range g.fit.args {
		if pr.loose && (t.coordinated(pr.j, k) || t.coordinated(k+1, pr.i)) {
			return true
		}
	}
	return false
}

// unlikeID reports whether a name fills an argument for an id: another tool finds the id by it.
func (c pair) unlikeID() bool {
	value, text := c.value.(string)
	own := c.p.own
	return text && len(own) > 0 && own[len(own)-1] == idStem && !idLike.MatchString(value)
}

// unlike reports whether a value is none of the ids that an argument takes, as far as the tools show what these look like,
// or none that another tool would give for it.
func (t *text) unlike(f *facts, pr pair) bool {
	value, isText := pr.value.(string)
	if t.known == nil || !isText {
		return false
	}
	th := t.known.of[f]
	kind := th.ids[pr.p]
	if prefix := t.known.shapes[kind]; kind != "" && prefix != "" {
		return !shaped(value, prefix)
	}
	own := slices.ContainsFunc(t.known.givers(th, pr.p), func(g giver) bool { return g.own })
	return own && pr.p.means != country && !idLike.MatchString(value)
}

// misplaced reports whether a value has the shape of the ids of some things, where an argument takes those of others, a
// name or a place, or is money where an argument takes something else.
func (t *text) misplaced(f *facts, pr pair) bool {
	value, isText := pr.value.(string)
	if !isText {
		return t.moneyAt(pr) && !pr.p.takesMoney()
	}
	if t.known == nil || !t.known.id(value) {
		return false
	}
	th := t.known.of[f]
	if kind := th.ids[pr.p]; kind != "" {
		prefix := t.known.shapes[kind]
		return prefix != "" && !shaped(value, prefix)
	}
	return pr.p == th.nameParam() || pr.p.means == country || pr.p.means == location
}

// moneyAt reports whether a currency stands right behind a number, or before it.
func (t *text) moneyAt(pr pair) bool {
	for _, i := range []int{pr.i - 1, pr.j} {
		if i >= 0 && i < len(t.toks) && t.toks[i].currency() {
			return pr.j == pr.i+1 && t.toks[pr.i].kind == number
		}
	}
	return false
}

// currency reports whether a token is a currency, by its code or its name.
func (t token) currency() bool { return currencyCodes[t.text] || currencies[t.low] != "" }

// takesMoney reports whether an argument is called an amount of money, or says nothing of what it takes.
func (p *param) takesMoney() bool {
	words := append(plan.NameWords(p.name), plan.FoldWords(p.desc)...)
	return slices.ContainsFunc(words, func(w string) bool { return nouns().money[plan.Singular(w)] })
}

var idStem = stem("id")

// use is what a call makes of a token.
func (g group) use(t *text, k int) Use {
	for _, pr := range g.fit.args {
		if k >= pr.i && k < pr.j {
			return Filled
		}
	}
	switch tok := t.toks[k]; {
	case t.said[k] == g.c.f.name, tok.kind == word && g.c.f.about[tok.stem] && !stopWords[tok.low]:
		return Named
	case g.c.f.options[tok.stem] && !g.c.f.args[tok.stem]:
		return Left // it would say what is wanted
	case g.c.lex[k] > 0:
		return About
	}
	return Unused
}

// nameShare is how much of the words of a tool's name, by their weight, the message says.
func (g group) nameShare(t *text) float64 {
	said, all := 0.0, 0.0
	for s := range g.c.f.about {
		weight := g.c.f.words[s]
		all += weight
		if slices.ContainsFunc(t.toks, func(tok token) bool { return tok.kind == word && tok.stem == s }) {
			said += weight
		}
	}
	if slices.Contains(t.said, g.c.f.name) || all == 0 {
		return 1
	}
	return said / all
}

// missing are the arguments that must be there and that a group does not fill, and the ids that it has the names for.
func (t *text) missing(g group) []string {
	var out []string
	for _, p := range g.c.f.params {
		pr, filled := g.fit.args[p]
		if filled && (pr.unlikeID() || t.unlike(g.c.f, pr)) {
			out = append(out, p.name)
			continue
		}
		if filled || !p.required || p.def != nil || p.typ == "boolean" {
			continue
		}
		if p.typ == "object" && len(p.members) > 0 && len(t.object(g, p)) > 0 {
			continue
		}
		out = append(out, p.name)
	}
	return out
}
