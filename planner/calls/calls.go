// Package calls reads a message as calls of tools, from the tools' schemas alone: which stretch of the message is for which tool, and
// what fills each argument. It knows no tool by name and asks no model.
package calls

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/planner/plan"
	"catena/planner/retrieval"
)

// Call is a call of a tool with its arguments.
type Call struct {
	Tool string
	Args map[string]any
	Why  []Reason // one for each argument, in the order of the schema
}

// Reason says why an argument has its value.
type Reason struct {
	Arg  string
	From string // the words of the message; "" for what was not in it
	How  string
}

// Reading is a message read as calls.
type Reading struct {
	Calls   []Call
	Missing string // what must be known before the best tool can be called, as a question; Calls is then empty
	Score   float64
}

// mostTools bounds the tools that are looked at closely.
const mostTools = 8

// Set is a catalogue made ready to be read against. It is not changed after NewSet: safe for concurrent use.
type Set struct {
	tools []plan.Tool
	facts []*facts
	index *retrieval.Index
}

// NewSet prepares tools.
func NewSet(tools []plan.Tool) *Set {
	s := &Set{tools: tools, index: retrieval.New(tools)}
	for _, t := range tools {
		s.facts = append(s.facts, newFacts(t))
	}
	return s
}

// Read reads a message. The day is now's. No calls and nothing missing means that no tool fits.
func (s *Set) Read(message string, now time.Time) Reading {
	t := s.text(unquoted(message), now)
	cands := s.candidates(t)
	if len(cands) == 0 {
		return Reading{}
	}
	return t.reading(t.groups(cands))
}

// text prepares a message.
func (s *Set) text(message string, now time.Time) *text {
	t := &text{s: message, toks: tokenize(message)}
	t.values = values(message, t.toks, now)
	t.named(s.facts)
	t.at = slices.Repeat([]int{-1}, len(t.toks))
	t.behind = make([]bool, len(t.toks))
	t.heads = make([]int, len(t.values))
	for n, v := range t.values {
		for k := v.i; k < v.j; k++ {
			t.at[k] = n
		}
		t.heads[n] = n
		if n > 0 && t.values[n-1].kind == v.kind && t.coordinated(t.values[n-1].j, v.i) {
			t.heads[n] = t.heads[n-1]
		}
		for k := v.j; k < min(len(t.toks), v.j+3) && t.toks[k].kind == word && !stopWords[t.toks[k].low]; k++ {
			t.behind[k] = true
		}
	}
	return t
}

// candidates are the tools that a message may be for.
func (s *Set) candidates(t *text) []*candidate {
	if len(t.toks) == 0 {
		return nil
	}
	var out []*candidate
	for _, n := range s.shortlist(t.s) {
		out = append(out, t.candidate(s.facts[n]))
	}
	return out
}

// groups cuts the message into stretches for calls.
func (t *text) groups(cands []*candidate) []group {
	if groups, ok := t.crossed(cands); ok {
		return groups
	}
	return t.search(cands)
}

// shortlist gives the places of the tools that are looked at: all of a few, else those that fit best.
func (s *Set) shortlist(message string) []int {
	var out []int
	for _, hit := range s.index.Search(message, mostTools) {
		out = append(out, hit.Tool)
	}
	for i := range s.tools {
		if len(s.tools) <= mostTools && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// unquoted is a message without the quotes around all of it.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) < 30 || s[0] != s[len(s)-1] || s[0] != '"' && s[0] != '\'' {
		return s
	}
	inner := s[1 : len(s)-1]
	if s[0] == '"' && strings.Count(inner, `"`)%2 == 0 || s[0] == '\'' && !strings.Contains(inner, " '") && !strings.Contains(inner, "' ") {
		return inner
	}
	return s
}

func (t *text) reading(groups []group) Reading {
	var out Reading
	groups = slices.DeleteFunc(groups, func(g group) bool { return !t.meant(g, groups) })
	for _, g := range groups {
		g.ordered()
	}
	groups = joined(groups)
	groups = slices.DeleteFunc(groups, func(g group) bool { return g.idle(groups) })
	for n := range groups {
		t.inherit(groups, n)
	}
	for n := len(groups) - 1; n > 0; n-- {
		groups[n-1].takeBack(groups[n])
	}
	for _, g := range groups {
		call, missing := t.call(g)
		if missing != "" {
			out.Missing = missing
			out.Calls = nil
			return out
		}
		if !slices.ContainsFunc(out.Calls, func(c Call) bool { return same(c, call) }) {
			out.Calls = append(out.Calls, call)
		}
	}
	return out
}

