package table

import (
	"strings"
	"time"

	"catena/internal/text"
)

// moments types dates, date-times, times of day and durations.
func (s *sheetTyper) moments() Inferred {
	values := make([]Value, len(s.cells))
	var shown []int // texts that say what clocks showed
	bad, zone := 0, ""
	for i, c := range s.cells {
		switch c.kind {
		case sheetNumber:
			zone = c.format.zone
			if values[i] = c.value(); values[i].Type() == DateTime {
				values[i] = MicrosValue(DateTime, inZone(values[i].micros(), zone), "")
			}
		case sheetDate:
			v, zoned := isoMoment(c.text)
			if v.IsNull() {
				v = spanOf(c.text) // of a column of durations, where mixed let it pass
			}
			if values[i] = v; v.Type() == DateTime && !zoned {
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
		values[i] = MicrosValue(DateTime, inZone(values[i].micros(), zone), "")
	}
	return s.ofTimes(values, zone)
}

// isoMoment reads a date or date-time by ISO 8601, and tells whether it has a zone.
func isoMoment(text string) (v Value, zoned bool) {
	m, ok := parseMoment(strings.TrimSpace(text), "2006-1-2")
	switch {
	case !ok:
		return NullValue, false
	case !m.hasTime:
		return DateOfDays(m.day), false
	}
	return MicrosValue(DateTime, m.instant(), ""), m.hasZone
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
func spanOf(text string) Value {
	d, err := ReadDuration(text)
	if err != nil || d%time.Microsecond != 0 {
		return NullValue
	}
	return DurationOfMicros(d.Microseconds())
}

// ofTimes builds a column of times; date-times are instants already. Clocks beside durations are durations; a day beside date-times is one at midnight.
func (s *sheetTyper) ofTimes(values []Value, zone string) Inferred {
	col := Column{}
	for _, v := range values {
		switch {
		case v.IsNull() || v.Type() == col.Type:
		case col.Type == Null:
			col.Type = v.Type()
		case col.Type.Temporal() && v.Type().Temporal():
			col.Type = DateTime
		case (col.Type == Time || col.Type == Duration) && (v.Type() == Time || v.Type() == Duration):
			col.Type = Duration
		default:
			s.note("dates and times of day are mixed, so all are text")
			return s.asText()
		}
	}
	if col.Type == DateTime {
		col.Zone = zone
	}
	if col.Type == Null {
		return Inferred{Array: newNulls(len(values))}
	}
	b := NewColumnBuilder(col, len(values))
	for _, v := range values {
		switch {
		case v.IsNull():
			b.AppendNull()
		case col.Type == Date:
			b.Append(v)
		case col.Type == DateTime && v.Type() == Date:
			b.Append(MicrosValue(DateTime, inZone(v.micros(), zone), ""))
		default:
			b.Append(MicrosValue(col.Type, v.micros(), ""))
		}
	}
	return Inferred{Column: col, Array: b.Finish()}
}
