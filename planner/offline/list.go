package offline

import (
	"fmt"
	"slices"

	"catena/planner/plan"
)

// against compares two columns, or the values of two things, per what is asked for: "years in which A beat B".
func (b *builder) against() bool {
	p := b.a.versusPair
	if p.cols[0] >= 0 {
		b.q.Filter = append(b.q.Filter, plan.Condition{Column: b.name(p.cols[0]), Op: p.op, Value: map[string]any{"column": b.name(p.cols[1])}})
		b.a.shown = append(b.a.shown, p.cols[:]...)
		if b.a.count {
			b.q.Select = []plan.Select{{Expr: "count", As: "count"}}
			return true
		}
		for _, c := range b.display() {
			b.show(c)
		}
		return true
	}
	target := b.a.target
	if target < 0 {
		target = b.v.time
	}
	if target < 0 || !b.needMeasure() {
		return false
	}
	key := plan.GroupKey{Column: b.name(target), Period: b.a.targetBy}
	if b.v.cols[target].year || !b.v.cols[target].time {
		key.Period = ""
	}
	b.keyed([]plan.GroupKey{key})
	m := b.a.measures[0]
	for _, cond := range p.conds {
		b.q.Select = append(b.q.Select, plan.Select{Expr: b.natural(m), Column: b.name(m), As: fmt.Sprint(cond.Value), Filter: []plan.Condition{cond}})
	}
	b.q.Having = []plan.Condition{{Column: fmt.Sprint(p.conds[0].Value), Op: p.op, Value: map[string]any{"column": fmt.Sprint(p.conds[1].Value)}}}
	return true
}

// pivot sets times that exclude each other side by side: weekends against weekdays.
func (b *builder) pivot() bool {
	var folded []plan.Condition
	var rest []plan.Condition
	for _, f := range b.q.Filter {
		if f.Period != "" {
			folded = append(folded, f)
		} else {
			rest = append(rest, f)
		}
	}
	if len(folded) < 2 || len(b.q.GroupBy) > 0 {
		return false
	}
	aggs := b.q.Select
	b.q.Filter, b.q.Select = rest, nil
	for _, d := range b.r.mergedDates() {
		for _, f := range b.r.dateConditions(d) {
			if f.Period == "" {
				continue
			}
			for _, s := range aggs {
				s.As, s.Filter = b.r.toks[d.j-1].low, []plan.Condition{f}
				if len(aggs) > 1 {
					s.As += " " + s.Expr
				}
				b.q.Select = append(b.q.Select, s)
			}
		}
	}
	return true
}

// groupedTotals reads "types with over 1 million deaths in total": the condition is on the total of each, not on a row.
func (b *builder) groupedTotals(aggs []string) bool {
	a := b.a
	if a.target < 0 || a.target == b.v.time && !b.v.cols[a.target].year || b.v.cols[a.target].info.Distinct >= b.v.info.Rows {
		return false
	}
	var keep []plan.Condition
	var on []plan.Condition
	for _, f := range b.q.Filter {
		c := b.v.column(f.Column)
		if c >= 0 && b.v.cols[c].numeric && !b.v.cols[c].time && (len(a.measures) == 0 || a.measureX || slices.Contains(a.measures, c)) {
			if len(on) == 0 {
				a.measures = []int{c}
			}
			on = append(on, f)
		} else {
			keep = append(keep, f)
		}
	}
	if len(on) == 0 {
		return false
	}
	b.q.Filter = keep
	b.keyed([]plan.GroupKey{{Column: b.name(a.target)}})
	b.q.Select = append(b.q.Select, plan.Select{Expr: aggs[0], Column: b.name(a.measures[0])})
	for _, f := range on {
		f.Column = b.resultOf(f.Column)
		b.q.Having = append(b.q.Having, f)
	}
	return true
}

