package offline

import (
	"slices"

	"catena/planner/plan"
)

// derived computes a column of two others, then the superlative or aggregate of it.
func (b *builder) derived() bool {
	a := b.a
	b.q.Derive = []plan.Derived{*a.derive}
	s := plan.Select{Column: a.derive.As}
	switch {
	case a.super != nil && (a.target >= 0 || len(a.shown) > 0):
		for _, c := range b.display() {
			b.show(c)
		}
		b.q.Select = append(b.q.Select, plan.Select{Column: a.derive.Left.(string)}, plan.Select{Column: a.derive.Right.(string)}, s)
		b.top(a.derive.As)
		return true
	case a.super != nil:
		s.Expr = map[bool]string{true: "max", false: "min"}[a.super.desc]
	case len(b.explicit()) > 0:
		s.Expr = b.explicit()[0]
	case len(b.groups()) > 0:
		s.Expr = "mean"
	}
	b.keyed(b.groups())
	if s.Expr == "" {
		for _, c := range b.display() {
			b.show(c)
		}
		b.q.Select = append(b.q.Select, plan.Select{Column: a.derive.Left.(string)}, plan.Select{Column: a.derive.Right.(string)})
	}
	b.q.Select = append(b.q.Select, s)
	return true
}

// shares is the part of a whole in percent: per key, or of the rows that the conditions name.
func (b *builder) shares() bool {
	a := b.a
	a.count = a.count || b.shareOfRows()
	if len(b.parts) == 0 && len(a.measures) == 2 && b.v.cols[a.measures[0]].numeric && b.v.cols[a.measures[1]].numeric {
		return b.columnShare()
	}
	if a.super != nil && len(b.parts) == 0 && b.superlatives() {
		if at := slices.IndexFunc(b.q.Select, func(s plan.Select) bool { return s.Expr == "count" || s.Expr == "sum" }); at >= 0 && len(b.q.GroupBy) > 0 {
			b.q.ShareOfTotal = b.q.Select[at].Name() // "top 3 by revenue with their share"
		}
		return b.q.ShareOfTotal != ""
	}
	if keys := b.groups(); len(keys) > 0 && len(b.parts) == 0 {
		measured := len(a.measures) > 0 || !a.count && b.v.countable() < 0 && len(b.v.measure) == 1
		b.keyed(keys)
		s := plan.Select{Expr: "count", As: "count"}
		if measured && b.needMeasure() {
			s = plan.Select{Expr: "sum", Column: b.name(a.measures[0])}
		}
		b.q.Select = append(b.q.Select, s)
		b.q.ShareOfTotal = s.Name()
		b.q.OrderBy = []plan.Order{{Column: s.Name(), Desc: true}}
		return true
	}
	if len(b.parts) == 0 {
		return false
	}
	s := plan.Select{Expr: "share", As: "percent"}
	for _, p := range b.parts {
		s.Filter = append(s.Filter, p.cond)
	}
	if c := b.shareMeasure(); c >= 0 {
		s.Column = b.name(c)
	}
	b.keyed(b.groups())
	b.q.Select = append(b.q.Select, s)
	return true
}

// columnShare is one column in percent of another: "what share of B was A", "A as a share of B".
func (b *builder) columnShare() bool {
	whole, part := b.a.measures[0], b.a.measures[1]
	for k, m := range b.r.mentions {
		if c := b.r.senseOf(k); c == part && m.i > 0 && b.r.low(m.i-1) == "of" {
			whole, part = part, whole
			break
		}
	}
	b.q.Derive = []plan.Derived{{As: "percent", Op: "percent", Left: b.name(part), Right: b.name(whole)}}
	for _, k := range b.a.groups {
		b.show(b.v.column(k.Column))
	}
	if b.v.time >= 0 {
		b.show(b.v.time)
	} else if b.v.label >= 0 {
		b.show(b.v.label)
	}
	for _, n := range []string{b.name(part), b.name(whole), "percent"} {
		b.q.Select = append(b.q.Select, plan.Select{Column: n})
	}
	return true
}

// countable is a column of counts, -1 without one.
func (v *view) countable() int {
	return slices.IndexFunc(v.cols, func(c viewColumn) bool { return c.numeric && c.hasConcept("count") && !c.time })
}

// shareWords ask for a part of a whole, which is named behind them.
var shareWords = plan.WordSet("share shares percentage percent proportion fraction part portion % pct")

// amountNouns are what an amount is called whatever its column is.
var amountNouns = plan.WordSet("amount value sum volume money spend revenue sale")

// shareOfRows reports whether the whole of a share is said to be things of which each row is one: "percentage of orders refunded" in
// a table of orders is none of their amounts.
func (b *builder) shareOfRows() bool {
	r := b.r
	for i := range r.toks {
		if !shareWords[r.low(i)] && r.toks[i].text != "%" {
			continue
		}
		for j := i + 1; j < len(r.toks) && j <= i+7; j++ {
			t := r.toks[j]
			if amountNouns[t.lemma] {
				return false
			}
			if k := r.mentionAt(j, j+1); k >= 0 {
				if m := r.mentions[k]; !m.value && r.v.cols[m.col].numeric && !r.v.cols[m.col].time {
					return false
				} else if !m.value && r.v.numbersRows(t.lemma) {
					return true
				}
				continue
			}
			if groupWords[t.low] || verbs[t.low] && t.low != "in" && t.low != "with" && t.low != "from" {
				break
			}
			if t.low != t.lemma && (rowsOnly[t.lemma] || r.v.numbersRows(t.lemma)) {
				return true
			}
		}
	}
	return false
}

// numbersRows reports whether each row is one of what the noun means: a column tells every row from the others and is called so, or
// the table is, and has no column of times that would make its rows figures of a period.
func (v *view) numbersRows(lemma string) bool {
	for _, c := range v.cols {
		if c.numeric && !c.time && len(c.names[0]) > 0 && (c.names[0][0].lemma == lemma || len(concepts[lemma]) > 0 && c.hasConcept(concepts[lemma]...)) {
			return false
		}
	}
	for _, c := range v.cols {
		unique := !c.numeric && !c.time && c.info.Distinct > 0 && c.info.Distinct >= v.info.Rows-c.info.Nulls
		if unique && (c.names[0][0].lemma == lemma || slices.ContainsFunc(c.names[0][0].concepts, func(id string) bool { return slices.Contains(concepts[lemma], id) })) {
			return true
		}
	}
	return v.source[lemma] && !v.steady()
}

// steady reports whether the rows are figures of periods rather than things that happened: years, or few times for many rows.
func (v *view) steady() bool {
	return v.time >= 0 && (v.cols[v.time].year || v.cols[v.time].info.Distinct*10 < v.info.Rows)
}

// shareMeasure is what the share is of: a measure that the question names; -1 for rows.
func (b *builder) shareMeasure() int {
	if b.shareOfRows() {
		return -1
	}
	for _, c := range b.a.measures {
		if b.v.cols[c].sums() {
			return c
		}
	}
	if len(b.v.measure) == 1 && b.v.cols[b.v.measure[0]].sums() && !b.a.count {
		for _, p := range b.parts {
			if p.col == b.v.measure[0] {
				return -1
			}
		}
		for _, t := range b.r.toks {
			if rowsOnly[t.lemma] {
				return -1
			}
		}
		return b.v.measure[0]
	}
	return -1
}
