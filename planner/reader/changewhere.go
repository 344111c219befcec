package reader

import (
	"slices"
	"time"

	"catena/planner/reader/link"
)

// applyWhere replaces the condition on the same column, or adds one.
func (s *scope) applyWhere(a *answer, c *condition, how string) (*answer, bool) {
	changed := *a
	out := &changed
	if how == "" && out.replaceIn(c) {
		return out, true
	}
	set := out.of
	if set == nil {
		base, ok := s.baseOf(out)
		if !ok {
			return nil, false
		}
		set = &rows{table: base, implied: true}
	}
	if !s.reachable(set.table, c) {
		return nil, false
	}
	c = s.conditionAt(set.table, c)
	next := *set
	next.where = slices.Clone(set.where)
	at := slices.IndexFunc(next.where, func(o *condition) bool { return o.of == c.of && simple(o) && simple(c) })
	switch {
	case at < 0:
		next.where = append(next.where, c)
	case how == changeJoins && next.where[at].op == opAmong && c.op == opAmong:
		both := *next.where[at]
		both.values = append(slices.Clone(both.values), c.values...)
		both.copies = append(slices.Clone(both.copies), c.copies...)
		next.where[at] = &both
	case how == "", next.where[at].op == opAmong && c.op == opAmong: // nothing is of two kinds at once
		next.where[at] = c.inYearOf(next.where[at])
	default:
		next.where = append(next.where, c)
	}
	out.of = &next
	return out, true
}

// replaceIn puts a condition in the place of those on its column that the answer's numbers have; false where none has.
func (a *answer) replaceIn(c *condition) bool {
	some := false
	list := slices.Clone(a.measures)
	for i := range list {
		m, found := list[i].replace(c)
		list[i], some = m, some || found
	}
	if some {
		a.measures = list
	}
	return some
}

func (m *measure) replace(c *condition) (*measure, bool) {
	out, in, left, right := *m, false, false, false
	if m.where != nil {
		out.where, in = m.where.replace(c)
	}
	if m.op != "" {
		out.left, left = m.left.replace(c)
		out.right, right = m.right.replace(c)
	}
	return &out, in || left || right
}

// replace is a condition with another in the place of what it says of that one's column.
func (c *condition) replace(with *condition) (*condition, bool) {
	if simple(c) && simple(with) && c.saysAs(with) {
		return with, true
	}
	out, found := *c, false
	out.parts = slices.Clone(c.parts)
	for i := range out.parts {
		if c.op == opAnd {
			p, is := out.parts[i].replace(with)
			out.parts[i], found = p, found || is
		}
	}
	return &out, found
}

// saysAs reports whether two conditions say the same kind of thing of a column.
func (c *condition) saysAs(o *condition) bool { return c.of == o.of && c.op == o.op }

// simple reports whether a condition is about one column.
func simple(c *condition) bool { return len(c.parts) == 0 && c.set == nil }

// inYearOf is a condition on the months or quarters of any year as one on those of the year that another is about,
// where that is one alone: April, behind March 2023, is April 2023.
func (c *condition) inYearOf(o *condition) *condition {
	if c.op != opDuring || o.op != opDuring {
		return c
	}
	year, ok := yearOf(o.period)
	if !ok || len(c.period.Parts) != 1 {
		return c
	}
	months := map[string]int{link.GrainMonth: 1, link.GrainQuarter: 3}[c.period.Cycle]
	if months == 0 {
		return c
	}
	from := time.Date(year, time.Month(1+(c.period.Parts[0]-1)*months), 1, 0, 0, 0, 0, o.period.From.Location())
	out := *c
	out.period = &link.PeriodRef{Grain: c.period.Cycle, From: from, To: from.AddDate(0, months, 0)}
	return &out
}

// yearOf is the one year that a period lies in.
func yearOf(p *link.PeriodRef) (int, bool) {
	if !dated(*p) || halfOpen(p) {
		return 0, false
	}
	year := p.From.Year()
	return year, p.To.Add(-1).Year() == year
}

// halfOpen reports whether a period has one end alone.
func halfOpen(p *link.PeriodRef) bool { return p.From.IsZero() || p.To.IsZero() }
