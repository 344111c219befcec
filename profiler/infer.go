package profiler

import (
	"slices"
	"time"

	"catena/table"
)

// verdict is what a column was found to be.
type verdict struct {
	semantic   string
	concept    string
	role       string
	aggregate  string
	unit       string
	unitSource string
	unitColumn string // see ColumnMetadata.UnitColumn
	format     Suggestion
	confidence float64
	invalid    int
	warnings   []string
}

// infer decides what a column means from its name, its stored type and its values.
func infer(n Name, s *scan) verdict {
	v := verdict{semantic: Unknown, role: RoleDimension, aggregate: AggregateNone, confidence: 0.5,
		format: Suggestion{Kind: "text"}}
	v.unit, v.unitSource = n.Unit, UnitFromName
	if s.col.Unit != "" {
		v.unit, v.unitSource = s.col.Unit, UnitFromMetadata
		switch open := openSigns[s.col.Unit]; {
		case slices.Contains(open, n.Unit):
			v.unit, v.unitSource = n.Unit, UnitFromName
		case n.Unit != s.col.Unit && IsCurrency(n.Unit) && (open != nil || IsCurrency(s.col.Unit)):
			v.warnings = append(v.warnings, otherUnit(n.Unit, s.col.Unit))
		}
	}
	switch s.col.Type {
	case table.Null:
		v.warnings = append(v.warnings, "every cell is empty")
	case table.Bool:
		v.boolean(1)
	case table.Date:
		v.time(Date, Suggestion{Kind: "date", Layout: dateLayout(n, s)})
	case table.DateTime:
		v.time(DateTime, Suggestion{Kind: "date", Layout: dateTimeLayout(s)})
	case table.Time:
		v.time(Time, Suggestion{Kind: "time", Layout: "15:04:05"})
	case table.Duration:
		v.semantic, v.role, v.aggregate, v.confidence, v.format = Duration, RoleMeasure, AggregateSum, 1,
			Suggestion{Kind: "duration"}
		if n.has(meanWords) {
			v.aggregate = AggregateMean
		}
		v.unit = ""
	case table.JSON:
		v.semantic, v.confidence = jsonKind(s.sample), 1
	case table.Text:
		v.text(n, s)
	default:
		v.number(n, s)
	}
	if v.unit == "" {
		v.unitSource = ""
	}
	return v
}

// otherUnit warns of a name that says one unit above values that say another.
func otherUnit(name, values string) string {
	return "the name says " + name + ", the values " + values + ": they are shown as the values say"
}

func (v *verdict) is(semantic, role string, confidence float64) {
	v.semantic, v.role, v.confidence = semantic, role, confidence
}

func (v *verdict) boolean(confidence float64) {
	v.is(Boolean, RoleDimension, confidence)
	v.format, v.unit = Suggestion{Kind: "boolean"}, ""
}

func (v *verdict) time(semantic string, format Suggestion) {
	v.is(semantic, RoleTime, 1)
	v.format, v.unit = format, ""
}

func (v *verdict) identifier(confidence float64) {
	v.is(ID, RoleIdentifier, confidence)
	v.unit = ""
}

// number decides on Int, Float and Decimal columns, the surest evidence first.
func (v *verdict) number(n Name, s *scan) {
	v.format = Suggestion{Kind: "integer"}
	if len(s.numbers) == 0 {
		if n.identifies() && !n.counts() {
			v.identifier(0.3)
		} else {
			v.measure(n, s)
			v.confidence = 0.3
		}
		v.warnings = append(v.warnings, "every cell is empty")
		return
	}
	if s.whole && n.sure != nil {
		// a guess at PolicePrct is a good label, yet whole numbers do not bear it out: they may be those of precincts
		n.Words = n.sure
	}
	lo, hi := s.span()
	switch {
	case s.whole && v.wholeNumber(n, s, lo, hi):
	case n.place() == Latitude && lo >= -90 && hi <= 90, n.place() == Longitude && lo >= -180 && hi <= 180:
		v.is(n.place(), RoleDimension, 0.95)
		v.format, v.unit = Suggestion{Kind: "decimal", Digits: min(writtenDigits(s), 6)}, ""
	case v.percentage(n, s):
	case v.money(n, s):
	default:
		if v.unitSource == UnitFromName && (v.unit == "%" || currencyCodes[v.unit]) {
			v.unit = "" // the numbers have shown that the name means something else
		}
		v.measure(n, s)
		if n.place() != "" {
			v.aggregate = AggregateNone // projected or scaled, still a position
		}
	}
}

