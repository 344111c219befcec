package offline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
)

// mostCatalogues bounds how many sets of tools are kept ready.
const mostCatalogues = 64

// catalogue gives the prepared tools of a request.
func (o *Planner) catalogue(s *session) *catalogue {
	if s.made.cat == nil {
		s.made.cat = o.catalogueOf(s.req.Tools)
	}
	return s.made.cat
}

// catalogueOf gives the prepared tools, making them when they are new: it is asked with every message, mostly for the very tools of the
// message before, whose texts are then the same memory and compared in no time.
func (o *Planner) catalogueOf(tools []plan.Tool) *catalogue {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := slices.IndexFunc(o.tools, func(c *catalogue) bool { return slices.EqualFunc(c.made, tools, plan.Tool.Same) })
	if at < 0 {
		c := newCatalogue(slices.Clone(tools))
		o.tools = append([]*catalogue{c}, o.tools[:min(len(o.tools), mostCatalogues-1)]...)
		return c
	}
	c := o.tools[at]
	copy(o.tools[1:at+1], o.tools[:at])
	o.tools[0] = c
	return c
}

func (c *catalogue) byName(name string) *toolFacts { return c.names[name] }

// clauseStarts are verbs that begin a clause of their own after "and", "then" or a comma.
var clauseStarts = plan.WordSet("analyze analyse chart plot draw graph visualize visualise summarize summarise show list find get give tell compare convert send create close clean format generate describe explain compute calculate export make book schedule delete remove update what which how")

// clauses splits a message into what is asked one after the other.
func clauses(toks []token) [][]token {
	var out [][]token
	start := 0
	cut := func(end, next int) {
		if end > start {
			out = append(out, toks[start:end])
		}
		start = next
	}
	for i := 1; i < len(toks); i++ {
		t := toks[i]
		next := ""
		if i+1 < len(toks) {
			next = toks[i+1].low
		}
		switch {
		case t.text == ";" || (t.text == "." || t.text == "?" || t.text == "!") && i+1 < len(toks):
			cut(i, i+1)
		case (t.low == "and" || t.text == ",") && next == "then":
			cut(i, i+2)
		case t.low == "then":
			cut(i, i+1)
		case (t.low == "and" || t.text == ",") && clauseStarts[next] && !(next == "what" || next == "which" || next == "how"):
			cut(i, i+1)
		case t.text == "," && next == "and" && i+2 < len(toks) && clauseStarts[toks[i+2].low]:
			cut(i, i+2)
		}
	}
	cut(len(toks), len(toks))
	return out
}

// chain is a plan being built clause by clause.
type chain struct {
	s       *session
	cat     *catalogue
	steps   []plan.Step
	answers []int      // steps that the answer shows
	last    *toolFacts // the tool of the last step, nil after query_table
	view    *view      // what is known of the last result; nil when nothing is
	base    *view      // the table of the last step, where that is one query that gives one row
	message []token
	notes   []string
	parts   [][]token // of the message, where it is cut into several
	things  []thing   // that were found by their names, in order
	missing string    // a required argument that nothing fills, as a question
	score   float64
}

func (c *chain) add(tool string, args map[string]any) int {
	c.steps = append(c.steps, plan.Step{ID: fmt.Sprintf("s%d", len(c.steps)+1), Tool: tool, Args: args})
	return len(c.steps) - 1
}

func (c *chain) ref(step int, path ...plan.Seg) plan.Ref {
	return plan.Ref{Step: c.steps[step].ID, Path: path}
}

// toolPlan plans the message with tools other than a single query. The score is above zero when the plan explains the
// message, comparable with the score of a reading; a plan with Clarify asks for what is missing.
func (o *Planner) toolPlan(s *session, toks []token, best *reading) (plan.Plan, float64) {
	if len(s.req.Tools) == 0 {
		return plan.Plan{}, 0
	}
	c := o.newChain(s, toks)
	if best != nil && best.ok && !c.dataVerb(toks) && !c.named(toks) {
		return plan.Plan{}, 0 // a plain question about a table
	}
	if !c.plans(toks) {
		if c.missing != "" {
			return plan.Plan{Clarify: c.missing, Confidence: 0.5}, 0
		}
		return plan.Plan{}, 0
	}
	if len(c.steps) == 0 || len(c.steps) == 1 && c.steps[0].Tool == queryTool {
		return plan.Plan{}, 0
	}
	if c.changesByQuestion(toks) {
		return plan.Plan{}, 0
	}
	return c.plan(), 1 + c.score
}

// plans adds the steps of a message, whole or clause by clause.
func (c *chain) plans(toks []token) bool {
	if len(c.s.views) == 0 {
		return c.followWays(toks)
	}
	for i, clause := range clauses(toks) {
		if !c.clause(clause, i) {
			return false
		}
	}
	return true
}

// askers begin a question that is not an order in the form of one.
var askers = plan.WordSet("how what why when where who which whose should shall may must did do does is are was were has have had")

// questions reports whether a message asks something rather than for something to be done: "how do I delete a memory?".
func questions(toks []token) bool {
	for _, t := range toks {
		if t.kind != markToken && !politeWords[t.low] {
			return askers[t.low]
		}
	}
	return false
}

