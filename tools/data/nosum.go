package data

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"catena/internal/text"
	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
)

// levels are the words that name what never adds up, and what one value of it is. A name is of that kind when one of them is its
// head: the last word, but for units and other qualifiers.
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

// level gives what a name is of: "a rating" for avg_rating_2024; "" for amounts and counts, such as rating_count and temp_workers.
func level(name string) string {
	name, _, _ = strings.Cut(name, "(")
	words := plan.NameWords(name)
	if len(words) > 1 && countWords[words[0]] && words[1] == "of" { // number of ratings
		return ""
	}
	if at := slices.Index(words, "by"); at > 0 { // customers by age
		words = words[:at]
	}
	if what := levels[headWord(words)]; what != "" {
		return what
	}
	if at := slices.IndexFunc(words, func(w string) bool { return linkWords[w] }); at > 0 {
		words = words[:at]
	}
	head := headWord(words)
	if what := levels[head]; what != "" {
		return what
	}
	if head == "" || !leadWords[words[0]] || countWords[head] || plan.Singular(head) != head {
		return ""
	}
	return levels[words[0]]
}

// headWord gives the last word that says what the values are, with years, units and the like behind it left out; "" where none does.
func headWord(words []string) string {
	for ; len(words) > 0; words = words[:len(words)-1] {
		last := words[len(words)-1]
		if levels[last] != "" {
			return last
		}
		if qualifierWords[last] || numbered(last) || monthName(last) {
			continue
		}
		if unit := profiler.UnitOf(strings.Join(words, "_")); len(words) == 1 || unit == "" {
			return last
		}
	}
	return ""
}

// numbered reports whether a word is a year or number, or one of a period: 2024, 100k, q1, fy2024.
func numbered(w string) bool {
	letters := strings.TrimRight(w, "0123456789")
	return w[0] >= '0' && w[0] <= '9' || len(letters) < len(w) && len(letters) <= 2
}

// monthName reports whether a word is an English month or the beginning of one: jan, sept.
func monthName(w string) bool {
	for m := time.January; len(w) >= 3 && m <= time.December; m++ {
		if strings.HasPrefix(strings.ToLower(m.String()), w) {
			return true
		}
	}
	return false
}

// The words around the one that names a level. Qualifiers may stand behind it, links begin what it is of. Leads say it of the thing
// that follows (average order value, score math), if that is one: of several things, and of counts, there is a number.
var (
	qualifierWords = text.WordSet("min max minimum maximum low high lowest highest current latest final initial overall raw adjusted day night today daily weekly monthly quarterly yearly annual ytd year month week quarter value level reading group deg degree degrees km mi h m s pct percent percentage")
	linkWords      = text.WordSet("of per in at for from on out over vs before after within")
	leadWords      = text.WordSet("average avg mean median score rating")
	countWords     = text.WordSet("count cnt number num total sum sold amount qty quantity volume headcount")
)
