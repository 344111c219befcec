package offline

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// fullName is what may be a tool's name in a message: no word of a language, for the underscore in it.
var fullName = regexp.MustCompile(`[A-Za-z0-9.:-]*_[A-Za-z0-9_.:-]*`)

// callVerbs begin an order to call a tool.
var callVerbs = plan.WordSet("use call run invoke execute try apply with via")

// called plans an order that names a tool in full, as it is listed or as its server calls it: "use stock__rows",
// `call get_top_clients with {"limit": 3}, then chart it`. Nobody else's tool is meant then, whatever the other
// words would find. ok is false where no tool is named so, or a question is asked about it.
func (o *Planner) called(s *session, toks []token) (p plan.Plan, ok bool) {
	if !strings.Contains(s.req.Message, "_") {
		return p, false
	}
	cat := o.catalogue(s)
	n, toks, ok := o.namedCall(s, cat, toks)
	if !ok || n.tool == nil || n.tool.Name == queryTool || n.tool.tabular() {
		return p, false
	}
	c := o.newChain(s, toks)
	for i, clause := range clauses(toks) {
		here := spans(clause, n.from, n.to)
		if c.callNamed(n, clause) || c.missing == "" && i > 0 && !here && c.clause(clause, i) {
			continue
		}
		if c.missing == "" || here {
			c.missing = fmt.Sprintf("What should %s be given? %s", n.tool.Name, n.tool.takes())
		}
		return plan.Plan{Clarify: c.missing, Confidence: 0.5}, true
	}
	return c.plan(), true
}

// namedCall is a call by a tool's name, and where it stands in the message.
type namedCall struct {
	tool     *toolFacts
	from, to int
	args     map[string]any // written out behind the name
}

// namedCall finds the one call of a message, and the tokens without the arguments that are written out.
func (o *Planner) namedCall(s *session, cat *catalogue, toks []token) (n namedCall, rest []token, ok bool) {
	if written := plan.FindInvocations(s.req.Message, s.req.Tools); len(written.Calls) > 0 {
		c := written.Calls[0]
		if len(written.Calls) > 1 || c.Question != "" {
			return n, toks, false
		}
		rest = slices.DeleteFunc(slices.Clone(toks), func(t token) bool { return t.start > c.Start && t.start < c.End })
		return namedCall{cat.byName(c.Tool), c.Start, c.End, c.Args}, rest, true
	}
	for _, at := range fullName.FindAllStringIndex(s.req.Message, -1) {
		name := strings.TrimRight(s.req.Message[at[0]:at[1]], ".:-")
		if t, known := plan.NamedTool(s.req.Tools, name); known {
			if n.tool != nil {
				return n, toks, false // several: what goes where is said by the other words
			}
			n.tool, n.from, n.to = cat.byName(t.Name), at[0], at[0]+len(name)
		}
	}
	return n, toks, n.tool != nil && ordersCall(toks, n.from, n.to)
}

// callNamed adds the call that a clause orders by the tool's name, which stands at from.
func (c *chain) callNamed(n namedCall, clause []token) bool {
	if !spans(clause, n.from, n.to) {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(clause), func(t token) bool {
		return t.start >= n.from && t.end <= n.to || t.end <= n.from && callVerbs[t.low] || t.low == "tool"
	})
	given := map[string]any{}
	maps.Copy(given, n.args)
	for _, p := range n.tool.params {
		if _, written := given[p.name]; written {
			continue
		}
		if value, i, j := p.saidByName(rest); j > i {
			given[p.name], rest = value, slices.Delete(slices.Clone(rest), i, j)
		}
	}
	return c.callWith(n.tool, rest, given)
}

// saidByName finds "limit 3", "limit=3", "first_name: Ann" among the tokens, and where it stands; j is 0 where it does not.
func (p param) saidByName(toks []token) (value any, i, j int) {
	words := strings.FieldsFunc(strings.ToLower(p.name), func(r rune) bool { return r == '_' || r == '-' })
	for i := range toks {
		if !saysAt(toks, i, words) {
			continue
		}
		at := i + len(words)
		for at < len(toks) && (toks[at].text == "=" || toks[at].text == ":" || toks[at].low == "is" || toks[at].low == "of" || toks[at].low == "to") {
			at++
		}
		if at == len(toks) {
			continue
		}
		from := i
		if from > 0 && callVerbs[toks[from-1].low] {
			from-- // "with limit 3"
		}
		switch t := toks[at]; {
		case p.typ == "boolean" && (t.low == "true" || t.low == "false"):
			return t.low == "true", from, at + 1
		case (p.typ == "integer" || p.typ == "number") && t.kind == numberToken:
			return asNumber(t.num), from, at + 1
		case (p.typ == "string" || p.typ == "") && (t.kind == wordToken || t.kind == quoteToken || t.kind == numberToken):
			return t.text, from, at + 1
		}
	}
	return nil, 0, 0
}

// ordersCall reports whether a message begins with the tool's name, or with an order to call it.
func ordersCall(toks []token, from, to int) bool {
	for _, t := range toks {
		switch {
		case t.start >= from && t.start < to, callVerbs[t.low]:
			return true
		case t.kind == markToken || politeWords[t.low] || t.low == "the" || t.low == "tool":
		default:
			return false
		}
	}
	return false
}

// spans reports whether a part of the message is among the tokens.
func spans(toks []token, from, to int) bool {
	return slices.ContainsFunc(toks, func(t token) bool { return t.start >= from && t.end <= to })
}

// takes says what a tool's arguments are.
func (f *toolFacts) takes() string {
	var need, may []string
	for _, p := range f.params {
		if p.required {
			need = append(need, p.name)
		} else {
			may = append(may, p.name)
		}
	}
	switch {
	case len(need)+len(may) == 0:
		return "It takes nothing."
	case len(may) == 0:
		return "It needs " + strings.Join(need, ", ") + "."
	case len(need) == 0:
		return "It may take " + strings.Join(may, ", ") + "."
	}
	return "It needs " + strings.Join(need, ", ") + ", and may take " + strings.Join(may, ", ") + "."
}
