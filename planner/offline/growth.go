package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"catena/planner/plan"
)

// window is a stretch of whole months, both ends included, and what it is called in a result.
type window struct {
	from, to time.Time
	name     string
}

func (w window) condition(column string) plan.Condition {
	return plan.Condition{Column: column, Op: "between", Value: []any{w.from.Format("2006-01"), w.to.Format("2006-01")}}
}

func (w window) back(months int) window {
	return named(w.from.AddDate(0, -months, 0), w.to.AddDate(0, -months, 0))
}

// named calls whole years by their number and other stretches by their first and last month.
func named(from, to time.Time) window {
	w := window{from: from, to: to}
	switch {
	case from.Month() == time.January && to.Month() == time.December && from.Year() == to.Year():
		w.name = strconv.Itoa(from.Year())
	case from.Equal(to):
		w.name = from.Format("Jan 2006")
	case from.Year() == to.Year():
		w.name = from.Format("Jan") + " to " + to.Format("Jan 2006")
	default:
		w.name = from.Format("Jan 2006") + " to " + to.Format("Jan 2006")
	}
	return w
}

func monthOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// lastFull gives the first and the last month of the data that are over: the month of now is not.
func (b *builder) lastFull() (first, last time.Time, ok bool) {
	c := b.v.cols[b.v.time].info
	first, ok1 := parseDay(c.Min)
	last, ok2 := parseDay(c.Max)
	if !ok1 || !ok2 {
		return first, last, false
	}
	if first.Day() > 7 {
		first = first.AddDate(0, 1, 0)
	}
	first, last = monthOf(first), monthOf(last)
	if now := monthOf(b.r.now); !b.r.now.IsZero() && !last.Before(now) {
		last = now.AddDate(0, -1, 0)
	}
	return first, last, !last.Before(first)
}

// growth compares like with like where amounts add up over time and the question names no time: the last twelve full months
// with the twelve before, or each full year with the one before. done is false for all other questions.
func (b *builder) growth() (done, ok bool) {
	a := b.a
	if b.v.time < 0 || b.v.cols[b.v.time].year {
		return false, false
	}
	b.measureOfMost()
	if !b.needMeasure() || !b.v.cols[a.measures[0]].sums() || !b.v.cols[a.measures[0]].hasConcept(flows...) {
		return false, false
	}
	if e := b.explicit(); len(e) > 0 && !slices.Equal(e, []string{"sum"}) {
		return false, false
	}
	first, last, have := b.lastFull()
	if !have {
		return false, false
	}
	if a.yearly {
		return true, b.yearByYear(first, last)
	}
	if slices.ContainsFunc(b.q.Filter, func(f plan.Condition) bool { c := b.v.column(f.Column); return c >= 0 && b.v.cols[c].time }) {
		return false, false
	}
	now := named(last.AddDate(0, -11, 0), last)
	before := now.back(12)
	if before.from.Before(first) {
		return false, false
	}
	return true, b.sideBySide([]window{before, now})
}

// keysOfChange are what a change is compared by: groups that are no times, and what is asked for.
func (b *builder) keysOfChange() []plan.GroupKey {
	timed := func(k plan.GroupKey) bool { c := b.v.column(k.Column); return c >= 0 && b.v.cols[c].time }
	keys := slices.DeleteFunc(slices.Clone(b.groups()), timed)
	if t := b.a.target; t >= 0 && !b.v.cols[t].time && !slices.ContainsFunc(keys, func(k plan.GroupKey) bool { return k.Column == b.name(t) }) {
		keys = append([]plan.GroupKey{{Column: b.name(t)}}, keys...)
	}
	return keys
}

// sideBySide sums a measure in two stretches of time and subtracts.
func (b *builder) sideBySide(list []window) bool {
	a := b.a
	keys := b.keysOfChange()
	b.keyed(keys)
	column := b.name(a.measures[0])
	for _, w := range list {
		b.q.Select = append(b.q.Select, plan.Select{Expr: "sum", Column: column, As: column + " " + w.name, Filter: []plan.Condition{w.condition(b.name(b.v.time))}})
	}
	from, to := column+" "+list[0].name, column+" "+list[1].name
	b.then = &plan.Query{Derive: []plan.Derived{{As: "change", Op: "sub", Left: to, Right: from}, {As: "change_percent", Op: "percent", Left: "change", Right: from}}}
	if len(keys) == 0 {
		return true
	}
	b.largestChange(b.then)
	return true
}

// mostYears is how many years are set side by side.
const mostYears = 6

// yearByYear sets the sums of full years side by side, and between two of them the change in percent.
func (b *builder) yearByYear(first, last time.Time) bool {
	from, to := first.Year()+b2i(first.Month() > time.January), last.Year()-b2i(last.Month() < time.December)
	for _, f := range b.q.Filter {
		if c := b.v.column(f.Column); c >= 0 && b.v.cols[c].time {
			b.a.unclear = "Year over year is answered for all full years in the data, or for one: “growth of … in 2025”. Which is meant?"
			return false
		}
	}
	if from = max(from, to-mostYears+1); to <= from {
		b.a.unclear = fmt.Sprintf("The data hold fewer than two full years (%s to %s). Which two times shall be compared?", first.Format("January 2006"), last.Format("January 2006"))
		return false
	}
	b.keyed(b.keysOfChange())
	column := b.name(b.a.measures[0])
	b.then = &plan.Query{}
	for _, k := range b.q.GroupBy {
		b.then.Select = append(b.then.Select, plan.Select{Column: cmp.Or(k.As, k.Column)})
	}
	for y := from; y <= to; y++ {
		start := time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC)
		w := named(start, start.AddDate(0, 11, 0))
		as := column + " " + w.name
		b.q.Select = append(b.q.Select, plan.Select{Expr: "sum", Column: column, As: as, Filter: []plan.Condition{w.condition(b.name(b.v.time))}})
		b.then.Select = append(b.then.Select, plan.Select{Column: as})
		if y == from {
			continue
		}
		change, percent := fmt.Sprintf("change %d", y), fmt.Sprintf("change_percent %d", y)
		b.then.Derive = append(b.then.Derive, plan.Derived{As: change, Op: "sub", Left: as, Right: fmt.Sprintf("%s %d", column, y-1)}, plan.Derived{As: percent, Op: "percent", Left: change, Right: fmt.Sprintf("%s %d", column, y-1)})
		b.then.Select = append(b.then.Select, plan.Select{Column: percent})
	}
	return true
}
