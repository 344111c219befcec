package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// composed is a question made into queries: each after the first works on the result of the one before it.
type composed struct {
	queries []plan.Query
}

// compose makes the query. ok is false when the question does not say enough; a.unclear may then hold what to ask.
func (r *reader) compose(a *ask) (composed, bool) {
	if a.unclear != "" || a.cannot != "" {
		return composed{}, false
	}
	b := &builder{r: r, a: a, v: r.v, q: plan.Query{Table: r.v.info.Name}}
	if j := r.v.join; j != nil {
		b.q.Join = []plan.Join{{Table: j.table, On: [][2]string{{j.key, j.key}}, How: "left"}}
	}
	b.split()
	var ok bool
	if out, did := b.meanPerThing(); did {
		return out, b.additive(out.queries)
	}
	switch {
	case a.derive != nil:
		ok = b.derivedSums() || !a.margin && b.derived() // a margin is that of sums
	case a.apart && b.difference():
		ok = true
	case a.share:
		ok = b.shares()
	case a.change:
		ok = b.changes()
	case a.pairs:
		ok = b.against()
	case a.mean1 != "" || b.meanPer():
		out, ok := b.meanOfTotals()
		return out, ok && b.additive(out.queries)
	case a.edge != "" && r.v.time >= 0 && a.super == nil:
		ok = b.edges()
	case a.super != nil:
		ok = b.superlatives()
	case b.allMeasures():
		ok = b.grouped()
	case len(b.groups()) > 0 || a.series:
		ok = b.grouped()
	case len(a.countCols) > 0:
		for _, c := range a.countCols {
			b.q.GroupBy = append(b.q.GroupBy, plan.GroupKey{Column: b.name(c)})
		}
		b.then = &plan.Query{Select: []plan.Select{{Expr: "count", As: "count"}}}
		ok = true
	case a.count || a.countCol >= 0 || a.countPer != "":
		ok = b.counts()
	case len(a.aggs) > 0 && b.needMeasure():
		ok = b.totals()
	case b.plainTotals():
		ok = true
	default:
		ok = b.list()
	}
	b.lastRows()
	out := composed{queries: []plan.Query{b.q}}
	if b.then != nil {
		out.queries = append(out.queries, *b.then)
	}
	return out, ok && b.additive(out.queries)
}

// builder writes one query.
type builder struct {
	r      *reader
	a      *ask
	v      *view
	q      plan.Query
	then   *plan.Query // a second query over the result of the first
	yearly bool        // of a change: the same months of two years are compared
	parts  []asked     // of a share: the conditions that make the part
}

func (b *builder) name(c int) string { return b.v.cols[c].info.Name }

// split writes the conditions on rows.
func (b *builder) split() {
	for _, f := range b.a.filters {
		if b.a.share && b.isPart(f) {
			b.parts = append(b.parts, f)
			continue
		}
		b.q.Filter = append(b.q.Filter, f.cond)
	}
}

// isPart reports whether a condition of a share says what the part is, rather than what the whole is. The whole is bound
// by times, by what is left out, and by what stands between "of" and the verb.
func (b *builder) isPart(f asked) bool {
	if f.date || f.cond.Op == "ne" || f.cond.Op == "not_in" || f.at < 0 {
		return false
	}
	n := 0
	for _, other := range b.a.filters {
		if !other.date && other.at >= 0 && other.cond.Op != "ne" && other.cond.Op != "not_in" {
			n++
		}
	}
	if n <= 1 {
		return true
	}
	if k := b.r.mentionAt(f.at, f.at+1); k >= 0 && b.r.mentions[k].value {
		if next := b.r.tokenAt(b.r.mentions[k].j); b.v.rows(next.lemma) || rowWords[next.lemma] {
			return false
		}
	}
	for i := f.at; i < len(b.r.toks); i++ {
		if verbs[b.r.low(i)] && b.r.mentionAt(i, i+1) < 0 {
			return false // a verb follows: the condition belongs to the subject
		}
	}
	return true
}

// verbs part a question's subject from what is said of it.
var verbs = plan.WordSet("is are was were has have had come comes came live lives with weigh weighs come from did does do in")

