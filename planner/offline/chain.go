package offline

import (
	"regexp"
	"slices"

	"catena/planner/plan"
)

// shapeOf gives the pattern that ids of an entity have, from any tool that shows an example.
func (c *catalogue) shapeOf(entity string) *regexp.Regexp {
	for _, f := range c.tools {
		for _, p := range f.params {
			if p.shape != nil && p.entity == entity {
				return p.shape
			}
		}
	}
	return nil
}

// finder gives the read-only tool that searches an entity by name, and the argument that takes the name.
func (c *catalogue) finder(entity string) (*toolFacts, *param) {
	for _, f := range c.tools {
		if !f.ReadOnly || !slices.Contains(f.nouns, entity) && !slices.ContainsFunc(nounAliases[entity], func(a string) bool { return slices.Contains(f.nouns, a) }) {
			continue
		}
		if slices.ContainsFunc(f.params, func(p param) bool { return p.required && !p.names() }) {
			continue
		}
		for i := range f.params {
			if f.params[i].names() {
				return f, &f.params[i]
			}
		}
	}
	return nil, nil
}

// idColumn names the column of a tool's result that holds the ids of an entity.
func (f *toolFacts) idColumn(p param) string {
	for _, c := range f.columns {
		if c.Name == p.name || c.Name+"s" == p.name {
			return c.Name
		}
	}
	for _, c := range f.columns {
		if c.Name == p.entity+"_id" {
			return c.Name
		}
	}
	if slices.Contains(f.nouns, p.entity) {
		for _, c := range f.columns {
			if c.Name == "id" || c.Name == "sku" {
				return c.Name
			}
		}
		if len(f.columns) == 0 {
			return "id"
		}
	}
	return ""
}

var (
	rowsAll   = []plan.Seg{{Field: "rows"}, {All: true}}
	rowsFirst = []plan.Seg{{Field: "rows"}, {Index: 0}}
)

// chainIDs fills arguments that take ids: from the result before, else from a tool that finds the thing by the name or the
// traits that the clause gives. ok is false when a required one stays open.
func (s *filling) chainIDs() (each *plan.Ref, ok bool) {
	for _, p := range s.f.params {
		if _, have := s.args[p.name]; have || p.entity == "" {
			continue
		}
		if step := len(s.c.steps) - 1; step >= 0 && s.c.last != nil {
			if col := s.c.last.idColumn(p); col != "" {
				if ref := s.pass(p, step, col, true); ref != nil {
					each = ref
				}
				continue
			}
		}
		find, name := s.c.cat.finder(p.entity)
		if find == nil || find == s.f {
			continue
		}
		if ref, found := s.findFirst(p, find, name); found {
			if ref != nil {
				each = ref
			}
		} else if p.required {
			if s.explained() {
				s.c.missing = "Which " + p.entity + " do you mean?"
			}
			return nil, false
		}
	}
	return each, true
}

// pass refers an argument to a column of a step: the whole list for an array, an element at a time for a scalar, the first
// row when one thing was named.
func (s *filling) pass(p param, step int, column string, many bool) *plan.Ref {
	seg := plan.Seg{Field: column}
	switch {
	case p.typ == "array":
		s.args[p.name] = s.c.ref(step, append(slices.Clone(rowsAll), seg)...)
	case many:
		s.args[p.name] = plan.Ref{Step: plan.Each}
		ref := s.c.ref(step, append(slices.Clone(rowsAll), seg)...)
		return &ref
	default:
		s.args[p.name] = s.c.ref(step, append(slices.Clone(rowsFirst), seg)...)
	}
	return nil
}

// findFirst adds the step that finds what an id argument needs.
func (s *filling) findFirst(p param, find *toolFacts, name *param) (each *plan.Ref, found bool) {
	column := find.idColumn(p)
	if column == "" {
		return nil, false
	}
	sub := &filling{c: s.c, f: find, toks: s.toks, used: s.used, args: map[string]any{}, extra: map[string][]string{}}
	for _, q := range find.params {
		if q.entity == "" && !q.names() {
			sub.fill(q)
		}
	}
	for _, q := range find.params {
		if q.entity == "" && q.names() {
			sub.fill(q)
		}
	}
	if len(sub.args) == 0 {
		return nil, false
	}
	_, named := sub.args[name.name]
	step := s.c.add(find.Name, sub.args)
	for i, t := range s.toks { // words that only say what is found
		if find.words[stem(t.low)] >= 1 {
			s.used[i] = true
		}
	}
	return s.pass(p, step, column, !named), true
}

