package data

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/internal/text"
	"catena/profiler"
	"catena/table"
	"catena/table/infer"
	"catena/tools/data/pipeline"
)

// stayedText looks at the columns that stayed text though they hold dates or numbers: dates that have one reading become dates, however
// many ways they are written in; of the others it is said why they stay.
func (c *cleaning) stayedText() error {
	meta := profiler.Describe(c.ctx, c.t)
	for i, col := range c.t.Columns() {
		if col.Type != table.Text {
			continue
		}
		if m := meta[i]; m.SemanticType == profiler.Date || m.SemanticType == profiler.DateTime {
			if err := c.datesOf(i); err != nil {
				return err
			}
			continue
		}
		if values, bad, ok := pipeline.NumbersOf(c.t, i); ok && bad > 0 && meta[i].Role != profiler.RoleIdentifier && meta[i].Role != profiler.RoleTime && meta[i].SemanticType != profiler.Phone {
			c.notes = append(c.notes, strings.Replace(pipeline.NotNumbers(c.t, i, values, bad), " and "+text.Was(bad)+" left out", ", so the column stays text", 1))
		}
	}
	return nil
}

// missingMarks stand for no date.
var missingMarks = []string{"", "-", "--", "–", "—", "?", "n/a", "na", "null", "none", "nil", "unknown", "tbd", "missing", "pending"}

// datesOf reads a column of dates.
func (c *cleaning) datesOf(col int) error {
	name := c.t.Column(col).Name
	dayFirst := dayIsFirst(c.t, col)
	values, clock, missing := c.t.NewValues(), false, 0
	for row := range c.t.Rows() {
		v := c.t.Value(row, col)
		text := strings.TrimSpace(v.Text())
		if v.IsNull() || slices.Contains(missingMarks, strings.ToLower(text)) {
			if !v.IsNull() {
				missing++
			}
			continue
		}
		r, err := infer.ReadTime(text, infer.TimeOptions{DayFirst: dayFirst == dayMonth || dotted(text)})
		switch {
		case err != nil:
			c.notes = append(c.notes, fmt.Sprintf("%s holds dates, but row %d has none that can be read, so the column stays text.", name, row+1))
			return nil // a note tells it, and the column stays what it is
		case !r.Other.IsZero() && dayFirst == unclearOrder && !dotted(text):
			c.notes = append(c.notes, fmt.Sprintf("%s holds dates, but nothing tells whether the day or the month comes first in row %d, so the column stays text.", name, row+1))
			return nil
		case r.Zone:
			return nil // instants keep their offsets as they are written
		}
		clock = clock || r.Clock
		values[row] = table.DateTimeIn(r.Time, "")
	}
	typ := table.Column{Name: name, Type: table.DateTime}
	if !clock {
		typ.Type = table.Date
		for row, v := range values {
			if at, ok := v.Time(); ok {
				values[row] = table.DateValue(at.Year(), at.Month(), at.Day())
			}
		}
	}
	t, err := c.t.WithColumn(typ, values)
	if err != nil {
		return err
	}
	c.t = t
	c.notes = append(c.notes, fmt.Sprintf("%s is read as %s; its dates were written in several ways.", name, typ.Type))
	c.note(missing, "cell of %s that is no date is empty now.", "cells of %s that are no dates are empty now.", name)
	return nil
}

// What a column's dates tell of the order of day and month.
type dateOrder int

const (
	unclearOrder dateOrder = iota
	dayMonth
	monthDay
)

// dayIsFirst finds the order of day and month that the cells prove: those with a day above 12. Dates with points have the day first
// everywhere, and prove nothing of others.
func dayIsFirst(t *table.Table, col int) dateOrder {
	order := unclearOrder
	for row := range t.Rows() {
		text := strings.TrimSpace(t.Value(row, col).Text())
		if dotted(text) {
			continue
		}
		a, errA := time.Parse("2/1/2006", strings.ReplaceAll(text, "-", "/"))
		b, errB := time.Parse("1/2/2006", strings.ReplaceAll(text, "-", "/"))
		var proven dateOrder
		switch {
		case errA == nil && errB != nil && !a.IsZero():
			proven = dayMonth
		case errB == nil && errA != nil && !b.IsZero():
			proven = monthDay
		default:
			continue
		}
		if order != unclearOrder && order != proven {
			return unclearOrder
		}
		order = proven
	}
	return order
}

// dotted reports whether a text begins as 31.12.
func dotted(text string) bool {
	day, rest, ok := strings.Cut(text, ".")
	return ok && len(day) <= 2 && strings.Contains(rest, ".")
}
