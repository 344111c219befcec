package offline

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// remembering are the verbs of memories that are known in spite of a slip. None of them deletes anything.
var remembering = []string{"remember", "memorize", "memorise", "recall", "remind"}

// respeltVerb mends a slip in the verb that a message begins with, where it is one of remembering.
func respeltVerb(toks []token) []token {
	at := slices.IndexFunc(toks, func(t token) bool { return !politeWords[t.low] })
	if at < 0 || toks[at].kind != wordToken || stopWords[toks[at].low] || benignWords[toks[at].low] {
		return toks
	}
	for _, verb := range remembering {
		if w := toks[at].low; w != verb && w[0] == verb[0] && w != verb+"s" && w != verb+"ed" && w != verb+"d" && plan.Near(w, verb) {
			toks = slices.Clone(toks)
			toks[at].low, toks[at].lemma = verb, verb
			toks[at].learn()
			return toks
		}
	}
	return toks
}

// never gives what is said instead of a deed that is not done at all, "" for all other messages.
func (c *chain) never(toks []token) string {
	for _, part := range append([][]token{toks}, clauses(toks)...) {
		for _, sp := range c.s.meanings(part, false, false) {
			if sp.m.never != "" && len(c.cat.carriers(sp)) > 0 {
				return sp.m.never
			}
		}
	}
	return ""
}

// keepBehind plans a question with something to remember behind it: "how many shops are there and remember that Bob
// owns Kiel".
func (o *Planner) keepBehind(s *session, toks []token) (plan.Plan, bool) {
	for i := 1; i+1 < len(toks); i++ {
		if t := toks[i]; t.low != "and" && t.low != "then" && t.text != "," && t.text != ";" && t.text != "." && t.text != "?" {
			continue
		}
		rest := toks[i+1:]
		for len(rest) > 1 && (rest[0].low == "and" || rest[0].low == "also" || rest[0].low == "then" || rest[0].low == "please") {
			rest = rest[1:]
		}
		if !slices.Contains(remembering[:3], rest[0].low) || len(rest) < 3 || rest[1].low != "that" && rest[1].text != ":" {
			continue
		}
		for _, sp := range s.meanings(rest, false, true) {
			c := o.newChain(s, toks)
			if sp.id == "keep" && c.does(toks[:i], 0, false) && len(c.steps) > 0 && c.mean(sp) {
				return c.plan(), true
			}
		}
		return plan.Plan{}, false
	}
	return plan.Plan{}, false
}

// openers are words that make what follows “remember” a question.
var openers = plan.WordSet("when what who whom whose how where why which if whether me us")

// keepable reports whether what stands behind a bare “remember” is told rather than asked. What reads as a question
// about tables becomes a question back: nobody wants its words kept.
func (d *doing) keepable() bool {
	at := slices.IndexFunc(d.sp.all, func(t token) bool { return len(d.sp.object) > 0 && t.start == d.sp.object[0].start })
	if at < 1 || !slices.Contains(remembering, d.sp.all[at-1].low) {
		return true
	}
	if openers[d.sp.object[0].low] {
		return false
	}
	scratch := &chain{s: d.c.s, cat: d.c.cat, message: d.sp.object, score: 1}
	if notes := d.c.s.notes; scratch.clause(d.sp.object, 0) && len(scratch.steps) > 0 {
		d.c.s.notes = notes
		d.c.missing = "Should I keep these words, or do you want to see what they ask for? Write “note: …” to keep the words, or ask without “remember”."
		return false
	}
	return true
}

// Tags behind what is told: words with # at its end, or a list behind “tags:”.
var (
	hashTags = regexp.MustCompile(`(?:\s+#[\p{L}\p{N}][\p{L}\p{N}_-]*)+\s*$`)
	tagList  = regexp.MustCompile(`(?i)[\s,;.(]+(?:tags?|tagged)\s*:\s*([^:?!]+?)[\s.)]*$`)
	tagBreak = regexp.MustCompile(`(?i)\s*(?:,|;|#|\band\b)\s*`)
)