func same(a, b Call) bool {
	x, _ := json.Marshal(a.Args)
	y, _ := json.Marshal(b.Args)
	return a.Tool == b.Tool && string(x) == string(y)
}

// meant reports whether enough speaks for the tool of a group, in it or in another group of the same tool.
func (t *text) meant(g group, all []group) bool {
	for _, o := range all {
		if o.c == g.c && o.fit.lex+o.fit.sure() >= enough+guessCost*float64(o.fit.guesses()) {
			return true
		}
	}
	return false
}

// What must speak for a tool at least, and how much more for each argument that is guessed: found on the development half, where
// four in five messages that no tool fits are left alone.
const (
	enough    = 1.1
	guessCost = 0.8
)

// guesses counts the arguments that must be there and that only plain words fill, which nothing points to.
func (f fit) guesses() int {
	n := 0
	for p, pr := range f.args {
		if p.required && pr.loose && pr.score < 0.75 {
			n++
		}
	}
	return n
}

// sure is what the arguments say for the tool: values that its schema lists, and others right beside its words.
func (f fit) sure() float64 {
	sum := 0.0
	for _, pr := range f.args {
		switch {
		case pr.how == byCode:
			sum += 0.6
		case pr.score >= 1.5 && !pr.free:
			sum += 0.25
		}
	}
	return sum
}

// inherit fills what a group leaves open with what the groups before it of the same tool say, else those behind it.
func (t *text) inherit(groups []group, n int) {
	g := &groups[n]
	again := slices.ContainsFunc(t.toks[g.from:g.to], func(tok token) bool { return tok.low == "same" || tok.low == "again" || tok.low == "repeat" })
	for _, p := range g.c.f.params {
		if pr, have := g.fit.args[p]; have && !(pr.loose && n > 0 && pr.score < 1) {
			continue
		}
		take := func(o group) bool {
			pr, ok := o.fit.args[p]
			if ok && (!pr.loose || p.required) && (p.required || again || !g.strong || g.fit.lex < 1) {
				pr.how = "as said of the other call"
				g.fit.args[p] = pr
				return true
			}
			return false
		}
		_, done := g.fit.args[p]
		if done {
			for k := n - 1; k >= 0 && (groups[k].c != g.c || groups[k].fit.args[p].loose || !take(groups[k])); k-- {
			}
		}
		for k := n - 1; k >= 0 && !done; k-- {
			done = groups[k].c == g.c && take(groups[k])
		}
		for k := n + 1; k < len(groups) && !done && p.required; k++ {
			done = groups[k].c == g.c && take(groups[k])
		}
		for k := range groups { // another tool's argument of the same name
			if done || !p.required {
				break
			}
			for q, pr := range groups[k].fit.args {
				if q.name == p.name && q.typ == p.typ && !done {
					pr.how = "as said of the other call"
					g.fit.args[p], done = pr, true
				}
			}
		}
	}
}

// named finds the tools and arguments that the message names as they are written: they are no values.
func (t *text) named(tools []*facts) {
	t.said = make([]string, len(t.toks))
	t.values = slices.DeleteFunc(t.values, func(v value) bool {
		if v.kind != quotedValue && v.kind != coinedValue {
			return false
		}
		text := strings.Trim(v.text, "().,")
		for _, f := range tools {
			if text == f.name {
				t.said[v.i] = f.name
				return true
			}
			for _, p := range f.params {
				if text == p.name && strings.ContainsAny(text, "_") {
					return true
				}
			}
		}
		return false
	})
	for i, tok := range t.toks {
		for _, f := range tools {
			if tok.kind == word && tok.text == f.name && !tok.capital() && len(f.name) > 3 {
				t.said[i] = f.name
			}
		}
	}
}

// ordered swaps the values of two arguments where they then stand as the schema has them, and fit about as well.
func (g group) ordered() {
	const slack = 0.3
	for a, p := range g.c.f.params {
		for _, q := range g.c.f.params[a+1:] {
			x, okX := g.fit.args[p]
			y, okY := g.fit.args[q]
			if !okX || !okY || p.typ != q.typ {
				continue
			}
			var px, py pair
			for _, pr := range g.c.pairs {
				if pr.p == p && pr.i == y.i && pr.j == y.j {
					px = pr
				}
				if pr.p == q && pr.i == x.i && pr.j == x.j {
					py = pr
				}
			}
			if px.p == nil || py.p == nil {
				continue
			}
			gain := px.score + py.score - x.score - y.score
			if gain > 0 || x.i > y.i && gain > -slack {
				g.fit.args[p], g.fit.args[q] = px, py
			}
		}
	}
}

