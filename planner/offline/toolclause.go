package offline

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"catena/planner/plan"
)

// mostTools bounds the tools that are tried for a clause.
const mostTools = 16

// clauseKey is a clause that the chain begins with: where its tokens are, and how many parts the message was cut into.
type clauseKey struct {
	toks   stretch
	parts  int
	tables someViews
}

// clauseMade is what toolClause made of a clause.
type clauseMade struct {
	ok      bool
	chain   chain
	missing string
	score   float64 // what it adds
}

// toolClause is tooled, kept for the first clause of a chain: a message is tried in several ways that begin alike.
func (c *chain) toolClause(toks []token) bool {
	if len(c.steps) > 0 || len(toks) == 0 || len(c.things) > 0 || c.last != nil || c.view != nil || c.missing != "" {
		return c.tooled(toks)
	}
	key := clauseKey{stretchOf(toks), len(c.parts), viewsKey(c.s.views)}
	made, have := c.s.made.clauses[key]
	if !have {
		t := c.copied()
		made.ok = t.tooled(toks)
		made.chain, made.missing, made.score = *t, t.missing, t.score-c.score
		c.s.made.clauses[key] = made
	}
	if !made.ok {
		c.missing = made.missing
		return false
	}
	parts, message, score := c.parts, c.message, c.score+made.score
	*c = *made.chain.copied()
	c.parts, c.message, c.score = parts, message, score
	for i := range c.steps {
		c.steps[i].Args = maps.Clone(c.steps[i].Args)
	}
	return true
}

// tooled plans a clause with the tool whose call says all of it, with steps before that find what it needs: of several the one
// with the fewest steps, then the one that fits its words best.
func (c *chain) tooled(toks []token) bool {
	lows := lowsOf(toks)
	var best *chain
	most, head := 0, c.head(toks)
	for i, r := range c.ranked(toks) {
		if i == mostTools {
			break
		}
		if len(c.s.views) > 0 && !r.tool.spoken(lows) && !r.tool.searches(lows) && !r.tool.changes() {
			continue // tables answer what no tool is named for
		}
		if r.nouns == 0 && !r.tool.hinted(toks) || r.tool.tabular() || !r.tool.wanted(toks) {
			continue
		}
		fit := 2*b2i(r.tool.ordered(toks)) + b2i(r.tool.about(head) || r.tool.entity == c.cat.roles[head.lemma])
		if best != nil && (fit < most || fit == most && len(best.steps) == len(c.steps)+1) {
			continue // it cannot be better
		}
		t := c.copied()
		if !t.callTool(r.tool, toks) {
			c.missing = cmp.Or(c.missing, t.missing)
			continue
		}
		if best == nil || fit > most || fit == most && len(t.steps) < len(best.steps) {
			best, most = t, fit
		}
		if len(c.s.views) > 0 {
			break
		}
	}
	if best == nil {
		return false
	}
	*c = *best
	return true
}

// changes reports whether a tool is one that changes something.
func (f *toolFacts) changes() bool { return !f.ReadOnly }

func lowsOf(toks []token) map[string]bool {
	low := map[string]bool{}
	for _, t := range toks {
		low[t.lemma], low[t.low] = true, true
	}
	return low
}

// searches reports whether the message says that the tool's things be searched: "find client X".
func (f *toolFacts) searches(low map[string]bool) bool {
	return slices.ContainsFunc(f.verbs, func(v string) bool { return low[v] && (v == "find" || v == "search" || v == "lookup") }) &&
		slices.ContainsFunc(f.nouns, func(n string) bool { return low[n] })
}

// wanted reports whether a tool that changes something is clearly asked for. Tools that only read always are.
func (f *toolFacts) wanted(toks []token) bool {
	if f.ReadOnly {
		return true
	}
	writes := false
	for _, v := range f.verbs {
		if !toolVerbs[v] {
			writes = true
			if slices.ContainsFunc(toks, func(t token) bool { return t.low == v }) {
				return true
			}
		}
		for _, w := range writeVerbs[v] {
			if slices.ContainsFunc(toks, func(t token) bool { return t.low == w }) {
				return true
			}
		}
		writes = writes || len(writeVerbs[v]) > 0
	}
	return !writes && !f.Destructive && len(f.verbs) > 0
}

// head is the first thing that a clause names: what is asked for, mostly.
func (c *chain) head(toks []token) token {
	for _, t := range toks {
		if t.kind == wordToken && (c.cat.nouns[t.lemma] || c.cat.roles[t.lemma] != "" || slices.ContainsFunc(nounAliases[t.lemma], func(a string) bool { return c.cat.nouns[a] })) {
			return t
		}
	}
	return token{}
}

// about reports whether a word is what the tool's rows are.
func (f *toolFacts) about(t token) bool {
	return t.lemma != "" && (f.entity == t.lemma || slices.Contains(nounAliases[t.lemma], f.entity))
}

// hinted reports whether a message names a tool that it does not speak of: its name, a value that it lists, a column that it has.
func (f *toolFacts) hinted(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool {
		if t.kind != wordToken {
			return false
		}
		return t.low == f.Name || slices.ContainsFunc(f.params, func(p param) bool {
			return slices.ContainsFunc(p.enum, func(e string) bool { return strings.EqualFold(e, t.text) })
		}) || slices.ContainsFunc(f.columns, func(c plan.ColumnInfo) bool { return t.lemma == c.Name })
	})
}

// ordered reports whether the message begins with what a tool that changes something does: move the deal, please close the ticket.
func (f *toolFacts) ordered(toks []token) bool {
	if f.ReadOnly {
		return false
	}
	for _, t := range toks {
		if t.kind == wordToken && !politeWords[t.low] && !stopWords[t.low] {
			return slices.ContainsFunc(f.verbs, func(v string) bool { return t.low == v || slices.Contains(writeVerbs[v], t.low) })
		}
	}
	return false
}

// callTool fills a tool's arguments and adds its step.
func (c *chain) callTool(f *toolFacts, toks []token) bool { return c.callWith(f, toks, nil) }

// callWith is callTool with arguments that are said by their names.
func (c *chain) callWith(f *toolFacts, toks []token, given map[string]any) bool {
	s := newFilling(c, f, toks)
	for name, value := range given {
		s.given[name], s.args[name] = true, value
	}
	s.useWords()
	words := slices.Clone(s.used)
	s.fillAll()
	if len(c.s.views) > 0 && !s.datesFit(words) {
		return false
	}
	each, ok := s.chainIDs()
	if !ok {
		return false
	}
	for _, p := range f.params {
		if _, have := s.args[p.name]; p.required && !have {
			if s.explained() {
				c.missing = cmp.Or(c.missing, "Which "+strings.Join(plan.NameWords(p.name), " ")+" do you mean?")
			}
			return false
		}
	}
	step := c.add(f.Name, s.args)
	c.steps[step].Each = each
	c.last, c.view = f, f.resultView()
	c.answers = append(c.answers, step)
	return s.rest()
}
