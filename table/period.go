package table

import "time"

// Valid reports whether p is one of the periods above.
func (p Period) Valid() bool {
	switch p {
	case Year, Quarter, Month, Week, Day, Decade, Hour, MonthOfYear, Weekday:
		return true
	}
	return false
}

// Type is the type that TruncPeriod gives: Date for Quarter, Month, Week and Day, Int for the others.
func (p Period) Type() Type {
	switch p {
	case Quarter, Month, Week, Day:
		return Date
	}
	return Int
}

// TruncPeriod cuts a Date or DateTime to the period in which it lies, in the DateTime's own zone. A Time has an Hour. Everything
// else, and an unknown period, gives null.
func TruncPeriod(v Value, p Period) Value {
	if v.typ == Time && p == Hour {
		return IntValue(v.i / (3600 * 1_000_000))
	}
	t, ok := v.Time()
	if !ok {
		return NullValue
	}
	year, month, day := t.Date()
	switch p {
	case Year:
		return IntValue(int64(year))
	case Decade:
		return IntValue(FloorDiv(int64(year), 10) * 10)
	case Quarter:
		return DateValue(year, (month-1)/3*3+1, 1)
	case Month:
		return DateValue(year, month, 1)
	case Week:
		return DateValue(year, month, day-isoWeekday(t)+1)
	case Day:
		return DateValue(year, month, day)
	case Hour:
		return IntValue(int64(t.Hour()))
	case MonthOfYear:
		return IntValue(int64(month))
	case Weekday:
		return IntValue(int64(isoWeekday(t)))
	}
	return NullValue
}

func isoWeekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }
