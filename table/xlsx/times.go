package xlsx

import (
	"math"
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
		s.note(
			"%s null",
			text.CountOf(
				bad,
				"cell is shown as a date but is no day, and is",
				"cells are shown as dates but are no days, and are",
			),
		)
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

// spanOf is the duration that a text says; null where it says none, or one finer than microseconds. A sheet's day
// counts are too coarse for long ones, which are written as texts.
func spanOf(text string) table.Value {
	d, err := infer.ReadDuration(text)
	if err != nil || d%time.Microsecond != 0 {
		return table.NullValue
	}
	return table.DurationOfMicros(d.Microseconds())
}

// ofTimes builds a column of times; date-times are instants already. Clocks beside durations are durations; a day
// beside date-times is one at midnight.
func (s *sheetTyper) ofTimes(values []table.Value, zone string) infer.Result {
	col := table.Column{}
	for _, v := range values {
		switch {
		case v.IsNull() || v.Type() == col.Type:
		case col.Type == table.Null:
			col.Type = v.Type()
		case col.Type.Temporal() && v.Type().Temporal():
			col.Type = table.DateTime
		case (col.Type == table.Time || col.Type == table.Duration) &&
			(v.Type() == table.Time || v.Type() == table.Duration):
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

// moment turns a count of days into a date, or a date-time where the format or the number has a time of day. In the
// 1900 system day 60 is the 29th of February 1900, which did not exist: days before it are one further from the epoch
// than the others. Days below 1 are none.
func (f *numFormat) moment(days float64, text string) table.Value {
	micros, ok := roundMicros(days, text)
	if !ok || days < 0 || days >= 2958466 { // 10000-01-01
		return table.NullValue
	}
	day, clock := micros/table.DayMicros, micros%table.DayMicros
	switch {
	case f.from04:
		day += epoch1904
	case day == 60 || day == 0:
		return table.NullValue
	case day < 60:
		day += epoch1900 + 1
	default:
		day += epoch1900
	}
	if !f.clock && clock == 0 {
		return table.DateOfDays(day)
	}
	return table.MicrosValue(table.DateTime, day*table.DayMicros+clock, "")
}

// inZone gives the instant at which clocks in a zone show a time.
func inZone(shown int64, zone string) int64 {
	if zone == "" || zone == "UTC" {
		return shown
	}
	t := time.UnixMicro(shown).UTC()
	return time.Date(
		t.Year(),
		t.Month(),
		t.Day(),
		t.Hour(),
		t.Minute(),
		t.Second(),
		t.Nanosecond(),
		table.Location(zone),
	).UnixMicro()
}

// roundMicros turns days into microseconds: the coarsest of whole seconds, milliseconds and microseconds that the
// number may mean, as it has about 16 digits.
func roundMicros(days float64, text string) (int64, bool) {
	if math.Abs(days) > 1e8 {
		return 0, false
	}
	exact := days * table.DayMicros
	slack := (math.Nextafter(math.Abs(days), math.Inf(1)) - math.Abs(days)) * table.DayMicros
	if point := strings.IndexByte(text, '.'); point >= 0 && len(text) >= 15 && !strings.ContainsAny(text, "eE") {
		slack += 0.5 * math.Pow(
			10,
			-float64(len(text)-point-1),
		) * table.DayMicros // the writer's rounding comes on top of that of the double, and of exact
		slack += math.Nextafter(math.Abs(exact), math.Inf(1)) - math.Abs(exact)
	}
	for _, unit := range [...]float64{1e6, 1e3} {
		if n := math.Round(exact/unit) * unit; math.Abs(n-exact) <= slack {
			return int64(n), true
		}
	}
	return int64(math.Round(exact)), true
}