// place is Latitude or Longitude where the name is that of one, degrees or not; else "".
func (n Name) place() string {
	last := len(n.Words) - 1
	if last > 0 && (n.Words[last] == "deg" || n.Words[last] == "degrees" || n.Words[last] == "degree") {
		last--
	}
	if last < 0 {
		return ""
	}
	return geoWords[n.Words[last]]
}

// wholeNumber decides on whole numbers that are no measures; false when it is one.
func (v *verdict) wholeNumber(n Name, s *scan, lo, hi float64) bool {
	switch {
	case s.col.Unit == table.UnitWeekday && lo >= 1 && hi <= 7,
		s.col.Unit == table.UnitMonth && lo >= 1 && hi <= 12:
		v.is(Category, RoleTime, 1)
		kinds := map[string]string{table.UnitWeekday: "weekday", table.UnitMonth: "month"}
		v.format = Suggestion{Kind: kinds[s.col.Unit]}
		v.unit = ""
	case s.col.Unit == table.UnitYear:
		v.is(Date, RoleTime, 1)
		v.unit = ""
	case n.postal():
		v.is(PostalCode, RoleDimension, 0.9)
	case n.any("index", "column", "row") && s.isRowNumber(), n.identifies() && !n.counts():
		v.identifier(0.95)
	case n.numbers() && !n.counts() && !s.talliesFromZero(lo):
		v.identifier(0.8)
	case v.unit != "" && v.unit != n.Unit:
		return false // the source says what is measured
	case n.has(yearWords) && !n.has(rateWords) && !n.has(moneyWords) && !n.counts() && v.unit == "" &&
		lo >= 1000 && hi <= 2200:
		v.is(Date, RoleTime, 0.9)
	case v.unit == "" && n.happened(lo, hi):
		v.is(Date, RoleTime, 0.8) // the year in which it happened
	case periodPart(n, lo, hi):
		v.is(Category, RoleTime, 0.85)
		v.unit = "" // hour 14 is no 14 hours
		if n.last() == "number" || n.last() == "week" || n.last() == "hour" || n.last() == "minute" {
			v.semantic = Integer
		}
	case v.unit == "" && lo >= 1900_01_01 && hi <= 2100_12_31 && (n.has(timeWords) || s.kinds >= 5) && s.compactDates():
		v.is(Date, RoleTime, 0.85)
		v.warnings = append(v.warnings, "dates written as whole numbers, 20261231")
	case v.unit == "" && (n.has(periodWords) || n.endsWith("period", "ym", "yyyymm", "yearmonth")) && lo >= 1900_01 &&
		hi <= 2199_12 && s.yearMonths():
		v.is(Category, RoleTime, 0.85)
		v.warnings = append(v.warnings, "months written as whole numbers, 202612")
	case n.ends(timeWords) && isEpoch(lo, hi):
		v.is(DateTime, RoleTime, 0.7)
		v.warnings = append(v.warnings, "looks like seconds or milliseconds since 1970, kept as numbers")
	case lo >= 0 && hi <= 1 && n.isFlag():
		v.boolean(0.9)
		v.format = Suggestion{Kind: "integer"}
	case (v.unit == "" && !n.measures() || v.unit == "%" && lo >= 1) && s.isLabels(lo, hi):
		v.is(Category, RoleDimension, 0.6)
		v.unit = ""
	case n.any("phone", "mobile", "fax", "telephone") && lo >= 1e6:
		v.is(Phone, RoleDimension, 0.8)
	case n.labels() && !n.has(moneyWords) && s.kinds <= max(20, len(s.numbers)/20):
		v.is(Category, RoleDimension, 0.75)
	case n.last() == "code", v.unit == "" && s.numbersThings(n, lo):
		v.identifier(0.75)
	default:
		return false
	}
	return true
}

// Bounds of the years of a column that is only named by what happened then: numbers beyond may count it.
const (
	firstEventYear = 1400
	lastEventYear  = 2100
)

// happened reports whether whole numbers are the years in which something happened that the name says.
func (n Name) happened(lo, hi float64) bool {
	years := lo >= firstEventYear && hi <= lastEventYear
	return years && n.ends(eventWords) && !n.counts()
}

// isLabels reports whether whole numbers are labels: each of 1 to five at most, or of 0 to four, used again and again.
func (s *scan) isLabels(lo, hi float64) bool {
	kinds := s.kinds
	return (lo == 0 || lo == 1) && hi-lo == float64(kinds-1) && kinds >= 3 && kinds <= 5 && len(s.numbers) >= 2*kinds
}

