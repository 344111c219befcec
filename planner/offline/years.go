package offline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"catena/planner/plan"
)

// twoTimes makes sure that a change compares two times, and complete ones. A question about one year means that year and
// the one before; of a year that is not over the same months are compared. Without a time the periods that are not complete
// are left out.
func (b *builder) twoTimes() {
	c := &b.v.cols[b.v.time]
	timed := false
	for i := range b.q.Filter {
		f := &b.q.Filter[i]
		if b.v.column(f.Column) != b.v.time || f.Period != "" {
			continue
		}
		timed = true
		if f.Op == "eq" {
			b.previous(f, c)
			return
		}
	}
	if !timed && !c.year {
		b.complete(c)
	}
}

// previous turns a condition on one year, quarter or month into one on it and the one before.
func (b *builder) previous(f *plan.Condition, c *viewColumn) {
	if n, ok := f.Value.(int); ok {
		if !slices.ContainsFunc(b.q.Filter, func(o plan.Condition) bool {
			k := b.v.column(o.Column)
			return k >= 0 && o.Column != f.Column && b.v.cols[k].info.Role == "time"
		}) && b.v.calendar("month") < 0 && b.v.calendar("quarter") < 0 {
			f.Op, f.Value = "in", []any{n - 1, n}
		}
		return
	}
	text, _ := f.Value.(string)
	if len(text) == 7 && text[5] != 'Q' {
		if at, err := time.Parse("2006-01", text); err == nil {
			if now := b.r.now; now.Format("2006-01") == text {
				b.a.unclear = fmt.Sprintf("%s is not complete yet. Shall %s be compared with the month before?", at.Format("January 2006"), at.AddDate(0, -1, 0).Format("January"))
				return
			}
			f.Op, f.Value = "in", []any{at.AddDate(0, -1, 0).Format("2006-01"), text}
		}
		return
	}
	if y, q, ok := strings.Cut(text, "-Q"); ok {
		year, _ := strconv.Atoi(y)
		before := fmt.Sprintf("%d-Q4", year-1)
		if n, _ := strconv.Atoi(q); n > 1 {
			before = fmt.Sprintf("%d-Q%d", year, n-1)
		}
		f.Op, f.Value = "in", []any{before, text}
		return
	}
	year, err := strconv.Atoi(text)
	if err != nil || len(text) != 4 || slices.ContainsFunc(b.a.groups, func(k plan.GroupKey) bool { return b.v.column(k.Column) == b.v.time && k.Period != "year" }) {
		return
	}
	before := strconv.Itoa(year - 1)
	last, ok := parseDay(c.info.Max)
	if now := b.r.now; !now.IsZero() && now.Before(last) {
		last = now
	}
	if !ok || last.Year() != year || last.Month() == 12 {
		f.Op, f.Value = "in", []any{before, text}
		return
	}
	end := last.Month() // the last month with data is complete only when now lies behind it
	if now := b.r.now; now.Year() == year && now.Month() == end {
		end--
	}
	if end == 0 {
		b.a.unclear = fmt.Sprintf("No month of %s is complete yet. Shall %s be compared with the year before?", text, before)
		return
	}
	same := func(y string) plan.Condition {
		return plan.Condition{Column: f.Column, Op: "between", Value: []any{y + "-01", fmt.Sprintf("%s-%02d", y, int(end))}}
	}
	b.yearly = true
	b.a.note = fmt.Sprintf("%s is compared with the same months of %s: January to %s.", text, before, end)
	if end == 1 {
		b.a.note = fmt.Sprintf("January %s is compared with January %s.", text, before)
	}
	*f = plan.Condition{Any: []plan.Condition{same(before), same(text)}}
}

// complete leaves out the period in which now lies, and of years a first one that does not begin with January.
func (b *builder) complete(c *viewColumn) {
	first, ok := parseDay(c.info.Min)
	last, ok2 := parseDay(c.info.Max)
	now := b.r.now
	if !ok || !ok2 || now.IsZero() || !slices.Contains([]string{"", "month", "year"}, b.changePeriod()) {
		return
	}
	name := c.info.Name
	if b.changePeriod() == "year" {
		from, to := first.Year(), last.Year()
		if first.Month() > 1 {
			from++
		}
		if now.Year() == to {
			to--
		}
		if to > from && (from > first.Year() || to < last.Year()) {
			b.q.Filter = append(b.q.Filter, plan.Condition{Column: name, Op: "between", Value: []any{strconv.Itoa(from), strconv.Itoa(to)}})
			b.a.note = fmt.Sprintf("Only complete years are compared: %d and %d.", from, to)
		}
		return
	}
	months := (last.Year()-first.Year())*12 + int(last.Month()-first.Month()) + 1
	if now.Year() == last.Year() && now.Month() == last.Month() && c.info.Distinct <= months && months > 2 {
		b.q.Filter = append(b.q.Filter, plan.Condition{Column: name, Op: "lt", Value: now.Format("2006-01")})
		b.a.note = now.Format("January 2006") + " is not complete and was left out."
	}
}

// fellWords and roseWords are verbs that say which way something changed.
var (
	fellWords = plan.WordSet("dropped declined decreased fell fallen shrank shrunk sank lost falling declining decreasing shrinking dropping")
	roseWords = plan.WordSet("grew grown increased rose risen gained growing rising increasing gaining")
)

// turned keeps the things that changed in the direction that the question says: "clients whose revenue dropped".
func (b *builder) turned() {
	op := ""
	for _, t := range b.r.toks {
		switch {
		case t.low == "how" || t.low == "growth" || t.low == "change":
			return
		case fellWords[t.low]:
			op = "lt"
		case roseWords[t.low]:
			op = "gt"
		}
	}
	if op == "" || b.a.super != nil || !slices.ContainsFunc(b.r.toks, func(t token) bool {
		return t.low == "whose" || t.low == "which" || t.low == "where" || t.low == "that" || t.low == "with"
	}) {
		return
	}
	b.then = &plan.Query{
		Filter:  []plan.Condition{{Column: "change", Op: op, Value: 0}},
		OrderBy: []plan.Order{{Column: "change", Desc: op == "gt"}},
	}
	b.q.OrderBy = nil
}
