package offline

import (
	"cmp"
	"slices"

	"catena/planner/plan"
)

// deed plans a message that says one of the meanings, where there is a tool that carries it out. loose takes the
// phrases that may be questions about tables as well. ok is false for all other messages.
func (o *Planner) deed(s *session, toks []token, loose bool) (p plan.Plan, ok bool) {
	if len(s.req.Tools) == 0 {
		return plan.Plan{}, false
	}
	toks = respeltVerb(toks)
	if why := o.newChain(s, toks).never(toks); why != "" {
		return plan.Plan{Refuse: why}, true
	}
	missing := ""
	for _, sp := range s.meanings(toks, loose, true) {
		c := o.newChain(s, toks)
		if c.mean(sp) {
			return c.plan(), true
		}
		missing = cmp.Or(missing, c.missing)
	}
	if missing != "" {
		return plan.Plan{Clarify: missing, Confidence: 0.5}, true
	}
	if p, ok := o.keepBehind(s, toks); ok {
		return p, true
	}
	parts := clauses(toks)
	said := slices.ContainsFunc(parts, func(part []token) bool {
		return slices.ContainsFunc(s.meanings(part, loose, false), func(sp spoken) bool { return !s.tabled(sp) })
	})
	if !said && !loose {
		return plan.Plan{}, false
	}
	c := o.newChain(s, toks)
	for i, part := range parts {
		if !c.does(part, i, loose) {
			if c.missing != "" && said {
				return plan.Plan{Clarify: c.missing, Confidence: 0.5}, true
			}
			return plan.Plan{}, false
		}
	}
	if !said && c.changesByQuestion(toks) {
		return plan.Plan{}, false
	}
	if len(c.steps) == 0 || !said && !slices.ContainsFunc(c.steps, func(st plan.Step) bool { return st.Tool != queryTool }) {
		return plan.Plan{}, false
	}
	return c.plan(), true
}

func (o *Planner) newChain(s *session, toks []token) *chain {
	return &chain{s: s, cat: o.catalogue(s), message: toks, score: 1}
}

// plan is what the chain has come to.
func (c *chain) plan() plan.Plan {
	p := plan.Plan{Title: title(c.s.req.Message), Confidence: min(0.95, 0.6+0.3*c.score), Steps: c.steps}
	for _, i := range c.answers {
		if !c.halfway(i) {
			p.Answer = append(p.Answer, c.ref(i))
		}
	}
	c.s.notes = append(c.s.notes, c.notes...)
	return p
}

// does adds the steps of one clause of a deed: a meaning, a question about what the step before gave, or anything else.
func (c *chain) does(toks []token, n int, loose bool) bool {
	if !worded(toks) {
		return true
	}
	for _, l := range []bool{false, true} {
		for _, sp := range c.s.meanings(toks, l, false) {
			if l && !loose && n == 0 {
				continue // an ordinary question; behind a deed its words are about that
			}
			if !c.s.tabled(sp) && c.mean(sp) {
				return true
			}
		}
	}
	if c.missing != "" {
		return false
	}
	return n > 0 && c.related(toks) || (n > 0 || loose) && c.toolTable(toks) || c.clause(toks, n)
}

// tabled reports whether a loaded table or a column of one is called what the meaning is about, and the message says
// its name: then the tables are asked.
func (s *session) tabled(sp spoken) bool {
	if sp.m.bare && slices.ContainsFunc(s.req.Tables, func(t plan.TableInfo) bool {
		return t.Live && slices.ContainsFunc(plan.NameWords(t.Name), func(w string) bool { return slices.Contains(sp.m.about, plan.Singular(w)) })
	}) {
		return true
	}
	return slices.ContainsFunc(sp.all, func(t token) bool {
		return (slices.Contains(sp.m.about, t.lemma) || slices.Contains(sp.m.kinds, t.lemma)) && slices.ContainsFunc(s.views, func(v *view) bool {
			return !v.info.Live && (v.source[t.lemma] || slices.ContainsFunc(v.cols, func(c viewColumn) bool {
				return slices.ContainsFunc(c.names[0], func(w nameWord) bool { return w.lemma == t.lemma })
			}))
		})
	})
}