// periodTops are the greatest numbers of parts of a period.
var periodTops = map[string]float64{"month": 12, "quarter": 4, "week": 53, "weekday": 7, "day": 366, "hour": 24,
	"minute": 59, "dow": 7, "doy": 366, "semester": 2, "trimester": 3}

// periodPart reports whether the numbers are months of the year, days of the week and so on.
func periodPart(n Name, lo, hi float64) bool {
	word := n.last()
	if word == "number" && len(n.Words) > 1 {
		word = n.Words[len(n.Words)-2]
	}
	top, ok := periodTops[word]
	return ok && periodWords[word] && lo >= 0 && hi <= top && !n.any("per", "average", "count")
}

// isEpoch reports whether numbers are Unix times between 2000 and 2100 in seconds, milliseconds or microseconds.
func isEpoch(lo, hi float64) bool {
	const from, to = 946_684_800, 4_102_444_800
	for _, scale := range []float64{1, 1e3, 1e6} {
		if lo >= from*scale && hi <= to*scale {
			return true
		}
	}
	return false
}

// compactDates reports whether all numbers are dates written as 20261231.
func (s *scan) compactDates() bool {
	for _, x := range s.numbers {
		i := int64(x)
		y, m, d := int(i/10000), time.Month(i/100%100), int(i%100)
		if at := time.Date(y, m, d, 0, 0, 0, 0, time.UTC); at.Month() != m || at.Day() != d {
			return false
		}
	}
	return true
}

// yearMonths reports whether all numbers are months written as 202612.
func (s *scan) yearMonths() bool {
	return !slices.ContainsFunc(s.numbers, func(x float64) bool { m := int64(x) % 100; return m < 1 || m > 12 })
}

// isRowNumber reports whether the column counts rows from 0 or 1.
func (s *scan) isRowNumber() bool {
	lo, hi := s.span()
	return s.nulls == 0 && s.ascends && (lo == 0 || lo == 1) && hi-lo == float64(s.rows-1) && s.kinds == s.rows
}

// span is the least and the greatest number.
func (s *scan) span() (lo, hi float64) {
	lo, _ = s.min.Float()
	hi, _ = s.max.Float()
	return lo, hi
}

// countsThings reports whether whole numbers are too large to be percentages, or few enough to be labels, whatever the
// name says.
func (s *scan) countsThings() bool {
	if !s.whole {
		return false
	}
	lo, hi := s.span()
	typical, _ := magnitudes(s.numbers)
	return typical > 1000 || lo >= 1 && s.isLabels(lo, hi)
}

// signed reports whether the name is that of a change, which shows its sign.
func (n Name) signed() bool {
	return n.has(changeWords) && !n.any("net") || n.any("net") && n.any("change", "gain")
}

// leastNumbering is from which size on whole numbers, when all of a column are as large, are taken for what numbers
// things.
const leastNumbering = 1e15

// measure makes the column a plain measure.
func (v *verdict) measure(n Name, s *scan) {
	v.is(Decimal, RoleMeasure, 0.7)
	v.aggregate = AggregateSum
	digits := digitsOf(s)
	v.format = Suggestion{Kind: "decimal", Group: true, Digits: digits, Plus: n.signed()}
	if s.whole && digits == 0 {
		if s.col.Type != table.Float {
			v.semantic = Integer
		}
		v.format = Suggestion{Kind: "integer", Group: true, Plus: n.signed()}
	}
	if lo, _ := s.span(); digits == 0 && s.col.Type != table.Float && lo >= leastNumbering {
		// accounts and cards: separators would hide their digits
		v.format = Suggestion{Kind: "integer"}
	}
	if n.counts() || v.unit != "" {
		v.confidence = 0.85
	}
	switch {
	case v.unit == UnitPoints:
		v.format = Suggestion{Kind: "decimal", Plus: true, Group: true, Digits: 1} // as percentages are
		v.aggregate = AggregateMean
	case n.has(extremeWords), n.any("peak") && !additiveUnits[v.unit]:
		v.aggregate = AggregateNone // what was used in hours of peak adds up
	case n.any("average", "mean", "median"):
		v.aggregate = AggregateMean
	case n.counts():
	case n.has(meanWords), n.has(rateWords) && !n.any("change"), v.unit == "°C", v.unit == "°F", v.unit == "ms",
		v.unit == "km/h", v.unit == "mph", v.unit == "m/s", v.unit == "%":
		v.aggregate = AggregateMean
	case !s.whole && !n.has(additiveWords) && !n.has(countWords) && !additiveUnits[v.unit] && !n.any("change"):
		v.aggregate = AggregateMean // what a fraction measures seldom adds up, and its mean always means something
	}
}