// splitTags sets the tags behind what is told apart from it. A text of nothing but tags stays whole.
func splitTags(s string) (text string, tags []any) {
	text = s
	if m := tagList.FindStringSubmatchIndex(text); m != nil && m[0] > 0 {
		tags = tagNames(text[m[2]:m[3]])
		text = strings.TrimSpace(text[:m[0]])
	}
	if m := hashTags.FindStringIndex(text); m != nil && m[0] > 0 {
		tags = append(tagNames(text[m[0]:]), tags...)
		text = strings.TrimSpace(text[:m[0]])
	}
	if text == "" {
		return s, nil
	}
	return text, tags
}

// tagNames are the tags in a list: "crm, contacts and people", "#a #b".
func tagNames(s string) (out []any) {
	for _, t := range tagBreak.Split(s, -1) {
		if t = strings.TrimSpace(t); t != "" && !slices.Contains(out, any(t)) {
			out = append(out, t)
		}
	}
	return out
}

// tagged moves the tags of what is told into their own argument, where the tool has one.
func (d *doing) tagged(value string) string {
	i := slices.IndexFunc(d.f.params, func(p param) bool { return p.name == "tags" && p.typ == "array" })
	if i < 0 {
		return value
	}
	text, tags := splitTags(value)
	if len(tags) > 0 {
		d.args["tags"] = tags
	}
	return text
}

// idTable gives the table that the last answer showed of things with an id, nil without one.
func (d *doing) idTable(id string) *plan.TableInfo {
	n := len(d.c.s.req.History)
	if n == 0 {
		return nil
	}
	for i, t := range d.c.s.req.History[n-1].Tables {
		if t.Handle != "" && slices.ContainsFunc(t.Columns, func(c plan.ColumnInfo) bool { return c.Name == id }) {
			return &d.c.s.req.History[n-1].Tables[i]
		}
	}
	return nil
}

// shownOne adds the step that reads the one thing that “it” means: what the last answer showed, or what the last
// message told to keep. Where several were shown it asks; where none was, “it” means something else.
func (d *doing) shownOne(p param) (step int, ok bool) {
	if d.c.cat.byName(queryTool) == nil || len(d.c.steps) > 0 {
		return 0, false
	}
	if t := d.idTable(p.name); t != nil {
		if t.Rows != 1 {
			d.ask()
			return 0, false
		}
		q := plan.Query{Table: t.Handle, Select: append([]plan.Select{{Column: p.name}}, wordColumns(t.Columns, p.name)...)}
		return d.c.add(queryTool, q.Args()), true
	}
	kept := d.c.s.keptLast()
	for _, t := range d.c.s.req.Tables {
		if kept == "" || !t.Live || !slices.ContainsFunc(t.Columns, func(c plan.ColumnInfo) bool { return c.Name == p.name }) {
			continue
		}
		q := plan.Query{Table: t.Name, Filter: []plan.Condition{{Column: "content", Op: "eq", Value: kept}}, Select: append([]plan.Select{{Column: p.name}}, wordColumns(t.Columns, p.name)...)}
		return d.c.add(queryTool, q.Args()), true
	}
	return 0, false
}

// keptLast is what the last message told to keep, "" where it told nothing.
func (s *session) keptLast() string {
	n := len(s.req.History)
	if n == 0 || s.req.History[n-1].Plan == nil {
		return ""
	}
	steps := s.req.History[n-1].Plan.Steps
	if len(steps) == 0 || !slices.Contains(plan.NameWords(steps[len(steps)-1].Tool), "store") {
		return ""
	}
	content, _ := steps[len(steps)-1].Args["content"].(string)
	return content
}

// surely is the share of a topic that the one memory must cover which is changed or deleted by it: half of what is
// said.
const surely = json.Number("50")

// foundOne adds the steps that look for what a topic means and show it with its id. sure is the step that has exactly
// one row where exactly one thing is meant.
func (d *doing) foundOne(p param, topic []token) (sure int, ok bool) {
	c := d.c
	if c.cat.byName(queryTool) == nil || !worded(topic) || pointed(topic) {
		return 0, false
	}
	before := len(c.steps)
	if !c.mean(spoken{m: meanings["recall"], object: topic, all: topic}) || len(c.steps) != before+1 || c.last == nil {
		c.steps = c.steps[:before]
		return 0, false
	}
	found := c.last
	c.showColumn(p.name)
	q := plan.Query{Data: c.ref(before), Select: []plan.Select{{Column: p.name}}}
	if slices.ContainsFunc(found.columns, func(col plan.ColumnInfo) bool { return col.Name == "relevance_score" }) {
		q.Filter = []plan.Condition{{Column: "relevance_score", Op: "ge", Value: surely}}
	}
	sure = c.add(queryTool, q.Args())
	c.steps[sure].When = c.justOne(sure - 1) // the one that is shown
	return sure, true
}