// bridge adds a tool that gives, for the things of the result before, a table with times: their monthly revenue.
func (c *chain) bridge(toks []token) (step int, out *view) {
	if c.last == nil {
		return 0, nil
	}
	for _, r := range c.cat.rank(toks) {
		f := r.tool
		v := f.resultView()
		if v == nil || v.time < 0 || len(v.measure) == 0 || !f.ReadOnly || f.tabular() {
			continue
		}
		s := &filling{c: c, f: f, toks: toks, used: make([]bool, len(toks)), args: map[string]any{}, extra: map[string][]string{}}
		before := len(c.steps) - 1
		var each *plan.Ref
		complete := true
		for _, p := range f.params {
			if col := c.last.idColumn(p); p.entity != "" && col != "" {
				each = s.pass(p, before, col, true)
			} else if p.required {
				complete = false
			}
		}
		if !complete || len(s.args) == 0 {
			continue
		}
		step = c.add(f.Name, s.args)
		c.steps[step].Each = each
		c.last = f
		return step, v
	}
	return 0, nil
}

// rest reads what the clause says beyond the tool and its arguments, as a question about the result: counts, sums, columns.
// It fails when words stay that nothing explains.
func (s *filling) rest() bool {
	c := s.c
	if len(s.extra) > 0 || c.view == nil && s.counts() {
		return s.explained() && s.filterRest()
	}
	if c.view == nil || s.plain() {
		return s.explained()
	}
	if s.held() {
		return true
	}
	r := &reader{ctx: c.s.ctx, v: c.view, toks: slices.Clone(s.toks), now: c.s.req.Now, found: map[string][]plan.Hit{}}
	r.used = make([]bool, len(r.toks))
	for i := range r.toks {
		if s.used[i] && !s.asksFor(i) {
			r.toks[i] = token{kind: markToken, text: "·", start: r.toks[i].start, end: r.toks[i].end}
		}
	}
	r.link()
	a := r.read()
	got := &reading{r: r, ask: a}
	got.compose()
	got.unknown = r.unknown()
	by := slices.ContainsFunc(s.toks, func(t token) bool { return groupWords[t.low] })
	if got.ok && by && len(got.out.queries[0].GroupBy)+len(got.out.queries[0].OrderBy) == 0 {
		return false // an order or grouping that the tool does not have
	}
	if !got.ok || len(got.unknown) > 0 {
		return s.explained() && len(r.cuesOf(s)) == 0
	}
	if s.regroups(got.out.queries[0]) {
		return false
	}
	return c.queryOver(got)
}

// counts reports whether the clause asks how many rows there are.
func (s *filling) counts() bool {
	for i, t := range s.toks {
		if t.low == "count" || t.low == "number" && i+1 < len(s.toks) && s.toks[i+1].low == "of" || t.low == "how" && i+1 < len(s.toks) && s.toks[i+1].low == "many" {
			return true
		}
	}
	return false
}

// filterRest keeps the rows with one of several values that the tool takes only one of, and counts where asked.
func (s *filling) filterRest() bool {
	last := &s.c.steps[len(s.c.steps)-1]
	q := plan.Query{Data: s.c.ref(len(s.c.steps) - 1)}
	for _, p := range s.f.params {
		if more := s.extra[p.name]; len(more) > 0 {
			values := []any{last.Args[p.name]}
			for _, m := range more {
				values = append(values, m)
			}
			delete(last.Args, p.name)
			q.Filter = append(q.Filter, plan.Condition{Column: p.name, Op: "in", Value: values})
		}
	}
	if s.counts() {
		q.Select = []plan.Select{{Expr: "count", As: "count"}}
	}
	s.c.answers[len(s.c.answers)-1] = s.c.add(queryTool, q.Args())
	s.c.last, s.c.view = nil, nil
	return true
}

// asksFor reports whether a used word may name a column of the result as well.
func (s *filling) asksFor(i int) bool {
	return slices.ContainsFunc(s.c.view.cols, func(c viewColumn) bool { return c.match(s.toks[i:i+1]) >= 0.9 })
}

// plain reports whether the clause only asks to see the tool's result.
func (s *filling) plain() bool {
	for i, t := range s.toks {
		if s.used[i] || !t.content() && t.kind != numberToken {
			continue
		}
		if leading[t.low] || benignWords[t.low] && len(cuePhrases[t.low]) == 0 {
			continue
		}
		return false
	}
	how := slices.ContainsFunc(s.toks, func(t token) bool { return t.low == "how" || t.low == "number" || t.low == "count" })
	return !how
}

// explained reports whether every word of meaning was used.
func (s *filling) explained() bool {
	unknown := 0
	for i, t := range s.toks {
		if !s.used[i] && t.kind == wordToken && (telling[t.low] || affixWords[t.low] && i+1 < len(s.toks) && s.toks[i+1].low == "with") {
			unknown++
			continue
		}
		if s.used[i] || !t.content() && t.kind != numberToken && t.kind != dateToken || benignWords[t.low] || verbForms[t.low] {
			continue
		}
		unknown++
	}
	if len(s.c.s.views) > 0 && s.periods() {
		return false
	}
	s.c.score -= 0.2 * float64(unknown)
	return unknown == 0
}
