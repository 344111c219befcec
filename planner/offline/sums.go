package offline

import (
	"fmt"
	"slices"

	"catena/planner/plan"
)

// product reads "price times qty" as a column of the products.
func (r *reader) product(a *ask) {
	for i := range r.toks {
		end := i + 1
		switch {
		case r.low(i) == "times" || r.low(i) == "*" || r.low(i) == "x" || r.low(i) == "×":
		case r.says(i, "multiplied", "by") || r.says(i, "multiplied", "with"):
			end = i + 2
		default:
			continue
		}
		left, right := r.mentionEnding(i), r.mentionFrom(end)
		if left < 0 || right < 0 || !r.measureMention(left) || !r.measureMention(right) {
			continue
		}
		x, y := r.senseOf(left), r.senseOf(right)
		r.mentions[left].used, r.mentions[right].used = true, true
		r.use(i, end)
		a.derive = &plan.Derived{As: r.v.cols[x].info.Name + "_times_" + r.v.cols[y].info.Name, Op: "mul", Left: r.v.cols[x].info.Name, Right: r.v.cols[y].info.Name}
		return
	}
}

// profits reads "profit" as revenue less cost where a table has both in one currency and no profit of its own.
func (r *reader) profits(a *ask) {
	i := slices.IndexFunc(r.toks, func(t token) bool { return t.lemma == "profit" || t.low == "earnings" || t.lemma == "margin" })
	ranked := slices.IndexFunc(r.toks, func(t token) bool { return t.low == "profitable" })
	if i < 0 && ranked > 0 && (r.low(ranked-1) == "most" || r.low(ranked-1) == "least") && len(r.v.withConcept([]string{"profit"})) == 0 {
		i = ranked
	}
	if i < 0 || a.derive != nil || r.used[i] || r.mentionAt(i, i+1) >= 0 {
		return
	}
	margin := r.tokenAt(i+1).lemma == "margin" || r.toks[i].lemma == "margin"
	find := func(id string, lemmas ...string) int {
		found := -1
		for c := range r.v.cols {
			col := &r.v.cols[c]
			if _, mixed := r.v.common[c]; mixed || !col.numeric || col.ratio() || !slices.ContainsFunc(col.names[0], func(w nameWord) bool { return slices.Contains(lemmas, w.lemma) }) || !col.hasConcept(id) {
				continue
			}
			if found >= 0 {
				return -1
			}
			found = c
		}
		return found
	}
	revenue, cost := find("revenue", "revenue", "sale", "turnover", "income"), find("cost", "cost", "expense")
	if revenue < 0 || cost < 0 || r.v.cols[revenue].unit != r.v.cols[cost].unit {
		return
	}
	r.use(i, i+1+b2i(margin && r.toks[i].lemma != "margin"))
	if w := r.low(i - 1); margin && (w == "gross" || w == "net") {
		r.use(i-1, i)
	}
	if i == ranked {
		a.super = &superlative{at: i - 1, desc: r.low(i-1) == "most", col: -1, adjective: true}
		if n, ok := wholeNumber(r.tokenAt(i - 2).num); ok && !r.used[i-2] {
			a.super.n = n
			r.use(i-2, i-1)
		}
		r.use(i-1, i)
	}
	a.derive = &plan.Derived{As: "profit", Op: "sub", Left: r.v.cols[revenue].info.Name, Right: r.v.cols[cost].info.Name}
	a.margin = margin
}

// perUnit reads "revenue per order", where orders is a column of counts: the sums are divided, not the rows.
func (r *reader) perUnit(a *ask) {
	for i := range r.toks {
		if r.low(i) != "per" || r.used[i] {
			continue
		}
		left, right := r.mentionEnding(i), r.mentionFrom(i+1)
		if left < 0 || right < 0 || left == right || !r.measureMention(left) || !r.measureMention(right) {
			continue
		}
		x, y := r.senseOf(left), r.senseOf(right)
		if x == y || !r.v.cols[x].sums() || !r.v.cols[y].sums() {
			continue
		}
		r.mentions[left].used, r.mentions[right].used = true, true
		r.use(i, i+1)
		a.derive = &plan.Derived{As: r.v.cols[x].info.Name + "_per_" + plan.Singular(r.v.cols[y].info.Name), Op: "div", Left: r.v.cols[x].info.Name, Right: r.v.cols[y].info.Name}
		a.ofSums = true
		return
	}
}

// derivedSums computes with the sums of two columns, per group or over all rows: the difference of two totals is not the
// total of what rows with both values differ by. ok is false where single rows are asked about.
func (b *builder) derivedSums() bool {
	a := b.a
	d := *a.derive
	left, right := b.v.column(d.Left.(string)), b.v.column(d.Right.(string))
	if d.Op == "mul" || left < 0 || right < 0 || !b.v.cols[left].sums() || !b.v.cols[right].sums() || len(a.shown) > 0 || a.rows && !a.ofSums {
		return false
	}
	if e := b.explicit(); !a.ofSums && !a.margin && len(e) > 0 && !slices.Equal(e, []string{"sum"}) {
		return false
	}
	keys := b.groups()
	if t := a.target; t >= 0 {
		if b.v.cols[t].time && !b.v.cols[t].year && a.targetBy == "" || !a.margin && b.v.cols[t].info.Distinct*2 > b.v.info.Rows {
			return false
		}
		keys = append([]plan.GroupKey{{Column: b.name(t), Period: a.targetBy}}, keys...)
	}
	if len(keys) == 0 && a.super != nil {
		return false
	}
	if d.Op == "abs_diff" && len(keys) > 0 {
		d.Op, d.As = "sub", "difference"
	}
	b.keyed(keys)
	for _, c := range []int{left, right} {
		b.q.Select = append(b.q.Select, plan.Select{Expr: "sum", Column: b.name(c)})
	}
	d.Left, d.Right = b.resultOf(d.Left.(string)), b.resultOf(d.Right.(string))
	b.ordered()
	b.then = &plan.Query{Derive: []plan.Derived{d}}
	if a.margin {
		b.then.Derive = append(b.then.Derive, plan.Derived{As: "profit_margin", Op: "percent", Left: d.As, Right: d.Left})
		d.As = "profit_margin"
	}
	if a.super != nil {
		q := b.q
		b.q = *b.then
		b.top(d.As)
		*b.then, b.q = b.q, q
		b.then.LimitBy = nil
	} else if a.sort != nil {
		b.q.OrderBy = nil
		b.then.OrderBy = []plan.Order{{Column: d.As, Desc: a.sort.Desc}}
	}
	return true
}

