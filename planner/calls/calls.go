// Package calls reads a message as calls of tools, from the tools' schemas alone: which stretch of the message is for which tool, and
// what fills each argument. It knows no tool by name and asks no model.
package calls

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
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

// ByDefault is How an argument is filled that the message does not name and that has a default.
const ByDefault = "the default of the schema"

// Reading is a message read as calls.
type Reading struct {
	Calls   []Call
	Missing string   // what must be known before the best tool can be called, as a question; Calls is then empty
	Unused  []string // names, quoted texts and numbers of the message that no call uses
}

// mostTools bounds the tools that are looked at closely.
const mostTools = 8

// Set is a catalogue made ready to be read against. It is not changed after NewSet: safe for concurrent use.
type Set struct {
	tools []plan.Tool
	facts []*facts
	index *retrieval.Index
	once  sync.Once
	known *kinds
}

// NewSet prepares tools.
func NewSet(tools []plan.Tool) *Set {
	s := &Set{tools: tools, index: retrieval.New(tools)}
	for _, t := range tools {
		s.facts = append(s.facts, newFacts(t))
	}
	return s
}

// Names reports whether a word stands in the name of a tool.
func (s *Set) Names(w string) bool {
	w = stem(w)
	return slices.ContainsFunc(s.facts, func(f *facts) bool { return f.about[w] })
}

// Elsewhere reports whether a word tells of the things of other tools, and of none that a tool gives: the buyer, where
// e-mails are searched. It is false where no tool is said to read only.
func (s *Set) Elsewhere(tool, w string) bool {
	at := slices.IndexFunc(s.tools, func(t plan.Tool) bool { return t.Name == tool })
	return at >= 0 && s.reads() && s.kinds().elsewhere(s.kinds().tools[at].kind, strings.ToLower(w))
}

// Read reads a message. The day is now's. No calls and nothing missing means that no tool fits.
func (s *Set) Read(message string, now time.Time) Reading {
	t := s.text(Unquoted(message), now)
	cands := s.candidates(t)
	if len(cands) == 0 {
		return Reading{}
	}
	return t.reading(t.settled(t.groups(cands)))
}

// text prepares a message.
func (s *Set) text(message string, now time.Time) *text {
	t := &text{s: message, toks: tokenize(message)}
	t.values = values(message, t.toks, now)
	t.named(s.facts)
	if s.reads() {
		t.known = s.kinds()
	}
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

// Unquoted is a message without the quotes around all of it.
func Unquoted(s string) string {
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

// settled are the groups that calls are made of, with what one takes over from another.
func (t *text) settled(groups []group) []group {
	all := groups
	groups = slices.DeleteFunc(slices.Clone(groups), func(g group) bool { return !t.meant(g, all) })
	for _, g := range groups {
		g.ordered()
	}
	groups = joined(groups)
	kept := groups
	groups = slices.DeleteFunc(slices.Clone(groups), func(g group) bool { return g.idle(kept) })
	for n := range groups {
		t.inherit(groups, n)
	}
	for n := len(groups) - 1; n > 0; n-- {
		groups[n-1].takeBack(groups[n])
	}
	return groups
}

// reading makes calls of settled groups.
func (t *text) reading(groups []group) Reading {
	var out Reading
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
	for _, v := range t.values {
		used := slices.ContainsFunc(groups, func(g group) bool {
			for _, pr := range g.fit.args {
				if pr.i < v.j && v.i < pr.j {
					return true
				}
			}
			return false
		})
		if !used && !v.weak {
			out.Unused = append(out.Unused, v.text)
		}
	}
	return out
}

func same(a, b Call) bool {
	x, _ := json.Marshal(a.Args)
	y, _ := json.Marshal(b.Args)
	return a.Tool == b.Tool && string(x) == string(y)
}

// What must speak for a tool at least, and how much more for each argument that is guessed: found on the development half, where
// four in five messages that no tool fits are left alone.
const (
	enough    = 1.1
	guessCost = 0.8
)

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
			c.Why = append(c.Why, Reason{p.name, "", ByDefault})
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
