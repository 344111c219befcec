package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// liveHits finds what tokens i..j-1 mean in a live table, whose rows nobody has read for the plan: a value of a set that its toolkit
// declares, a name of somebody, or what stands beside the word for a column ("the planner package").
func (r *reader) liveHits(i, j int) []plan.Hit {
	if !r.v.info.Live {
		return nil
	}
	var out []plan.Hit
	hit := func(col int, value string, score float64) {
		c := r.v.cols[col].info.Name
		if !slices.ContainsFunc(out, func(h plan.Hit) bool { return h.Column == c }) {
			out = append(out, plan.Hit{Table: r.v.info.Name, Column: c, Value: value, Match: plan.Exact, Score: score, Rows: 1, Values: 1})
		}
	}
	phrase := strings.Join(plan.FoldWords(textOf(r.toks[i:j])), " ")
	for c := range r.v.cols {
		for _, v := range r.v.cols[c].info.Values {
			if folded := strings.Join(plan.FoldWords(v), " "); phrase != "" && (folded == phrase || plan.Singular(phrase) == folded) {
				hit(c, v, 1)
			}
		}
	}
	if col := r.place(i, j); col >= 0 {
		hit(col, r.written(i, j), 1)
	}
	if name := r.nameAt(i); j == i+1 && name != "" && len(out) == 0 {
		for _, c := range r.v.nameColumns() {
			hit(c, name, 0.95)
		}
	}
	return out
}

// declared gives the value that tokens name of a live table's column with declared values, of any such column for ""; "" without one.
func (s *session) declared(column string, toks []token) string {
	for _, t := range s.req.Tables {
		for _, c := range t.Columns {
			if !t.Live || column != "" && c.Name != column {
				continue
			}
			for _, v := range c.Values {
				if slices.ContainsFunc(toks, func(t token) bool { return t.low == v || t.lemma == v }) {
					return v
				}
			}
		}
	}
	return ""
}

// nameColumns are the columns that name people: both sides of what two have to do with each other, else the name of who the row
// is about.
func (v *view) nameColumns() []int {
	if people := v.people(); len(people) > 0 {
		return people
	}
	if v.label >= 0 && v.cols[v.label].hasConcept("name") && v.entity["person"] {
		return []int{v.label}
	}
	return nil
}

// Words that stand before names, beside words with capitals; and words of telling, whose names say who told.
var (
	beforeNames = plan.WordSet("between and with does did do is are has to from &")
	toldWords   = plan.WordSet("say says said tell tells told ask asks asked write writes wrote send sends sent talk talks thank thanks thanked promise promised")
)

// nameAt is the name that token i is, "" for a word that says something else.
func (r *reader) nameAt(i int) string {
	t := r.toks[i]
	if t.kind == quoteToken {
		return t.text
	}
	if t.kind != wordToken || len(t.text) < 2 {
		return ""
	}
	name := strings.TrimSuffix(strings.TrimSuffix(t.text, "'s"), "’s")
	low := strings.ToLower(name)
	genitive := name != t.text
	if stopWords[low] || nameNoise[low] || politeWords[low] || toldWords[low] || meetingWords[low] || r.v.rows(plan.Singular(low)) {
		return ""
	}
	for c := range r.v.cols {
		if r.v.cols[c].match([]token{t}) > 0 {
			return ""
		}
	}
	if genitive || capital(name) && i > 0 && !r.sentenceStart(i) {
		return name
	}
	_, degree := degreeWords[low]
	_, _, adjective := degreeOf(low)
	if degree || adjective || benignWords[low] || verbForms[low] || askWords[t.lemma] || leading[low] || monthNames[low] > 0 || len(concepts[t.lemma]) > 0 || unitWord(low) {
		return ""
	}
	if next := r.low(i + 1); beforeNames[r.low(i-1)] || next == "and" || next == "&" || next == "with" {
		return name
	}
	return ""
}

// talks reports whether a live table holds what people said to each other, and the message does not speak of what the asker said.
func (r *reader) talks() bool {
	return r.v.info.Live && slices.ContainsFunc(r.v.nameColumns(), func(c int) bool { return (param{name: r.v.cols[c].info.Name}).side() != 0 }) &&
		!slices.ContainsFunc(r.toks, func(t token) bool {
			return t.low == "i" || t.low == "me" || t.low == "my" || t.low == "you" || t.low == "we"
		})
}

// pretends reports whether a query of a live table would compute what the table cannot tell: a change of what is only known as it is
// now, or yes-or-no columns that are missing.
func (g *reading) pretends() bool {
	v := g.r.v
	if !v.info.Live || len(g.out.queries) == 0 {
		return false
	}
	now := v.time >= 0 && slices.Contains(plan.NameWords(v.cols[v.time].info.Name), "last")
	if now && (g.ask.change || g.ask.series) {
		return true
	}
	return g.absentFlag()
}

// absentFlag reports whether a reading asks for rows without a yes or no, which "no tests" does not mean.
func (g *reading) absentFlag() bool {
	return slices.ContainsFunc(g.ask.filters, func(f asked) bool {
		return f.cond.Op == "is_null" && f.col >= 0 && g.r.v.cols[f.col].info.Type == "boolean"
	})
}

