package data

import (
	"strconv"
	"strings"
	"time"

	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
)

// levels are the words that name what never adds up, and what one value of it is. A name is of that kind when one of them is its
// head: the last word, the first one, or the one before a unit.
var levels = map[string]string{
	"rating": "a rating", "ratings": "a rating", "stars": "a rating", "grade": "a grade", "gpa": "a grade", "score": "a score", "scores": "a score", "nps": "a score", "csat": "a score", "satisfaction": "a score",
	"index": "an index", "rank": "a place in an order", "ranking": "a place in an order", "position": "a place in an order", "percentile": "a place in an order",
	"rate": "a rate", "growth": "a rate of change", "yoy": "a rate of change", "churn": "a rate", "retention": "a rate", "conversion": "a rate", "ctr": "a rate", "cvr": "a rate", "utilization": "a rate", "utilisation": "a rate",
	"occupancy": "a rate", "apr": "a rate", "apy": "a rate", "yield": "a rate", "inflation": "a rate", "roi": "a ratio", "roe": "a ratio", "ratio": "a ratio", "margin": "a ratio", "probability": "a probability", "likelihood": "a probability",
	"temperature": "a temperature", "temp": "a temperature", "humidity": "a reading", "pressure": "a reading", "age": "an age", "speed": "a speed", "velocity": "a speed", "density": "a density", "altitude": "an altitude", "elevation": "an altitude",
	"average": "an average", "avg": "an average", "mean": "an average", "median": "an average", "bmi": "a ratio", "latitude": "a position", "lat": "a position", "longitude": "a position", "lon": "a position", "lng": "a position",
}

// noSum says what one value of a column is where values of it never add up: "a rating"; "" where a sum may mean something. No
// mean says that an average of them means nothing either.
func noSum(t *table.Table, i int, m profiler.ColumnMetadata) (what string, noMean bool) {
	col := t.Column(i)
	if !col.Type.Numeric() {
		return "", false
	}
	if writtenDates(t, i) {
		return "a date", true
	}
	switch m.SemanticType {
	case profiler.ID:
		return "an identifier", true
	case profiler.Phone:
		return "a phone number", true
	case profiler.PostalCode:
		return "a postal code", true
	case profiler.Date, profiler.DateTime:
		return "a date", true
	case profiler.Latitude, profiler.Longitude:
		return "a position", false
	}
	what = level(col.Name)
	switch {
	case m.SemanticType == profiler.Percentage && m.Aggregation != profiler.AggregateSum:
		if what == "" {
			what = "a percentage"
		}
		return what, false
	case what == "a rate of change" && m.Units == "": // whatever it is a change of
		return what, false
	case m.Aggregation == profiler.AggregateSum, m.SemanticType == profiler.Currency:
		return "", false
	}
	return what, false
}

// writtenDates reports whether whole numbers are dates such as 20250131: of other numbers of that size one in twenty-seven is.
func writtenDates(t *table.Table, i int) bool {
	const looked, enough = 1000, 3
	if t.Column(i).Type != table.Int {
		return false
	}
	found := 0
	for row := range min(t.NumRows(), looked) {
		v := t.Value(row, i)
		if v.IsNull() {
			continue
		}
		n, _ := v.Int()
		if n < 1800_01_01 || n > 2199_12_31 {
			return false
		}
		if _, err := time.Parse("20060102", strconv.FormatInt(n, 10)); err != nil {
			return false
		}
		found++
	}
	return found >= enough
}

// level gives what a name is of: "a rating" for avg_rating_2024; "" for amounts and counts.
func level(name string) string {
	head, _, _ := strings.Cut(name, "(")
	words := plan.NameWords(head)
	for len(words) > 1 && words[len(words)-1] >= "0" && words[len(words)-1] < "a" { // a year or a number
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return ""
	}
	if what := levels[words[len(words)-1]]; what != "" {
		return what
	}
	if _, unit := profiler.CleanName(name); len(words) > 1 && unit != "" && levels[words[len(words)-2]] != "" {
		return levels[words[len(words)-2]]
	}
	return levels[words[0]]
}
