package offline

import (
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
)

// A listing is a table of a few hundred rows at most that lists things: results, films, stations. What people ask of one is
// about its rows: the one after another, the first, how many there are, which has the most. Its cells are often text that
// holds numbers, and its caption is not in the table, so that a question may have words which the table does not know.
// The reader below answers such questions where what is asked for, and what it is asked of, are in the table, and says which
// words it did not use. Nothing of it is learnt: its words, and the order in which shapes are tried, are set by hand.

// maxListing is the number of rows up to which a table is read as a listing.
const maxListing = 300

// listing is a message read against one listing.
type listing struct {
	r     *reader
	v     *view
	toks  []token
	spots []spot
	conds []rowCond
	used  []bool // tokens that mean something
	made  []plan.Derived

	rows    bool   // what is asked for are single rows
	unclear string // a question to ask back
	counted string // a noun that the table does not have, and that was taken for its rows
}

// spot is a stretch of tokens that names a column, or values of one.
type spot struct {
	i, j  int
	col   int
	value bool
	hit   plan.Hit
	more  []plan.Hit // the other columns that hold the value
	score float64
	taken bool
}

// rowCond is a condition on rows and where it stands.
type rowCond struct {
	cond plan.Condition
	col  int
	at   int
	date bool
}

// rowAnswer is what a question of a listing asks for, as queries of which each works on the result of the one before.
type rowAnswer struct {
	queries []plan.Query
	shape   string
	sure    bool // what is asked for is named in words of the table
	plain   bool // the reader of tables of any size reads it as well
}

// listingPlan reads the message against the only listing, or the one that came with it. strict takes no word that is not used.
func (s *session) listingPlan(toks []token, strict bool) (plan.Plan, bool) {
	v := s.listingOf()
	if v == nil {
		return plan.Plan{}, false
	}
	l := s.newListing(v, toks)
	got := l.read()
	if l.unclear != "" {
		return plan.Plan{Clarify: l.unclear, Confidence: 0.5}, true
	}
	if got == nil {
		return plan.Plan{}, false
	}
	left := l.unread(got)
	if l.grouped() || !v.things() && (!strict || got.shape == "count") || strict && (len(left) > 0 || !got.sure || plainShapes[got.shape] || got.plain || l.steered()) || !l.acceptable(got, left) {
		return plan.Plan{}, false
	}
	if !s.levels(l, got) {
		return plan.Plan{}, false
	}
	p := plan.Plan{Title: title(s.req.Message), Confidence: max(0.5, 0.9-0.1*float64(len(left)))}
	for i, q := range got.queries {
		if i > 0 {
			q.Data = plan.Ref{Step: fmt.Sprintf("s%d", i)}
		}
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprintf("s%d", i+1), Tool: queryTool, Args: q.Args()})
	}
	p.Answer = []any{plan.Ref{Step: p.Steps[len(p.Steps)-1].ID}}
	s.notes = append(s.notes, got.leftOut(v)...)
	if l.counted != "" {
		s.notes = append(s.notes, fmt.Sprintf("“%s” was taken for the rows of %s.", l.counted, v.info.Name))
	}
	if len(left) > 0 {
		s.notes = append(s.notes, "Not used, because the table says nothing of it: "+quotedWords(left)+".")
	}
	return p, true
}

// plainShapes are what the reader of tables of any size knows as well.
var plainShapes = plan.WordSet("fold")

// compares reports whether a comparison or a negation was not used.
func (l *listing) compares() bool {
	for i, t := range l.toks {
		_, degree, ok := degreeOf(t.low)
		if !l.used[i] && t.kind == wordToken && (ok && degree > 0 || t.low == "than" || t.low == "not" || t.low == "never" || t.low == "no" || t.low == "without") {
			return true
		}
	}
	return false
}

// steered reports whether a word that changes what is asked was not used.
func (l *listing) steered() bool {
	for i, t := range l.toks {
		if l.used[i] {
			continue
		}
		if _, degree, ok := degreeOf(t.low); ok && degree > 0 && t.kind == wordToken || steering[t.low] || t.text == "%" {
			return true
		}
	}
	return false
}

// grouped reports whether the message asks for a figure per thing, or a share, which no shape answers.
func (l *listing) grouped() bool {
	for i, t := range l.toks {
		next := l.r.tokenAt(i + 1)
		k := l.spotAt(i + 1)
		if (t.low == "by" || t.low == "per") && i > 0 && (k >= 0 && !l.spots[k].value || periodWords[next.low] != "" || k < 0 && next.content() && l.v.cols[l.v.label].info.Role != "" && i+2 == len(l.toks)) && !(t.low == "by" && verbForms[l.low(i-1)]) {
			return true
		}
		if !l.used[i] && (computing[t.low] || t.text == "%") {
			return true
		}
		if l.lastPeriod(i) {
			return true
		}
	}
	return false
}

// lastPeriod reports whether a stretch of time is named at i, "last month", of which rows with days hold several.
func (l *listing) lastPeriod(i int) bool {
	w, next := l.low(i), l.low(i+1)
	timed := l.v.time >= 0 || l.v.periodTexts() >= 0
	if l.spotAt(i) < 0 && timed && (next == "quarter" && quarterOrdinals[w] > 0 || l.v.time < 0 && (w == "last" || w == "previous") && (next == "quarter" || next == "month" || next == "year")) {
		return true
	}
	return l.v.time >= 0 && !l.v.cols[l.v.time].year && (w == "last" || w == "latest" || w == "past" || w == "this" || w == "current") &&
		(next == "month" || next == "quarter" || next == "week" || next == "year")
}

