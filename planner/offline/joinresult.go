package offline

import (
	"maps"
	"slices"
	"strings"

	"catena/planner/plan"
)

// joinNamed adds what the clause asks of a thing to which each row of the result belongs: the customer's name beside each deal. All
// things of the kind are read once and joined by their ids.
func (s *filling) joinNamed() bool {
	if s.c.cat.byName(queryTool) == nil || len(s.c.s.views) > 0 {
		return false
	}
	step := len(s.c.steps) - 1
	for _, p := range s.c.cat.links[s.f] {
		if p.param.entity == s.f.entity || !s.asksOf(p.param.entity) {
			continue
		}
		all := s.c.cat.lister(p.param.entity)
		if all == nil || all == s.f {
			continue
		}
		args := map[string]any{"data": s.c.ref(step)}
		if filters := s.filters(&s.c.steps[step]); len(filters) > 0 {
			args = plan.Query{Data: s.c.ref(step), Filter: filters}.Args()
		}
		args["join"] = []any{map[string]any{"table": s.c.ref(s.c.once(all.Name, map[string]any{}, nil)), "on": []any{[]any{p.column, all.ownKey()}}, "how": "left"}}
		s.c.answers[len(s.c.answers)-1] = s.c.add(queryTool, args)
		s.c.last, s.c.view = nil, nil
		return s.explained()
	}
	return false
}

// linkColumns are the columns of each tool's result that hold ids of other things.
func (c *catalogue) linkColumns() map[*toolFacts][]fetched {
	out := map[*toolFacts][]fetched{}
	for _, key := range slices.Sorted(maps.Keys(c.gives)) {
		entity, ok := strings.CutPrefix(key, idKey)
		if !ok {
			continue
		}
		for _, g := range c.gives[key] {
			if !g.own && !g.object {
				out[g.tool] = append(out[g.tool], fetched{param: param{entity: entity}, column: g.column})
			}
		}
	}
	return out
}

// lister is a read-only tool that gives all things of a kind when it is called without arguments, nil without one.
func (c *catalogue) lister(entity string) *toolFacts {
	for _, g := range c.gives[idKey+entity] {
		if g.own && !g.object && !slices.ContainsFunc(g.tool.params, func(p param) bool { return p.required }) {
			return g.tool
		}
	}
	return nil
}

// asksOf reports whether the clause asks for something that a thing of a kind has: "customer name", "names of the products". Its words
// are explained then.
func (s *filling) asksOf(entity string) bool {
	has := s.c.cat.about[entity]
	field := func(i int) bool {
		return i >= 0 && i < len(s.toks) && s.toks[i].kind == wordToken && !s.said[i] && (has[s.toks[i].lemma] || s.toks[i].lemma == "name")
	}
	for i, t := range s.toks {
		if t.kind != wordToken || s.said[i] || t.lemma != entity && !slices.Contains(nounAliases[t.lemma], entity) {
			continue
		}
		at := -1
		switch {
		case field(i+1) && s.toks[i+1].lemma != "id":
			at = i + 1
		case i > 1 && (s.toks[i-1].low == "of" || s.toks[i-1].low == "the" && s.toks[i-2].low == "of"):
			at = i - 2
			if s.toks[i-1].low == "the" {
				at--
			}
			if !field(at) {
				at = -1
			}
		}
		if at >= 0 {
			s.used[i], s.used[at] = true, true
			return true
		}
	}
	return false
}
