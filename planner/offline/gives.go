package offline

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"catena/planner/plan"
)

// giver is a tool whose result has what an argument takes.
type giver struct {
	tool   *toolFacts
	path   []plan.Seg // of the value, from a row of the result; from the result itself where that is one object
	column string
	own    bool            // the ids are those of the rows themselves
	role   map[string]bool // else what the thing is to the row: owner, assignee
	object bool            // the result is one object
}

// plainColumns are names that say nothing of what a value is: two tools that have them need not mean the same.
var plainColumns = plan.WordSet("id name title date time status type text query description value amount count limit offset body subject data content message state key number url from to since until page size language format sort order category")

// roleNouns are what people are called who own, assign or write something.
var roleNouns = plan.WordSet("owner assignee manager author reporter agent creator user member employee person approver reviewer supervisor sender recipient attendee colleague staff")

// link finds whose ids the arguments take, and the tools that give them.
func (c *catalogue) link() {
	roles, person := map[string]string{}, ""
	for _, f := range c.tools {
		for i, p := range f.params {
			if role := p.role(); role != "" && role != p.entity && roles[role] == "" {
				roles[role] = p.entity
			}
			if f.ReadOnly && person == "" && f.params[i].names() && roleNouns[f.entity] {
				person = f.entity
			}
		}
		for _, n := range f.nouns {
			c.nouns[n] = true
		}
		if c.about[f.entity] == nil {
			c.about[f.entity] = map[string]bool{}
		}
		for _, name := range f.fieldNames() {
			for _, w := range plan.NameWords(name) {
				c.about[f.entity][plan.Singular(w)] = true
			}
		}
		for _, p := range f.params {
			if p.shape != nil && p.entity != "" {
				c.shapes = append(c.shapes, p.shape)
			}
			for _, e := range p.enum {
				for _, w := range plan.FoldWords(e) {
					c.enums[plan.Singular(w)] = true
				}
			}
		}
	}
	for _, f := range c.tools {
		for i := range f.params {
			p := &f.params[i]
			if p.entity == "" {
				continue
			}
			if find, _ := c.finder(p.entity); find != nil {
				continue
			}
			if to := roles[p.entity]; to != "" {
				p.entity = to
			} else if person != "" && roleNouns[p.entity] {
				p.entity = person
			}
		}
	}
	for _, f := range c.tools {
		if f.ReadOnly && !f.tabular() && f.Toolset != toolkitName {
			c.addGiver(f)
		}
	}
}

// role is what an id's thing is to the row that has it, by the argument's name: owner for owner_id.
func (p param) role() string {
	words := plan.NameWords(p.name)
	if p.entity == "" || len(words) < 2 {
		return ""
	}
	return plan.Singular(words[len(words)-2])
}

// roleWords are the words that name the role of an id argument: owner and account for "employee id of the account owner".
func (p param) roleWords() map[string]bool {
	out := map[string]bool{}
	if r := p.role(); r != "" && r != p.entity {
		out[r] = true
	}
	for _, w := range p.words {
		if w != p.entity && w != "id" && !stopWords[w] && len(w) > 2 {
			out[w] = true
		}
	}
	return out
}

// addGiver notes what a tool's result has that other tools take: the ids of its rows, columns that it declares, and the ids by which
// tools of the same thing search it, which its rows then have, too.
func (c *catalogue) addGiver(f *toolFacts) {
	object := len(f.columns) == 0 && len(f.fields) > 0
	add := func(key string, g giver) {
		if g.object = object; object && !slices.Contains(f.fields, g.column) {
			return
		}
		g.tool, g.path = f, []plan.Seg{{Field: g.column}}
		if !slices.ContainsFunc(c.gives[key], func(o giver) bool { return o.tool == f && o.column == g.column }) {
			c.gives[key] = append(c.gives[key], g)
		}
	}
	if key := f.ownKey(); key != "" && f.entity != "" {
		add(idKey+f.entity, giver{column: key, own: true})
	}
	declared := slices.Clone(f.fields)
	for _, col := range f.columns {
		declared = append(declared, col.Name)
	}
	for _, name := range declared {
		if entity := idEntity(name, "", f.nouns); entity != "" && name != f.ownKey() {
			g := giver{column: name, role: map[string]bool{}}
			if to := c.roleOf(name); to != "" {
				g.role[entity], entity = true, to
			}
			add(idKey+entity, g)
		}
		if !plainColumns[name] {
			add(name, giver{column: name})
		}
	}
	for _, o := range c.tools {
		if o.entity != f.entity || !o.ReadOnly {
			continue
		}
		for _, p := range o.params {
			if p.entity != "" && p.entity != f.entity && p.typ != "array" {
				add(idKey+p.entity, giver{column: p.name, role: p.roleWords()})
			}
		}
	}
}

