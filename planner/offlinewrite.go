package planner

import (
	"fmt"
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
	if len(b.parts) == 0 && len(a.measures) == 2 && b.v.cols[a.measures[0]].numeric && b.v.cols[a.measures[1]].numeric {
		return b.columnShare()
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

// shareMeasure is what the share is of: a measure that the question names; -1 for rows.
func (b *builder) shareMeasure() int {
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

// changes is the difference between the first and the last value in time.
func (b *builder) changes() bool {
	a := b.a
	if years := b.r.yearColumns(); b.v.time < 0 && len(years) > 1 {
		return b.wideChange(years)
	}
	if a.super != nil && a.super.col >= 0 && len(a.measures) == 0 {
		a.measures = []int{a.super.col}
	}
	if !b.needMeasure() {
		return false
	}
	c := b.v.cols[b.v.time]
	b.ends()
	var by []string
	keys := slices.DeleteFunc(slices.Clone(a.groups), func(k plan.GroupKey) bool { return b.v.column(k.Column) == b.v.time })
	if a.target >= 0 && a.target != b.v.time && len(keys) == 0 {
		keys = append(keys, plan.GroupKey{Column: b.name(a.target)})
	}
	if g := b.groups(); len(keys) == 0 && len(g) > 0 && b.v.column(g[0].Column) != b.v.time {
		keys = g
	}
	for _, k := range keys {
		by = append(by, k.Column)
	}
	when := plan.GroupKey{Column: c.info.Name, Period: b.changePeriod()}
	if c.year {
		when.Period = ""
	}
	b.keyed(append(keys, when))
	agg := b.natural(a.measures[0])
	if c.info.Distinct == b.v.info.Rows && !b.v.cols[a.measures[0]].hasConcept(flows...) {
		agg = "mean" // of the months of a year: a level does not add up over time
	}
	if e := b.explicit(); len(e) > 0 {
		agg = e[0]
	}
	s := plan.Select{Expr: agg, Column: b.name(a.measures[0]), As: b.name(a.measures[0])}
	if b.v.column(s.As) == b.v.time {
		return false
	}
	b.q.Select = append(b.q.Select, s)
	b.q.Change = &plan.Change{Column: s.As, Order: c.info.Name, By: by}
	if len(by) > 0 {
		col := "change"
		if a.percent {
			col = "change_percent"
		}
		desc := a.super == nil || a.super.desc
		b.q.OrderBy = []plan.Order{{Column: col, Desc: desc}}
		if a.super != nil && !a.plural {
			b.q.Limit = max(1, a.super.n)
		}
	}
	return true
}

// ends turns "between 1980 and 2000" into the two times that are compared.
func (b *builder) ends() {
	for i, f := range b.q.Filter {
		if f.Op == "between" && b.v.column(f.Column) == b.v.time {
			b.q.Filter[i].Op = "in"
		}
	}
}

// changePeriod is the period whose values are compared: that of the question's times, else the data's own.
func (b *builder) changePeriod() string {
	for _, k := range b.a.groups {
		if b.v.column(k.Column) == b.v.time && k.Period != "" {
			return k.Period
		}
	}
	for _, f := range b.q.Filter {
		if b.v.column(f.Column) != b.v.time || f.Period != "" {
			continue
		}
		text, _ := f.Value.(string)
		if list, ok := f.Value.([]any); ok && len(list) > 0 {
			text, _ = list[0].(string)
		}
		if p := map[int]string{4: "year", 7: "month"}[len(text)]; p != "" && f.Op != "ge" && f.Op != "le" && f.Op != "gt" && f.Op != "lt" {
			return p
		}
	}
	return ""
}

// wideChange compares two columns that are named by years.
func (b *builder) wideChange(years []int) bool {
	from, to := years[0], years[len(years)-1]
	var named []int
	for _, c := range b.a.measures {
		if slices.Contains(years, c) {
			named = append(named, c)
		}
	}
	if len(named) >= 2 {
		from, to = named[0], named[len(named)-1]
	}
	derive := []plan.Derived{{As: "change", Op: "sub", Left: b.name(to), Right: b.name(from)}, {As: "change_percent", Op: "percent", Left: "change", Right: b.name(from)}}
	if b.a.target < 0 && !b.a.rows && (len(b.explicit()) > 0 || len(b.a.groups) > 0 || len(b.q.Filter) > 0) {
		b.keyed(b.a.groups)
		for _, c := range []int{from, to} {
			b.q.Select = append(b.q.Select, plan.Select{Expr: "sum", Column: b.name(c), As: b.name(c)})
		}
		b.then = &plan.Query{Derive: derive}
		return true
	}
	b.q.Derive = derive
	if b.v.label >= 0 {
		b.show(b.v.label)
	}
	for _, n := range []string{b.name(from), b.name(to), "change", "change_percent"} {
		b.q.Select = append(b.q.Select, plan.Select{Column: n})
	}
	return true
}

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
	if a.target < 0 || a.target == b.v.time && !b.v.cols[a.target].year || b.v.cols[a.target].info.Distinct*2 > b.v.info.Rows {
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

// meanOfTotals is the mean of the totals of periods: two queries.
func (b *builder) meanOfTotals() (composed, bool) {
	if !b.a.count && !b.needMeasure() {
		return composed{}, false
	}
	c := b.v.cols[b.v.time]
	key := plan.GroupKey{Column: c.info.Name, Period: b.a.mean1}
	if c.year && key.Period != "decade" {
		key.Period = ""
	}
	b.keyed(append([]plan.GroupKey{key}, b.a.groups...))
	m := "count"
	if b.a.count {
		b.q.Select = append(b.q.Select, plan.Select{Expr: "count", As: m})
	} else {
		m = b.name(b.a.measures[0])
		b.q.Select = append(b.q.Select, plan.Select{Expr: b.natural(b.a.measures[0]), Column: m, As: m})
	}
	outer := plan.Query{GroupBy: b.a.groups}
	for _, k := range b.a.groups {
		outer.Select = append(outer.Select, plan.Select{Column: k.Column})
	}
	expr := "mean"
	if slices.Contains(b.a.aggs, "median") {
		expr = "median"
	}
	outer.Select = append(outer.Select, plan.Select{Expr: expr, Column: m})
	return composed{queries: []plan.Query{b.q, outer}}, true
}

// edges is the first or last time at which the conditions hold.
func (b *builder) edges() bool {
	time := b.name(b.v.time)
	expr := map[string]string{"first": "min", "last": "max"}[b.a.edge]
	if b.a.edge == "both" {
		b.q.Select = []plan.Select{{Expr: "min", Column: time, As: "first_" + time}, {Expr: "max", Column: time, As: "last_" + time}}
		return true
	}
	if len(b.a.measures) > 0 && b.a.target < 0 {
		b.q.Select = []plan.Select{{Column: time}}
		for _, c := range b.a.measures {
			b.show(c)
		}
		b.q.OrderBy = []plan.Order{{Column: time, Desc: expr == "max"}}
		b.q.Limit, b.q.WithTies = 1, true
		return true
	}
	if b.a.target >= 0 && b.a.target != b.v.time {
		b.show(b.a.target)
		b.show(b.v.time)
		b.q.OrderBy = []plan.Order{{Column: time, Desc: expr == "max"}}
		b.q.Limit, b.q.WithTies = 1, true
		return true
	}
	s := plan.Select{Expr: expr, Column: time, As: time}
	b.q.Select = []plan.Select{s}
	return true
}

// superlatives is the rows, or the groups, with the most or least of something.
func (b *builder) superlatives() bool {
	a, s := b.a, b.a.super
	if s.col == -1 {
		if len(a.measures) > 0 {
			s.col, a.measures = a.measures[0], a.measures[1:]
		} else if c := b.r.onlyMeasure(); c >= 0 {
			s.col = c
		} else {
			if !b.r.vague(s) {
				return false
			}
			a.unclear = "By which measure: " + b.r.names(b.v.measure) + "?"
			return false
		}
	}
	if b.v.cols[max(s.col, 0)].time && s.col >= 0 {
		return b.superTime()
	}
	if keys := b.superKeys(); len(keys) > 0 {
		return b.superGroups(keys)
	}
	if s.rows {
		return false
	}
	if len(a.groups) > 0 { // the largest per group
		return b.superPerGroup()
	}
	if a.target < 0 && len(a.shown) == 0 && s.n == 0 && !a.rows {
		b.q.Select = []plan.Select{{Expr: map[bool]string{true: "max", false: "min"}[s.desc], Column: b.name(s.col)}}
		return true
	}
	for _, c := range b.display() {
		b.show(c)
	}
	b.show(s.col)
	b.present(s.col)
	b.top(b.name(s.col))
	return true
}

func (r *reader) vague(s *superlative) bool {
	base, _, _ := degreeOf(r.low(s.at))
	return len(adjectives[base].concepts) == 0 || base == "good" || base == "bad"
}

// present leaves out rows without a value to compare.
func (b *builder) present(c int) {
	if b.v.cols[c].info.Nulls > 0 {
		b.q.Filter = append(b.q.Filter, plan.Condition{Column: b.name(c), Op: "not_null"})
	}
}

// superTime is the rows with the latest or earliest time.
func (b *builder) superTime() bool {
	s := b.a.super
	if b.a.target < 0 && len(b.a.shown) == 0 && s.n == 0 && len(b.a.measures) == 0 && !b.a.rows {
		b.q.Select = []plan.Select{{Expr: map[bool]string{true: "max", false: "min"}[s.desc], Column: b.name(s.col)}}
		return true
	}
	for _, c := range b.display() {
		b.show(c)
	}
	b.show(s.col)
	b.present(s.col)
	b.top(b.name(s.col))
	return true
}

// superKeys are the groups that a superlative compares: what is asked for, when several rows belong to each.
func (b *builder) superKeys() []plan.GroupKey {
	a, s := b.a, b.a.super
	computed := s.rows || len(b.explicit()) > 0
	var keys []plan.GroupKey
	if a.target >= 0 {
		c := b.v.cols[a.target]
		repeated := c.info.Distinct*10 < (b.v.info.Rows-c.info.Nulls)*9
		summed := s.rows || b.v.cols[max(0, s.col)].sums()
		switch {
		case a.target == b.v.time && a.targetBy != "" && !c.year:
			if computed || (summed || s.adjective) && !b.native(a.targetBy) || a.targetBy == "month_of_year" || a.targetBy == "decade" {
				keys = append(keys, plan.GroupKey{Column: c.info.Name, Period: a.targetBy})
			}
		case a.rows && a.target == b.v.label && !s.rows && len(b.explicit()) == 0:
		case repeated && (computed || summed) || s.rows:
			keys = append(keys, plan.GroupKey{Column: c.info.Name})
			for _, w := range a.with {
				keys = append(keys, plan.GroupKey{Column: b.name(w)})
			}
		}
	}
	if len(keys) > 0 {
		return keys
	}
	if computed && len(a.groups) > 0 {
		keys = a.groups
		a.groups = nil
	}
	return keys
}

// native reports whether the data have one value per period anyway: its rows are as many as its times.
func (b *builder) native(period string) bool {
	c := b.v.cols[b.v.time]
	first, ok := parseDay(c.info.Min)
	last, ok2 := parseDay(c.info.Max)
	if !ok || !ok2 || c.info.Distinct < 2 {
		return false
	}
	days := last.Sub(first).Hours() / 24 / float64(c.info.Distinct-1)
	return days > map[string]float64{"year": 300, "quarter": 80, "month": 25, "week": 6, "day": 0.9}[period] && c.info.Distinct == b.v.info.Rows
}

func (b *builder) superGroups(keys []plan.GroupKey) bool {
	a, s := b.a, b.a.super
	for _, g := range a.groups {
		if !slices.Contains(keys, g) {
			keys = append(slices.Clone(keys), g)
		}
	}
	per := len(keys) > 1+len(a.with)
	b.keyed(keys)
	sel := plan.Select{Expr: "count", As: "count"}
	if !s.rows {
		a.measures = []int{s.col}
		agg := b.natural(s.col)
		if e := b.explicit(); len(e) > 0 {
			agg = e[0]
		}
		sel = plan.Select{Expr: agg, Column: b.name(s.col)}
		b.present(s.col)
	}
	b.q.Select = append(b.q.Select, sel)
	b.havings()
	b.top(sel.Name())
	if per {
		for _, k := range keys[1+len(a.with):] {
			b.q.LimitBy = append(b.q.LimitBy, k.Column)
		}
	}
	return true
}

// superPerGroup is the row with the most per group, or only the most when nothing else is asked for.
func (b *builder) superPerGroup() bool {
	a, s := b.a, b.a.super
	plainKeys := !slices.ContainsFunc(a.groups, func(k plan.GroupKey) bool { return k.Period != "" })
	if (a.target < 0 || slices.ContainsFunc(a.groups, func(k plan.GroupKey) bool { return k.Column == b.name(a.target) })) && len(a.shown) == 0 && !a.rows || !plainKeys {
		b.keyed(a.groups)
		b.q.Select = append(b.q.Select, plan.Select{Expr: map[bool]string{true: "max", false: "min"}[s.desc], Column: b.name(s.col)})
		return true
	}
	for _, k := range a.groups {
		b.q.Select = append(b.q.Select, plan.Select{Column: k.Column})
		b.q.LimitBy = append(b.q.LimitBy, k.Column)
	}
	for _, c := range b.display() {
		b.show(c)
	}
	b.show(s.col)
	b.present(s.col)
	b.top(b.name(s.col))
	return true
}

// top orders by a column and cuts.
func (b *builder) top(column string) {
	s := b.a.super
	b.q.OrderBy = []plan.Order{{Column: column, Desc: s.desc}}
	b.q.Limit = s.n
	if s.n == 0 {
		b.q.Limit, b.q.WithTies = 1, true
		if b.a.plural && b.a.sort != nil {
			b.q.Limit, b.q.WithTies = 0, false
		} else if b.a.plural && len(b.q.GroupBy) > 0 {
			b.q.Limit, b.q.WithTies = 10, false
		}
	}
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
	if len(b.q.Select) == 0 {
		if len(b.q.Filter) == 0 {
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
	if c := b.r.onlyMeasure(); c >= 0 {
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
