package offline

import (
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// idShape is what ids look like: a prefix and digits, as an example shows (C01), or a pattern of the schema.
type idShape struct {
	prefix  string
	pattern *regexp.Regexp // nil for a prefix
}

// fits reports whether a word has the shape.
func (s *idShape) fits(word string) bool {
	if s.pattern != nil {
		return s.pattern.MatchString(word)
	}
	digits, ok := strings.CutPrefix(word, s.prefix)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// shapeOf gives the shape that ids of an entity have, from the first tool that shows an example; nil when none does.
func (c *catalogue) shapeOf(entity string) *idShape { return c.shaped[entity] }

// isID reports whether a word has the shape of some tool's ids.
func (c *chain) isID(word string) bool {
	is, ok := c.s.made.ids[word]
	if !ok {
		prefix := strings.TrimRight(word, "0123456789")
		is = prefix != word && c.cat.prefixes[prefix] || slices.ContainsFunc(c.cat.shapes, func(shape *idShape) bool { return shape.fits(word) })
		c.s.made.ids[word] = is
	}
	return is
}

// finding is a tool that searches things by name, and the argument that takes the name.
type finding struct {
	at   int // among the tools
	tool *toolFacts
	name *param
}

// finder gives the first read-only tool that searches an entity by name, and the argument that takes the name.
func (c *catalogue) finder(entity string) (*toolFacts, *param) {
	best := c.finders[entity]
	for _, a := range nounAliases[entity] {
		if f := c.finders[a]; f.tool != nil && (best.tool == nil || f.at < best.at) {
			best = f
		}
	}
	return best.tool, best.name
}

// finds notes a tool that searches things by name.
func (c *catalogue) finds(at int, f *toolFacts) {
	named := slices.IndexFunc(f.params, func(p param) bool { return p.named })
	if !f.ReadOnly || named < 0 || slices.ContainsFunc(f.params, func(p param) bool { return p.required && !p.named }) {
		return
	}
	for _, n := range f.nouns {
		if c.finders[n].tool == nil {
			c.finders[n] = finding{at, f, &f.params[named]}
		}
	}
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
	onlyRow   = []plan.Seg{{Field: "rows"}, {Only: true}}
)

// pass refers an argument to a column of a step: the whole list for an array, an element at a time for a scalar, the only
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
		s.args[p.name] = s.c.ref(step, append(slices.Clone(onlyRow), seg)...)
	}
	return nil
}

// bridge adds a tool that gives, for the things of the result before, a table with times: their monthly revenue.
func (c *chain) bridge(toks []token) (step int, out *view) {
	if c.last == nil {
		return 0, nil
	}
	for _, r := range c.ranked(toks) {
		f := r.tool
		v := f.resultView()
		if v == nil || v.time < 0 || len(v.measure) == 0 || !f.ReadOnly || f.tabular() {
			continue
		}
		s := newFilling(c, f, toks)
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
	if s.joinNamed() {
		return true
	}
	if len(s.extra)+len(s.not) > 0 || c.view == nil && (s.counts() || s.sums()) {
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
	if (!got.ok || len(got.unknown) > 0) && s.totals() && c.cat.byName(queryTool) != nil {
		return s.explained() && s.filterRest()
	}
	if !got.ok || len(got.unknown) > 0 {
		return s.explained() && len(r.cuesOf(s)) == 0
	}
	if s.regroups(got.out.queries[0]) {
		return false
	}
	if s.guessed() && picks(got.out.queries) {
		return s.explained() || len(got.unknown) == 0 // all columns are shown: what they are called is only guessed
	}
	return c.queryOver(got)
}

// counts reports whether the clause asks how many rows there are.
func (s *filling) counts() bool {
	if s.c.cat.byName(queryTool) == nil {
		return false
	}
	for i, t := range s.toks {
		if len(s.c.parts) > 1 && (t.low == "more" || t.low == "fewer" || t.low == "most") && i > 0 && s.toks[0].kind == wordToken && askers[s.toks[0].low] {
			return true // who has more of them
		}
		if t.low == "count" || t.low == "number" && i+1 < len(s.toks) && s.toks[i+1].low == "of" || t.low == "how" && i+1 < len(s.toks) && s.toks[i+1].low == "many" {
			return true
		}
	}
	return false
}

// filterRest keeps the rows with one of several values that the tool takes only one of, or without those that are not meant, and
// counts where asked.
func (s *filling) filterRest() bool {
	step := len(s.c.steps) - 1
	q := plan.Query{Data: s.c.ref(step), Filter: s.filters(&s.c.steps[step])}
	switch {
	case s.sums() || s.totals():
		q.Select = []plan.Select{{Expr: "sum", Column: "*"}}
	case s.counts():
		q.Select = []plan.Select{{Expr: "count", As: "count"}}
	}
	s.c.answers[len(s.c.answers)-1] = s.c.add(queryTool, q.Args())
	s.c.last, s.c.view = nil, nil
	return true
}

// filters are the conditions on a step's rows that the tool does not take. An argument of which the clause says two values is left out.
func (s *filling) filters(step *plan.Step) []plan.Condition {
	var out []plan.Condition
	for _, p := range s.f.params {
		if more := s.extra[p.name]; len(more) > 0 {
			values := []any{step.Args[p.name]}
			for _, m := range more {
				values = append(values, m)
			}
			delete(step.Args, p.name)
			out = append(out, plan.Condition{Column: p.name, Op: "in", Value: values})
		}
		for _, v := range s.not[p.name] {
			out = append(out, plan.Condition{Column: p.name, Op: "ne", Value: v})
		}
	}
	return out
}

// massWords are what things are called that are summed where others are counted.
var massWords = plan.WordSet("stock inventory balance revenue turnover quantity amount weight cost expense income")

// guessed reports whether the columns of the tool's result are only known from what its description says.
func (s *filling) guessed() bool {
	return len(s.c.s.views) == 0 && len(s.f.OutputSchema) == 0
}

// picks reports whether queries do no more than choose columns.
func picks(list []plan.Query) bool {
	q := list[0]
	return len(list) == 1 && len(q.Filter)+len(q.GroupBy)+len(q.Having)+len(q.OrderBy)+len(q.Derive) == 0 && q.Limit == 0 &&
		!slices.ContainsFunc(q.Select, func(x plan.Select) bool { return x.Expr != "" })
}

// totals reports whether the clause begins by asking for a sum: the total of all orders.
func (s *filling) totals() bool {
	for i, t := range s.toks {
		if t.kind == wordToken && t.content() && !leading[t.low] {
			return len(s.c.s.views) == 0 && (t.low == "total" || t.low == "sum") && i+1 < len(s.toks) && s.toks[i+1].low == "of"
		}
	}
	return false
}

// sums reports whether the clause asks for the total of a thing that is not counted: total stock, how many pumps are in stock.
func (s *filling) sums() bool {
	if !massWords[s.f.entity] || s.c.cat.byName(queryTool) == nil {
		return false
	}
	for i, t := range s.toks {
		switch {
		case t.low == "total" || t.low == "sum" || t.low == "overall" || t.low == "combined" || t.low == "altogether":
			return true
		case t.low == "how" && i+1 < len(s.toks) && (s.toks[i+1].low == "many" || s.toks[i+1].low == "much"):
			return true
		}
	}
	return false
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
	how := s.totals() || slices.ContainsFunc(s.toks, func(t token) bool { return t.low == "how" || t.low == "number" || t.low == "count" })
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
		if s.softAt(i) {
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
