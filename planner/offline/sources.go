package offline

import (
	"cmp"
	"encoding/json"
	"slices"

	"catena/planner/plan"
)

// fetched is an argument that takes a column of an earlier step.
type fetched struct {
	param  param
	step   int
	column string
	list   bool
}

// source is a way to get an argument's value: a chain with the steps that give it.
type source struct {
	giver
	chain *chain
	used  []bool
	said  []bool
	step  int
	list  bool    // there may be several
	gain  int     // words of the message that it explains
	fit   float64 // what else speaks for it
	steps int
}

// mostTries bounds how often givers are tried for a message, by the number of tools: many tools give the same. mostGivers bounds how
// many are tried for one argument.
const (
	mostTries  = 400_000
	mostGivers = 12
)

// mostDeep is how many steps may stand one behind the other before the tool that is meant.
const mostDeep = 3

// chainIDs fills arguments that other tools give: from the result before, else from a tool that finds the thing by the name, the
// id or the traits that the clause gives, with what that tool needs in turn. ok is false when a required one stays open.
func (s *filling) chainIDs() (each *plan.Ref, ok bool) {
	var many []fetched
	var open []*param
	for i := range s.f.params {
		p := &s.f.params[i]
		if _, have := s.args[p.name]; !have && (p.required || p.entity != "" && !s.named && !s.literal) {
			open = append(open, p)
		}
	}
	if step := len(s.c.steps) - 1; s.depth == 0 && step >= 0 && s.c.last != nil {
		open = slices.DeleteFunc(open, func(p *param) bool {
			col := s.c.last.idColumn(*p)
			if p.entity == "" || col == "" {
				return false
			}
			many = s.takes(many, fetched{*p, step, col, true})
			return true
		})
	}
	for len(open) > 0 {
		at, best := -1, (*source)(nil)
		for i, p := range open {
			if t, ok := s.known(*p); ok {
				many = s.takes(many, fetched{*p, t.step, t.column, t.list})
				at, best = i, nil
				break
			}
			if got := s.sourceOf(*p); got != nil && (best == nil || got.better(best)) {
				at, best = i, got
			}
		}
		if at < 0 {
			break
		}
		if best != nil {
			many = s.take(many, *open[at], best)
		}
		open = slices.Delete(open, at, at+1)
	}
	if i := slices.IndexFunc(open, func(p *param) bool { return p.required }); i >= 0 {
		if p := open[i]; s.depth == 0 && p.entity != "" && s.explained() {
			s.c.missing = cmp.Or(s.c.missing, "Which "+p.entity+" do you mean?")
		}
		return nil, false
	}
	return s.each(many)
}

// take puts a source's steps into the chain and its value into an argument.
func (s *filling) take(many []fetched, p param, src *source) []fetched {
	missing := s.c.missing
	*s.c = *src.chain
	s.c.missing = cmp.Or(missing, s.c.missing)
	copy(s.used, src.used)
	copy(s.said, src.said)
	if src.object {
		s.args[p.name] = s.c.ref(src.step, src.path...)
		return many
	}
	return s.takes(many, fetched{p, src.step, src.column, src.list})
}

// takes refers an argument to a column of a step where that is one value or one list, and keeps it for each where it is not.
func (s *filling) takes(many []fetched, l fetched) []fetched {
	path := []plan.Seg{{Field: l.column}}
	switch {
	case l.param.typ == "array":
		s.args[l.param.name] = s.c.ref(l.step, append(slices.Clone(rowsAll), path...)...)
	case l.list:
		return append(many, l)
	default:
		s.args[l.param.name] = s.c.ref(l.step, append(slices.Clone(onlyRow), path...)...)
	}
	return many
}

// each runs the tool for each row of one step: several arguments may come from the same row, not from two steps.
func (s *filling) each(many []fetched) (*plan.Ref, bool) {
	if len(many) == 0 {
		return nil, true
	}
	if slices.ContainsFunc(many, func(l fetched) bool { return l.step != many[0].step }) {
		return nil, false
	}
	if len(many) == 1 {
		return s.pass(many[0].param, many[0].step, many[0].column, true), true
	}
	for _, l := range many {
		s.args[l.param.name] = plan.Ref{Step: plan.Each, Path: []plan.Seg{{Field: l.column}}}
	}
	ref := s.c.ref(many[0].step, rowsAll...)
	return &ref, true
}

