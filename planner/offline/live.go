package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// liveQuestion reads a message against the tables that toolkits make when they are asked for. It comes after everything that
// speaks of loaded tables: those are what the asker has brought.
func (o *Planner) liveQuestion(s *session, toks []token, live []*view) (plan.Plan, bool) {
	if len(live) == 0 {
		return plan.Plan{}, false
	}
	sub := *s
	sub.views = live
	toks = withoutPlace(toks)
	parts := clauses(toks)
	if len(parts) > 1 {
		if p, ok := o.liveChain(&sub, toks, parts); ok {
			s.notes = sub.notes
			return p, true
		}
		sub.notes = s.notes
	}
	best := sub.question(toks)
	if best == nil || !best.ok || s.mine() && !best.speaks() {
		return plan.Plan{}, false
	}
	best.several()
	p := sub.write(best)
	s.notes = sub.notes
	return p, true
}

// mine reports whether a person brought tables: a live table then answers only what speaks of it.
func (s *session) mine() bool {
	return slices.ContainsFunc(s.views, func(v *view) bool { return !v.info.Live && v.info.Source != "demo" })
}

// speaks reports whether a word of the message names the rows, a column or a value of the reading's table.
func (g *reading) speaks() bool {
	return len(g.r.mentions) > 0 || slices.ContainsFunc(g.r.toks, func(t token) bool { return g.r.v.rows(t.lemma) || g.r.v.source[t.lemma] })
}

// liveUnclear is what must be asked back before a live table whose rows the message names can answer, "" for nothing.
func (s *session) liveUnclear(toks []token, live []*view) string {
	sub, toks := *s, withoutPlace(toks)
	sub.views = slices.DeleteFunc(slices.Clone(live), func(v *view) bool {
		return !slices.ContainsFunc(toks, func(t token) bool { return v.rows(t.lemma) })
	})
	if got := sub.alone(toks); got != nil && len(got.unknown) == 0 {
		return got.ask.unclear
	}
	return ""
}

// unnamed reports whether a reading has found no word of its table in the message, while the rows of a live table are named: the
// largest files are no rows of a table of sales.
func (g *reading) unnamed(live []*view) bool {
	if g == nil || !g.ok || len(g.r.mentions) > 0 || len(live) == 0 {
		return false
	}
	return !slices.ContainsFunc(g.r.toks, func(t token) bool { return g.r.v.rows(t.lemma) }) && slices.ContainsFunc(g.r.toks, func(t token) bool {
		return slices.ContainsFunc(live, func(v *view) bool { return v.rows(t.lemma) })
	})
}

// liveChain reads clause by clause: a question, and what is asked about the thing that it finds.
func (o *Planner) liveChain(s *session, toks []token, parts [][]token) (plan.Plan, bool) {
	c := o.newChain(s, toks)
	for i, part := range parts {
		if !worded(part) || i > 0 && c.related(part) || c.dataVerb(part) && c.dataClause(part) {
			continue
		}
		got := s.question(part)
		if got == nil || !got.ok {
			return plan.Plan{}, false
		}
		got.several()
		c.addQueries(got)
	}
	if len(c.steps) < 2 {
		return plan.Plan{}, false
	}
	return c.plan(), true
}

// several gives more than the one row that leads where the rows are asked for in the plural: the most complex functions. Names of
// code say little without their file, so that is shown beside them.
func (g *reading) several() {
	g.whole()
	g.sides()
	s := g.ask.super
	if s == nil || len(g.out.queries) != 1 || len(g.out.queries[0].GroupBy) > 0 {
		return
	}
	q := &g.out.queries[0]
	if s.n == 0 && q.Limit == 1 && g.plural() {
		const some = 10
		q.Limit, q.WithTies = some, false
	}
	for _, c := range g.r.v.cols {
		if q.Limit > 1 && slices.Contains(pathWords, c.info.Name) {
			q.Select = addColumn(q.Select, c.info.Name)
		}
	}
}

// whole shows rows where the question names nothing but them, by the column that tells them apart: "show the relationships".
func (g *reading) whole() {
	v := g.r.v
	if len(g.out.queries) != 1 || v.label < 0 || !g.plural() {
		return
	}
	q := &g.out.queries[0]
	if !q.Distinct || len(q.Select) != 1 || q.Select[0].Expr != "" || q.Select[0].Column != v.cols[v.label].info.Name || len(q.Filter) > 0 {
		return
	}
	g.wide()
}

// wide shows the first columns beside the one that is shown.
func (g *reading) wide() {
	const most = 6
	q := &g.out.queries[0]
	q.Distinct = false
	for _, c := range g.r.v.cols {
		if len(q.Select) < most {
			q.Select = addColumn(q.Select, c.info.Name)
		}
	}
}

// plural reports whether the rows, or what is asked for, are named in the plural.
func (g *reading) plural() bool {
	for i, t := range g.r.toks {
		if t.kind != wordToken || t.low == t.lemma {
			continue
		}
		k := g.r.mentionAt(i, i+1)
		if g.r.v.rows(t.lemma) || k >= 0 && !g.r.mentions[k].value && g.r.mentions[k].col == g.ask.target {
			return true
		}
	}
	return false
}

// measures reports whether a table has what the words of degree compare: of what is complex a number of lines says nothing.
func (g *reading) measures() bool {
	for _, t := range g.r.toks {
		if len(t.speaks) > 0 && t.speaks[0][0] != '#' && len(g.r.v.withConcept(t.speaks)) == 0 {
			return false
		}
	}
	return true
}

