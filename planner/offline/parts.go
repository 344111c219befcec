package offline

import (
	"slices"

	"catena/planner/plan"
)

// thing is what a step found that the message named: what "its" and "their" in a later part mean.
type thing struct {
	entity string
	step   int
	column string
	list   bool
}

// ways are the ways to cut a message into parts, each of which a tool answers: once for each of the things that it sets side by side, as
// one, at the ends of clauses, and at each "and".
func ways(toks []token) [][][]token {
	var out [][][]token
	if parts := sideBySide(toks); len(parts) > 1 {
		out = append(out, parts)
	}
	out = append(out, [][]token{toks})
	if parts := clauses(toks); len(parts) > 1 {
		out = append(out, parts)
	}
	for i := 1; i+1 < len(toks); i++ {
		if toks[i].low == "and" || toks[i].text == ";" || toks[i].text == "?" || toks[i].low == "also" {
			out = append(out, [][]token{toks[:i], toks[i+1:]})
		}
	}
	return out
}

// followWays plans a message that is no question about tables in the first way in which tools answer all parts of it.
func (c *chain) followWays(toks []token) bool {
	missing := ""
	side := len(sideBySide(toks)) > 1
	for n, parts := range ways(toks) {
		t := c.copied()
		t.parts = parts
		if ok := t.follow(parts); ok && (n > 0 || !side || t.even()) {
			*c = *t
			return true
		}
		if len(parts) == 1 {
			missing = t.missing
		}
	}
	c.missing = missing
	return false
}

// even reports whether all parts are answered by the same tools, none of which changes anything: only then are things set side by side.
func (c *chain) even() bool {
	if len(c.answers) != len(c.parts) {
		return false
	}
	for _, i := range c.answers {
		if c.steps[i].Tool != c.steps[c.answers[0]].Tool {
			return false
		}
	}
	return !slices.ContainsFunc(c.steps, func(st plan.Step) bool { f := c.cat.byName(st.Tool); return f != nil && !f.ReadOnly })
}

// follow adds the steps of all parts.
func (c *chain) follow(parts [][]token) bool {
	for i, part := range parts {
		if len(parts) > 1 && i > 0 {
			c.last, c.view = c.carried(part), nil
		}
		if !c.clause(part, i) {
			return false
		}
	}
	return true
}

// carried is the tool whose result a part may work on: none where it speaks of something that was found before that.
func (c *chain) carried(part []token) *toolFacts {
	if len(c.things) > 0 || slices.ContainsFunc(part, func(t token) bool { return t.kind == wordToken && capital(t.text) }) {
		return nil
	}
	return c.last
}

// ownWords stand for a thing that was named before.
var ownWords = plan.WordSet("its their his her hers him he she they them it theirs")

// known gives an argument what an earlier part found, where this one speaks of it or names nothing.
func (s *filling) known(p param) (thing, bool) {
	if len(s.c.parts) < 2 || p.entity == "" {
		return thing{}, false
	}
	speaks := slices.ContainsFunc(s.toks, func(t token) bool { return ownWords[t.low] })
	i, _ := s.properName()
	if !speaks && i >= 0 {
		return thing{}, false
	}
	for n := len(s.c.things) - 1; n >= 0; n-- {
		if s.c.things[n].entity == p.entity {
			s.cued(p)
			return s.c.things[n], true
		}
	}
	return thing{}, false
}

// item is a token of one of two stretches that are set side by side; a name of several words is one.
type item struct {
	shape    string
	from, to int
}

// sideBySide gives a message once for each of the stretches of the same shape that a conjunction joins: "to the US and to Japan",
// "Lena or Samir". Without any it gives none.
func sideBySide(toks []token) [][]token {
	for k := 1; k+1 < len(toks); k++ {
		if low := toks[k].low; low != "and" && low != "or" && low != "vs" && low != "versus" && low != "than" && low != "with" {
			continue
		}
		left, right := itemsBefore(toks, k), itemsAfter(toks, k)
		n, values := 0, 0
		for n < min(len(left), len(right)) {
			if n++; alike(left, right, n) > 0 {
				values = n
			}
		}
		if values == 0 {
			continue
		}
		from, to := left[len(left)-values].from, right[values-1].to
		one := append(slices.Clone(toks[:k]), toks[to:]...)
		two := append(slices.Clone(toks[:from]), toks[k+1:]...)
		return [][]token{one, two}
	}
	return nil
}

// alike compares the last n items on the left with the first n on the right: -1 where they differ, else how many are names or values.
func alike(left, right []item, n int) int {
	values := 0
	for i := range n {
		a, b := left[len(left)-n+i], right[i]
		if a.shape != b.shape {
			return -1
		}
		values += b2i(a.shape == valueShape)
	}
	return values
}

// valueShape is the shape of names and values.
const valueShape = "*"

// itemsBefore are the items of the clause that ends before a token.
func itemsBefore(toks []token, k int) []item {
	from := k
	for from > 0 && toks[from-1].kind != markToken {
		from--
	}
	return items(toks, from, k)
}

// itemsAfter are the items of the clause behind a token.
func itemsAfter(toks []token, k int) []item {
	to := k + 1
	for to < len(toks) && toks[to].kind != markToken {
		to++
	}
	return items(toks, k+1, to)
}

func items(toks []token, from, to int) []item {
	var out []item
	for i := from; i < to; i++ {
		t := toks[i]
		value := t.kind == quoteToken || t.kind == wordToken && i > 0 && capital(t.text) || currencyCode(t) != ""
		switch n := len(out); {
		case articles[t.low]:
		case value && n > 0 && out[n-1].shape == valueShape && out[n-1].to == i:
			out[n-1].to = i + 1
		case value:
			out = append(out, item{valueShape, i, i + 1})
		default:
			out = append(out, item{t.low, i, i + 1})
		}
	}
	return out
}
