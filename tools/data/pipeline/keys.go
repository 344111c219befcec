package pipeline

import (
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
)

// measureNames are what the column is called that says how many or how much, where several columns hold numbers.
var measureNames = plan.WordSet("quantity qty amount total value count stock balance sum units")

// measure puts the table's one measure in place of * in aggregates of numbers and in orders: a plan may be made
// before anybody knows what the columns of a tool's result are called.
func (p *pipeline) measure() error {
	open := func(s plan.Select) bool { return s.Column == "*" && s.Expr != "" && s.Expr != "count" }
	isOpen := func(o plan.Order) bool { return o.Column == "*" }
	if !slices.ContainsFunc(p.q.Select, open) && !slices.ContainsFunc(p.q.OrderBy, isOpen) {
		return nil
	}
	name, err := p.onlyMeasure()
	if err != nil {
		return err
	}
	p.q.Select, p.q.OrderBy = slices.Clone(p.q.Select), slices.Clone(p.q.OrderBy)
	for i, s := range p.q.Select {
		if open(s) {
			p.q.Select[i].Column = name
		}
	}
	for i, o := range p.q.OrderBy {
		if o.Column == "*" {
			p.q.OrderBy[i].Column = name
		}
	}
	return nil
}

// onlyMeasure is the one column that says how many or how much. Where several may, the error names them.
func (p *pipeline) onlyMeasure() (string, error) {
	var all, byName []string
	for _, f := range p.schema {
		words := plan.NameWords(f.Name)
		if !f.Type.Numeric() || len(words) == 0 {
			continue
		}
		switch last := words[len(words)-1]; {
		case last == "id" || last == "number" || last == "year" || last == "index":
			continue
		case measureNames[last] || measureNames[words[0]]:
			byName = append(byName, f.Name)
		}
		all = append(all, f.Name)
	}
	switch {
	case len(all) == 1:
		return all[0], nil
	case len(byName) == 1:
		return byName[0], nil
	case len(all) == 0:
		return "", Errorf("there is no column of numbers")
	}
	return "", Errorf("which column is meant: %s?", strings.Join(all, ", "))
}

// keyNames gives the grouping columns their names in the result: As; else the column's own name; else, where a column
// is cut into periods, the period's: revenue by quarter has a column quarter, not one called month or opened. A name
// that says the period already stays (order_month by month), and one that another column of the result has gets the
// source column's name in front. The rest of the query may go on naming the source column: see renamed.
func (p *pipeline) keyNames() ([]string, error) {
	names := make([]string, len(p.q.GroupBy))
	taken := map[string]bool{}
	for i, k := range p.q.GroupBy {
		if k.Period != "" && !table.Period(k.Period).Valid() {
			return nil, noPeriod(k.Period)
		}
		if k.As != "" || !p.renames(k) {
			if names[i] = k.As; k.As == "" {
				names[i] = k.Column
			}
			taken[strings.ToLower(names[i])] = true
		}
	}
	for _, s := range p.q.Select {
		if s.Expr != "" {
			taken[strings.ToLower(s.Name())] = true
		}
	}
	for i, k := range p.q.GroupBy {
		if names[i] != "" {
			continue
		}
		names[i] = k.Period
		if taken[names[i]] {
			names[i] = k.Column + "_" + k.Period
		}
		names[i] = FreeName(names[i], func(n string) bool { return taken[strings.ToLower(n)] })
		taken[strings.ToLower(names[i])] = true
	}
	return names, nil
}

// renames reports whether a key without As is called by its period.
func (p *pipeline) renames(k plan.GroupKey) bool {
	i := p.schema.Index(k.Column)
	if k.Period == "" || i < 0 || p.schema[i].Type == table.Int && k.Period == string(table.Year) {
		return false // years as numbers stay as they are
	}
	return !slices.Contains(profiler.ReadName(k.Column).Words, k.Period)
}

// keyUnit marks the numbers that stand for a period, so that whoever shows them writes weekdays and months by name,
// and years without separators.
func keyUnit(period string) string {
	switch table.Period(period) {
	case table.Weekday:
		return table.UnitWeekday
	case table.MonthOfYear:
		return table.UnitMonth
	case table.Year, table.Decade:
		return table.UnitYear
	}
	return ""
}

// markedKeys gives the columns of years, weekdays and months their unit.
func (p *pipeline) markedKeys(names []string) {
	for i, k := range p.q.GroupBy {
		if unit := keyUnit(k.Period); unit != "" && p.schema[p.schema.Index(names[i])].Type == table.Int {
			p.setUnit(names[i], unit)
		}
	}
}

// renamed lets the stages after grouping name a key by its source column: a name that the result does not have
// becomes the name of the first key that is made of that column.
func (p *pipeline) renamed(names []string) {
	to := func(name string) string {
		if name == "" || p.schema.Index(name) >= 0 {
			return name
		}
		for _, s := range p.q.Select {
			if s.Expr != "" && strings.EqualFold(s.Name(), name) {
				return name
			}
		}
		for i, k := range p.q.GroupBy {
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
	p.q.OrderBy = slices.Clone(p.q.OrderBy)
	for i := range p.q.OrderBy {
		p.q.OrderBy[i].Column = to(p.q.OrderBy[i].Column)
	}
	p.q.Having = renamedConditions(p.q.Having, to)
	if b := p.q.Beside; b != nil {
		p.q.Beside = &plan.Beside{Filter: renamedConditions(b.Filter, to), Offset: b.Offset}
	}
	p.q.LimitBy = all(p.q.LimitBy)
	p.q.ShareOfTotal, p.q.RankBy = to(p.q.ShareOfTotal), to(p.q.RankBy)
	for i, k := range p.q.GroupBy {
		p.periods[names[i]] = table.Period(k.Period)
	}
	if c := p.q.Change; c != nil {
		p.q.Change = &plan.Change{Column: to(c.Column), Order: to(c.Order), By: all(c.By), Every: c.Every}
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

// noPeriod says which periods there are.
func noPeriod(name string) error {
	const told = "there is no period %q; the periods are year, quarter, month, week, day, decade, hour, month_of_year, weekday"
	return Errorf(told, name)
}