// justOne holds where a step has exactly one row.
func (c *chain) justOne(step int) *plan.When {
	return &plan.When{Ref: c.ref(step, plan.Seg{Field: "row_count"}), Op: "eq", Value: json.Number("1")}
}

// topical reports whether a message says by its words that it is about what is remembered, and nothing else.
func (d *doing) topical() bool {
	return len(d.sp.all) == len(d.c.message) && (d.states() || slices.ContainsFunc(d.sp.all, func(t token) bool {
		return slices.Contains(d.sp.m.about, t.lemma) || t.low == "said" || t.low == "told" || t.low == "know" || t.low == "noted" || t.low == "mentioned" || t.low == "wrote"
	}))
}

// states reports whether what is to be forgotten is a statement: "forget that Globex prefers Monday", not "forget that
// filter".
func (d *doing) states() bool {
	const least = 3 // words of a statement: who does what
	at := slices.IndexFunc(d.sp.all, func(t token) bool { return t.low == "forget" })
	return at >= 0 && at+1 < len(d.sp.all) && d.sp.all[at+1].low == "that" && len(trimmed(d.sp.object, articles)) >= least
}

// deleteOne adds the deletion of the one row that a step has.
func (d *doing) deleteOne(p param, sure int) {
	step := d.c.add(d.f.Name, map[string]any{p.name: d.c.ref(sure, append(slices.Clone(rowsFirst), plan.Seg{Field: p.name})...)})
	d.c.steps[step].When = d.c.justOne(sure)
	d.c.last, d.c.view, d.c.base = d.f, nil, nil
}

// meant fills the id of what is changed by its topic, or by “it”. What it is about is told before the new text.
func (d *doing) meant(p param) bool {
	end := slices.IndexFunc(d.sp.all, func(t token) bool { return len(d.sp.object) > 0 && t.start == d.sp.object[0].start })
	if end < 0 {
		return false
	}
	head := d.sp.all[:end]
	for len(head) > 0 && (head[len(head)-1].kind == markToken || leads[head[len(head)-1].low]) {
		head = head[:len(head)-1]
	}
	about := slices.IndexFunc(head, func(t token) bool { return t.low == "about" || t.low == "on" || t.low == "of" })
	var step int
	var ok bool
	if about < 0 {
		if step, ok = d.shownOne(p); ok {
			d.c.answers = append(d.c.answers, step)
		}
	} else {
		step, ok = d.foundOne(p, head[about+1:])
		d.c.notes = append(d.c.notes, "A memory is changed by its topic only where exactly one fits; else say “change memory”, its id and “to:” with the new text.")
	}
	if !ok {
		return false
	}
	d.args[p.name] = d.c.ref(step, append(slices.Clone(rowsFirst), plan.Seg{Field: p.name})...)
	d.when = d.c.justOne(step)
	if d.old = d.c.ref(step, append(slices.Clone(rowsFirst), plan.Seg{Field: "content"})...); about >= 0 {
		d.old = d.c.ref(step-2, append(slices.Clone(rowsFirst), plan.Seg{Field: "content"})...)
	}
	return true
}

// leads come before a new text or new tags.
var leads = plan.WordSet("to by with as :")

// amended is the new text. Less than a sentence says nothing by itself, so it stands behind what was remembered.
func (d *doing) amended(value string) any {
	const sentence = 3 // words
	if d.old.Step == "" || len(strings.Fields(value)) >= sentence {
		return value
	}
	return plan.Concat{Parts: []any{d.old, " (changed to: " + value + ")"}}
}

// questionFront are words before what a question is about.
var questionFront = plan.WordSet("who whom whose what when where which why how is are was were do does did has have can could should will would the a an my our your i we you there about anything something any please tell me know s")

