package data

import (
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
)

// keyNames gives the grouping columns their names in the result: As; else the column's own name; else, where a column is cut
// into periods, the period's: revenue by quarter has a column quarter, not one called month or opened. A name that says the
// period already stays (order_month by month), and one that another column of the result has gets the source column's name in
// front. The rest of the query may go on naming the source column: see renamed.
func (r *queryRun) keyNames() []string {
	names := make([]string, len(r.q.GroupBy))
	taken := map[string]bool{}
	for i, k := range r.q.GroupBy {
		if k.As != "" || !r.renames(k) {
			if names[i] = k.As; k.As == "" {
				names[i] = k.Column
			}
			taken[strings.ToLower(names[i])] = true
		}
	}
	for _, s := range r.q.Select {
		if s.Expr != "" {
			taken[strings.ToLower(s.Name())] = true
		}
	}
	for i, k := range r.q.GroupBy {
		if names[i] != "" {
			continue
		}
		names[i] = k.Period
		if taken[names[i]] {
			names[i] = k.Column + "_" + k.Period
		}
		names[i] = freeName(names[i], func(n string) bool { return taken[strings.ToLower(n)] })
		taken[strings.ToLower(names[i])] = true
	}
	return names
}

// renames reports whether a key without As is called by its period.
func (r *queryRun) renames(k plan.GroupKey) bool {
	i := r.t.Index(k.Column)
	if k.Period == "" || i < 0 || r.t.Column(i).Type == table.Int && k.Period == string(table.Year) {
		return false // years as numbers stay as they are
	}
	return !slices.Contains(profiler.ReadName(k.Column).Words, k.Period)
}

// keyUnit marks the numbers that stand for a period, so that whoever shows them writes weekdays and months by name, and years
// without separators.
func keyUnit(period string) string {
	switch table.Period(period) {
	case table.Weekday:
		return profiler.UnitWeekday
	case table.MonthOfYear:
		return profiler.UnitMonth
	case table.Year, table.Decade:
		return profiler.UnitYear
	}
	return ""
}

// marked gives the columns of years, weekdays and months their unit.
func (r *queryRun) marked(names []string) error {
	for i, k := range r.q.GroupBy {
		unit := keyUnit(k.Period)
		c := r.t.Index(names[i])
		if unit == "" || c < 0 || r.t.Column(c).Type != table.Int {
			continue
		}
		values := r.t.NewValues()
		for row := range r.t.Rows() {
			values[row] = r.t.Value(row, c)
		}
		var err error
		if r.t, err = r.t.WithColumn(table.Column{Name: r.t.Column(c).Name, Type: table.Int, Unit: unit}, values); err != nil {
			return err
		}
	}
	return nil
}

// renamed lets the stages after grouping name a key by its source column: a name that the result does not have becomes the
// name of the first key that is made of that column.
func (r *queryRun) renamed(names []string) {
	to := func(name string) string {
		if name == "" || r.t.Index(name) >= 0 {
			return name
		}
		for _, s := range r.q.Select {
			if s.Expr != "" && strings.EqualFold(s.Name(), name) {
				return name
			}
		}
		for i, k := range r.q.GroupBy {
			if strings.EqualFold(k.Column, name) {
				return names[i]
			}
		}
		return name
	}
	all := func(list []string) []string {
		out := slices.Clone(list)
		for i := range out {
			out[i] = to(out[i])
		}
		return out
	}
	r.q.OrderBy = slices.Clone(r.q.OrderBy)
	for i := range r.q.OrderBy {
		r.q.OrderBy[i].Column = to(r.q.OrderBy[i].Column)
	}
	r.q.Having = renamedConditions(r.q.Having, to)
	r.q.LimitBy = all(r.q.LimitBy)
	r.q.ShareOfTotal, r.q.RankBy = to(r.q.ShareOfTotal), to(r.q.RankBy)
	r.periods = map[string]table.Period{}
	for i, k := range r.q.GroupBy {
		r.periods[names[i]] = table.Period(k.Period)
	}
	if c := r.q.Change; c != nil {
		r.q.Change = &plan.Change{Column: to(c.Column), Order: to(c.Order), By: all(c.By), Every: c.Every}
	}
}

func renamedConditions(list []plan.Condition, to func(string) string) []plan.Condition {
	out := slices.Clone(list)
	for i := range out {
		out[i].Column = to(out[i].Column)
		out[i].Any = renamedConditions(out[i].Any, to)
	}
	return out
}

// checkPeriods refuses a period that does not exist before columns are named by it.
func checkPeriods(keys []plan.GroupKey) error {
	for _, k := range keys {
		if k.Period != "" && !table.Period(k.Period).Valid() {
			return queryErrorf("there is no period %q; the periods are year, quarter, month, week, day, decade, hour, month_of_year, weekday", k.Period)
		}
	}
	return nil
}