// sourceOf is the best way to get an argument, nil without one. Of two that fit as well the user is asked for one.
func (s *filling) sourceOf(p param) *source {
	if s.depth >= mostDeep || !p.required && !s.pending() {
		return nil
	}
	givers, tables := s.c.cat.givers(p), len(s.c.s.views) > 0
	var finder *toolFacts
	if tables { // which answer what takes more than to find one thing by its name
		finder, _ = s.c.cat.finder(p.entity)
	}
	var best, second *source
	tried := 0
	for _, g := range s.likely(givers) {
		if g.tool == s.f || slices.Contains(s.via, g.tool) || tables && (g.tool != finder || s.depth > 0 || !g.own) {
			continue
		}
		if tried++; tried > mostGivers || s.c.s.made.tries*len(s.c.cat.tools) >= mostTries {
			break
		}
		s.c.s.made.tries++
		got := s.try(p, g)
		if got == nil {
			continue
		}
		if best == nil || got.better(best) {
			best, second = got, best
		} else if second == nil || got.better(second) {
			second = got
		}
	}
	if best != nil && second != nil && !best.better(second) && best.tool.Name != second.tool.Name && s.depth == 0 {
		s.c.missing = "Should " + best.tool.Name + " or " + second.tool.Name + " find the " + cmp.Or(p.entity, p.name) + "?"
	}
	return best
}

// likely puts the givers first of which the clause speaks.
func (s *filling) likely(givers []giver) []giver {
	if len(givers) <= mostGivers || len(s.c.s.views) > 0 {
		return givers
	}
	key := giverKey{&givers[0], stretchOf(s.toks)}
	if got, ok := s.c.s.made.likely[key]; ok {
		return got
	}
	spoken := map[string]bool{}
	for _, t := range s.toks {
		if t.kind == wordToken {
			spoken[t.lemma] = true
			for _, a := range nounAliases[t.lemma] {
				spoken[a] = true
			}
		}
	}
	var first, rest []giver
	for _, g := range givers {
		switch {
		case len(g.tool.nouns) > 0 && spoken[g.tool.nouns[0]]:
			first = append(first, g)
		case len(rest) < mostLikely:
			rest = append(rest, g)
		}
	}
	first = append(first, rest...)
	s.c.s.made.likely[key] = first
	return first
}

// mostLikely is how many givers of which the clause does not speak are kept: more than are tried, since some are passed over.
const mostLikely = 4 * mostGivers

// giverKey is the givers of an argument for a clause.
type giverKey struct {
	givers *giver
	toks   stretch
}

// pending reports whether a word is left that a giver could take: a name, an id, a number, a place, a value that some tool lists.
func (s *filling) pending() bool {
	for i, t := range s.toks {
		if s.said[i] || t.kind == markToken {
			continue
		}
		if t.kind != wordToken || capital(t.text) || s.c.cat.enums[t.lemma] || ownWords[t.low] || !s.used[i] && s.unknownAt(i) || t.place {
			return true
		}
	}
	return false
}

func (a *source) better(b *source) bool {
	return cmp.Or(cmp.Compare(float64(a.gain)+a.fit, float64(b.gain)+b.fit), cmp.Compare(b.steps, a.steps)) > 0
}

// try calls a giver, and what it needs in turn, with what the message says beyond what is used.
func (s *filling) try(p param, g giver) *source {
	c := s.c.copied()
	sub := &filling{c: c, f: g.tool, toks: s.toks, used: slices.Clone(s.used), said: slices.Clone(s.said), depth: s.depth + 1, via: append(slices.Clone(s.via), s.f), args: map[string]any{}}
	sub.needed = p.required
	sub.useNouns()
	sub.fillAll()
	if p.entity != "" && len(s.c.cat.tools) > fewTools && slices.ContainsFunc(g.tool.params, func(q param) bool { _, have := sub.args[q.name]; return q.required && !have && q.entity == p.entity }) {
		return nil // it needs what is looked for, which among many tools another gives
	}
	before := countTrue(s.said)
	each, ok := sub.chainIDs()
	if !ok || slices.ContainsFunc(g.tool.params, func(q param) bool { _, have := sub.args[q.name]; return q.required && !have }) {
		return nil
	}
	if again := g.own && g.tool.entity == s.f.entity && s.f.ReadOnly; again && !s.c.cat.byName(g.tool.Name).gets() && s.f.gets() {
		return nil // its rows are there already
	}
	if _, passed := sub.args[g.column].(plan.Ref); passed && !g.own {
		return nil // what was put in comes out again
	}
	gain := countTrue(sub.said) - before
	fit := s.fit(p, g, sub)
	if !g.own && fit == 0 && !sub.literal && !s.speaks(g.tool.nouns) && p.entity != "" {
		return nil // the clause speaks neither of the row nor of what the thing is to it
	}
	whole := p.required && g.own && len(sub.args) == 0 && s.forEach(p.entity)
	if gain == 0 && !whole {
		return nil
	}
	out := &source{giver: g, chain: c, used: sub.used, said: sub.said, gain: gain, list: !sub.named && !sub.literal, fit: fit}
	out.step = c.once(g.tool.Name, sub.args, each)
	if !s.f.ReadOnly || s.theOne(p.entity) && each == nil {
		out.list = false
	}
	if g.own {
		c.things = append(slices.Clone(c.things), thing{p.entity, out.step, g.column, out.list})
	}
	out.step = sub.narrowed(out)
	out.steps = len(c.steps)
	return out
}