// meanPerThing is the mean of what each thing sums up to: "average revenue per client" where several rows belong to each.
func (b *builder) meanPerThing() (composed, bool) {
	a := b.a
	if a.perThing < 0 || len(a.groups) != 1 || !slices.Equal(a.aggs, []string{"mean"}) && !slices.Equal(a.aggs, []string{"median"}) || a.super != nil || b.v.column(a.groups[0].Column) != a.perThing {
		return composed{}, false
	}
	c := b.v.cols[a.perThing]
	if a.perThing != b.v.label || c.info.Distinct*2 > b.v.info.Rows {
		return composed{}, false
	}
	sel := plan.Select{Expr: "count", As: "count"}
	if !a.count {
		if !b.needMeasure() || !b.v.cols[a.measures[0]].sums() {
			return composed{}, false
		}
		sel = plan.Select{Expr: "sum", Column: b.name(a.measures[0]), As: b.name(a.measures[0])}
	}
	b.keyed(a.groups)
	b.q.Select = append(b.q.Select, sel)
	outer := plan.Query{Select: []plan.Select{{Expr: a.aggs[0], Column: sel.As, As: fmt.Sprintf("%s_%s_per_%s", a.aggs[0], sel.As, c.info.Name)}}}
	return composed{queries: []plan.Query{b.q, outer}}, true
}

// totalsAbove turns a condition on an amount into one on what each thing sums up to: "clients with revenue over 1 million",
// where several rows belong to each client. It reports whether it did.
func (b *builder) totalsAbove(thing int) bool {
	if thing < 0 || b.v.cols[thing].time || b.v.cols[thing].info.Type != "text" || b.v.cols[thing].info.Distinct*2 > b.v.info.Rows || len(b.a.groups) > 0 {
		return false
	}
	var keep, on []plan.Condition
	for _, f := range b.q.Filter {
		c := b.v.column(f.Column)
		_, number := f.Value.(interface{ Float64() (float64, error) })
		if c >= 0 && (number || f.Op == "between") && f.Op != "eq" && b.v.cols[c].numeric && !b.v.cols[c].time && b.v.cols[c].sums() && b.v.cols[c].hasConcept(flows...) {
			on = append(on, f)
		} else {
			keep = append(keep, f)
		}
	}
	if len(on) == 0 {
		return false
	}
	b.q.Filter = keep
	b.keyed([]plan.GroupKey{{Column: b.name(thing)}})
	for _, f := range on {
		if !slices.ContainsFunc(b.q.Select, func(s plan.Select) bool { return s.Column == f.Column }) {
			b.q.Select = append(b.q.Select, plan.Select{Expr: "sum", Column: f.Column})
		}
		f.Column = b.resultOf(f.Column)
		b.q.Having = append(b.q.Having, f)
	}
	return true
}

// manyRows reports whether the conditions keep more than a row or two, so that a rate is asked for as its mean: none of them
// names a single thing or day.
func (b *builder) manyRows() bool {
	for _, f := range b.a.filters {
		if f.col < 0 || f.date && (f.cond.Op != "eq" && f.cond.Op != "ge" && f.cond.Op != "between" || len(fmt.Sprint(f.cond.Value)) == len("2006-01-02")) {
			return false
		}
		if !f.date && (f.cond.Op != "eq" || b.v.cols[f.col].info.Distinct*20 > b.v.info.Rows) {
			return false
		}
	}
	return b.v.info.Rows >= 100
}

// plainTotals reads "revenue in Q3 2025" as the total of what adds up. ok is false where rows are asked about.
func (b *builder) plainTotals() bool {
	a := b.a
	if len(a.measures) == 0 || a.target >= 0 || a.rows || a.super != nil || a.sort != nil || a.distinct || len(a.having) > 0 || len(a.filters) == 0 && !b.atLast() || b.r.lastN > 0 {
		return false
	}
	for _, c := range a.measures {
		if !b.v.cols[c].sums() && !b.manyRows() {
			return false
		}
	}
	var keys []plan.GroupKey
	for _, c := range a.shown { // "revenue of product A": the column says only what the condition is on
		at := slices.IndexFunc(a.filters, func(f asked) bool { return f.col == c && !f.date })
		if at < 0 || a.filters[at].cond.Any != nil {
			return false
		}
		if a.filters[at].cond.Op != "eq" {
			keys = append(keys, plan.GroupKey{Column: b.name(c)})
		}
	}
	b.keyed(keys)
	b.q.Select = append(b.q.Select, b.aggregates()...)
	return true
}
