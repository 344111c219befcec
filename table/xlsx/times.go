package xlsx

import (
	"strings"
	"time"

	"catena/internal/text"
	"catena/table"
	"catena/table/infer"
)

// moments types dates, date-times, times of day and durations.
func (s *sheetTyper) moments() infer.Result {
	values := make([]table.Value, len(s.cells))
	var shown []int // texts that say what clocks showed
	bad, zone := 0, ""
	for i, c := range s.cells {
		switch c.kind {
		case sheetNumber:
			zone = c.format.zone
			if values[i] = c.value(); values[i].Type() == table.DateTime {
				values[i] = table.MicrosValue(table.DateTime, inZone(values[i].InMicros(), zone), "")
			}
		case sheetDate:
			v, zoned := isoMoment(c.text)
			if v.IsNull() {
				v = spanOf(c.text) // of a column of durations, where mixed let it pass
			}
			if values[i] = v; v.Type() == table.DateTime && !zoned {
				shown = append(shown, i)
			}
		default:
			continue
		}
		if values[i].IsNull() {
			bad++
		}
	}
	if bad > 0 {
		s.note("%s null", text.CountOf(bad, "cell is shown as a date but is no day, and is", "cells are shown as dates but are no days, and are"))
	}
	for _, i := range shown {
		values[i] = table.MicrosValue(table.DateTime, inZone(values[i].InMicros(), zone), "")
	}
	return s.ofTimes(values, zone)
}

// isoMoment reads a date or date-time by ISO 8601, and tells whether it has a zone.
func isoMoment(text string) (v table.Value, zoned bool) {
	m, ok := infer.ParseMoment(strings.TrimSpace(text), "2006-1-2")
	switch {
	case !ok:
		return table.NullValue, false
	case !m.HasTime:
		return table.DateOfDays(m.Day), false
	}
	return table.MicrosValue(table.DateTime, m.Instant(), ""), m.HasZone
}

func isMoment(text string) bool {
	v, _ := isoMoment(text)
	return !v.IsNull()
}

// spans reports whether all numbers of a column are shown as durations, and there are some.
func (s *sheetTyper) spans() bool {
	for i := range s.cells {
		if c := &s.cells[i]; c.kind == sheetNumber && (!c.format.elapsed || c.format.date) {
			return false
		}
	}
	return s.times > 0 && s.counts[sheetDate] == 0
}

// spanOf is the duration that a text says; null where it says none, or one finer than microseconds. A sheet's day counts are too coarse for long ones, which are written as texts.
func spanOf(text string) table.Value {
	d, err := infer.ReadDuration(text)
	if err != nil || d%time.Microsecond != 0 {
		return table.NullValue
	}
	return table.DurationOfMicros(d.Microseconds())
}

// ofTimes builds a column of times; date-times are instants already. Clocks beside durations are durations; a day beside date-times is one at midnight.
func (s *sheetTyper) ofTimes(values []table.Value, zone string) infer.Result {
	col := table.Column{}
	for _, v := range values {
		switch {
		case v.IsNull() || v.Type() == col.Type:
		case col.Type == table.Null:
			col.Type = v.Type()
		case col.Type.Temporal() && v.Type().Temporal():
			col.Type = table.DateTime
		case (col.Type == table.Time || col.Type == table.Duration) && (v.Type() == table.Time || v.Type() == table.Duration):
			col.Type = table.Duration
		default:
			s.note("dates and times of day are mixed, so all are text")
			return s.asText()
		}
	}
	if col.Type == table.DateTime {
		col.Zone = zone
	}
	if col.Type == table.Null {
		return infer.Result{Array: table.Nulls(len(values))}
	}
	b := table.NewColumnBuilder(col, len(values))
	for _, v := range values {
		switch {
		case v.IsNull():
			b.AppendNull()
		case col.Type == table.Date:
			b.Append(v)
		case col.Type == table.DateTime && v.Type() == table.Date:
			b.Append(table.MicrosValue(table.DateTime, inZone(v.InMicros(), zone), ""))
		default:
			b.Append(table.MicrosValue(col.Type, v.InMicros(), ""))
		}
	}
	return infer.Result{Column: col, Array: b.Finish()}
}