// computing are words of computations that no shape does.
var computing = plan.WordSet("share percent percentage proportion ratio growth trend cumulative correlation outliers anomalies monthly yearly quarterly weekly daily")

// steering are words that change what is asked.
var steering = plan.WordSet(`by per each share percent percentage proportion ratio growth grow grew change changed trend vs versus compare compared beat beats exceed exceeded average mean median total sum
cumulative running over monthly yearly quarterly weekly daily grouped group sorted sort ordered rank ranked combined difference between only same not no never without except besides
first last next previous before after since until more less fewer most least top bottom consecutive longest`)

func quotedWords(toks []token) string {
	var words []string
	for _, t := range toks {
		words = append(words, "“"+t.text+"”")
	}
	return strings.Join(words, ", ")
}

// things reports whether the rows are things that a column of text tells apart, rather than observations of a few.
func (v *view) things() bool {
	return slices.ContainsFunc(v.cols, func(c viewColumn) bool { return c.info.Type == "text" && c.info.Distinct*2 >= v.info.Rows })
}

// listingOf gives the table that is read as a listing, nil without one.
func (s *session) listingOf() *view {
	var found *view
	for _, v := range s.views {
		if v.info.Live || v.info.Rows == 0 || v.info.Rows > maxListing || v.label < 0 || len(s.views) > 1 && !v.info.Attached {
			continue
		}
		if found != nil {
			return nil
		}
		found = v
	}
	return found
}

func (s *session) newListing(v *view, toks []token) *listing {
	r := &reader{ctx: s.ctx, v: v, text: s.req.Message, toks: slices.Clone(toks), values: s.req.Values, now: s.req.Now, found: s.found}
	r.used = make([]bool, len(r.toks))
	for i := range r.toks {
		r.toks[i].at = i
	}
	l := &listing{r: r, v: v, toks: r.toks, used: make([]bool, len(r.toks))}
	l.link()
	return l
}

// leftOut says which rows of totals the answer leaves out.
func (got *rowAnswer) leftOut(v *view) (notes []string) {
	for _, t := range v.info.Totals {
		without := t.Without()
		if slices.ContainsFunc(got.queries, func(q plan.Query) bool {
			return slices.ContainsFunc(q.Filter, func(c plan.Condition) bool {
				return c.Column == without.Column && c.Op == without.Op && c.Value == without.Value
			})
		}) {
			notes = append(notes, leftOut(t))
		}
	}
	return notes
}

// speaksOf reports whether the answer shows a column, or has a condition on it.
func (got *rowAnswer) speaksOf(name string) bool {
	on := func(c plan.Condition) bool {
		return c.Column == name || slices.ContainsFunc(c.Any, func(o plan.Condition) bool { return o.Column == name })
	}
	return slices.ContainsFunc(got.queries, func(q plan.Query) bool {
		return slices.ContainsFunc(q.Select, func(s plan.Select) bool { return s.Column == name || slices.ContainsFunc(s.Filter, on) }) || slices.ContainsFunc(q.Filter, on)
	})
}

// unread gives the words that carry meaning and that the answer does not use.
func (l *listing) unread(got *rowAnswer) []token {
	var out []token
	for i, t := range l.toks {
		if !l.used[i] && l.r.namesLetter(i) && l.spotAt(i) < 0 {
			out = append(out, t)
			continue
		}
		if l.used[i] || t.kind == markToken || t.kind == wordToken && (!t.content() || listingNoise[t.low] || listingNoise[t.lemma] || benignWords[t.low] || verbForms[t.low]) {
			continue
		}
		if _, _, degree := degreeOf(t.low); degree && t.kind == wordToken {
			continue
		}
		if k := l.spotAt(i); k >= 0 && !l.spots[k].value && (l.spots[k].col == l.v.label || got.speaksOf(l.name(l.spots[k].col))) {
			continue // what the rows are, or what is shown
		}
		out = append(out, t)
	}
	return out
}

// acceptable reports whether an answer may be given although some words were not used: never without what is asked for, or
// where what was not used is a name, a quotation or a number.
func (l *listing) acceptable(got *rowAnswer, left []token) bool {
	for _, t := range left {
		if t.kind != wordToken || t.code || t.start > 0 && t.text != strings.ToLower(t.text) {
			return false
		}
		if k := l.spotAt(t.at - 1); k >= 0 && !l.spots[k].value && !strings.HasSuffix(t.low, "ed") && !strings.HasSuffix(t.low, "ing") && got.shape != "beside" {
			return false // "heart rate variability" is no rate
		}
		if copulas[l.low(t.at-1)] && !strings.HasSuffix(t.low, "ed") { // "how many are electric": it is what is asked
			return false
		}
	}
	return len(left) == 0 || got.sure && len(left) <= mostUnread
}

// mostUnread is how many words of a question may be such that the table says nothing of them.
const mostUnread = 4

var copulas = plan.WordSet("is are was were")

func (l *listing) use(i, j int) {
	for ; i < j; i++ {
		if i >= 0 && i < len(l.used) {
			l.used[i] = true
		}
	}
}

func (l *listing) low(i int) string { return l.r.low(i) }

func (l *listing) name(c int) string { return l.v.cols[c].info.Name }