// mean adds the steps that carry a meaning out. Without a tool for it there are none; what is missing in the message
// becomes a question.
func (c *chain) mean(sp spoken) bool {
	if sp.m.named && !codeName(c.s.req.Message, sp.object, sp.m.strict) {
		return false
	}
	for _, f := range c.cat.carriers(sp) {
		saved := len(c.steps)
		d := &doing{filling: *newFilling(c, f, sp.all), sp: sp}
		if d.do() {
			c.missing = ""
			return true
		}
		c.steps = c.steps[:saved]
	}
	return false
}

// doing is one meaning being carried out by one tool.
type doing struct {
	filling
	sp   spoken
	each *plan.Ref
	when *plan.When
	old  plan.Ref // what is changed, as it was
}

// do fills the tool's arguments and adds its step. It leaves a question in the chain where something is missing.
func (d *doing) do() bool {
	switch d.sp.m.slot {
	case idSlot:
		return d.byID()
	case taggedSlot:
		return d.byTag()
	}
	if !d.object() {
		return false
	}
	for _, p := range d.f.params {
		if _, have := d.args[p.name]; have {
			continue
		}
		if len(p.enum) > 0 {
			d.choose(p)
		} else if v := d.c.s.declared(p.name, d.sp.all); v != "" {
			d.args[p.name] = v
		} else if ref, ok := d.c.linked(p); ok {
			d.args[p.name] = ref
		} else if p.required && !d.provide(p) {
			d.ask()
			return false
		}
	}
	d.add()
	return true
}

// choose fills an argument with listed values, where one is said that does not just say what the meaning is about.
func (d *doing) choose(p param) {
	p.enum = slices.DeleteFunc(slices.Clone(p.enum), func(e string) bool { return slices.Contains(d.sp.m.about, plan.Singular(e)) })
	d.fillEnum(p)
}

func (d *doing) ask() {
	if d.sp.m.asks != "" && d.c.missing == "" {
		d.c.missing = d.sp.m.asks
	}
}

func (d *doing) add() {
	d.alsoTables()
	step := d.c.add(d.f.Name, d.args)
	d.c.steps[step].Each, d.c.steps[step].When = d.each, d.when
	d.c.last, d.c.view, d.c.base = d.f, d.f.resultView(), nil
	d.c.answers = append(d.c.answers, step)
}

// object fills the argument that takes what the message says.
func (d *doing) object() bool {
	m := d.sp.m
	switch m.slot {
	case noSlot:
		return true
	case namesSlot:
		if len(d.idParams()) == 1 {
			return d.names(d.sp.object)
		}
		return d.names(d.sp.all)
	case changeSlot:
		return d.changes()
	}
	p := d.f.taker(m)
	if p == nil {
		return false
	}
	if pointed(d.sp.object) {
		return d.pointBack(p)
	}
	if m.slot == textSlot && len(d.idParams()) > 0 && !d.ids() {
		return false
	}
	if m.slot == textSlot && asksBack(d.sp.all) && !d.asked() {
		d.c.missing = "Should I keep this as it is, or is it a question? Write “note: …” without a question mark, or ask the question alone."
		return false
	}
	if m.slot == phraseSlot && d.perElement(p) {
		return true
	}
	if m.slot == textSlot {
		d.withoutReceiver()
	}
	if d.sp.id == "keep" && !d.keepable() {
		return false
	}
	value := sayable(d.read(p))
	if value == "" {
		if m.slot != thingSlot || !mostOf(d.sp.object) { // "the most memory" is a question of its own
			d.ask()
		}
		return false
	}
	if d.sp.id == "keep" {
		value = d.tagged(value)
	}
	switch {
	case p.typ == "array" && m.topic:
		d.args[p.name] = tagNames(value)
	case p.typ == "array":
		d.args[p.name] = []any{value}
	default:
		d.args[p.name] = d.amended(value)
	}
	return true
}