// groups are the explicit keys, those that a comparison of values means, and nothing when there are none.
func (b *builder) groups() []plan.GroupKey {
	keys := b.a.groups
	if len(keys) > 0 && !b.a.versus || len(keys) == 0 && !b.computes() && !(b.setAgainst() && b.needMeasure()) {
		return keys
	}
	for _, f := range b.a.filters {
		if f.cond.Op != "in" || f.cond.Period != "" || !b.compares(f) {
			continue
		}
		if slices.ContainsFunc(keys, func(k plan.GroupKey) bool {
			return k.Column == f.cond.Column || f.date && b.v.column(k.Column) >= 0 && b.v.cols[b.v.column(k.Column)].time
		}) {
			continue // apart already
		}
		key := plan.GroupKey{Column: f.cond.Column, Period: f.cond.Period}
		if f.date && f.cond.Period == "" && !b.v.cols[f.col].year {
			if first, ok := f.cond.Value.([]any)[0].(string); ok {
				key.Period = periodOf(first)
			}
		}
		return append(slices.Clone(keys), key)
	}
	return keys
}

// setAgainst reports whether values are compared without an aggregate being named: "did A or B kill more people".
func (b *builder) setAgainst() bool {
	return b.a.target < 0 && b.a.super == nil && slices.ContainsFunc(b.a.filters, func(f asked) bool { return f.cond.Op == "in" && f.cond.Period == "" && b.compares(f) })
}

// computes reports whether the question asks for an aggregate.
func (b *builder) computes() bool {
	return len(b.a.aggs) > 0 || b.a.count || b.a.countCol >= 0
}

// compares reports whether the values of a condition are set against each other: "A vs B", "A or B?", "are A heavier than B".
func (b *builder) compares(f asked) bool {
	if b.a.versus || strings.HasSuffix(strings.TrimSpace(b.r.tail()), "each") {
		return true
	}
	for i := range b.r.toks {
		w := b.r.low(i)
		_, degree, ok := degreeOf(w)
		if ok && degree == 1 && !b.r.numberAhead(i) || w == "both" || w == "each" || w == "respectively" || w == "more" && !b.r.numberAhead(i) {
			return true
		}
	}
	return false
}

func (r *reader) tail() string {
	if len(r.toks) == 0 {
		return ""
	}
	return r.toks[len(r.toks)-1].low
}

// numberAhead reports whether a number follows within three tokens.
func (r *reader) numberAhead(i int) bool {
	for j := i + 1; j <= i+3 && j < len(r.toks); j++ {
		if r.toks[j].kind == numberToken {
			year := len(r.toks[j].num) == 4 && r.mentionAt(j, j+1) < 0 && slices.ContainsFunc(r.dates, func(d dateRef) bool { return d.i <= j && j < d.j })
			return !year
		}
	}
	return false
}

// totals is one row of aggregates.
func (b *builder) totals() bool {
	aggs := b.explicit()
	if len(aggs) == 0 {
		return b.list()
	}
	if b.groupedTotals(aggs) {
		return true
	}
	if len(aggs) == 1 && (aggs[0] == "max" || aggs[0] == "min") && len(b.a.shown) > 0 {
		b.a.super = &superlative{desc: aggs[0] == "max", col: b.a.measures[0], at: 0}
		b.a.measures, b.a.aggs = b.a.measures[1:], nil
		return b.superlatives()
	}
	b.q.Select = b.aggregates()
	if b.pivot() {
		return true
	}
	return true
}

func (b *builder) counts() bool {
	a := b.a
	switch {
	case a.countPer != "" && len(a.having) > 0:
		return false
	case a.countPer != "":
		key := plan.GroupKey{Column: b.name(b.v.time), Period: a.countPer}
		if b.v.cols[b.v.time].year {
			key.Period = ""
		}
		b.q.Select = []plan.Select{{Expr: "count_distinct", Column: key.Column, Period: key.Period, As: "count"}}
	case len(a.having) > 0 && a.countCol >= 0:
		return false
	case b.totalsAbove(a.countCol):
		b.then = &plan.Query{Select: []plan.Select{{Expr: "count", As: "count"}}}
		return true
	default:
		b.q.Select = b.aggregates()[:1]
	}
	b.pivot()
	return true
}

