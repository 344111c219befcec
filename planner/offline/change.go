package offline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/planner/plan"
)

// changes is the difference between the first and the last value in time.
func (b *builder) changes() bool {
	a := b.a
	if years := b.r.yearColumns(); b.v.time < 0 && len(years) > 1 {
		return b.wideChange(years)
	}
	if period := b.stepPeriod(); period != "" {
		return b.everyChange(period)
	}
	if done, ok := b.growth(); done {
		return ok
	}
	b.measureOfMost()
	if !b.needMeasure() {
		return false
	}
	c := b.v.cols[b.v.time]
	b.ends()
	b.twoTimes()
	if a.unclear != "" {
		return false
	}
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
	if b.yearly {
		when.Period = "year"
	}
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
		b.largestChange(&b.q)
		b.turned()
	}
	return true
}

// measureOfMost takes what a superlative compares for what changes, where nothing else is named.
func (b *builder) measureOfMost() {
	if a := b.a; a.super != nil && a.super.col >= 0 && len(a.measures) == 0 {
		a.measures = []int{a.super.col}
	}
}

// stepPeriod is the period of which each is compared with the one before: "month over month", "growth by month"; "" without one.
func (b *builder) stepPeriod() string {
	if b.v.time < 0 {
		return ""
	}
	if b.v.cols[b.v.time].year {
		if b.a.yearly && !slices.ContainsFunc(b.a.filters, func(f asked) bool { return f.date }) {
			return "year"
		}
		return ""
	}
	if t := b.a.targetBy; b.a.super != nil && b.a.target == b.v.time && t != "" && t != "year" { // "which month grew most"
		return t
	}
	for _, k := range b.a.groups {
		if p := k.Period; b.v.column(k.Column) == b.v.time && (p == "quarter" || p == "month" || p == "week" || p == "day") {
			return p
		}
	}
	if b.a.yearly && !b.a.count {
		return "" // full years are set side by side
	}
	if slices.ContainsFunc(b.a.filters, func(f asked) bool {
		text, _ := f.cond.Value.(string)
		return f.date && f.cond.Op == "eq" && periodOf(text) == b.a.every
	}) {
		return "" // one period is compared with the one before
	}
	return b.a.every
}

// everyChange compares each period with the one before it.
func (b *builder) everyChange(period string) bool {
	a := b.a
	b.measureOfMost()
	if !a.count && !b.needMeasure() {
		return false
	}
	keys := b.keysOfChange()
	var by []string
	for _, k := range keys {
		by = append(by, k.Column)
	}
	when := b.name(b.v.time)
	step := plan.GroupKey{Column: when, Period: period}
	if b.v.cols[b.v.time].year {
		step.Period = ""
	}
	b.keyed(append(keys, step))
	s := plan.Select{Expr: "count", As: "count"}
	if len(a.measures) > 0 {
		s = plan.Select{Expr: b.natural(a.measures[0]), Column: b.name(a.measures[0]), As: b.name(a.measures[0])}
		if e := b.explicit(); len(e) > 0 {
			s.Expr = e[0]
		}
	}
	b.q.Select = append(b.q.Select, s)
	b.q.Change = &plan.Change{Column: s.As, Order: when, By: by, Every: true}
	if a.super != nil {
		b.largestChange(&b.q)
	}
	b.partial(period)
	return true
}

// partial notes which of the first and the last period the data hold in part only: their change is none.
func (b *builder) partial(period string) {
	c := b.v.cols[b.v.time].info
	first, ok := parseDay(c.Min)
	last, ok2 := parseDay(c.Max)
	if !ok || !ok2 || period == "day" || b.v.cols[b.v.time].year {
		return
	}
	if first.Day() == 1 && last.Day() == 1 && period != "week" { // months by their first day
		last = last.AddDate(0, 1, -1)
	}
	var parts []string
	for _, day := range []time.Time{first, last} {
		from, to, name := periodAround(day, period)
		const most = 5 // a fifth of it may be missing
		missing := day.Sub(from)
		if day.Equal(last) {
			missing = to.Sub(day) - 24*time.Hour
		}
		if missing*most > to.Sub(from) {
			parts = append(parts, name)
		}
	}
	if len(parts) > 0 {
		verb := map[bool]string{true: "is", false: "are"}[len(parts) == 1]
		b.a.note = fmt.Sprintf("The data go from %s to %s, so %s %s not complete.", first.Format(time.DateOnly), last.Format(time.DateOnly), strings.Join(parts, " and "), verb)
	}
}

