package reader

import (
	"catena/planner/reader/link"
	"catena/query"
	"catena/table"
)

// momentOf is the time that a word names by what happened then: a column of times, or the time of a table's rows.
func momentOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	switch x := p[0].(type) {
	case link.FieldRef:
		if f := s.Field(x); f.Type == table.Date || f.Type == table.DateTime {
			return column{FieldRef: x}, nil
		}
	case link.EntityRef:
		if at, ok := s.timeSaid(x.Table); ok {
			return column{FieldRef: at}, []Feature{fact("moment of rows")}
		}
	}
	return nil, nil
}

// timeSaid is the time that the rows of a table speak of, where no other column could be it.
func (s *scope) timeSaid(t int) (link.FieldRef, bool) {
	at, ok := s.timeOf(t)
	if !ok || s.Entity(t).Time == "" && !s.onlyTime(at) {
		return link.FieldRef{}, false
	}
	f := s.Field(at)
	return at, f.Type == table.Date || f.Type == table.DateTime
}

// onlyTime reports whether a table has no other column of times.
func (s *scope) onlyTime(at link.FieldRef) bool {
	for i, f := range s.Entity(at.Table).Fields {
		if i != at.Field && (f.Type == table.Date || f.Type == table.DateTime) {
			return false
		}
	}
	return true
}

// lapseOf is how long it takes from one time to another of a row: two moments, the second of them the later.
func lapseOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	from, ok := p[0].(column)
	to, also := p[1].(column)
	if !ok || !also || !from.apartFrom(to) {
		return nil, nil
	}
	a, b := s.statistics(from.FieldRef), s.statistics(to.FieldRef)
	if b.Min < a.Min && b.Max < a.Max {
		from, to = to, from
	}
	return column{FieldRef: to.FieldRef, op: opElapsed, other: from.FieldRef}, []Feature{fact("times named")}
}

// apartFrom reports whether two columns are two fields of one table, whole.
func (c column) apartFrom(b column) bool {
	return c.Table == b.Table && c.FieldRef != b.FieldRef && c.grain+b.grain == ""
}

// lapseTo is how long it takes until something has happened, from the time that the rows speak of: the moment.
func lapseTo(s *scope, p []meaning, k []string) (meaning, []Feature) {
	to, ok := p[0].(column)
	if !ok {
		return nil, nil
	}
	at, known := s.timeSaid(to.Table)
	if !known {
		return nil, nil
	}
	return lapseOf(s, []meaning{column{FieldRef: at}, to}, k)
}

// lapseIn is how long something takes, told in a unit: the number or what is made of it, the unit.
func lapseIn(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	unit, ok := p[len(p)-1].(word)
	if !ok {
		return nil, nil
	}
	told := func(c column) (column, bool) {
		if c.op != opElapsed || c.grain != "" {
			return c, false
		}
		if unit.sense != link.GrainDay {
			c.grain = unit.sense
		}
		return c, true
	}
	switch x := p[0].(type) {
	case column:
		if c, ok := told(x); ok {
			return c, nil
		}
	case *measure:
		if c, ok := told(x.of); ok && x.op == "" {
			m := *x
			m.of = c
			return &m, nil
		}
	}
	return nil, nil
}

// unitsOfDay are how many of a unit a day has.
var unitsOfDay = map[string]int64{link.GrainHour: 24, "minute": 24 * 60}

// since is how long it is from one time to another, in days or in the unit that was said.
func since(from, to query.Expr, unit string) query.Expr {
	days := query.Do("sub", query.Do("days", to), query.Do("days", from))
	if n, ok := unitsOfDay[unit]; ok {
		return query.Do("mul", days, query.Lit(table.IntValue(n)))
	}
	return days
}

// endpoints are the two of several times that a table's names call the beginning and the end of one thing; none where
// they do not.
func (s *scope) endpoints(t int) []link.FieldRef {
	from, to, ok := s.Entity(t).Endpoints()
	if !ok {
		return nil
	}
	return []link.FieldRef{{Table: t, Field: from}, {Table: t, Field: to}}
}