// fallBack looks for what a question is about in the memories, where there are some and nothing else answers it.
func (o *Planner) fallBack(s *session, toks []token, best *reading) (plan.Plan, bool) {
	if !slices.ContainsFunc(s.req.Tables, func(t plan.TableInfo) bool { return t.Live && t.Name == "memories" }) || !asksSomething(toks) {
		return plan.Plan{}, false
	}
	if best != nil && (best.ask.cannot != "" || best.ask.unclear != "" || len(best.unknown) == 0 || best.r.namesTable() || slices.ContainsFunc(best.unknown, func(t token) bool { return tells(t.low) })) {
		return plan.Plan{}, false
	}
	topic := trimmed(toks, questionFront)
	if !slices.ContainsFunc(topic, token.content) || pointed(topic) {
		return plan.Plan{}, false
	}
	c := o.newChain(s, toks)
	if !c.mean(spoken{m: meanings["recall"], object: topic, all: topic}) {
		return plan.Plan{}, false
	}
	c.notes = append(c.notes, "No table here answers this, so it was looked for in your memories: what is shown comes from there.")
	return c.plan(), true
}

// asksSomething reports whether a message is a question about somebody or something, rather than about quantities.
func asksSomething(toks []token) bool {
	for len(toks) > 0 && politeWords[toks[0].low] {
		toks = toks[1:]
	}
	if len(toks) < 2 || slices.ContainsFunc(toks, func(t token) bool {
		return slices.ContainsFunc(cuePhrases[t.low], func(p cuePhrase) bool { return len(p.words) == 1 && p.op != "first" && p.op != "last" })
	}) {
		return false // it asks for a quantity
	}
	switch toks[0].low {
	case "who", "whom", "whose", "when", "where", "what", "which", "why", "anything":
		return true
	case "is", "are", "was", "were", "do", "does", "did", "has", "have":
		return asksBack(toks)
	}
	return false
}

// namesTable reports whether the message names rows or columns of the table, so that it is a question about that.
func (r *reader) namesTable() bool {
	for _, m := range r.mentions {
		if !m.value {
			return true
		}
	}
	return slices.ContainsFunc(r.toks, func(t token) bool { return r.v.rows(t.lemma) || r.v.source[t.lemma] })
}

// alsoTables shows what the loaded tables hold of a thing, before what is remembered of it.
func (d *doing) alsoTables() {
	if d.sp.id != "recall" || d.each != nil || len(d.c.steps) > 0 {
		return
	}
	object := tokenize("show " + d.phrase())
	got := d.c.s.alone(object)
	if !got.holds() {
		return
	}
	for _, v := range d.c.s.views { // the table whose rows are such things, before those that only name them
		if own := d.c.s.readTable(v, object); v != got.r.v && own.holds() && own.labelled() && (!got.labelled() || v.info.Rows < got.r.v.info.Rows) {
			got = own
		}
	}
	d.c.addQueries(got)
}

// holds reports whether a loaded table has what a reading names.
func (g *reading) holds() bool {
	return g != nil && g.ok && !g.r.v.info.Live && slices.ContainsFunc(g.r.mentions, func(m mention) bool { return m.value })
}

// labelled reports whether what is named tells the rows of the table apart.
func (g *reading) labelled() bool {
	return slices.ContainsFunc(g.r.mentions, func(m mention) bool { return m.value && m.col == g.r.v.label })
}

// byTag asks the live table of the things for those that have a tag. Tags stand in one text there, with commas between
// them.
func (d *doing) byTag() bool {
	tag := strings.TrimLeft(strings.Trim(d.phrase(), `"“”`), "#")
	if tag == "" {
		d.ask()
		return false
	}
	for _, t := range d.c.s.req.Tables {
		v := newView(t)
		at := v.column("tags")
		if !t.Live || at < 0 || d.c.cat.byName(queryTool) == nil {
			continue
		}
		q := plan.Query{Table: t.Name, Filter: []plan.Condition{{Column: "tags", Op: "contains", Value: tag}}}
		for _, c := range t.Columns {
			if c.Role != "identifier" && len(q.Select) < 4 {
				q.Select = append(q.Select, plan.Select{Column: c.Name})
			}
		}
		d.c.answers = append(d.c.answers, d.c.add(queryTool, q.Args()))
		d.c.last, d.c.view, d.c.base = nil, nil, nil
		return true
	}
	return false
}
