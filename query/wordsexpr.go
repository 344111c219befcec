package query

import (
	"slices"
	"strconv"
)

func (t *teller) all(list []Expr, scopes []*view) []string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = t.expr(e, scopes)
	}
	return parts
}

// expr is an expression in words.
func (t *teller) expr(e Expr, scopes []*view) string {
	if !t.check.enter("") {
		return "…"
	}
	defer t.check.leave()
	switch x := e.(type) {
	case Column:
		return t.column(x, scopes)
	case Literal:
		return t.valueText(x.Value)
	case Call:
		return t.call(x, scopes)
	case Case:
		return t.caseOf(x, scopes)
	case Cast:
		return t.say([]string{t.expr(x.Expr, scopes), t.say(nil, "type."+x.Type.String())}, "cast")
	case Scalar:
		return t.say([]string{t.inner(x.Query, scopes)}, "scalar")
	case Exists:
		return t.say([]string{t.inner(x.Query, scopes)}, "exists")
	case In:
		return t.say([]string{t.expr(x.Expr, scopes), t.inner(x.Query, scopes)}, "in.query")
	}
	return ""
}

func (t *teller) inner(q Query, scopes []*view) string { return t.query(q, scopes).text(t) }

func (t *teller) column(c Column, scopes []*view) string {
	if c.Out < 0 || c.Out >= len(scopes) {
		return c.Name
	}
	if phrase, ok := scopes[c.Out].phrases[c.Name]; ok {
		return phrase
	}
	return c.Name
}

// call is a function in words. The opposite of a condition has words of its own, where the file has them.
func (t *teller) call(c Call, scopes []*view) string {
	if c.Func == "not" && len(c.Args) == 1 {
		if s := t.negated(c.Args[0], scopes); s != "" {
			return s
		}
	}
	args := t.all(c.Args, scopes)
	if c.Func == "eq" && len(args) == 2 && args[0] == args[1] {
		return t.say(args, "eq.same") // a column that two tables have
	}
	for i, a := range c.Args {
		if inner, ok := a.(Call); ok && (clings(c.Func) && clings(inner.Func)) {
			args[i] = "(" + args[i] + ")"
		}
	}
	return t.filled(c, args, t.variants(c.Func, c.Args, false, scopes))
}

// clings reports whether the words of an operator need brackets beside those of another one.
func clings(name string) bool {
	return slices.Contains([]string{"add", "sub", "mul", "div", "idiv", "mod", "neg", "power", "and", "or"}, name)
}

func (t *teller) negated(e Expr, scopes []*view) string {
	switch x := e.(type) {
	case Call:
		if _, ok := t.wording["not."+x.Func]; ok {
			return t.filled(x, t.all(x.Args, scopes), []string{"not." + x.Func})
		}
	case Exists:
		return t.say([]string{t.inner(x.Query, scopes)}, "not.exists")
	case In:
		return t.say([]string{t.expr(x.Expr, scopes), t.inner(x.Query, scopes)}, "not.in.query")
	}
	return ""
}

// filled is a call whose unit of time, where it has one, is a word and not a text; behind its arguments stands the
// word for several of the unit.
func (t *teller) filled(c Call, args []string, keys []string) string {
	f := functions[c.Func]
	if f == nil || len(f.units) == 0 || len(args) == 0 {
		return t.say(args, keys...)
	}
	unit := ""
	if l, ok := c.Args[0].(Literal); ok {
		unit = l.Value.Text()
	}
	args[0] = t.say(nil, "unit."+unit)
	return t.say(append(args, t.say(nil, "units."+unit)), keys...)
}

// variants are the keys of a function, the most special first: by its unit of time, by whether values count once, by
// the kind of its first argument, by the number of arguments.
func (t *teller) variants(name string, args []Expr, distinct bool, scopes []*view) []string {
	var keys []string
	if distinct {
		keys = append(keys, name+".distinct")
	}
	if len(args) > 0 {
		if l, ok := args[0].(Literal); ok {
			keys = append(keys, name+"."+l.Value.Text())
		}
		if _, ok := t.wording[name+".moment"]; ok {
			keys = append(keys, name+t.kind(args[0], scopes))
		}
	}
	return append(keys, name+"."+strconv.Itoa(len(args)), name)
}

func (t *teller) caseOf(c Case, scopes []*view) string {
	var parts []string
	for _, b := range c.Branches {
		parts = append(parts, t.say([]string{t.expr(b.Then, scopes), t.expr(b.When, scopes)}, "case.when"))
	}
	if c.Else != nil {
		parts = append(parts, t.say([]string{t.expr(c.Else, scopes)}, "case.else"))
	}
	return "(" + t.list(parts) + ")"
}
