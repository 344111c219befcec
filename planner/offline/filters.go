package offline

import (
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

// dateFilters turns stretches of time into conditions.
func (r *reader) dateFilters(a *ask) {
	for _, d := range r.mergedDates() {
		for _, c := range r.dateConditions(d) {
			a.filters = append(a.filters, asked{cond: c, col: r.v.column(c.Column), date: true, at: d.i})
		}
	}
}

// mergedDates joins single periods that stand apart: "was 2012 wetter than 2015".
func (r *reader) mergedDates() []dateRef {
	var out []dateRef
	for _, d := range r.dates {
		if n := len(out) - 1; n >= 0 && d.op == "eq" && d.period == "" && len(d.from) > 3 {
			switch last := &out[n]; {
			case last.op == "eq" && last.period == "" && len(last.from) == len(d.from):
				last.op, last.list, last.from = "in", []string{last.from, d.from}, ""
				continue
			case last.op == "in" && last.period == "" && len(last.list[0]) == len(d.from):
				last.list = append(last.list, d.from)
				continue
			}
		}
		if n := len(out) - 1; n >= 0 && d.period == "weekday" && out[n].period == "weekday" && (r.low(d.i-1) == "and" || r.low(d.i-1) == "or" || r.low(d.i-1) == ",") {
			out[n].list = append(slices.Clone(out[n].list), d.list...)
			out[n].j = d.j
			continue
		}
		out = append(out, d)
	}
	return out
}

// dateConditions gives the conditions of one stretch of time on the table's time column, or on its columns of years and
// months.
func (r *reader) dateConditions(d dateRef) []plan.Condition {
	if r.v.inTexts() {
		return r.cellConditions(d)
	}
	if r.v.time < 0 {
		return nil
	}
	c := r.v.cols[r.timeNear(d.i)]
	name := c.info.Name
	d = r.dated(d, &c)
	if d.prior != "" && len(d.from) >= 4 && len(c.info.Max) >= 4 && c.info.Max[:4] < d.from[:4] { // the data end before: their own last period
		return r.lastPeriods(dateRef{op: "last", period: d.prior, n: 1}, c)
	}
	if d.op == "last" {
		return r.lastPeriods(d, c)
	}
	if d.period != "" {
		return r.foldedPeriod(d, c)
	}
	if c.year {
		return r.yearConditions(d, name)
	}
	switch d.op {
	case "between":
		return []plan.Condition{{Column: name, Op: "between", Value: []any{d.from, d.to}}}
	case "in":
		return []plan.Condition{{Column: name, Op: "in", Value: anyList(d.list)}}
	}
	if d.op == "eq" && yearless(d.from) { // a day of any year
		d.op = "ends_with"
	}
	return []plan.Condition{{Column: name, Op: d.op, Value: d.from}}
}

func anyList(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// yearConditions compares a column of years; a month or quarter goes to the column that counts those.
func (r *reader) yearConditions(d dateRef, name string) []plan.Condition {
	number := func(s string) any { n, _ := strconv.Atoi(s[:min(4, len(s))]); return n }
	if strings.HasSuffix(d.from, "s") && d.op == "eq" {
		n, _ := strconv.Atoi(d.from[:4])
		return []plan.Condition{{Column: name, Op: "between", Value: []any{n, n + 9}}}
	}
	var value any
	switch d.op {
	case "between":
		value = []any{number(d.from), number(d.to)}
		if len(d.from) > 5 && len(d.to) == len(d.from) && d.from[4:] == d.to[4:] && r.changing { // from Q1 1990 to Q1 2000
			out := r.yearConditions(dateRef{op: "eq", from: d.from}, name)
			out[0] = plan.Condition{Column: name, Op: "in", Value: value}
			return out
		}
	case "in":
		list := make([]any, len(d.list))
		for i, s := range d.list {
			list[i] = number(s)
		}
		value = list
	default:
		value = number(d.from)
	}
	out := []plan.Condition{{Column: name, Op: d.op, Value: value}}
	if len(d.from) > 5 && d.op == "eq" {
		for kind, rest := range map[string]string{"quarter": strings.TrimPrefix(d.from[4:], "-Q"), "month": strings.TrimLeft(d.from[4:min(7, len(d.from))], "-0")} {
			if n, err := strconv.Atoi(rest); err == nil && (kind == "quarter") == strings.Contains(d.from, "Q") {
				for _, c := range r.v.cols {
					if c.info.Type == "integer" && c.names[0][0].lemma == kind && len(c.names[0]) == 1 {
						out = append(out, plan.Condition{Column: c.info.Name, Op: "eq", Value: n})
					}
				}
			}
		}
	}
	return out
}

// foldedPeriod is a condition on months of any year or days of the week.
func (r *reader) foldedPeriod(d dateRef, c viewColumn) []plan.Condition {
	list := make([]any, len(d.list))
	for i, s := range d.list {
		list[i], _ = strconv.Atoi(s)
	}
	if c.year {
		for _, other := range r.v.cols {
			if other.info.Type == "integer" && other.names[0][0].lemma == strings.TrimSuffix(d.period, "_of_year") {
				return []plan.Condition{{Column: other.info.Name, Op: "in", Value: list}}
			}
		}
		return nil
	}
	return []plan.Condition{{Column: c.info.Name, Period: d.period, Op: "in", Value: list}}
}

// lastPeriods counts back from now, or from the last date of data that end earlier.
func (r *reader) lastPeriods(d dateRef, c viewColumn) []plan.Condition {
	end := r.now
	if c.year {
		if part := r.v.calendar(d.period); part >= 0 && d.period != "year" {
			r.lastOf = []int{r.v.time, part}
			r.lastN = d.n
			return nil
		}
		year, err := strconv.Atoi(c.info.Max)
		if err != nil || d.period != "year" && d.period != "decade" {
			return nil
		}
		n := d.n
		if d.period == "decade" {
			n *= 10
		}
		return []plan.Condition{{Column: c.info.Name, Op: "ge", Value: min(year, end.Year()) - n + 1}}
	}
	if last, ok := parseDay(c.info.Max); ok && (end.IsZero() || last.Before(end)) {
		end = last
	}
	return []plan.Condition{{Column: c.info.Name, Op: "ge", Value: lastFrom(end, d.period, d.n)}}
}
