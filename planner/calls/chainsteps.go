package calls

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

// rowNames are the columns that rows have: those that are known, and what they are asked by.
func (t *thing) rowNames() []string {
	out := slices.Clone(t.columns)
	for _, p := range t.f.params {
		if !t.closed && !slices.Contains(out, p.name) && (len(p.enum) > 0 || t.ids[p] != "") {
			out = append(out, p.name)
		}
	}
	return out
}

// called are the words for the things whose ids are in rows.
func (t *thing) called() map[string][]string {
	out := map[string][]string{}
	for p, kind := range t.ids {
		if kind != t.kind {
			out[p.name] = append(slices.Clone(t.parts[p]), kind)
		}
	}
	return out
}

// links are the columns of a tool's rows that hold ids of other things.
func (l *linking) links(of *thing) []Link {
	var out []Link
	for key, list := range l.k.gives {
		for _, g := range list {
			if g.of != of || g.own {
				continue
			}
			kind, id := strings.CutPrefix(key, idsOf)
			for _, o := range l.k.gives[key] {
				if o.own && o.of != of && !slices.ContainsFunc(o.of.f.params, func(p *param) bool { return p.required }) {
					if !id {
						kind = o.of.kind
					}
					out = append(out, Link{g.column, kind, o.of.f.name, o.column})
					break
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b Link) int { return cmp.Compare(a.Column+a.Kind+a.Tool, b.Column+b.Kind+b.Tool) })
	return out
}

// money is the condition on the currency of rows that have one, where the message names one that no call takes.
func (l *linking) money(found *link) []Among {
	column := ""
	for _, c := range found.of.columns {
		if words := plan.NameWords(c); len(words) > 0 && stem(words[len(words)-1]) == stem(currencyColumn) {
			column = c
		}
	}
	if column == "" {
		return nil
	}
	used := found.used()
	for i, tok := range l.t.toks {
		code := currencies[tok.low]
		if currencyCodes[tok.text] {
			code = tok.text
		}
		if code != "" && tok.kind == word && !used[i] {
			found.vals[i] = true
			return []Among{{Column: column, Values: []any{code}}}
		}
	}
	return nil
}

// currencyColumn ends the names of columns that hold codes of currencies.
const currencyColumn = "currency"

// besides is the token at which the message asks for a column of the things of a link: the customer's name. It is -1
// where it does not, or where they are what gives the rows.
func (l *linking) besides(found *link, to *Link, used []bool) int {
	if slices.ContainsFunc(found.deps, func(d dep) bool { return d.p.name == to.Column && d.from.of.kind == to.Kind }) {
		return -1
	}
	at := slices.IndexFunc(l.k.tools, func(t *thing) bool { return t.f.name == to.Tool })
	lister := l.k.tools[at]
	for i := range max(len(used)-1, 0) {
		tok, next := l.t.toks[i], l.t.toks[i+1]
		if tok.kind != word || used[i] || used[i+1] || !alike(plan.Singular(tok.low), to.Kind) {
			continue
		}
		column := plan.Singular(next.low)
		has := slices.Contains(lister.columns, column) || lister.nameParam() != nil && lister.nameParam().name == column
		if has && column != to.Key {
			return i
		}
	}
	return -1
}

// among are the conditions that the last tool does not take.
func among(found *link) []Among {
	var out []Among
	for _, p := range found.of.f.params {
		if more := found.also[p]; len(more) > 0 {
			values := []any{found.args[p].value}
			for _, pr := range more {
				values = append(values, pr.value)
			}
			out = append(out, Among{Column: p.name, Values: values})
		}
		if not := found.not[p]; len(not) > 0 {
			c := Among{Column: p.name, Not: true}
			for _, pr := range not {
				c.Values = append(c.Values, pr.value)
			}
			out = append(out, c)
		}
	}
	return out
}

// building makes steps of links.
type building struct {
	out   *Chain
	t     *text
	query string
}

func stepID(n int) string { return "s" + strconv.Itoa(n+1) }

// step adds the step of a link behind those that give what it takes.
func (b *building) step(l *link) string {
	args := map[string]any{}
	var each *plan.Ref
	for _, d := range l.deps {
		from := b.step(d.from)
		if list := among(d.from); len(list) > 0 {
			from = b.filter(from, list, d.by.column)
		}
		ref := plan.Ref{Step: from, Path: []plan.Seg{{Field: "rows"}, {All: true}, {Field: d.by.column}}}
		switch {
		case d.p.typ == "array":
			args[d.p.name] = ref
		case d.from.single() || !l.of.tool.ReadOnly:
			ref.Path[1] = plan.Seg{Only: true}
			args[d.p.name] = ref
		case each == nil:
			args[d.p.name] = plan.Ref{Step: plan.Each}
			each = &ref
		}
	}
	id := stepID(len(b.out.Steps))
	for _, p := range l.of.f.params {
		pr, ok := l.args[p]
		if !ok || len(l.also[p]) > 0 {
			continue
		}
		args[p.name] = pr.value
		if list, isList := pr.value.([]any); p.typ == "array" && !isList {
			args[p.name] = append(list, pr.value)
		}
		b.out.Why = append(b.out.Why, Reason{p.name, b.t.s[b.t.toks[pr.i].start:b.t.toks[pr.j-1].end], pr.how})
	}
	for _, p := range l.of.f.params {
		if _, there := args[p.name]; !there && p.required && p.def != nil {
			args[p.name] = p.def
		}
	}
	b.out.Steps = append(b.out.Steps, plan.Step{ID: id, Tool: l.of.f.name, Args: args, Each: each})
	return id
}

// filter keeps the rows of a step that meet conditions, with one column of them, each value once.
func (b *building) filter(step string, list []Among, column string) string {
	id := stepID(len(b.out.Steps))
	q := plan.Query{Data: plan.Ref{Step: step}, Select: []plan.Select{{Column: column}}, Distinct: true}
	for _, a := range list {
		q.Filter = append(q.Filter, a.Condition())
	}
	b.out.Steps = append(b.out.Steps, plan.Step{ID: id, Tool: b.query, Args: q.Args()})
	return id
}

// Condition is the condition in the grammar of queries.
func (a Among) Condition() plan.Condition {
	op := "in"
	if a.Not {
		op = "not_in"
	}
	return plan.Condition{Column: a.Column, Op: op, Value: a.Values}
}

// single reports whether a link gives one thing, or must be asked about when it gives more: a name or an id says which,
// here or in the call that gives it, and it is not a list of what belongs to that.
func (l *link) single() bool {
	if l.one {
		return true
	}
	return !l.of.listed && !slices.ContainsFunc(l.deps, func(d dep) bool { return !d.from.single() })
}