// periodAround gives the first day of the period that a day is in, the first day after it, and its name.
func periodAround(day time.Time, period string) (from, to time.Time, name string) {
	switch month := monthOf(day); period {
	case "week":
		from = day.AddDate(0, 0, -int(day.Weekday()+6)%7)
		return from, from.AddDate(0, 0, 7), "the week of " + from.Format(time.DateOnly)
	case "quarter":
		from = month.AddDate(0, -(int(month.Month())-1)%3, 0)
		return from, from.AddDate(0, 3, 0), fmt.Sprintf("%d Q%d", from.Year(), (int(from.Month())+2)/3)
	case "year":
		from = time.Date(day.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
		return from, from.AddDate(1, 0, 0), from.Format("2006")
	default:
		return month, month.AddDate(0, 1, 0), month.Format("January 2006")
	}
}

// largestChange orders by the change and keeps as many rows as are asked for.
func (b *builder) largestChange(q *plan.Query) {
	s := b.a.super
	fell := slices.ContainsFunc(b.r.toks, func(t token) bool { return fellWords[t.low] }) // what dropped most has the least change
	by := plan.Order{Column: "change", Desc: (s == nil || s.desc) != fell}
	if b.a.percent {
		by.Column = "change_percent"
	}
	q.OrderBy = []plan.Order{by}
	if s != nil && (s.n > 0 || !b.a.plural) {
		q.Limit = max(1, s.n)
	}
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
		if p := periodOf(text); p != "" && p != "day" && f.Op != "ge" && f.Op != "le" && f.Op != "gt" && f.Op != "lt" {
			return p
		}
	}
	if !b.v.cols[b.v.time].year && len(b.a.measures) > 0 && (b.v.cols[b.v.time].info.Distinct < b.v.info.Rows || b.events()) && b.v.cols[b.a.measures[0]].sums() {
		return b.seriesKey().Period // the first row and the last say nothing of what adds up
	}
	return ""
}

// events reports whether each row has a number of its own, as orders and tickets have, rather than being the only one of its time.
func (b *builder) events() bool {
	return slices.ContainsFunc(b.v.cols, func(c viewColumn) bool { return c.info.Role == "identifier" && c.info.Distinct >= b.v.info.Rows })
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

// flows are concepts that add up over time, so that "average per year" means the average of the years' totals.
var flows = []string{"death", "precipitation", "revenue", "profit", "quantity", "count", "injury", "order", "ticket", "win", "goal", "medal"}

// meanPer reads "average deaths per year" as the mean of the years' totals, and takes the year out of the groups.
func (b *builder) meanPer() bool {
	a := b.a
	if !a.per || len(a.groups) != 1 || !slices.Contains(a.aggs, "mean") || b.v.column(a.groups[0].Column) != b.v.time {
		return false
	}
	if !a.count && !(b.needMeasure() && b.v.cols[a.measures[0]].hasConcept(flows...)) {
		return false
	}
	a.mean1 = a.groups[0].Period
	a.groups = nil
	return true
}

// difference sets two things or times side by side and subtracts: "the difference between the averages of A and B".
func (b *builder) difference() bool {
	if !b.needMeasure() {
		return false
	}
	for i, f := range b.q.Filter {
		list, ok := f.Value.([]any)
		if !ok || len(list) != 2 || f.Op != "in" && f.Op != "between" {
			continue
		}
		m := b.a.measures[0]
		agg := b.natural(m)
		if e := b.explicit(); len(e) > 0 {
			agg = e[0]
		}
		b.q.Filter = slices.Delete(b.q.Filter, i, i+1)
		var names []string
		for _, v := range list {
			name := fmt.Sprint(v)
			names = append(names, name)
			b.q.Select = append(b.q.Select, plan.Select{Expr: agg, Column: b.name(m), As: name, Filter: []plan.Condition{{Column: f.Column, Period: f.Period, Op: "eq", Value: v}}})
		}
		b.then = &plan.Query{Derive: []plan.Derived{{As: "difference", Op: "sub", Left: names[0], Right: names[1]}}}
		return true
	}
	return false
}
