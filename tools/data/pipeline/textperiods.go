package pipeline

import (
	"strconv"
	"strings"

	"catena/planner/plan"
	"catena/table"
)

// calendarNames are the places of months in their year and of days in their week, by the first three letters of their
// English names.
var calendarNames = map[string]int{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
	"mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6, "sun": 7,
}

// fullNames are all of their names, by which a word is told from another with the same beginning.
var fullNames = plan.WordSet("january february march april may june july august september sept october november december " +
	"monday tuesday tues wednesday thursday thur thurs friday saturday sunday")

// periodsOf reads a text column as periods in the order of time: Q1 2026, 2026-Q1, H1 2025, March 2026, Jan, Tuesday.
// ok is false unless every cell that is not blank is one, and all are of one kind.
func periodsOf(t *table.Table, col int) (values []table.Value, ok bool) {
	values = t.NewValues()
	kind := ""
	for row := range t.Rows() {
		v := t.Value(row, col)
		if Blank(v) {
			continue
		}
		n, is := textPeriod(v.Text())
		if is == "" || kind != "" && is != kind {
			return nil, false
		}
		kind, values[row] = is, table.IntValue(int64(n))
	}
	return values, kind != ""
}

// textPeriod reads one period: its place in time, and what kind it is; "" for none.
func textPeriod(s string) (place int, kind string) {
	const longest = len("September 2026") + 2
	if len(s) > longest {
		return 0, ""
	}
	year, part := 0, 0
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" -/.,'’", r) }) {
		n, err := strconv.Atoi(w)
		switch {
		case err == nil && len(w) == 4 && year == 0:
			year = n
		case len(w) == 2 && (w[0] == 'q' && w[1] >= '1' && w[1] <= '4' || w[0] == 'h' && w[1] >= '1' && w[1] <= '2') && part == 0:
			part, kind = int(w[1]-'0'), kind+w[:1]
		case len(w) >= 3 && calendarNames[w[:3]] > 0 && (len(w) == 3 || fullNames[w]) && part == 0:
			part, kind = calendarNames[w[:3]], kind+"name"
			if strings.Contains("mon tue wed thu fri sat sun", w[:3]) {
				kind += " of day"
			}
		default:
			return 0, ""
		}
	}
	if part == 0 {
		return 0, ""
	}
	if year > 0 {
		kind += " and year"
	}
	return year*100 + part, kind
}