// withoutReceiver drops who speaks and who is told from what was told: "told Don she is proud", "between Lila and Don:
// they made up".
func (d *doing) withoutReceiver() {
	named := func(toks []token) bool { return len(toks) > 1 && slices.Contains(namesIn(toks[:1]), toks[0].text) }
	if len(d.idParams()) < 2 {
		return
	}
	for joined := false; named(d.sp.object) || joined && len(d.sp.object) > 1 && named(d.sp.object[1:]); joined = joiners[d.sp.object[0].low] {
		if joined {
			d.sp.object = d.sp.object[1:]
		}
		d.sp.object = d.sp.object[1:]
	}
	if len(d.sp.object) > 1 && d.sp.object[0].text == ":" {
		d.sp.object = d.sp.object[1:]
	}
}

// joiners stand between names.
var joiners = plan.WordSet("and with to")

// asked reports whether a message asks for the deed, so that the mark at its end says nothing of what is told: "can you
// remember that ...?"
func (d *doing) asked() bool {
	toks := d.sp.all
	return len(toks) > 1 && (toks[0].low == "can" || toks[0].low == "could" || toks[0].low == "would" || toks[0].low == "will") && toks[1].low == "you"
}

// asksBack reports whether a message ends as a question.
func asksBack(toks []token) bool { return len(toks) > 0 && toks[len(toks)-1].text == "?" }

// pointed reports whether words stand for something said before and for nothing else.
func pointed(toks []token) bool {
	found := false
	for _, t := range toks {
		if t.kind == markToken {
			continue
		}
		if !pointing[t.low] && t.low != "its" && t.low != "their" && t.low != "each" && t.low != "of" {
			return false
		}
		found = true
	}
	return found
}

// pointBack refers an argument to what the step before gave, or to what the answer before showed. Without such a thing
// the meaning is not what was said.
func (d *doing) pointBack(p *param) bool {
	if len(d.c.steps) == 0 {
		return d.shownColumn(p)
	}
	if d.c.last == nil {
		return false
	}
	column := d.c.last.columnFor(*p)
	if column == "" {
		return false
	}
	d.each = d.pass(*p, len(d.c.steps)-1, column, true)
	return true
}

// pathWords are what columns and arguments are called that hold paths of files.
var pathWords = []string{"path", "filepath", "file_path", "file", "files", "filepaths", "paths"}

// columnFor names the column of the tool's result that holds what an argument takes: ids of the same thing, or paths.
func (f *toolFacts) columnFor(p param) string {
	if p.entity != "" {
		return f.idColumn(p)
	}
	names := []string{p.name, plan.Singular(p.name)}
	if slices.Contains(pathWords, p.name) {
		names = append(names, pathWords...)
	}
	for _, name := range names {
		if slices.ContainsFunc(f.columns, func(c plan.ColumnInfo) bool { return c.Name == name }) {
			return name
		}
	}
	return ""
}

// perElement looks for each of several things that the object asks for by itself: "our top 3 clients".
func (d *doing) perElement(p *param) bool {
	several := slices.ContainsFunc(d.sp.object, func(t token) bool {
		_, degree, ok := degreeOf(t.low)
		return t.kind == numberToken || t.low == "each" || t.low == "every" || ok && degree == 2
	})
	if !several || slices.ContainsFunc(d.sp.object, func(t token) bool { return t.kind == quoteToken }) {
		return false
	}
	c := d.c
	steps, answers, score := len(c.steps), len(c.answers), c.score
	named := ""
	if c.clause(d.sp.object, 0) && len(c.steps) > steps && c.view != nil && c.view.label >= 0 {
		named = c.view.cols[c.view.label].info.Name
	}
	c.missing = ""
	if named == "" {
		c.steps, c.answers, c.score = c.steps[:steps], c.answers[:answers], score
		return false
	}
	c.answers = c.answers[:answers]
	d.each = d.pass(*p, len(c.steps)-1, named, true)
	return true
}