// display are the columns that show what a row is: what is asked for, what else is named, else the label and the time.
func (b *builder) display() []int {
	var out []int
	add := func(c int) {
		if c >= 0 && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	add(b.a.target)
	for _, c := range append(slices.Clone(b.a.with), b.a.shown...) {
		add(c)
	}
	if len(out) == 0 || b.a.rows {
		add(b.v.label)
	}
	for _, c := range b.a.measures {
		add(c)
	}
	return out
}

// show adds a plain column once.
func (b *builder) show(c int) {
	s := plan.Select{Column: b.name(c)}
	if c >= 0 && !slices.ContainsFunc(b.q.Select, func(o plan.Select) bool { return o.Column == s.Column && o.Expr == "" }) {
		b.q.Select = append(b.q.Select, s)
	}
}

// list is the rows that the conditions keep, or the groups that meet a condition on their rows.
func (b *builder) list() bool {
	a := b.a
	if len(a.having) > 0 && a.target >= 0 {
		key := plan.GroupKey{Column: b.name(a.target), Period: a.targetBy}
		if b.v.cols[a.target].year || b.v.cols[a.target].info.Type == "text" {
			key.Period = ""
		}
		b.keyed([]plan.GroupKey{key})
		b.q.Select = append(b.q.Select, plan.Select{Expr: "count", As: "count"})
		b.havings()
		return true
	}
	if len(a.shown) == 0 && !b.numbered() && b.totalsAbove(a.target) {
		b.ordered()
		return true
	}
	if a.rows && (a.target < 0 || a.target == b.v.label) && len(a.shown)+len(a.measures)+len(a.filters) == 0 && !a.distinct {
		b.ordered()
		return true // the table as a whole: all its columns, of which readers are shown as many as fit
	}
	switch {
	case a.target >= 0:
		b.show(a.target)
	case a.rows && b.v.label >= 0 && len(a.shown) == 0:
		b.show(b.v.label)
	}
	if a.rows && len(a.shown) == 0 && len(a.measures) == 0 && !a.distinct {
		b.showRow()
	}
	for _, c := range append(slices.Clone(a.shown), a.measures...) {
		b.show(c)
	}
	for _, f := range a.filters { // what a number was compared with, beside other columns
		if len(b.q.Select) > 1 && !a.distinct && f.at >= 0 && f.col >= 0 && !f.date && b.v.cols[f.col].numeric {
			b.show(f.col)
		}
	}
	if len(b.q.Select) == 0 {
		if !slices.ContainsFunc(a.filters, func(f asked) bool { return f.at >= 0 || f.date }) {
			return false
		}
		return b.unnamed()
	}
	plain := !a.rows && len(a.measures) == 0
	b.q.Distinct = a.distinct || plain && len(b.q.Select) > 0
	if plain || a.distinct {
		for _, s := range b.q.Select {
			b.present(b.v.column(s.Column))
		}
	} else if b.v.time >= 0 && !a.rows && len(a.measures) > 0 && b.rangeOfTime() {
		b.q.Select = append([]plan.Select{{Column: b.name(b.v.time)}}, b.q.Select...)
	}
	b.ordered()
	return true
}

// numbered reports whether the question's noun is what each row has a number of, as the orders of order_id: then the rows are asked for,
// not what several of them have in common.
func (b *builder) numbered() bool {
	return b.a.rows && slices.ContainsFunc(b.v.cols, func(c viewColumn) bool {
		return c.info.Role == "identifier" && c.info.Distinct >= b.v.info.Rows &&
			slices.ContainsFunc(b.r.toks, func(t token) bool { return t.lemma == c.names[0][0].lemma })
	})
}

// showRow adds what else tells a row apart: the columns of the conditions, then the first others, up to six.
func (b *builder) showRow() {
	for _, f := range b.a.filters {
		if f.col >= 0 {
			b.show(f.col)
		}
	}
	for c := range b.v.cols {
		if len(b.q.Select) >= 6 {
			return
		}
		b.show(c)
	}
}

// rangeOfTime reports whether a condition keeps a stretch of time rather than one.
func (b *builder) rangeOfTime() bool {
	return !slices.ContainsFunc(b.q.Select, func(s plan.Select) bool { return b.v.column(s.Column) == b.v.time })
}

// unnamed shows rows of which the question named only conditions.
func (b *builder) unnamed() bool {
	rows := b.v.label >= 0 && slices.ContainsFunc(b.r.toks, func(t token) bool { return b.v.source[t.lemma] })
	if c := b.r.onlyMeasure(); c >= 0 && !rows {
		if b.v.time >= 0 {
			b.show(b.v.time)
		}
		b.show(c)
		return true
	}
	if b.v.label >= 0 {
		b.show(b.v.label)
		b.showRow()
		return true
	}
	return false
}
