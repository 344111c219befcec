package offline

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// fullName is what may be a tool's name in a message: no word of a language, for the underscore in it.
var fullName = regexp.MustCompile(`[A-Za-z0-9.:-]*_[A-Za-z0-9_.:-]*`)

// callVerbs begin an order to call a tool.
var callVerbs = plan.WordSet("use call run invoke execute try apply with via")

// called plans an order that names a tool in full, as it is listed: "use stock__rows", `call get_top_clients with {"limit": 3}`. Nobody else's tool is
// meant then, whatever the other words would find. ok is false where no tool is named so, or a question is asked about it.
func (o *Planner) called(s *session, toks []token) (p plan.Plan, ok bool) {
	if !strings.Contains(s.req.Message, "_") {
		return p, false
	}
	cat := o.catalogue(s)
	var f *toolFacts
	var from, to int
	for _, at := range fullName.FindAllStringIndex(s.req.Message, -1) {
		name := strings.TrimRight(s.req.Message[at[0]:at[1]], ".:-")
		if found := cat.byName(strings.Replace(name, ":", "__", 1)); found != nil {
			if f != nil {
				return p, false // several: what goes where is said by the other words
			}
			f, from, to = found, at[0], at[0]+len(name)
		}
	}
	if f == nil || f.Name == queryTool || f.tabular() || !ordersCall(toks, from, to) {
		return p, false
	}
	c := o.newChain(s, toks)
	if args, is := jsonAfter(s.req.Message[to:]); is {
		c.answers = append(c.answers, c.add(f.Name, args))
		return c.plan(), true
	}
	for i, clause := range clauses(toks) {
		if c.callNamed(f, clause, from, to) || c.missing == "" && i > 0 && !spans(clause, from, to) && c.clause(clause, i) {
			continue
		}
		if c.missing == "" || spans(clause, from, to) {
			c.missing = fmt.Sprintf("What should %s be given? %s", f.Name, f.takes())
		}
		return plan.Plan{Clarify: c.missing, Confidence: 0.5}, true
	}
	return c.plan(), true
}

// callNamed adds the call that a clause orders by the tool's name, which stands at from.
func (c *chain) callNamed(f *toolFacts, clause []token, from, to int) bool {
	if !spans(clause, from, to) {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(clause), func(t token) bool {
		return t.start >= from && t.end <= to || t.end <= from && callVerbs[t.low] || t.low == "tool"
	})
	given := map[string]any{}
	for _, p := range f.params {
		if value, i, j := p.saidByName(rest); j > i {
			given[p.name], rest = value, slices.Delete(slices.Clone(rest), i, j)
		}
	}
	return c.callWith(f, rest, given)
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

// jsonAfter is the object of arguments that is all that follows a tool's name.
func jsonAfter(s string) (args map[string]any, ok bool) {
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), "with"))
	if s = strings.TrimSpace(strings.TrimPrefix(s, ":")); !strings.HasPrefix(s, "{") {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if err := d.Decode(&args); err != nil || strings.Trim(s[d.InputOffset():], " .\t\r\n") != "" {
		return nil, false
	}
	return args, true
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
