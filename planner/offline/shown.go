package offline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
)

// shown plans a message that changes an answer which tools gave: the same chain with another argument ("and for Germany?"),
// or a question about the tables that were shown last ("sort that by growth", "as a bar chart"). It never falls back to
// another table: what cannot be changed is refused, with the reason. ok is false for messages that stand for themselves.
func (o *Planner) shown(s *session, toks []token) (plan.Plan, bool) {
	at := s.lastChain()
	if at < 0 || len(s.req.Tools) == 0 {
		return plan.Plan{}, false
	}
	alone := s.alone(toks)
	if !s.refersBack(toks, alone) {
		return plan.Plan{}, false
	}
	if !s.startsBack(toks) {
		sub := *s
		sub.req.History = nil
		if _, score := o.toolPlan(&sub, toks, alone); score > 0 || alone != nil && alone.ok {
			return plan.Plan{}, false
		}
		if sub.views = liveOf(o.viewsOf(s.req.Tables)); len(sub.views) > 0 {
			if own := sub.alone(withoutPlace(toks)); own != nil && own.ok {
				return plan.Plan{}, false // a question of its own
			}
		}
	}
	f := &shownTables{s: s, cat: o.catalogue(s), toks: toks}
	for _, turn := range s.req.History[at:] {
		if len(turn.Tables) > 0 {
			f.tables = turn.Tables
		}
	}
	if p, ok := f.chart(); ok {
		return p, true
	}
	if p, ok := f.replan(s.req.History[at].Plan); ok {
		return p, true
	}
	if p, ok := f.query(); ok {
		return p, true
	}
	if len(s.req.History[at].Message) == 0 || !s.startsBack(toks) {
		return plan.Plan{}, false
	}
	return plan.Plan{Refuse: f.refusal()}, true
}

// lastChain gives the latest turn whose plan called tools other than queries of the tables here, when all turns after it
// only asked its results; -1 when the last answer came from such a query.
func (s *session) lastChain() int {
	for i := len(s.req.History) - 1; i >= 0; i-- {
		p := s.req.History[i].Plan
		if p == nil || len(p.Steps) == 0 {
			continue // nothing was answered
		}
		if p.Steps[0].Tool != queryTool {
			if drawn(p) {
				continue // a picture of what was shown before
			}
			return i
		}
		if table, _ := p.Steps[0].Args["table"].(string); !strings.HasPrefix(table, "tbl_") {
			return -1
		}
	}
	return -1
}

// drawn reports whether a plan only works on a table that was shown.
func drawn(p *plan.Plan) bool {
	data, _ := p.Steps[0].Args["data"].(string)
	return strings.HasPrefix(data, "tbl_")
}

// startsBack reports whether a message says by its words that it changes what came before.
func (s *session) startsBack(toks []token) bool {
	return s.refersBack(toks, &reading{ok: true, ask: &ask{target: -1, countCol: -1, aggs: []string{"sum"}}})
}

// shownTables is a message about what was shown.
type shownTables struct {
	s      *session
	cat    *catalogue
	toks   []token
	tables []plan.TableInfo
}

// replan makes the earlier plan again with the arguments that the message names.
func (f *shownTables) replan(old *plan.Plan) (plan.Plan, bool) {
	p := plan.Plan{Title: title(f.s.req.Message), Confidence: 0.9, Answer: old.Answer}
	used := make([]bool, len(f.toks))
	changed := false
	for _, step := range old.Steps {
		fresh := step
		if tool := f.cat.byName(step.Tool); tool != nil && tool.ReadOnly && step.Tool != queryTool {
			if args := f.arguments(tool, step.Args, used); args != nil {
				fresh.Args, changed = args, true
			}
		}
		p.Steps = append(p.Steps, fresh)
	}
	if !changed || !f.explained(used) {
		return plan.Plan{}, false
	}
	return p, true
}

// arguments gives a step's arguments with those that the message names; nil when it names none. An argument that another
// step fills stays.
func (f *shownTables) arguments(tool *toolFacts, old map[string]any, used []bool) map[string]any {
	c := &chain{s: f.s, cat: f.cat, message: f.toks, score: 1}
	fill := newFilling(c, tool, f.toks)
	for _, p := range tool.params {
		if _, isRef := old[p.name].(plan.Ref); isRef || p.table() || strings.HasSuffix(p.name, "_column") {
			continue
		}
		fill.fill(p)
	}
	if len(fill.args) == 0 || len(fill.extra) > 0 {
		return nil
	}
	args := map[string]any{}
	places := slices.ContainsFunc(tool.params, func(p param) bool { _, have := fill.args[p.name]; return have && p.place })
	for name, v := range old {
		i := slices.IndexFunc(tool.params, func(p param) bool { return p.name == name })
		if places && i >= 0 && tool.params[i].place {
			continue // one place replaces another
		}
		args[name] = v
	}
	for name, v := range fill.args {
		args[name] = v
	}
	for i := range used {
		used[i] = used[i] || fill.used[i]
	}
	return args
}