// keyed writes the group keys and leaves out rows whose key is empty.
func (b *builder) keyed(keys []plan.GroupKey) {
	for _, k := range keys {
		if slices.ContainsFunc(b.q.GroupBy, func(o plan.GroupKey) bool { return o.Column == k.Column }) {
			if k.As = k.Column + "_" + k.Period; k.Period == "" {
				continue
			}
			b.q.GroupBy = append(b.q.GroupBy, k)
			b.q.Select = append(b.q.Select, plan.Select{Column: k.As})
			continue
		}
		c := b.v.column(k.Column)
		if c >= 0 && b.v.cols[c].info.Nulls > 0 && !slices.ContainsFunc(b.q.Filter, func(f plan.Condition) bool { return f.Column == k.Column }) {
			b.q.Filter = append(b.q.Filter, plan.Condition{Column: k.Column, Op: "not_null"})
		}
		b.q.GroupBy = append(b.q.GroupBy, k)
		b.q.Select = append(b.q.Select, plan.Select{Column: k.Column})
	}
}

// grouped is aggregates per key.
func (b *builder) grouped() bool {
	keys := b.groups()
	if b.a.series {
		keys = append([]plan.GroupKey{b.seriesKey()}, slices.DeleteFunc(slices.Clone(keys), func(k plan.GroupKey) bool { return b.v.column(k.Column) == b.v.time })...)
	}
	b.comparedResults()
	if len(b.a.aggs) > 0 || b.a.series {
		if !b.needMeasure() && !b.a.count && b.a.countCol < 0 {
			if b.a.series && len(b.explicit()) == 0 {
				b.a.count = true
			} else {
				return false
			}
		}
	}
	b.keyed(keys)
	if t := b.a.target; t >= 0 && !b.computes() && len(b.a.measures) == 0 && !b.a.series && !b.v.cols[t].numeric && !b.a.rows && !slices.ContainsFunc(keys, func(k plan.GroupKey) bool { return k.Column == b.name(t) || k.Period != "" }) {
		b.q.GroupBy, b.q.Distinct = nil, true // "species on each island"
		b.show(t)
		return true
	}
	b.q.Select = append(b.q.Select, b.aggregates()...)
	b.havings()
	b.ordered()
	return true
}

func (b *builder) seriesKey() plan.GroupKey {
	c := b.v.cols[b.v.time]
	key := plan.GroupKey{Column: c.info.Name, Period: "year"}
	if c.year {
		key.Period = ""
		return key
	}
	first, ok := parseDay(c.info.Min)
	last, ok2 := parseDay(c.info.Max)
	if ok && ok2 && last.Sub(first).Hours() < 24*365*2 {
		key.Period = "month"
		if last.Sub(first).Hours() < 24*62 {
			key.Period = "day"
		}
	}
	return key
}

// havings writes the conditions on results.
func (b *builder) havings() {
	for _, h := range b.a.having {
		c := h.cond
		if first := b.firstResult(); c.Column == "" && first != "" {
			c.Column = first
		} else if h.col >= 0 {
			c.Column = b.resultOf(b.name(h.col))
		} else if i := slices.IndexFunc(b.q.Select, func(s plan.Select) bool { return s.Expr == "count" }); i >= 0 {
			c.Column = b.q.Select[i].Name()
		} else {
			b.q.Select = append(b.q.Select, plan.Select{Expr: "count", As: "count"})
		}
		b.q.Having = append(b.q.Having, c)
	}
}

// resultOf names the result column made of a source column.
func (b *builder) resultOf(column string) string {
	for _, s := range b.q.Select {
		if s.Column == column && s.Expr != "" {
			return s.Name()
		}
	}
	return column
}

// lastResult names the first computed column, "" when there is none.
func (b *builder) firstResult() string {
	for _, s := range b.q.Select {
		if s.Expr != "" {
			return s.Name()
		}
	}
	return ""
}

// ordered writes "sorted by": the named column, or the first result.
func (b *builder) ordered() {
	if b.a.sort == nil {
		if slices.ContainsFunc(b.q.GroupBy, func(k plan.GroupKey) bool {
			c := b.v.column(k.Column)
			return c >= 0 && (c == b.v.time || b.v.cols[c].info.Type == "text" && b.v.cols[c].ofPeriods())
		}) {
			for _, k := range b.q.GroupBy {
				b.q.OrderBy = append(b.q.OrderBy, plan.Order{Column: k.Column})
			}
		}
		return
	}
	o := *b.a.sort
	if o.Column == "" {
		o.Column = b.firstResult()
		if o.Column == "" && len(b.a.measures) > 0 {
			o.Column = b.name(b.a.measures[0])
		}
	} else {
		o.Column = b.resultOf(o.Column)
	}
	if o.Column != "" {
		b.q.OrderBy = []plan.Order{o}
		b.q.Limit = b.a.limit
	}
}
