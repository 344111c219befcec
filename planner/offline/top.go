package offline

import (
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
)

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
		for _, k := range b.a.groups {
			if k.Period == "" {
				b.q.Select = append(b.q.Select, plan.Select{Column: k.Column})
				b.q.LimitBy = append(b.q.LimitBy, k.Column)
			}
		}
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
		} else if base, _, _ := degreeOf(b.r.low(s.at + 1)); base == "profitable" {
			return false // of which nothing here speaks
		} else if c := b.r.onlyMeasure(); c >= 0 {
			s.col = c
			if base, _, _ := degreeOf(b.r.low(s.at)); base == "bad" {
				s.desc = b.r.harmful(c)
			}
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
	if w := b.r.low(s.at); s.col >= 0 && a.target >= 0 && a.target != s.col && b.v.cols[s.col].info.NoMean && (w == "most" || w == "least" || w == "fewest") {
		s.rows = true // the most picks: what numbers them is no amount, so that they are counted
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
	if a.target < 0 && len(a.shown) == 0 && s.n == 0 && !a.rows && !s.adjective {
		b.q.Select = []plan.Select{{Expr: map[bool]string{true: "max", false: "min"}[s.desc], Column: b.name(s.col)}}
		return true
	}
	if a.target < 0 && len(a.shown) > 0 && b.v.label >= 0 {
		b.show(b.v.label) // whose they are
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
	if b.r.part != "" {
		rows := "rows"
		if s.n == 1 {
			rows = "row"
		}
		b.a.note = fmt.Sprintf("%s %% of the %s rows of %s are %d %s.", strings.TrimRight(b.r.part, "% "), thousandsOf(b.v.info.Rows), b.v.info.Name, s.n, rows)
		if len(b.q.GroupBy) > 0 || slices.ContainsFunc(b.a.filters, func(f asked) bool { return f.at >= 0 }) {
			b.a.cannot = fmt.Sprintf("How many %s %% of these are is not known before they are counted. Ask for a number instead: “top 5”.", strings.TrimRight(b.r.part, "% "))
		}
	}
	if s.n == 1 && s.nth == 0 {
		b.q.WithTies = true
	}
	if s.nth > 1 {
		b.q.Offset = s.nth - 1
	}
	if s.n == 0 {
		b.q.Limit, b.q.WithTies = 1, true
		if b.a.plural && b.a.sort != nil {
			b.q.Limit, b.q.WithTies = 0, false
		} else if b.a.plural && len(b.q.GroupBy) > 0 {
			b.q.Limit, b.q.WithTies = 10, false
		}
	}
}

// lastRows keeps the last rows in time, where times are columns of years and quarters.
func (b *builder) lastRows() {
	if b.r.lastN == 0 || len(b.q.GroupBy) > 0 || len(b.q.OrderBy) > 0 {
		return
	}
	for _, c := range b.r.lastOf {
		b.q.OrderBy = append(b.q.OrderBy, plan.Order{Column: b.name(c), Desc: true})
	}
	b.q.Limit = b.r.lastN
}
