package offline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"catena/planner/plan"
)

// queryTool is the tool that answers questions about tables.
const queryTool = "query_table"

// maxHistory is how many earlier turns a follow-up may reach back.
const maxHistory = 6

// Planner plans without a model: a deterministic reading of plain English against what is known of the tables and tools.
//
// It works in stages, a file each: tokens, meanings (what people want kept, recalled, indexed ..., in words of their own), dates,
// linking (which words name columns and values), asking (which operations are named), composing (the query), follow-ups (a
// question that changes the one before), tools (retrieval, arguments, chains), live tables, which are asked when no loaded table
// answers, and a last check that every word that carries meaning was used. Words that mean nothing here, and words that
// change a question (no, per, cumulative, next ...) and that no operation took, are not passed over: the answer is then a
// refusal that names the tables and the nearest columns, or a question back.
//
// The same request gives the same response. It is safe for concurrent use; the zero value is ready. What it prepares of
// tables and tools is kept between calls and bounded.
type Planner struct {
	mu     sync.Mutex
	views  map[uint64]*view
	unions map[[maxUnited]*view]*view // of tables that are read as one
	tools  []*catalogue               // the one used last first
}

// New makes an offline planner.
func New() *Planner { return &Planner{} }

// Plan implements Planner. The error is the context's or nil: what cannot be planned is a refusal or a question.
func (o *Planner) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	if err := ctx.Err(); err != nil {
		return plan.Response{}, fmt.Errorf("offline planner: %w", err)
	}
	req.Message = sayable(req.Message) // whatever of it becomes an argument
	s := &session{ctx: ctx, req: req, found: map[string][]plan.Hit{}, made: newMemo()}
	p := s.together(o.plan(s))
	if p.Title != "" {
		p.Title = title(req.Message)
	}
	return plan.Response{Plan: p, By: "offline", Notes: s.notes, Why: s.whyOf(p)}, nil
}

func (o *Planner) plan(s *session) plan.Plan {
	req := s.req
	toks := tokenize(req.Message)
	if !slices.ContainsFunc(toks, func(t token) bool { return t.kind != markToken }) {
		return plan.Plan{Refuse: o.abilities(req, "There is no question in this message.")}
	}
	var live []*view
	if s.views, live = split(o.viewsOf(req.Tables)); len(s.views) == 0 {
		s.views, live = live, nil
	}
	o.unite(s, toks)
	if line := s.smallTalk(toks); line != "" {
		return plan.Plan{Refuse: line}
	}
	if p, ok := o.called(s, toks); ok {
		return p
	}
	if p, ok := o.placed(s, toks, append(slices.Clone(live), liveOf(s.views)...)); ok {
		return p
	}
	if p, ok := o.deed(s, toks, false); ok {
		return p
	}
	toks = s.restyle(toks)
	if p, ok := o.plain(s, toks, live); ok {
		return p
	}
	best := s.question(toks)
	tooled, toolScore := o.toolPlan(s, toks, best)
	if best.unnamed(live) {
		if p, ok := o.liveQuestion(s, toks, live); ok {
			return p
		}
		if question := s.liveUnclear(toks, live); question != "" {
			return plan.Plan{Clarify: question, Confidence: 0.5}
		}
	}
	if len(s.views) == 0 && len(live) == 0 && !linked(tooled) {
		if p, ok := o.byCalls(s); ok && p.Clarify == "" && !saysMore(tooled, p) {
			return p
		}
	}
	switch {
	case toolScore > 0 && (best == nil || !best.ok || toolScore > best.score):
		return tooled
	case best != nil && best.ok:
		return s.write(best)
	}
	return o.unanswered(s, toks, best, live, tooled)
}

// plain plans the messages that are known by their form: about an attachment, a table's name, the answer before, whole tables, shown
// results, and the rows of lists.
func (o *Planner) plain(s *session, toks []token, live []*view) (plan.Plan, bool) {
	if p, ok := o.attached(s, toks); ok {
		return p, true
	}
	if p, ok := o.byTableName(s, toks); ok {
		return p, true
	}
	if p, ok := o.again(s, toks, live); ok {
		return p, true
	}
	if p, ok := s.showAll(toks); ok {
		return p, true
	}
	if p, ok := o.guard(s, toks); ok {
		return p, true
	}
	if p, ok := o.shown(s, toks); ok {
		return p, true
	}
	p, ok := s.listingPlan(toks, true)
	return p, ok && len(s.req.History) == 0
}

// unanswered plans what neither a table's columns nor a tool's arguments answer in full: by the rows of a list, by live tables, by calls,
// with a question back or a refusal.
func (o *Planner) unanswered(s *session, toks []token, best *reading, live []*view, tooled plan.Plan) plan.Plan {
	reasoned := best != nil && best.ask.cannot != "" && len(best.unknown) == 0 && best.r.v.unread < 0
	if !reasoned && len(s.req.History) == 0 {
		if p, ok := s.listingPlan(toks, false); ok {
			return p
		}
	}
	if p, ok := o.beyond(s, toks, best, live); ok {
		return p
	}
	if best != nil && best.ask != nil && best.ask.cannot != "" {
		return plan.Plan{Refuse: best.ask.cannot}
	}
	if len(s.views) == 0 {
		if p, ok := o.byCalls(s); ok {
			return p
		}
	}
	switch {
	case tooled.Clarify != "":
		return tooled
	case best != nil && best.ask != nil && best.ask.unclear != "" && !best.elsewhere(live):
		return plan.Plan{Clarify: best.ask.unclear, Confidence: 0.5}
	}
	if p, ok := o.fallBack(s, toks, best); ok {
		return p
	}
	return plan.Plan{Refuse: s.refusal(toks, best, o.abilities(s.req, ""))}
}