// changesByQuestion reports whether the steps change something though the message only asks: how something is done is asked then,
// not that it is.
func (c *chain) changesByQuestion(toks []token) bool {
	return questions(toks) && slices.ContainsFunc(c.steps, func(st plan.Step) bool { f := c.cat.byName(st.Tool); return f != nil && !f.ReadOnly })
}

// halfway reports whether a step is a query whose whole result another query works on: what is shown is the latter's.
func (c *chain) halfway(step int) bool {
	return c.steps[step].Tool == queryTool && slices.ContainsFunc(c.steps[step+1:], func(s plan.Step) bool {
		ref, ok := s.Args["data"].(plan.Ref)
		return ok && s.Tool == queryTool && ref.Step == c.steps[step].ID && len(ref.Path) == 0
	})
}

// clause adds the steps of one clause.
func (c *chain) clause(toks []token, n int) bool {
	if !slices.ContainsFunc(toks, func(t token) bool { return t.kind != markToken }) {
		return true
	}
	if c.dataVerb(toks) && c.dataClause(toks) {
		return true
	}
	if n > 0 && c.refersToResult(toks) && c.queryResult(toks) {
		return true
	}
	if c.toolClause(toks) {
		return true
	}
	got := c.s.question(toks)
	if got == nil || !got.ok {
		return n > 0 && c.related(toks)
	}
	c.addQueries(got)
	return true
}

// addQueries adds the steps of a reading of a table.
func (c *chain) addQueries(g *reading) {
	first := len(c.steps)
	for i, q := range g.out.queries {
		if i > 0 {
			q.Data = c.ref(len(c.steps) - 1)
		}
		c.add(queryTool, q.Args())
	}
	if len(c.steps) == first {
		return
	}
	if g.note != "" {
		c.notes = append(c.notes, g.note)
	}
	c.answers = append(c.answers, len(c.steps)-1)
	c.last, c.view, c.base = nil, newView(resultInfo(g.r.v, g.out.queries[0])), nil
	if len(g.out.queries) == 1 && g.out.queries[0].Limit == 1 {
		c.base = g.r.v
	}
}

// resultInfo describes what a query gives, from the table's facts.
func resultInfo(v *view, q plan.Query) plan.TableInfo {
	info := plan.TableInfo{Name: v.info.Name, Rows: v.info.Rows}
	for _, s := range q.Select {
		c := plan.ColumnInfo{Name: s.Name(), Type: "decimal", Role: "measure"}
		if i := v.column(s.Column); i >= 0 && s.Expr == "" {
			c = v.cols[i].info
			c.Name = s.Name()
			for _, k := range q.GroupBy {
				if k.Column == s.Column && k.Period == "year" {
					c.Type, c.Role = "integer", "time"
				}
			}
		}
		info.Columns = append(info.Columns, c)
	}
	return info
}

// refersToResult reports whether a clause speaks of the result before it.
func (c *chain) refersToResult(toks []token) bool {
	return len(c.steps) > 0 && slices.ContainsFunc(toks, func(t token) bool { return pointing[t.low] || t.low == "their" || t.low == "its" })
}

// queryResult asks the result of the step before.
func (c *chain) queryResult(toks []token) bool {
	if c.view == nil || len(c.view.cols) == 0 {
		return false
	}
	sub := *c.s
	sub.req.Values, sub.req.History = nil, nil
	sub.views = []*view{c.view}
	got := sub.readTable(c.view, toks)
	if !got.ok {
		return false
	}
	return c.queryOver(got)
}

// queryOver adds a query over the last step.
func (c *chain) queryOver(got *reading) bool {
	for _, q := range got.out.queries {
		q.Table, q.Data = "", c.ref(len(c.steps)-1)
		c.add(queryTool, q.Args())
	}
	if n := len(c.answers); n > 0 && c.answers[n-1] == len(c.steps)-1-len(got.out.queries) {
		c.answers = c.answers[:n-1]
	}
	c.answers = append(c.answers, len(c.steps)-1)
	c.last, c.view = nil, newView(resultInfo(got.r.v, got.out.queries[0]))
	return true
}

// named reports whether the message says a tool's name, or all that its name is about, more than once a word: "top clients".
func (c *chain) named(toks []token) bool {
	low := lowsOf(toks)
	for _, f := range c.cat.tools {
		if low[f.Name] || f.spoken(low) || f.searches(low) {
			return true
		}
	}
	return false
}

// spoken reports whether all words of a name of two and more that are no verbs are in the message.
func (f *toolFacts) spoken(low map[string]bool) bool {
	if len(f.nouns) < 2 || f.tabular() {
		return false
	}
	for _, n := range f.nouns {
		if stopWords[n] {
			continue
		}
		ok := low[n]
		for _, alias := range nounAliases[n] {
			ok = ok || low[alias]
		}
		if !ok {
			return false
		}
	}
	return true
}

// tabular reports whether the tool works on a table that another step gives.
func (f *toolFacts) tabular() bool {
	return slices.ContainsFunc(f.params, param.table)
}

// table reports whether an argument takes a table.
func (p param) table() bool {
	return p.required && (p.name == "data" || p.name == "table") && p.typ != "integer" && p.typ != "boolean"
}

func asNumber(s string) any { return json.Number(s) }

func joinWords(toks []token) string {
	parts := make([]string, len(toks))
	for i, t := range toks {
		parts[i] = t.text
	}
	return strings.Join(parts, " ")
}
