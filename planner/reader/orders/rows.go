package orders

import (
	"slices"
	"strconv"
	"strings"

	"catena/internal/text"
	"catena/planner/calls"
	"catena/planner/plan"
	"catena/planner/reader/link"
)

// rows puts into a query what a stretch asks of the rows; false where it asks nothing of them.
func (c *chaining) rows(one *calls.Chain, q *plan.Query, k spanKind) bool {
	switch string(k.cat) {
	case askCount, askAsk:
		if string(k.cat) == askAsk && k.sense != askMany || len(q.Select) > 0 {
			return true
		}
		if c.words.is(one.Kind, catMass) {
			q.Select = []plan.Select{{Expr: "sum", Column: c.measured(one)}}
		} else {
			q.Select = []plan.Select{{Expr: "count", As: "count"}}
		}
	case askAgg:
		if len(q.Select) > 0 || c.names(one, k) && (c.ends(k) || c.behindBy(k)) {
			return true
		}
		expr, known := aggregates[k.sense]
		col := c.measured(one)
		if !known || !c.mentions(plan.NameWords(col)) && !c.knows(k.end) {
			return false
		}
		q.Select = []plan.Select{{Expr: expr, Column: col}}
	case askMore:
		if len(c.c.Others) == 0 || len(q.Select) > 0 {
			return len(c.c.Others) > 0
		}
		q.Select = []plan.Select{{Expr: "count", As: "count"}}
	case askSuper, askAdj:
		return c.most(one, q, k)
	case askBy:
		return k.sense == askEach && c.apart(one, q) || c.leads(k) || c.grouped(one, q, k)
	case askTop:
		return c.top(one, q, k)
	case askNot:
		return slices.ContainsFunc(one.Among, func(a calls.Among) bool { return a.Not }) || c.filters()
	case askOr:
		return len(one.Among) > 0 || len(c.c.Others) > 0 || c.filters()
	case askCmp:
		return c.bounds(k) || c.compared(one, q, k)
	default:
		return false
	}
	return true
}

// knows reports whether the word behind a place is known: an amount that the rows are not known to have is none of
// them.
func (c *chaining) knows(end int) bool {
	for _, p := range c.c.Parts {
		if p.Start >= end && p.Use != calls.Small {
			return p.Use >= calls.About || c.words.is(text.Fold(c.req.Message[p.Start:p.End]), catColumn)
		}
	}
	return true
}

// behindBy reports whether a word that says what rows are sorted or grouped by stands right before a stretch.
func (c *chaining) behindBy(k spanKind) bool {
	return slices.ContainsFunc(
		c.kinds,
		func(o spanKind) bool { return o.cat == askBy && o.end < k.start && k.start <= o.end+2 },
	)
}

// ends reports whether nothing that means something is behind a stretch.
func (c *chaining) ends(k spanKind) bool {
	return !slices.ContainsFunc(c.c.Parts, func(p calls.Part) bool { return p.Start >= k.end && p.Use >= calls.About })
}

// names reports whether a stretch is a word of a column.
func (c *chaining) names(one *calls.Chain, k spanKind) bool {
	w := link.Key(text.Fold(c.req.Message[k.start:k.end]))
	return slices.ContainsFunc(one.Columns, func(col string) bool {
		return slices.ContainsFunc(plan.NameWords(col), func(x string) bool { return link.Key(x) == w })
	})
}

// bounds reports whether a comparison is said by a number that a call takes, or compares nothing.
func (c *chaining) bounds(k spanKind) bool {
	return !slices.ContainsFunc(c.c.Parts, func(p calls.Part) bool {
		return p.Use == calls.Left && p.Start >= k.end && p.Start <= k.end+nearBy
	})
}

// compared keeps the rows whose amount compares with the number behind a stretch as that says.
func (c *chaining) compared(one *calls.Chain, q *plan.Query, k spanKind) bool {
	col := c.measured(one)
	if col == "*" || !slices.Contains(plan.Ops, k.sense) {
		return false
	}
	for i, p := range c.c.Parts {
		said := strings.ReplaceAll(c.req.Message[p.Start:p.End], ",", "")
		n, err := strconv.ParseFloat(said, 64)
		if err != nil || p.Start < k.end || p.Start > k.end+nearBy {
			continue
		}
		c.c.Parts[i].Use = calls.Filled
		q.Filter = append(q.Filter, plan.Condition{Column: col, Op: k.sense, Value: n})
		return true
	}
	return false
}

// nearBy is how many bytes behind a comparison its number begins.
const nearBy = 12

// demanding are the categories of words that ask for more than a call gives, whatever else they may mean.
var demanding = map[link.Category]bool{
	askCount: true,
	askAsk:   true,
	askAgg:   true,
	askSuper: true,
	askAdj:   true,
	askBy:    true,
	askNot:   true,
	askOr:    true,
	askCmp:   true,
	askTop:   true,
}

