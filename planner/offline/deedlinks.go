package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// linked refers an argument to a field that a step before gave under its name, or under a name that the argument's
// description says.
func (c *chain) linked(p param) (plan.Ref, bool) {
	if p.typ != "string" && p.typ != "" {
		return plan.Ref{}, false
	}
	for i := len(c.steps) - 1; i >= 0; i-- {
		f := c.cat.byName(c.steps[i].Tool)
		if f == nil || c.steps[i].Each != nil {
			continue
		}
		for _, field := range f.fields {
			if strings.HasSuffix(field, "_id") && (p.name == field || strings.Contains(p.desc, field) || strings.Contains(strings.ToLower(p.desc), strings.ReplaceAll(field, "_", " "))) {
				return c.ref(i, plan.Seg{Field: field}), true
			}
		}
	}
	return plan.Ref{}, false
}

// provide adds the step that gives a required id which nobody has named, where a tool gives one for this folder.
func (d *doing) provide(p param) bool {
	if p.entity == "" {
		return false
	}
	for _, f := range d.c.cat.fielded[p.name] {
		if f.Destructive || f == d.f || slices.ContainsFunc(f.params, func(q param) bool { return q.required && !slices.Contains(meanings["index"].takes, q.name) }) {
			continue
		}
		args := map[string]any{}
		for _, q := range f.params {
			if q.required {
				args[q.name] = thisFolder
			}
		}
		if len(args) == 0 {
			continue
		}
		step := d.c.add(f.Name, args)
		d.args[p.name] = d.c.ref(step, plan.Seg{Field: p.name})
		return true
	}
	return false
}

// toolTable asks the table of a tool that reads: one that takes what the step before gave, or one that needs nothing. "Index this
// repository and list its most complex functions".
func (c *chain) toolTable(toks []token) bool {
	if len(c.steps) == 0 && c.refersToThing(toks) {
		return false // to something that is not there
	}
	var best *reading
	var from *toolFacts
	var given map[string]any
	score := 0.0
	for _, f := range c.tablesFor(toks) {
		args, ok := c.tableArgs(f, toks)
		if !ok {
			continue
		}
		sub := *c.s
		v := f.resultView()
		sub.req.Values, sub.req.History, sub.views = nil, nil, []*view{v}
		if got := sub.readTable(v, toks); got.ok && got.measures() && !got.absentFlag() && (best == nil || got.score+f.fits(toks) > score) {
			best, from, given, score = got, f, args, got.score+f.fits(toks)
		}
	}
	if best == nil {
		return false
	}
	best.several()
	c.last, c.view = from, best.r.v
	c.add(from.Name, given)
	return c.queryOver(best)
}

// fewTools is how many tools are all asked what tables they give; of more, the likeliest that share a word with the message.
const (
	fewTools  = 100
	likeliest = 32
)

// tablesFor are the tools whose tables may answer a clause.
func (c *chain) tablesFor(toks []token) []*toolFacts {
	if len(c.cat.tools) <= fewTools {
		return c.cat.tools
	}
	var out []*toolFacts
	for i, r := range c.ranked(toks) {
		if i == likeliest {
			break
		}
		out = append(out, r.tool)
	}
	return out
}

// fits adds to the score of a table for a tool whose name is about what words of degree compare: complexity for complex.
func (f *toolFacts) fits(toks []token) float64 {
	for _, t := range toks {
		if len(t.speaks) > 0 && slices.Contains(f.nouns, t.speaks[0]) {
			return 1
		}
	}
	return 0
}

// tableArgs gives the arguments for a tool's whole table: what an earlier step gave, and nothing else that is required. Behind
// a deed a tool must take something from it.
func (c *chain) tableArgs(f *toolFacts, toks []token) (map[string]any, bool) {
	if !f.ReadOnly || f.tabular() || len(f.columns) == 0 {
		return nil, false
	}
	given := newFilling(c, f, toks)
	takes := false
	for _, p := range f.params {
		if ref, ok := c.linked(p); ok {
			given.args[p.name], takes = ref, true
		} else if p.required {
			return nil, false
		} else if len(p.enum) > 0 && !slices.ContainsFunc(p.enum, func(e string) bool {
			return slices.ContainsFunc(f.nouns, func(n string) bool { return n == plan.Singular(e) })
		}) {
			given.fillEnum(p)
		} else if p.most != "" && p.name == "limit" { // the question is about all rows, not about the first
			given.args[p.name] = asNumber(p.most)
		}
	}
	return given.args, takes || len(c.steps) == 0
}