// meetingWords are verbs of people that have to do with each other, and of what they say: what they are about is in the table of
// what was said.
var meetingWords = plan.WordSet("talk talked talking speak spoke spoken say said discuss discussed chat chatted write wrote meet met happen happened do did been")

// related reads a clause about the one thing that the question before has found ("what did they last talk about?") against
// another table that has the thing's key.
func (c *chain) related(toks []token) bool {
	if c.base == nil || len(c.steps) == 0 || !c.refersToThing(toks) {
		return false
	}
	for _, v := range c.s.views {
		if v.info.Name == c.base.info.Name {
			continue
		}
		key := c.sharedKey(v)
		if key == "" {
			continue
		}
		q, ok := c.s.aboutKey(v, toks, key)
		if !ok {
			continue
		}
		last := len(c.steps) - 1
		if !selects(c.steps[last].Args, key) {
			continue
		}
		args := q.Args() // a reference in a condition would become a text in it
		args["filter"] = []any{map[string]any{"column": key, "op": "eq", "value": c.ref(last, append(slices.Clone(rowsFirst), plan.Seg{Field: key})...)}}
		c.answers = append(c.answers, c.add(queryTool, args))
		c.base, c.view, c.last = nil, nil, nil
		return true
	}
	return false
}

// refersToThing reports whether a clause speaks of what the question before has found.
func (c *chain) refersToThing(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool {
		return pointing[t.low] || t.low == "their" || t.low == "its" || t.low == "he" || t.low == "she" || t.low == "his" || t.low == "her"
	})
}

// sharedKey names the column that tells the rows of the table before apart and that another table has as well, "" without one.
func (c *chain) sharedKey(v *view) string {
	for i, col := range c.base.cols {
		if col.info.Type == "text" && (i == c.base.label || col.info.Role == "identifier") && v.column(col.info.Name) >= 0 {
			return col.info.Name
		}
	}
	return ""
}

// selects makes sure that a query of plain rows gives a column; false where it gives groups without it.
func selects(args map[string]any, column string) bool {
	list, _ := args["select"].([]any)
	if len(list) == 0 || slices.Contains(list, any(column)) {
		return true
	}
	if _, grouped := args["group_by"]; grouped || slices.ContainsFunc(list, func(s any) bool { _, plain := s.(string); return !plain }) {
		return false
	}
	args["select"] = append([]any{column}, list...)
	return true
}

// aboutKey reads a clause as a query of the rows that belong to one key: the columns that it names, the newest or oldest where it
// says so.
func (s *session) aboutKey(v *view, toks []token, key string) (plan.Query, bool) {
	q := plan.Query{Table: v.info.Name}
	r := s.reader(v, toks)
	named := false
	for k := range r.mentions {
		if col := r.senseOf(k); col >= 0 && !r.mentions[k].value && v.cols[col].info.Name != key {
			q.Select = addColumn(q.Select, v.cols[col].info.Name)
			named = true
			r.use(r.mentions[k].i, r.mentions[k].j)
		}
	}
	newest, oldest := false, false
	for i, t := range toks {
		switch {
		case r.used[i]:
		case t.low == "last" || t.low == "latest" || t.low == "recently" || t.low == "newest" || t.low == "lately":
			newest = true
		case t.low == "first" || t.low == "oldest" || t.low == "earliest":
			oldest = true
		case meetingWords[t.low]:
			named = true
		case v.rows(t.lemma):
			named = true
		case t.kind == numberToken || t.kind == quoteToken || t.content() && !benignWords[t.low] && !verbForms[t.low]:
			return q, false
		}
	}
	if !named || v.time < 0 && (newest || oldest) {
		return q, false
	}
	if newest || oldest {
		q.OrderBy, q.Limit = []plan.Order{{Column: v.cols[v.time].info.Name, Desc: newest}}, 1
	} else if v.time >= 0 {
		q.OrderBy = []plan.Order{{Column: v.cols[v.time].info.Name, Desc: true}}
	}
	if len(q.Select) > 0 && v.time >= 0 {
		q.Select = addColumn(q.Select, v.cols[v.time].info.Name)
	}
	return q, true
}

func addColumn(list []plan.Select, name string) []plan.Select {
	if slices.ContainsFunc(list, func(s plan.Select) bool { return s.Column == name }) {
		return list
	}
	return append(list, plan.Select{Column: name})
}

// liveOf are those of the tables that toolkits make.
func liveOf(views []*view) []*view {
	_, live := split(views)
	return live
}

// split sets the loaded tables apart from those that toolkits make.
func split(views []*view) (loaded, live []*view) {
	for _, v := range views {
		if v.info.Live {
			live = append(live, v)
		} else {
			loaded = append(loaded, v)
		}
	}
	return loaded, live
}

// supposed fills in what is not told of a live table's columns: enough different values to be worth asking about, and as many
// as rows for what tells the rows apart.
func supposed(info plan.TableInfo) plan.TableInfo {
	const rows, values = 1000, 100
	if !info.Live {
		return info
	}
	info.Rows, info.Columns = rows, slices.Clone(info.Columns)
	for i := range info.Columns {
		c := &info.Columns[i]
		if c.Distinct = values; c.Role == "identifier" || i == 0 && c.Type == "text" || strings.HasSuffix(c.Name, "name") || strings.HasSuffix(c.Name, "content") {
			c.Distinct = rows
		}
	}
	return info
}