// fit is what speaks for a giver beside the words that it explains: the message names what the thing is to the row, or the thing.
func (s *filling) fit(p param, g giver, sub *filling) float64 {
	if g.own {
		fit := 0.4
		if sub.cued(p) {
			fit += 0.6
		}
		if len(s.toks) > 0 && (s.toks[0].low == "who" || s.toks[0].low == "whose") && roleNouns[p.entity] {
			fit += 0.5
		}
		return fit
	}
	for i, t := range s.toks {
		if t.kind == wordToken && (g.role[t.lemma] || slices.ContainsFunc(nounAliases[t.lemma], func(a string) bool { return g.role[a] })) {
			sub.used[i] = true
			return 0.9
		}
	}
	return 0
}

// speaks reports whether the clause has one of some nouns, or another word for one.
func (s *filling) speaks(nouns []string) bool {
	return slices.ContainsFunc(s.toks, func(t token) bool {
		return t.kind == wordToken && (slices.Contains(nouns, t.lemma) || slices.ContainsFunc(nounAliases[t.lemma], func(a string) bool { return slices.Contains(nouns, a) }))
	})
}

// cued reports whether the clause says what the thing of an id argument does, which the argument is called by: owned for owner_id,
// handles for assignee_id. The words are explained by that.
func (s *filling) cued(p param) bool {
	words, found := p.roleWords(), false
	for i, t := range s.toks {
		if t.kind != wordToken || s.said[i] {
			continue
		}
		for w := range words {
			if sameFamily(t.low, w) && t.lemma != w || slices.Contains(deedRoles[t.lemma], w) || slices.Contains(deedRoles[t.low], w) {
				s.used[i], found = true, true
			}
		}
	}
	return found
}

// deedRoles are what people are to the things with which they do something.
var deedRoles = map[string][]string{
	"handle": {"assignee", "agent"}, "handles": {"assignee", "agent"}, "handled": {"assignee", "agent"}, "handling": {"assignee", "agent"}, "work": {"assignee", "agent"}, "works": {"assignee", "agent"}, "working": {"assignee", "agent"},
	"own": {"owner"}, "owns": {"owner"}, "manage": {"manager"}, "manages": {"manager"}, "write": {"author"}, "wrote": {"author"}, "written": {"author"}, "by": {"author", "reporter"},
}

// sameFamily reports whether two words begin alike and differ in a short ending only: owned and owner, assigned and assignee.
func sameFamily(a, b string) bool {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n >= 4 && max(len(a), len(b))-n <= 2
}

// narrowed adds a query behind a giver where not all its rows are meant, or where several rows may have the same value. It gives the
// step that has the values.
func (s *filling) narrowed(src *source) int {
	c := src.chain
	if len(s.extra)+len(s.not) == 0 && (src.own || !src.list) || c.cat.byName(queryTool) == nil {
		return src.step
	}
	q := plan.Query{Data: c.ref(src.step), Filter: s.filters(&c.steps[src.step]), Select: []plan.Select{{Column: src.column}}, Distinct: true}
	return c.once(queryTool, q.Args(), nil)
}

// copied is a chain that can be built on without changing this one.
func (c *chain) copied() *chain {
	out := *c
	out.steps, out.answers, out.notes = slices.Clone(c.steps), slices.Clone(c.answers), slices.Clone(c.notes)
	return &out
}

// once adds a step, unless the same call is there.
func (c *chain) once(tool string, args map[string]any, each *plan.Ref) int {
	same, _ := json.Marshal([]any{tool, args, each})
	for i, st := range c.steps {
		if had, _ := json.Marshal([]any{st.Tool, st.Args, st.Each}); string(had) == string(same) {
			return i
		}
	}
	step := c.add(tool, args)
	c.steps[step].Each = each
	return step
}

// gets reports whether a tool gives one thing by its id.
func (f *toolFacts) gets() bool {
	return slices.ContainsFunc(f.params, func(p param) bool { return p.required && p.entity != "" && p.entity == f.entity && p.typ != "array" })
}

func countTrue(list []bool) int {
	n := 0
	for _, b := range list {
		n += b2i(b)
	}
	return n
}
