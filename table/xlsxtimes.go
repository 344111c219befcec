package table

import "strings"

// moments types dates, date-times, times of day and durations.
func (s *sheetTyper) moments() inferred {
	values := make([]Value, len(s.cells))
	bad, zone, zones := 0, "", 0
	for i, c := range s.cells {
		switch c.kind {
		case sheetNumber:
			values[i] = c.value()
			if zone == "" || c.format.zone == zone {
				zones++
			}
			zone = c.format.zone
		case sheetDate:
			values[i] = isoMoment(c.text)
		default:
			continue
		}
		if values[i].typ == Null {
			bad++
		}
	}
	if bad > 0 {
		s.note("%d cells are shown as dates but are no days, and are null", bad)
	}
	return s.ofTimes(values, zone)
}

// isoMoment reads a date or date-time by ISO 8601.
func isoMoment(text string) Value {
	m, ok := parseMoment(strings.TrimSpace(text), "2006-1-2")
	switch {
	case !ok:
		return NullValue
	case !m.hasTime:
		return Value{typ: Date, i: m.day}
	}
	return Value{typ: DateTime, i: m.instant()}
}

// ofTimes builds a column of times. Clocks beside durations are durations; a day beside date-times is one at midnight.
func (s *sheetTyper) ofTimes(values []Value, zone string) inferred {
	col := Column{}
	for _, v := range values {
		switch {
		case v.typ == Null || v.typ == col.Type:
		case col.Type == Null:
			col.Type = v.typ
		case col.Type.Temporal() && v.typ.Temporal():
			col.Type = DateTime
		case (col.Type == Time || col.Type == Duration) && (v.typ == Time || v.typ == Duration):
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
		return inferred{array: newNulls(len(values))}
	}
	b := newColumnBuilder(col, len(values))
	for _, v := range values {
		switch {
		case v.typ == Null:
			b.appendNull()
		case col.Type == DateTime:
			b.append(Value{typ: DateTime, i: inZone(v.micros(), zone)})
		default:
			b.append(Value{typ: col.Type, i: v.i})
		}
	}
	return inferred{col: col, array: b.finish()}
}