// elsewhere reports whether the message names rows of a live table, and neither rows nor columns of this one.
func (g *reading) elsewhere(live []*view) bool {
	if len(g.r.mentions) > 0 || slices.ContainsFunc(g.r.toks, func(t token) bool { return g.r.v.rows(t.lemma) }) {
		return false
	}
	return slices.ContainsFunc(g.r.toks, func(t token) bool {
		return slices.ContainsFunc(live, func(v *view) bool { return v.rows(t.lemma) })
	})
}

// onlyPerson reports whether a message has nothing but the name of who a row is about: "who is Lila".
func (r *reader) onlyPerson() bool {
	names := r.v.nameColumns()
	return r.v.info.Live && len(names) == 1 && len(r.mentions) > 0 && !slices.ContainsFunc(r.mentions, func(m mention) bool { return !m.value || m.col != names[0] })
}

// onlyNames reports whether names are all that a message has of a live table, so that it may be about anything.
func (r *reader) onlyNames() bool {
	if !r.v.info.Live || len(r.mentions) == 0 {
		return false
	}
	names := r.v.nameColumns()
	if r.talks() && slices.ContainsFunc(r.toks, func(t token) bool { return toldWords[t.low] || meetingWords[t.low] }) {
		return false
	}
	if len(names) == 1 && (r.says(0, "who", "is") || r.says(0, "who", "was") || r.says(0, "tell", "me", "about") || r.says(0, "describe")) {
		return false
	}
	for _, m := range r.mentions {
		if !m.value || !slices.Contains(names, m.col) {
			return false
		}
	}
	return !slices.ContainsFunc(r.toks, func(t token) bool { return r.v.rows(t.lemma) })
}

// sides shows who the rows are about before what is asked of them, where the question names people, and leaves out the time that
// it does not ask for.
func (g *reading) sides() {
	people := g.r.v.people()
	if len(people) == 0 && g.r.onlyPerson() {
		g.wide()
		return
	}
	if len(people) == 0 || len(g.out.queries) != 1 || !slices.ContainsFunc(g.r.mentions, func(m mention) bool { return m.value && slices.Contains(people, m.col) }) {
		return
	}
	q := &g.out.queries[0]
	if len(q.GroupBy) > 0 || len(q.Select) == 0 || slices.ContainsFunc(q.Select, func(s plan.Select) bool { return s.Expr != "" }) {
		return
	}
	var list []plan.Select
	for _, c := range people {
		list = addColumn(list, g.r.v.cols[c].info.Name)
	}
	for _, s := range q.Select {
		c := g.r.v.column(s.Column)
		if c == g.r.v.label || len(q.Select) > 1 && c == g.r.v.time && g.r.mentionOf(c) < 0 && c != g.ask.target {
			continue
		}
		list = addColumn(list, s.Column)
	}
	const most = 8
	for i, c := range g.r.v.cols {
		if asked := len(list) > len(people) && len(q.Select) < most; !asked && i != g.r.v.label && c.info.Role != "identifier" && len(list) < most {
			list = addColumn(list, c.info.Name)
		}
	}
	q.Select, q.Distinct = list, false
}

// joinsNames stand between names that are on either side.
var joinsNames = plan.WordSet("and & with or between")

func unitWord(low string) bool { return units[low].kind != "" || periodWords[low] != "" }

// liveCondition makes the condition of a name one on all columns that it may stand in, and of a folder or file one on paths.
func (r *reader) liveCondition(m *mention) {
	if !r.v.info.Live {
		return
	}
	if slices.Contains(pathWords, m.cond.Column) {
		m.cond = pathCondition(m.cond)
		return
	}
	people := r.v.people()
	if len(people) < 2 || !slices.Contains(people, m.col) {
		return
	}
	side := r.sideOf(m)
	cond := plan.Condition{}
	for _, c := range people {
		name := r.v.cols[c].info.Name
		if s := (param{name: name}).side(); s == 0 || side == 0 || s == side {
			cond.Any = append(cond.Any, plan.Condition{Column: name, Op: "eq", Value: m.cond.Value})
		}
	}
	if len(cond.Any) == 1 {
		cond = cond.Any[0]
		m.col = r.v.column(cond.Column)
	}
	m.cond = cond
}

// sideOf says whether a name is that of who tells (-1), of who is told (1), or of either (0).
func (r *reader) sideOf(m *mention) int {
	before, next := r.low(m.i-1), r.low(m.j)
	switch {
	case joinsNames[before] || joinsNames[next]:
		return 0
	case before == "from" || before == "by" || before == "did" || before == "does" || before == "has" || toldWords[next]:
		return -1
	case before == "to" || toldWords[before]:
		return 1
	}
	return 0
}