// idKey stands before an entity where givers are kept by it.
const idKey = "id of "

// roleOf says whose id a column is that is called by a role, as far as an argument of the same name tells.
func (c *catalogue) roleOf(column string) string {
	for _, f := range c.tools {
		for _, p := range f.params {
			if p.name == column && p.entity != "" && p.role() != p.entity {
				return p.entity
			}
		}
	}
	return ""
}

// fieldNames are the names of what a tool's things have: its arguments and what it declares of its result.
func (f *toolFacts) fieldNames() []string {
	out := slices.Clone(f.fields)
	for _, p := range f.params {
		out = append(out, p.name)
	}
	for _, c := range f.columns {
		out = append(out, c.Name)
	}
	return out
}

// ownKey names the column that has the ids of a tool's rows.
func (f *toolFacts) ownKey() string {
	if f.entity == "" {
		return ""
	}
	for _, c := range f.columns {
		if c.Name == "id" || c.Name == "sku" || c.Name == f.entity+"_id" || c.Name == f.entity+"_number" {
			return c.Name
		}
	}
	for _, name := range f.fields {
		if name == "id" || name == f.entity+"_id" {
			return name
		}
	}
	if len(f.columns) > 0 && len(f.OutputSchema) > 0 || len(f.fields) > 0 {
		return ""
	}
	return "id" // its description names a few columns, or none
}

// givers are the tools that give what an argument takes.
func (c *catalogue) givers(p param) []giver {
	if p.entity != "" {
		return c.gives[idKey+p.entity]
	}
	if len(p.enum) == 0 && p.typ != "boolean" && !p.names() {
		return c.gives[p.name]
	}
	return nil
}

// fetched is an argument that takes a column of an earlier step.
type fetched struct {
	param  param
	step   int
	column string
	list   bool
}

// source is a way to get an argument's value: a chain with the steps that give it.
type source struct {
	giver
	chain *chain
	used  []bool
	said  []bool
	step  int
	list  bool    // there may be several
	gain  int     // words of the message that it explains
	fit   float64 // what else speaks for it
	steps int
}

// mostDeep is how many steps may stand one behind the other before the tool that is meant.
const mostDeep = 3

// chainIDs fills arguments that other tools give: from the result before, else from a tool that finds the thing by the name, the
// id or the traits that the clause gives, with what that tool needs in turn. ok is false when a required one stays open.
func (s *filling) chainIDs() (each *plan.Ref, ok bool) {
	var many []fetched
	for _, p := range s.f.params {
		if _, have := s.args[p.name]; have || !p.required && (p.entity == "" || s.named || s.literal) {
			continue
		}
		if step := len(s.c.steps) - 1; s.depth == 0 && p.entity != "" && step >= 0 && s.c.last != nil {
			if col := s.c.last.idColumn(p); col != "" {
				many = s.takes(many, fetched{p, step, col, true})
				continue
			}
		}
		best := s.sourceOf(p)
		switch {
		case best != nil:
			*s.c = *best.chain
			copy(s.used, best.used)
			copy(s.said, best.said)
			many = s.takes(many, fetched{p, best.step, best.column, best.list})
			s.single = s.single || !best.list && !best.own
			if best.object {
				s.args[p.name] = s.c.ref(best.step, best.path...)
			}
		case p.required:
			if s.depth == 0 && p.entity != "" && s.explained() {
				s.c.missing = cmp.Or(s.c.missing, "Which "+p.entity+" do you mean?")
			}
			return nil, false
		}
	}
	return s.each(many)
}

// takes refers an argument to a column of a step where that is one value or one list, and keeps it for each where it is not.
func (s *filling) takes(many []fetched, l fetched) []fetched {
	path := []plan.Seg{{Field: l.column}}
	switch {
	case l.param.typ == "array":
		s.args[l.param.name] = s.c.ref(l.step, append(slices.Clone(rowsAll), path...)...)
	case l.list:
		return append(many, l)
	default:
		s.args[l.param.name] = s.c.ref(l.step, append(slices.Clone(onlyRow), path...)...)
	}
	return many
}

// each runs the tool for each row of one step: several arguments may come from the same row, not from two steps.
func (s *filling) each(many []fetched) (*plan.Ref, bool) {
	if len(many) == 0 {
		return nil, true
	}
	if slices.ContainsFunc(many, func(l fetched) bool { return l.step != many[0].step }) {
		return nil, false
	}
	if len(many) == 1 {
		return s.pass(many[0].param, many[0].step, many[0].column, true), true
	}
	for _, l := range many {
		s.args[l.param.name] = plan.Ref{Step: plan.Each, Path: []plan.Seg{{Field: l.column}}}
	}
	ref := s.c.ref(many[0].step, rowsAll...)
	return &ref, true
}

