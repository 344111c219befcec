package reader

import (
	"slices"
	"time"

	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// Grains that the code computes with; all others pass through as the algebra names them.
const (
	// cyclic stands before a grain that comes back: the month of any year.
	cyclic = "cycle:"
)

// during is that a time lies within a period.
func (s *scope) during(e query.Expr, c column, base int, p *link.PeriodRef) (query.Expr, error) {
	f := s.fieldOf(c, base)
	moment := f.Type == table.Date || f.Type == table.DateTime
	switch {
	case p.Cycle == link.GrainHour && f.Type != table.DateTime:
		return nil, errUnrelated
	case p.Cycle != "" && moment:
		args := []query.Expr{query.Do("part", query.Lit(table.TextValue(partOf(p.Cycle))), e)}
		for _, n := range p.Parts {
			args = append(args, query.Lit(table.IntValue(int64(n))))
		}
		return query.Do("in", args...), nil
	case p.Last > 0:
		return s.lastOf(e, c, base, p)
	case moment:
		from, to := s.inData(c, base, f, p)
		return within(e, f.Type, from, to), nil
	case f.Type.Numeric() && wholeYears[p.Grain]:
		return years(e, p), nil
	}
	return nil, errUnrelated
}

// inData is where a period begins and ends. One of which no year was said is the last that begins within the column's
// times: of last year's visits, May is last year's.
func (s *scope) inData(c column, base int, f *semantic.Field, p *link.PeriodRef) (from, to time.Time) {
	from, to = p.From, p.To
	begins := from
	if begins.IsZero() {
		begins = to
	}
	end, ok := s.endOf(c, base, f)
	if !p.Yearless || !ok || !begins.After(end) {
		return from, to
	}
	years := end.Year() - begins.Year()
	if begins.AddDate(years, 0, 0).After(end) {
		years--
	}
	move := func(t time.Time) time.Time {
		if t.IsZero() {
			return t
		}
		return t.AddDate(years, 0, 0)
	}
	return move(from), move(to)
}

// wholeYears are the grains that columns of years can tell apart.
var wholeYears = map[string]bool{link.GrainYear: true, link.GrainDecade: true, link.GrainCentury: true}

// partOf is what the algebra calls a part of a time that comes back: days of the week count from Monday here.
func partOf(cycle string) string {
	if cycle == link.GrainWeekday {
		return "isoweekday"
	}
	return cycle
}

// within is that a time is at from or later, and before to. Zero times are open ends.
func within(e query.Expr, t table.Type, from, to time.Time) query.Expr {
	lit := func(x time.Time) query.Expr {
		if t == table.Date {
			return query.Lit(table.DateValue(x.Year(), x.Month(), x.Day()))
		}
		return query.Lit(table.DateTimeValue(x))
	}
	var list []query.Expr
	if !from.IsZero() {
		list = append(list, query.Do("ge", e, lit(from)))
	}
	if !to.IsZero() {
		list = append(list, query.Do("lt", e, lit(to)))
	}
	return query.Conjunction(list)
}

// years is a period over a column of years' numbers.
func years(e query.Expr, p *link.PeriodRef) query.Expr {
	var list []query.Expr
	if !p.From.IsZero() {
		list = append(list, query.Do("ge", e, query.Lit(table.IntValue(int64(p.From.Year())))))
	}
	if !p.To.IsZero() {
		list = append(list, query.Do("lt", e, query.Lit(table.IntValue(int64(p.To.Year())))))
	}
	if len(list) == 2 && p.To.Year() == p.From.Year()+1 {
		return query.Do("eq", e, query.Lit(table.IntValue(int64(p.From.Year()))))
	}
	return query.Conjunction(list)
}

// lastOf is the last periods up to the end of the data.
func (s *scope) lastOf(e query.Expr, c column, base int, p *link.PeriodRef) (query.Expr, error) {
	f := s.fieldOf(c, base)
	end, ok := s.endOf(c, base, f)
	if !ok {
		return nil, errUnrelated
	}
	from, ok := back(end, p.Grain, p.Last)
	if !ok || f.Type != table.Date && f.Type != table.DateTime {
		return nil, errUnrelated
	}
	return within(e, f.Type, from, time.Time{}), nil
}

// endOf is the last time that a column holds.
func (s *scope) endOf(c column, base int, f *semantic.Field) (time.Time, bool) {
	t := base
	if c.Table != anyTable {
		t = c.Table
	}
	for _, info := range s.tables[t].Columns {
		if info.Name != f.Name {
			continue
		}
		for _, form := range []string{time.DateOnly, time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05"} {
			if at, err := time.Parse(form, info.Max); err == nil {
				return at, true
			}
		}
	}
	return time.Time{}, false
}

// back is where the last n periods begin that hold a time: of months, the first day of the month n-1 before.
func back(end time.Time, grain string, n int) (time.Time, bool) {
	day := time.Date(end.Year(), end.Month(), end.Day(), 0, 0, 0, 0, time.UTC)
	first := time.Date(end.Year(), end.Month(), 1, 0, 0, 0, 0, time.UTC)
	switch grain {
	case "day":
		return day.AddDate(0, 0, 1-n), true
	case "week":
		return day.AddDate(0, 0, 1-7*n), true
	case "month":
		return first.AddDate(0, 1-n, 0), true
	case "quarter":
		return first.AddDate(0, -int(end.Month()-1)%3+3-3*n, 0), true
	case link.GrainYear:
		return time.Date(end.Year()+1-n, 1, 1, 0, 0, 0, 0, time.UTC), true
	}
	return time.Time{}, false
}

// opElapsed puts two times of a row together: the days from the second to the first.
const opElapsed = "elapsed"

// elapsed is how many days what the rows of a table speak of took: from the earlier of its times to the later. A table
// of more times than two must have called two of them so.
func (s *scope) elapsed(t int) (column, bool) {
	var times []link.FieldRef
	for i, f := range s.Entity(t).Fields {
		if f.Expression == "" && (f.Type == table.Date || f.Type == table.DateTime) {
			times = append(times, link.FieldRef{Table: t, Field: i})
		}
	}
	if len(times) > 2 {
		times = s.endpoints(t)
	}
	if len(times) != 2 {
		return column{}, false
	}
	from, to := times[0], times[1]
	a, b := s.statistics(from), s.statistics(to)
	if b.Min < a.Min || b.Max < a.Max {
		from, to, a, b = to, from, b, a
	}
	return column{FieldRef: to, op: opElapsed, other: from}, a.Min <= b.Min && a.Max <= b.Max
}

// statistics are what is known of a column's values; zero where nothing is.
func (s *scope) statistics(f link.FieldRef) plan.ColumnInfo {
	for _, c := range s.tables[f.Table].Columns {
		if c.Name == s.Field(f).Name {
			return c
		}
	}
	return plan.ColumnInfo{}
}

// took are the numbers that words for how long something takes mean, of the tables that have no column for it.
func (s *scope) took(sp link.Span) []link.Span {
	var out []link.Span
	for t := range s.Model.Entities {
		of, ok := s.elapsed(t)
		named := slices.ContainsFunc(s.measuredBy([]string{lasting}), func(f link.Span) bool {
			ref, is := f.Meaning.(link.FieldRef)
			return is && ref.Table == t && s.numeric(ref)
		})
		if !ok || named {
			continue
		}
		made := sp
		made.Category, made.Sense, made.How, made.Meaning = catDerived, "", link.HowUnit, of
		out = append(out, made)
	}
	return out
}

// lasting is the concept of how long something takes.
const lasting = "duration"

// elapsedOf is how long something takes to or from one of its times: the number, a field.
func elapsedOf(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	c, ok := p[0].(column)
	of, also := p[1].(link.FieldRef)
	if !ok || !also || c.op != opElapsed {
		return nil, nil
	}
	if of != c.FieldRef && of != c.other {
		return nil, nil
	}
	return c, nil
}

// agreeing is an adjective's number whose column is named beside it: hired most recently. Column, adjective.
func agreeing(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	by, ok := p[1].(scaled)
	c := column{}
	switch x := p[0].(type) {
	case column:
		c = x
	case link.FieldRef:
		c.FieldRef = x
	}
	if !ok || c != by.of {
		return nil, nil
	}
	return by, []Feature{fact("agree field")}
}

// elapsedBy is how long something takes that is named by its end: settlement time. Field.
func elapsedBy(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	of, ok := p[0].(link.FieldRef)
	if !ok {
		return nil, nil
	}
	c, took := s.elapsed(of.Table)
	if !took || of != c.FieldRef {
		return nil, nil
	}
	return c, nil
}

// unended is that what the rows of a table speak of has not ended: some have no end, and all have a beginning.
func unended(s *scope, _ []meaning, _ []string) (meaning, []Feature) {
	found := column{FieldRef: link.FieldRef{Table: anyTable}}
	for t := range s.Model.Entities {
		c, ok := s.elapsed(t)
		if !ok || s.statistics(c.FieldRef).Nulls == 0 || s.statistics(c.other).Nulls > 0 {
			continue
		}
		if found.Table != anyTable {
			return nil, nil
		}
		found = c
	}
	if found.Table == anyTable {
		return nil, nil
	}
	return &condition{op: opNull, of: column{FieldRef: found.FieldRef}}, []Feature{fact("end implied")}
}