// pathCondition finds a file by the end of its path, and what is in a folder by its beginning.
func pathCondition(c plan.Condition) plan.Condition {
	path, _ := c.Value.(string)
	path = strings.TrimPrefix(path, "./")
	c.Op = "starts_with"
	if last := path[strings.LastIndexByte(path, '/')+1:]; strings.Contains(last, ".") {
		c.Op = "ends_with"
	} else if path != "" && !strings.HasSuffix(path, "/") {
		path += "/"
	}
	c.Value = path
	return c
}

// placeColumns are the columns in which a place in code is looked for, by the word for its kind, best first.
var placeColumns = map[string][]string{"package": {"package", "path"}, "folder": {"path", "folder"}, "directory": {"path", "folder"}, "file": {"path"}, "module": {"package", "path"}}

// place gives the column for a place in code that tokens i..j-1 name beside the word for its kind, or as a path; -1 without one.
func (r *reader) place(i, j int) int {
	written := r.written(i, j)
	if written == "" || r.cutPath(i, j) {
		return -1
	}
	kind := ""
	if k := r.low(j); placeColumns[k] != nil && j == i+1 && !r.describes(i) && (articles[r.low(i-1)] || r.low(i-1) == "in" || r.low(i-1) == "of") {
		kind = k
	} else if k := plan.Singular(r.low(i - 1)); placeColumns[k] != nil && (r.low(i-2) == "in" || r.low(i-2) == "the" || r.low(i-2) == "of" || r.low(i-2) == "inside") && r.toks[i].kind == wordToken && r.toks[i].content() && !r.describes(i) {
		kind = k
	}
	slash := strings.ContainsAny(written, "/")
	if kind == "" && (!slash || !placeBefore[r.low(i-1)]) {
		return -1
	}
	if slash || kind == "" {
		kind = "folder"
	}
	for _, name := range placeColumns[kind] {
		if c := r.v.column(name); c >= 0 {
			return c
		}
	}
	return -1
}

// describes reports whether a word says which place is meant rather than what it is called: "the biggest file", "each package".
func (r *reader) describes(i int) bool {
	t := r.toks[i]
	_, _, degree := degreeOf(t.low)
	return degree || ordinals[t.low] > 0 || t.kind == numberToken || describing[t.low]
}

var describing = plan.WordSet("same other whole entire each every single main first last next different current own that with which where named called is are has have do does than")

// placeBefore are words behind which a path is where something is.
var placeBefore = plan.WordSet("in inside within under below of from")

// written is what tokens i..j-1 say to the letter where no space is in it, "" for other stretches.
func (r *reader) written(i, j int) string {
	if j == i+1 && r.toks[i].kind == quoteToken {
		return r.toks[i].text
	}
	if r.toks[j-1].end > len(r.text) || r.toks[i].kind == markToken && r.toks[i].text != "." {
		return ""
	}
	s := r.text[r.toks[i].start:r.toks[j-1].end]
	if strings.ContainsAny(s, " \t\n") {
		return ""
	}
	return s
}

// cutPath reports whether the letters go on without a space before token i or behind token j-1: then the stretch is a piece of a path.
func (r *reader) cutPath(i, j int) bool {
	from, to := r.toks[i].start, r.toks[j-1].end
	before := from > 0 && from <= len(r.text) && strings.Contains("/._-", r.text[from-1:from])
	behind := to+1 < len(r.text) && strings.Contains("/._-", r.text[to:to+1]) && r.text[to+1] > ' '
	return before || behind
}

// Words that say that the repository is meant, which goes without saying for tables of its code.
var (
	insideWords = plan.WordSet("in of inside within across from")
	thisWords   = plan.WordSet("this the our my your")
	wholeWords  = plan.WordSet("repository repo codebase project code index workspace")
)

// withoutPlace leaves "in this repository" out of a message.
func withoutPlace(toks []token) []token {
	for i := 0; i+1 < len(toks); i++ {
		if !insideWords[toks[i].low] {
			continue
		}
		j := i + 1
		for j < len(toks) && (thisWords[toks[j].low] || toks[j].low == "whole" || toks[j].low == "indexed" || toks[j].low == "current") {
			j++
		}
		from := j
		for j < len(toks) && (wholeWords[toks[j].low] || j > from && toks[j].low == "base") {
			j++
		}
		if last := j == len(toks) || toks[j].kind == markToken || stopWords[toks[j].low]; j > from && from > i+1 && last {
			return append(slices.Clone(toks[:i]), toks[j:]...)
		}
	}
	return toks
}

// placed plans a question that says that it is about the repository and computes over one of its tables: "the biggest files in this
// repository". What it does not compute is asked in the code itself.
func (o *Planner) placed(s *session, toks []token, live []*view) (plan.Plan, bool) {
	rest := withoutPlace(toks)
	if len(live) == 0 || len(rest) == len(toks) {
		return plan.Plan{}, false
	}
	sub := *s
	sub.views = live
	got := sub.alone(rest)
	if got == nil || !got.ok || !(got.ask.count || got.ask.countCol >= 0 || got.ask.super != nil || len(got.ask.aggs) > 0 || len(got.ask.groups) > 0) {
		return plan.Plan{}, false
	}
	return o.liveQuestion(s, rest, live)
}