// joined joins a group with the one before it of the same tool where they do not contradict each other: both are of one call.
func joined(groups []group) []group {
	var out []group
	for _, g := range groups {
		if n := len(out) - 1; n >= 0 && out[n].c == g.c && out[n].agrees(g) {
			for p, pr := range g.fit.args {
				if have, ok := out[n].fit.args[p]; !ok || have.loose && !pr.loose {
					out[n].fit.args[p] = pr
				}
			}
			out[n].to = g.to
			continue
		}
		out = append(out, g)
	}
	return out
}

// agrees reports whether all that two groups both say is the same, plain words apart.
func (g group) agrees(o group) bool {
	sure := false
	for p, b := range o.fit.args {
		sure = sure || !b.loose && !b.free
		a, ok := g.fit.args[p]
		if ok && !a.loose && !b.loose && !equal(a.value, b.value) {
			return false
		}
		if ok && a.loose && b.loose && g.fit.lex > 1 && o.fit.lex > 1 {
			return false
		}
	}
	if len(o.fit.args) == 0 {
		return true
	}
	for p, a := range g.fit.args { // nothing new for what must be there: another call that leaves the rest as before
		if b, ok := o.fit.args[p]; ok && !a.loose && !b.loose && p.required && sure && equal(a.value, b.value) && o.strong && o.fit.lex > 2 {
			return false
		}
	}
	return true
}

// idle reports whether a group says nothing for sure of its tool's arguments, while another group of the same tool does.
func (g group) idle(all []group) bool {
	sure := func(g group) bool {
		for _, pr := range g.fit.args {
			if !pr.loose && !pr.free {
				return true
			}
		}
		return false
	}
	needs := slices.ContainsFunc(g.c.f.params, func(p *param) bool { return p.required })
	return needs && !sure(g) && slices.ContainsFunc(all, func(o group) bool { return o.c == g.c && sure(o) })
}

// takeBack takes over what the last of several calls in one sentence says at its end: "5 and 7, both in meters".
func (g *group) takeBack(next group) {
	if next.c != g.c || next.strong {
		return
	}
	last := 0
	for p, pr := range next.fit.args {
		if p.required && pr.i >= next.from && pr.j <= next.to {
			last = max(last, pr.j)
		}
	}
	for p, pr := range next.fit.args {
		if _, have := g.fit.args[p]; !have && !p.required && pr.i >= last {
			pr.how = "as said of the other call"
			g.fit.args[p] = pr
		}
	}
}

func equal(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// call makes the call of a group, or a question for what is missing.
func (t *text) call(g group) (Call, string) {
	c := Call{Tool: g.c.f.name, Args: map[string]any{}}
	for _, p := range g.c.f.params {
		if pr, ok := g.fit.args[p]; ok {
			c.Args[p.name] = pr.value
			c.Why = append(c.Why, Reason{p.name, t.s[t.toks[pr.i].start:t.toks[pr.j-1].end], pr.how})
			continue
		}
		if p.typ == "object" && len(p.members) > 0 {
			if v := t.object(g, p); len(v) > 0 {
				c.Args[p.name] = v
				c.Why = append(c.Why, Reason{p.name, "", "its members"})
				continue
			}
		}
		if !p.required {
			continue
		}
		switch {
		case p.def != nil:
			c.Args[p.name] = p.def
			c.Why = append(c.Why, Reason{p.name, "", "the default of the schema"})
		case p.typ == "boolean":
			c.Args[p.name] = false
			c.Why = append(c.Why, Reason{p.name, "", "the message does not name it"})
		default:
			return c, fmt.Sprintf("Which %s do you mean for %s?", strings.Join(plan.NameWords(p.name), " "), c.Tool)
		}
	}
	return c, ""
}

// object fills the members of an object from the words of a group that nothing else takes.
func (t *text) object(g group, p *param) map[string]any {
	f := &facts{name: p.name, words: g.c.f.words, about: g.c.f.about, params: p.members}
	inner := &candidate{f: f, pairs: t.pairsOf(f), lex: make([]float64, len(t.toks))}
	inner.pairs = slices.DeleteFunc(inner.pairs, func(pr pair) bool {
		for _, o := range g.fit.args {
			if !o.free && pr.i < o.j && o.i < pr.j {
				return true
			}
		}
		return false
	})
	got := t.fit(inner, g.from, g.to)
	out := map[string]any{}
	for _, m := range p.members {
		if pr, ok := got.args[m]; ok {
			out[m.name] = pr.value
		} else if m.typ == "object" && len(m.members) > 0 {
			if v := t.object(g, m); len(v) > 0 {
				out[m.name] = v
			}
		}
	}
	return out
}