// followNoise are words of a change that say nothing of their own.
var followNoise = plan.WordSet("instead rather ones same again please version only now")

func (f *shownTables) explained(used []bool) bool {
	for i, t := range f.toks {
		if !used[i] && (t.kind == numberToken || t.kind == dateToken || t.content() && !followNoise[t.low] && !benignWords[t.low] || groupWords[t.low]) {
			return false
		}
	}
	return true
}

// query asks the table shown last that the message fits best: the columns it names, the words for its order.
func (f *shownTables) query() (plan.Plan, bool) {
	var best *reading
	var handle string
	for i := len(f.tables) - 1; i >= 0; i-- {
		t := f.tables[i]
		if t.Handle == "" {
			continue
		}
		t.Name = t.Handle
		v := newView(t)
		if got := f.read(v); got != nil && (best == nil || got.score > best.score) {
			best, handle = got, t.Handle
		}
		for _, other := range f.s.views { // what the rows shown are, as other tables know it: "only the enterprise ones"
			wide := v.with(other)
			if best != nil || wide == nil {
				continue
			}
			if got := f.read(wide); got != nil {
				best, handle = got, t.Handle
			}
		}
	}
	if best == nil {
		return plan.Plan{}, false
	}
	p := plan.Plan{Title: title(f.s.req.Message), Confidence: 0.9}
	for i, q := range best.out.queries {
		if i == 0 {
			q.Table, q.Data = handle, nil
		} else {
			q.Data = plan.Ref{Step: p.Steps[i-1].ID}
		}
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprintf("s%d", i+1), Tool: queryTool, Args: q.Args()})
	}
	p.Answer = []any{plan.Ref{Step: p.Steps[len(p.Steps)-1].ID}}
	return p, true
}

// sortKey finds the column that "sort that by growth" names, -1 when the message is no order or names none. rest are the
// words that say something else.
func (f *shownTables) sortKey(v *view) (col int, rest []token) {
	by := slices.IndexFunc(f.toks, func(t token) bool { return t.low == "by" })
	orders := by > 0 && slices.ContainsFunc(f.toks[:by], func(t token) bool {
		return t.lemma == "sort" || t.low == "sorted" || t.low == "order" || t.low == "ordered" || t.low == "rank" || t.low == "ranked"
	})
	if !orders {
		return -1, f.toks
	}
	var words []token
	end := by + 1
	for end < len(f.toks) && f.toks[end].kind != markToken && !wayWords[f.toks[end].low] {
		if f.toks[end].content() {
			words = append(words, f.toks[end])
		}
		end++
	}
	col, best := -1, 0.5
	for c := range v.cols {
		if s := v.cols[c].match(words); len(words) > 0 && s >= best {
			if s > best || col < 0 {
				col, best = c, s
			}
		}
	}
	return col, slices.DeleteFunc(slices.Concat(f.toks[:by], f.toks[end:]), func(t token) bool {
		return wayWords[t.low] || t.kind == markToken || t.lemma == "sort" || benignWords[t.low] || pointing[t.low] || !t.content() || followNoise[t.low]
	})
}

// wayWords say which way to sort.
var wayWords = plan.WordSet("ascending descending asc desc highest lowest largest smallest first last from in")

