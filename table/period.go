package table

// Valid reports whether p is one of the periods above.
func (p Period) Valid() bool {
	switch p {
	case Year, Quarter, Month, Week, Day, Decade, Hour, MonthOfYear, Weekday:
		return true
	}
	return false
}

// Type is the type of such periods: Date for Quarter, Month, Week and Day, Int for the others.
func (p Period) Type() Type {
	switch p {
	case Quarter, Month, Week, Day:
		return Date
	}
	return Int
}