// sourceOf is the best way to get an argument, nil without one. Of two that fit as well the user is asked for one.
func (s *filling) sourceOf(p param) *source {
	if s.depth >= mostDeep {
		return nil
	}
	givers, tables := s.c.cat.givers(p), len(s.c.s.views) > 0
	var finder *toolFacts
	if tables { // which answer what takes more than to find one thing by its name
		finder, _ = s.c.cat.finder(p.entity)
	}
	var best, second *source
	for _, g := range givers {
		if g.tool == s.f || slices.Contains(s.via, g.tool) || tables && (g.tool != finder || s.depth > 0 || !g.own) {
			continue
		}
		got := s.try(p, g)
		if got == nil {
			continue
		}
		if best == nil || got.better(best) {
			best, second = got, best
		} else if second == nil || got.better(second) {
			second = got
		}
	}
	if best != nil && second != nil && !best.better(second) && best.tool.Name != second.tool.Name && s.depth == 0 {
		s.c.missing = "Should " + best.tool.Name + " or " + second.tool.Name + " find the " + cmp.Or(p.entity, p.name) + "?"
	}
	return best
}

func (a *source) better(b *source) bool {
	return cmp.Or(cmp.Compare(float64(a.gain)+a.fit, float64(b.gain)+b.fit), cmp.Compare(b.steps, a.steps)) > 0
}

// try calls a giver, and what it needs in turn, with what the message says beyond what is used.
func (s *filling) try(p param, g giver) *source {
	c := s.c.copied()
	sub := newFilling(c, g.tool, s.toks)
	sub.used, sub.said, sub.depth, sub.via = slices.Clone(s.used), slices.Clone(s.said), s.depth+1, append(slices.Clone(s.via), s.f)
	sub.useNouns()
	sub.fillAll()
	before := countTrue(s.said)
	each, ok := sub.chainIDs()
	if !ok || slices.ContainsFunc(g.tool.params, func(q param) bool { _, have := sub.args[q.name]; return q.required && !have }) {
		return nil
	}
	if again := g.own && g.tool.entity == s.f.entity && s.f.ReadOnly; again && !s.c.cat.byName(g.tool.Name).gets() && s.f.gets() {
		return nil // its rows are there already
	}
	if _, passed := sub.args[g.column].(plan.Ref); passed && !g.own {
		return nil // what was put in comes out again
	}
	gain := countTrue(sub.said) - before
	whole := p.required && g.own && len(sub.args) == 0 && s.forEach(p.entity)
	if gain == 0 && !whole {
		return nil
	}
	out := &source{giver: g, chain: c, used: sub.used, said: sub.said, gain: gain, list: !sub.named && !sub.literal, fit: s.fit(p, g, sub)}
	out.step = c.once(g.tool.Name, sub.args, each)
	if !s.f.ReadOnly || s.theOne(p.entity) && each == nil {
		out.list = false
	}
	out.step = sub.narrowed(out)
	out.steps = len(c.steps)
	return out
}

// fit is what speaks for a giver beside the words that it explains: the message names what the thing is to the row, or the thing.
func (s *filling) fit(p param, g giver, sub *filling) float64 {
	if g.own {
		fit := 0.4
		if s.mentions(p.roleWords()) {
			fit += 0.5
		}
		if who := s.toks[0].low == "who" || s.toks[0].low == "whose"; who && roleNouns[p.entity] {
			fit += 0.5
		}
		return fit
	}
	for i, t := range s.toks {
		if t.kind == wordToken && speaksOf(t, g.role) {
			sub.used[i] = true
			return 0.9
		}
	}
	return 0
}

// mentions reports whether the clause has one of some words.
func (s *filling) mentions(words map[string]bool) bool {
	return slices.ContainsFunc(s.toks, func(t token) bool { return t.kind == wordToken && speaksOf(t, words) })
}

// speaksOf reports whether a word is one of some words, another word for one, or of the same family: owned, owner.
func speaksOf(t token, words map[string]bool) bool {
	for w := range words {
		if t.lemma == w || slices.Contains(nounAliases[t.lemma], w) || len(w) > 4 && len(t.low) > 4 && w[:5] == t.low[:5] {
			return true
		}
	}
	return false
}

// narrowed adds a query behind a giver where not all its rows are meant, or where several rows may have the same value. It gives the
// step that has the values.
func (s *filling) narrowed(src *source) int {
	c := src.chain
	if len(s.extra)+len(s.not) == 0 && (src.own || !src.list) || c.cat.byName(queryTool) == nil {
		return src.step
	}
	q := plan.Query{Data: c.ref(src.step), Filter: s.filters(&c.steps[src.step]), Select: []plan.Select{{Column: src.column}}, Distinct: true}
	return c.once(queryTool, q.Args(), nil)
}