// beyond plans what no loaded table answers: a question about a table that a toolkit makes, or words that say a meaning only
// where they are no question about tables. What is unclear about the loaded tables is asked first.
func (o *Planner) beyond(s *session, toks []token, best *reading, live []*view) (plan.Plan, bool) {
	if best != nil && (best.ask.cannot != "" || best.ask.unclear != "") && len(best.unknown) == 0 {
		return plan.Plan{}, false
	}
	if p, ok := o.liveQuestion(s, toks, live); ok {
		return p, true
	}
	if p, ok := o.deed(s, toks, true); ok {
		return p, true
	}
	question := s.liveUnclear(toks, live)
	return plan.Plan{Clarify: question, Confidence: 0.5}, question != ""
}

// session is one request being planned.
type session struct {
	ctx      context.Context
	req      plan.Request
	views    []*view
	found    map[string][]plan.Hit
	notes    []string // what the user should know of the answer
	united   []*view  // tables with the same columns, read as one
	restyled bool     // the numbers of the messages are written the English way
	made     *memo
}

// reading is a message read against one table.
type reading struct {
	r       *reader
	ask     *ask
	out     composed
	ok      bool
	score   float64
	unknown []token
	note    string // what the user should know of the answer
	chosen  bool   // the measure was not named but chosen
}

// question reads the message against each table and gives the best reading, nil without tables. A follow-up is read
// together with what came before.
func (s *session) question(toks []token) *reading {
	best := s.alone(toks)
	var wider *reading
	if best != nil && !best.ok && len(s.views) > 1 && best.ask.unclear == "" && best.ask.cannot == "" {
		wider = s.joinedReading(toks)
	}
	if wider != nil && !s.startsBack(toks) {
		return wider
	}
	if follow := s.followUp(toks, best); follow != nil {
		return follow
	}
	if wider != nil {
		return wider
	}
	return best
}

// readTable reads the message against one table. The reading is the caller's to change.
func (s *session) readTable(v *view, toks []token) *reading { return s.tableReading(v, toks).copied() }

// scoreOf is the score of readTable.
func (s *session) scoreOf(v *view, toks []token) float64 { return s.tableReading(v, toks).score }

// tableReading reads the message against one table, once. The reading is not to be changed.
func (s *session) tableReading(v *view, toks []token) *reading {
	key := s.readerKey(v, toks)
	got, ok := s.made.readings[key]
	if !ok {
		r := s.reader(v, toks)
		got = &reading{r: r, ask: r.read()}
		got.compose()
		got.judge()
		s.made.readings[key] = got
	}
	return got
}

// compose makes the queries of a copy of the ask, which stays as it was read: a follow-up may change it.
func (g *reading) compose() {
	a := g.ask.clone()
	g.out, g.ok = g.r.compose(a)
	g.ask.unclear, g.ask.cannot, g.note = a.unclear, a.cannot, a.note
	g.chosen = a.measureX
}

// reader links the words of a stretch of the message to a table's columns and values.
func (s *session) reader(v *view, toks []token) *reader {
	key := s.readerKey(v, toks)
	r, ok := s.made.readers[key]
	if !ok {
		r = s.newReader(v, toks)
		s.made.readers[key] = r
	}
	return r.copied()
}

func (s *session) newReader(v *view, toks []token) *reader {
	now := s.req.Now
	if v.info.Live && !s.req.Clock.IsZero() {
		now = s.req.Clock
	}
	r := &reader{ctx: s.ctx, v: v, text: s.req.Message, toks: slices.Clone(toks), values: s.req.Values, now: now, found: s.found}
	r.others = s.otherNames(v)
	d := dateReader{toks: r.toks, now: now, bare: v.bareQuarters()}
	years := v.time >= 0 || v.unread >= 0 || slices.ContainsFunc(v.cols, func(c viewColumn) bool { return c.info.Type == "text" && c.ofPeriods() })
	r.dates = slices.DeleteFunc(d.read(years), r.namesColumn)
	r.link()
	return r
}

// write makes the plan of a reading.
func (s *session) write(g *reading) plan.Plan {
	p := plan.Plan{Title: title(s.req.Message), Confidence: min(0.99, g.score)}
	for i, q := range g.out.queries {
		step := plan.Step{ID: fmt.Sprintf("s%d", i+1), Tool: queryTool}
		if i > 0 {
			q.Data = plan.Ref{Step: fmt.Sprintf("s%d", i)}
		}
		step.Args = q.Args()
		p.Steps = append(p.Steps, step)
	}
	p.Answer = []any{plan.Ref{Step: p.Steps[len(p.Steps)-1].ID}}
	if g.note != "" {
		s.notes = append(s.notes, g.note)
	}
	return p
}

// title is the message, cut.
func title(message string) string {
	s := strings.Join(strings.Fields(message), " ")
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