// harmless are the categories of words that change no call: they ask, they join.
var harmless = map[link.Category]bool{
	"and":     true,
	"yesno":   true,
	"both":    true,
	"compare": true,
	"where":   true,
	"either":  true,
	"arith":   true,
	"all":     true,
}

// leads reports whether a value that a call takes stands right behind a stretch.
func (c *chaining) leads(k spanKind) bool {
	for _, p := range c.c.Parts {
		if p.Start >= k.end {
			return p.Use == calls.Filled
		}
	}
	return false
}

// filters reports whether a step within the chain filters rows.
func (c *chaining) filters() bool {
	return slices.ContainsFunc(c.steps, func(st plan.Step) bool { return st.Tool == c.query })
}

// aggregates are those of queries, by the lexicon's senses.
var aggregates = map[string]string{"sum": "sum", "mean": "mean", "median": "median", "max": "max", "min": "min"}

// measured is the column that holds amounts: one that the message names, else the only one that is known, else
// whichever the rows have.
func (c *chaining) measured(one *calls.Chain) string {
	said, known := "", []string(nil)
	for _, col := range one.Columns {
		words := plan.NameWords(col)
		if !slices.ContainsFunc(words, func(w string) bool { return c.words.is(w, catMeasure) }) {
			continue
		}
		known = append(known, col)
		if said == "" && c.mentions(words) {
			said = col
		}
	}
	switch {
	case said != "":
		return said
	case len(known) == 1:
		return known[0]
	}
	return "*"
}

// mentions reports whether the message has one of some words, beside what fills arguments.
func (c *chaining) mentions(words []string) bool {
	return slices.ContainsFunc(c.c.Parts, func(p calls.Part) bool {
		w := text.Fold(c.req.Message[p.Start:p.End])
		return p.Use != calls.Filled &&
			slices.ContainsFunc(words, func(x string) bool { return link.Key(x) == link.Key(w) })
	})
}

// most takes the row with the largest or smallest amount, or of what the word is about: the latest has the last date.
func (c *chaining) most(one *calls.Chain, q *plan.Query, k spanKind) bool {
	dir, about, named := strings.Cut(k.sense, ":")
	if len(q.OrderBy) > 0 || len(q.Select) > 0 || c.names(one, k) {
		return true
	}
	var col string
	if named {
		col = columnAbout(one.Columns, strings.Split(about, ","))
	} else if col = c.measured(one); col == "*" {
		col = ""
	}
	if col == "" {
		return false
	}
	q.OrderBy, q.Limit = []plan.Order{{Column: col, Desc: dir == askMax}}, 1
	return true
}

// top takes the first rows by an amount, as many as the number behind the word says.
func (c *chaining) top(one *calls.Chain, q *plan.Query, k spanKind) bool {
	col := c.measured(one)
	if col == "*" || len(q.OrderBy)+len(q.Select) > 0 {
		return false
	}
	for _, p := range c.c.Parts {
		if p.Start < k.end {
			continue
		}
		n, err := strconv.Atoi(c.req.Message[p.Start:p.End])
		if err != nil || n < 1 || p.Use == calls.Filled {
			return false
		}
		c.done = append(c.done, spanKind{start: p.Start, end: p.End})
		q.OrderBy, q.Limit = []plan.Order{{Column: col, Desc: k.sense == askTop}}, n
		return true
	}
	return false
}

// apart asks for each of several things by itself, unless the message asks for all of them together.
func (c *chaining) apart(one *calls.Chain, q *plan.Query) bool {
	each := slices.ContainsFunc(c.steps, func(st plan.Step) bool { return st.Each != nil })
	whole := slices.ContainsFunc(c.kinds, func(k spanKind) bool { return k.cat == askAgg && k.sense == askSum })
	if each && !whole && len(q.GroupBy) == 0 && len(one.Others) == 0 {
		c.each = true
	}
	return true
}

// columnAbout is the first column that one of some words names, "" for none.
func columnAbout(columns, words []string) string {
	for _, w := range words {
		for _, col := range columns {
			if slices.ContainsFunc(plan.NameWords(col), func(x string) bool { return link.Key(x) == link.Key(w) }) {
				return col
			}
		}
	}
	return ""
}

// grouped groups rows by the column that is named behind a word that says so.
func (c *chaining) grouped(one *calls.Chain, q *plan.Query, k spanKind) bool {
	for _, p := range c.c.Parts {
		if p.Start < k.end {
			continue
		}
		w := link.Key(text.Fold(c.req.Message[p.Start:p.End]))
		for _, col := range one.Columns {
			words := append(plan.NameWords(col), one.Called[col]...)
			if p.Use == calls.Filled || !slices.ContainsFunc(words, func(x string) bool { return link.Key(x) == w }) {
				continue
			}
			if len(q.Select) == 0 {
				q.Select = []plan.Select{{Expr: "count", As: "count"}}
			}
			q.GroupBy = []plan.GroupKey{{Column: col}}
			q.Select = append([]plan.Select{{Column: col}}, q.Select...)
			return true
		}
		return false
	}
	return false
}