// forEach reports whether the clause says that all things of a kind are meant: each customer, all employees.
func (s *filling) forEach(entity string) bool {
	for i, t := range s.toks {
		if t.low != "each" && t.low != "every" && t.low != "all" && t.low != "any" && t.low != "per" {
			continue
		}
		for k := i + 1; k < min(i+4, len(s.toks)); k++ {
			if s.toks[k].lemma == entity || slices.Contains(nounAliases[s.toks[k].lemma], entity) {
				return true
			}
		}
	}
	return false
}

// theOne reports whether the clause speaks of one thing of a kind: the order, this ticket.
func (s *filling) theOne(entity string) bool {
	for i, t := range s.toks {
		if t.lemma != entity || t.low != entity || i == 0 {
			continue
		}
		for k := i - 1; k >= max(0, i-4); k-- {
			switch s.toks[k].low {
			case "each", "every", "all", "any", "no":
				return false
			case "the", "this", "that":
				return true
			}
		}
	}
	return false
}

// copied is a chain that can be built on without changing this one.
func (c *chain) copied() *chain {
	out := *c
	out.steps, out.answers, out.notes = slices.Clone(c.steps), slices.Clone(c.answers), slices.Clone(c.notes)
	return &out
}

// once adds a step, unless the same call is there.
func (c *chain) once(tool string, args map[string]any, each *plan.Ref) int {
	same, _ := json.Marshal([]any{tool, args, each})
	for i, st := range c.steps {
		if had, _ := json.Marshal([]any{st.Tool, st.Args, st.Each}); string(had) == string(same) {
			return i
		}
	}
	step := c.add(tool, args)
	c.steps[step].Each = each
	return step
}

// gets reports whether a tool gives one thing by its id.
func (f *toolFacts) gets() bool {
	return slices.ContainsFunc(f.params, func(p param) bool { return p.required && p.entity != "" && p.entity == f.entity && p.typ != "array" })
}

func countTrue(list []bool) int {
	n := 0
	for _, b := range list {
		n += b2i(b)
	}
	return n
}

// useNouns marks the words that only say what is found: they are explained by the tool that finds it.
func (s *filling) useNouns() {
	for i, t := range s.toks {
		if t.kind == wordToken && (slices.Contains(s.f.nouns, t.lemma) || slices.ContainsFunc(nounAliases[t.lemma], func(a string) bool { return slices.Contains(s.f.nouns, a) })) {
			s.used[i] = true
		}
	}
}

// unknownAt reports whether a token is a word that nothing here explains.
func (s *filling) unknownAt(i int) bool {
	t := s.toks[i]
	if s.used[i] || t.kind == markToken || t.kind == dateToken || stopWords[t.low] && !t.code || benignWords[t.low] || verbForms[t.low] || s.c.cat.nouns[t.lemma] || s.c.cat.enums[t.lemma] || currencyCode(t) != "" || leading[t.low] || askers[t.low] {
		return false
	}
	return !slices.ContainsFunc(nounAliases[t.lemma], func(a string) bool { return s.c.cat.nouns[a] }) && !strings.HasSuffix(t.low, "ing")
}

// softAt reports whether a word is said of the result rather than of what is asked for: a column that the tool's things have, one of a
// list of columns at the end, or what somebody does with them.
func (s *filling) softAt(i int) bool {
	t := s.toks[i]
	if t.kind != wordToken || len(s.c.s.views) > 0 {
		return false
	}
	switch {
	case strings.HasSuffix(t.low, "ing") && len(t.low) > 5 && !s.c.cat.enums[t.lemma]:
		return true
	case t.low == "address" && i > 0 && strings.HasSuffix(s.toks[i-1].low, "mail"):
		return true
	case s.c.cat.about[s.f.entity][t.lemma]:
		return true
	}
	return len(s.f.OutputSchema) == 0 && s.listed(i)
}

// listed reports whether a word is in a list of columns that ends the clause behind a mark: "...? employee id, start and end".
func (s *filling) listed(i int) bool {
	from := -1
	for k, t := range s.toks[:i] {
		if t.text == ":" || t.text == "?" || t.text == "(" || t.text == "–" || t.text == "-" {
			from = k
		}
	}
	if from < 0 || from < len(s.toks)/3 {
		return false
	}
	return !slices.ContainsFunc(s.toks[from+1:], func(t token) bool {
		return askers[t.low] || deniers[t.low] || t.kind == numberToken || t.kind == quoteToken || t.kind == dateToken
	})
}