// read reads the message against one shown table, nil when it does not fit. An order or a condition keeps all columns.
func (f *shownTables) read(v *view) *reading {
	if col, rest := f.sortKey(v); col >= 0 && len(rest) == 0 {
		up := slices.ContainsFunc(f.toks, func(t token) bool {
			return t.low == "ascending" || t.low == "asc" || t.low == "lowest" || t.low == "smallest"
		})
		q := plan.Query{OrderBy: []plan.Order{{Column: v.cols[col].info.Name, Desc: !up && v.cols[col].info.Type != "text"}}}
		return &reading{ok: true, score: 1, out: composed{queries: []plan.Query{q}}}
	}
	sub := *f.s
	sub.req.Values, sub.req.History, sub.found = renamed{f.s.req.Values, v}, nil, map[string][]plan.Hit{}
	r := sub.reader(v, slices.DeleteFunc(slices.Clone(f.toks), func(t token) bool { return pointing[t.low] || followStarts[t.low] && t.low != "by" && t.low != "per" }))
	g := &reading{r: r, ask: r.read()}
	a := g.ask
	col := -1
	switch {
	case a.sort != nil && a.sort.Column != "":
		col = v.column(a.sort.Column)
	case a.sort != nil || a.super != nil && a.super.col >= 0:
		if a.super != nil {
			col = a.super.col
		}
	}
	computes := len(a.aggs) > 0 || a.count || a.countCol >= 0 || a.share || len(a.groups) > 0
	if !computes && (col >= 0 || len(a.filters) > 0) {
		q := plan.Query{}
		if j := v.join; j != nil {
			q.Join = []plan.Join{{Table: j.table, On: [][2]string{{j.key, j.key}}, How: "left"}}
			for _, c := range v.cols {
				if !j.cols[c.info.Name] {
					q.Select = append(q.Select, plan.Select{Column: c.info.Name})
				}
			}
		}
		for _, c := range a.filters {
			q.Filter = append(q.Filter, c.cond)
		}
		if col >= 0 {
			desc := a.sort == nil && a.super.desc || a.sort != nil && a.sort.Desc
			q.OrderBy = []plan.Order{{Column: v.cols[col].info.Name, Desc: desc}}
		}
		if a.super != nil {
			q.Limit = a.super.n
		}
		g.out, g.ok = composed{queries: []plan.Query{q}}, true
	} else if computes {
		g.compose()
	}
	g.unknown = r.unknown()
	for _, m := range r.mentions {
		g.score += m.score
	}
	if !g.ok || len(g.unknown) > 0 || g.score == 0 {
		return nil
	}
	return g
}

// chart draws the table shown last, when the message asks for nothing else.
func (f *shownTables) chart() (plan.Plan, bool) {
	c := &chain{s: f.s, cat: f.cat, message: f.toks, score: 1}
	tool, _, _ := c.dataTool(f.toks)
	if tool == nil || !tool.tabular() || tool.Name == "analyze_trend" {
		return plan.Plan{}, false
	}
	for _, t := range f.toks {
		if t.content() && !dataNoise[t.low] && !benignWords[t.low] && !followNoise[t.low] && !pointing[t.low] && tool.words[stem(t.low)] == 0 {
			return plan.Plan{}, false
		}
	}
	at := -1
	for i, t := range f.tables {
		if t.Handle != "" && len(newView(t).measure) > 0 {
			at = i
		}
	}
	if at < 0 {
		return plan.Plan{}, false
	}
	data := slices.IndexFunc(tool.params, param.table)
	args := map[string]any{tool.params[data].name: f.tables[at].Handle}
	c.fillEnums(tool, f.toks, args)
	c.add(tool.Name, args)
	return plan.Plan{Title: title(f.s.req.Message), Confidence: 0.9, Steps: c.steps, Answer: []any{c.ref(0)}}, true
}

// refusal says what the tables shown last have, and that the message asks for something else.
func (f *shownTables) refusal() string {
	var parts []string
	for _, t := range f.tables {
		if len(t.Columns) > 0 {
			parts = append(parts, fmt.Sprintf("%s (%s)", t.Name, columnList(newView(t))))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("“%s” refers to an answer before it, and there is no table of that answer to change. Please ask the whole question.", title(f.s.req.Message))
	}
	return fmt.Sprintf("“%s” does not fit what was shown last: %s. Name one of these columns, or ask the whole question.", title(f.s.req.Message), strings.Join(parts, "; "))
}

// renamed finds values in a shown table by what the tables that it came from hold in columns of the same name.
type renamed struct {
	values plan.Values
	v      *view
}

func (n renamed) Find(ctx context.Context, phrase string) []plan.Hit {
	if n.values == nil {
		return nil
	}
	var out []plan.Hit
	for _, h := range n.values.Find(ctx, phrase) {
		if j := n.v.join; j != nil && j.cols[h.Column] {
			if h.Table == j.table {
				out = append(out, h)
			}
			continue
		}
		if c := n.v.column(h.Column); c >= 0 && n.v.cols[c].info.Type == "text" && !slices.ContainsFunc(out, func(o plan.Hit) bool { return o.Column == h.Column }) {
			h.Table = n.v.info.Name
			out = append(out, h)
		}
	}
	return out
}
