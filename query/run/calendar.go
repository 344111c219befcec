package run

import "catena/table"

// date is a day of the calendar. It is computed as Howard Hinnant's civil_from_days does: package time takes ten
// times as long, which counts for a column of a million days.
type date struct {
	days       int64 // since 1970
	year       int64
	month, day int64
}

func dateOf(days int64) date {
	z := days + 719_468
	era := table.FloorDiv(z, 146_097)
	doe := z - era*146_097
	yoe := (doe - doe/1460 + doe/36_524 - doe/146_096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d := date{days: days, year: yoe + era*400, month: mp + 3, day: doy - (153*mp+2)/5 + 1}
	if d.month > 12 {
		d.month, d.year = d.month-12, d.year+1
	}
	return d
}

// daysOf is the opposite of dateOf.
func daysOf(year, month, day int64) int64 {
	if month <= 2 {
		year, month = year-1, month+12
	}
	era := table.FloorDiv(year, 400)
	yoe := year - era*400
	doy := (153*(month-3)+2)/5 + day - 1
	return era*146_097 + yoe*365 + yoe/4 - yoe/100 + doy - 719_468
}

// monday is the number of a day in its week, from 0.
func monday(days int64) int64 { return days + 3 - 7*table.FloorDiv(days+3, 7) }

// dayTruncs give the day on which a unit begins.
var dayTruncs = map[string]func(d date) int64{
	"year":    func(d date) int64 { return daysOf(d.year, 1, 1) },
	"quarter": func(d date) int64 { return daysOf(d.year, (d.month-1)/3*3+1, 1) },
	"month":   func(d date) int64 { return d.days - d.day + 1 },
	"week":    func(d date) int64 { return d.days - monday(d.days) },
	"day":     func(d date) int64 { return d.days },
}

// dayParts are the parts of a time that go by its day alone.
var dayParts = map[string]func(d date) int64{
	"year":       func(d date) int64 { return d.year },
	"quarter":    func(d date) int64 { return (d.month-1)/3 + 1 },
	"month":      func(d date) int64 { return d.month },
	"day":        func(d date) int64 { return d.day },
	"weekday":    func(d date) int64 { return (monday(d.days) + 1) % 7 },
	"isoweekday": func(d date) int64 { return monday(d.days) + 1 },
	"yearday":    func(d date) int64 { return d.days - daysOf(d.year, 1, 1) + 1 },
}

// daily makes a function of days one of a vector's numbers: days, or instants without a zone. Nil where the vector
// holds others.
func daily(s shape, f func(d date) int64, instant bool) func(i int64) (int64, bool) {
	switch {
	case f == nil:
	case s.typ == table.Date:
		return func(i int64) (int64, bool) { return f(dateOf(i)), true }
	case s.typ == table.DateTime && s.zone == "":
		unit := int64(1)
		if instant {
			unit = day
		}
		return func(i int64) (int64, bool) { return f(dateOf(table.FloorDiv(i, day))) * unit, true }
	}
	return nil
}
