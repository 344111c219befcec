package profiler

import (
	"strings"
	"time"
	"unicode"

	"catena/table"
)

// mostly is the part of the distinct texts that must fit a pattern; the rest are counted as invalid.
const mostly = 0.9

// patterns are tried in order on text columns; the first that most texts fit decides.
var patterns = []struct {
	semantic string
	role     string
	fits     func(string) bool
	sure     float64
}{
	{Email, RoleDimension, isEmail, 0.98},
	{URL, RoleDimension, isURL, 0.98},
	{IP, RoleDimension, isIP, 0.97},
	{ID, RoleIdentifier, isUUID, 0.98},
	{JSON, RoleDimension, isJSON, 0.97},
}

// text decides on Text columns.
func (v *verdict) text(n Name, s *scan) {
	v.is(Text, RoleDimension, 0.6)
	unit := v.unit
	v.unit = ""
	if len(s.sample) == 0 {
		v.warnings = append(v.warnings, "every cell is empty")
		return
	}
	for _, p := range patterns {
		if ok, bad := fitting(s, p.fits); ok {
			v.is(p.semantic, p.role, p.sure)
			v.invalid = bad
			return
		}
	}
	switch {
	case v.booleanText(s), v.dateText(n, s), v.measureText(s), v.codeText(n, s):
	case v.numberText(n, s, unit):
	case v.placeText(n, s), v.listText(n, s):
	case n.any("website", "url", "domain", "site", "homepage") && mostFit(s, isDomain):
		v.is(URL, RoleDimension, 0.85)
	case v.isCategory(n, s):
		v.is(Category, RoleDimension, 0.75)
	}
}

// missingWords stand for nothing in columns of something else; patterns pass over them.
var missingWords = set("", "-", "--", "–", "—", "?", "n/a", "na", "null", "none", "nil", "nan", "unknown", "tbd", "missing")

// isMissing reports whether a text without blanks around it is one of missingWords.
func isMissing(x string) bool {
	const longest = 7
	return len(x) <= longest && missingWords[strings.ToLower(x)]
}

// fitting reports whether most texts of the sample fit (with five distinct texts or more, one may always differ), and how many
// cells do not when the sample is the whole column.
func fitting(s *scan, fits func(string) bool) (bool, int) {
	var few [8]string
	bad, good := few[:0], 0
	for _, text := range s.sample {
		switch x := strings.TrimSpace(text); {
		case fits(x):
			good++
		case !isMissing(x):
			if len(bad) > 0 && float64(len(bad)+1) > (1-mostly)*float64(len(s.sample)) {
				return false, 0 // it cannot fit any more
			}
			bad = append(bad, text)
		}
	}
	if good == 0 || float64(good) < mostly*float64(good+len(bad)) && (len(bad) > 1 || good < 4) {
		return false, 0
	}
	return true, s.cellsOf(bad)
}

// cellsOf counts the cells that hold one of the texts.
func (s *scan) cellsOf(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	among := set(texts...)
	cells := 0
	for _, e := range s.distinct {
		if among[clip(s.value(e).Text(), maxTextBytes)] {
			cells += int(e.count)
		}
	}
	return cells
}

func mostFit(s *scan, fits func(string) bool) bool {
	ok, _ := fitting(s, fits)
	return ok
}

var boolPairs = []map[string]bool{set("yes", "no"), set("y", "n"), set("true", "false"), set("t", "f"), set("on", "off"), set("ja", "nein"), set("oui", "non"), set("sí", "no"), set("si", "no")}

// maxBool is the length of the longest text of boolPairs, in bytes.
const maxBool = 5

func (v *verdict) booleanText(s *scan) bool {
	if s.kinds > 6 {
		return false
	}
	for _, pair := range boolPairs {
		if ok, bad := fitting(s, func(x string) bool { return len(x) <= maxBool && pair[strings.ToLower(x)] }); ok && bad == 0 {
			v.boolean(0.95)
			v.format = Suggestion{Kind: "text"}
			return true
		}
	}
	return false
}

// dateLayouts are tried on texts that the loader left alone, for tables that no loader made. A text that can be one is between
// least and most bytes long, and has the sign; time.Parse makes an error for each other, which costs.
var dateLayouts = []struct {
	layout, semantic string
	sign             string
	least, most      int
}{
	{"2006-01-02", Date, "-", 10, 10}, {"2006/01/02", Date, "/", 10, 10}, {"02.01.2006", Date, ".", 10, 10}, {"01/02/2006", Date, "/", 10, 10}, {"02/01/2006", Date, "/", 10, 10},
	{"2 Jan 2006", Date, " ", 9, 11}, {"Jan 2, 2006", Date, ",", 10, 12}, {"January 2, 2006", Date, ",", 10, 18}, {"2006-01", Date, "-", 7, 7},
	{time.RFC3339, DateTime, "T", 19, 30}, {"2006-01-02 15:04:05", DateTime, ":", 18, 30}, {"2006-01-02T15:04:05", DateTime, "T", 18, 30}, {"2006-01-02 15:04", DateTime, ":", 15, 16},
	{"02.01.2006 15:04", DateTime, ".", 15, 16}, {"01/02/2006 15:04", DateTime, "/", 15, 16},
	{"15:04", Time, ":", 4, 5}, {"15:04:05", Time, ":", 7, 30},
}

func (v *verdict) dateText(n Name, s *scan) bool {
	for _, l := range dateLayouts {
		ok, bad := fitting(s, func(x string) bool {
			if len(x) < l.least || len(x) > l.most || !strings.Contains(x, l.sign) || !strings.ContainsAny(x, "0123456789") {
				return false
			}
			_, err := time.Parse(l.layout, x)
			return err == nil
		})
		if ok {
			v.is(l.semantic, RoleTime, 0.85)
			v.invalid = bad
			v.warnings = append(v.warnings, "dates or times stored as text")
			return true
		}
	}
	if n.has(periodWords) && mostFit(s, isPeriodName) {
		v.is(Category, RoleTime, 0.8)
		return true
	}
	return false
}

var periodNames = set("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "january", "february", "march", "april", "june", "july", "august", "september", "october", "november",
	"december", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "q1", "q2", "q3", "q4")

func isPeriodName(s string) bool {
	const longest = 9 // wednesday
	if len(s) > longest {
		return false
	}
	low := strings.ToLower(s)
	return periodNames[low] || len(low) == 7 && (low[:2] == "q1" || low[:2] == "q2" || low[:2] == "q3" || low[:2] == "q4") || len(low) == 7 && low[4] == '-' && low[5] == 'q'
}

// codeText decides on identifiers, postal codes and phone numbers.
func (v *verdict) codeText(n Name, s *scan) bool {
	switch {
	case n.postal():
		v.is(PostalCode, RoleDimension, 0.95)
	case n.any("phone", "mobile", "fax", "telephone", "tel") && mostFit(s, isPhone), mostFit(s, isFullPhone):
		ok, bad := fitting(s, isPhone)
		v.is(Phone, RoleDimension, 0.9)
		if ok {
			v.invalid = bad
		}
	case n.identifies() && !n.has(textWords):
		v.identifier(0.95)
	case mostFit(s, isNumber):
		if !s.leadingZeros() {
			return false
		}
		v.identifier(0.85)
	case !n.has(extremeWords) && mostFit(s, isCode) && s.sameShape() && 2*s.kinds > s.rows-s.nulls:
		v.identifier(0.8)
	default:
		return false
	}
	return true
}

func (v *verdict) placeText(n Name, s *scan) bool {
	word := n.last()
	if word == "name" && len(n.Words) > 1 || word == "code" && len(n.Words) > 1 {
		word = n.Words[len(n.Words)-2]
	}
	semantic := placeWords[word]
	switch {
	case semantic == Country && len(s.sample) > 0:
		v.is(Country, RoleDimension, 0.95)
	case mostFit(s, isCountry) && len(s.sample) >= 2:
		v.is(Country, RoleDimension, 0.9)
	case semantic == "" && mostFit(s, isCountryCode) && len(s.sample) >= 4 && !mostFit(s, func(x string) bool { return usStates[x] }) && !mostFit(s, IsCurrency):
		v.is(Country, RoleDimension, 0.75)
	case semantic != "" && s.lengths.Mean < 60:
		v.is(semantic, RoleDimension, 0.9)
	case mostFit(s, func(x string) bool { return usStates[x] }) && len(s.sample) >= 5:
		v.is(Region, RoleDimension, 0.8)
	default:
		return false
	}
	return true
}

func (v *verdict) listText(n Name, s *scan) bool {
	list := func(sep string) bool {
		return mostFit(s, func(x string) bool { return strings.Count(x, sep) >= 1 && len(x)/(1+strings.Count(x, sep)) < 40 })
	}
	if list(";") || list("|") || n.endsWith("tags", "keywords", "list") && list(",") {
		v.is(List, RoleDimension, 0.75)
		return true
	}
	return false
}

// measureText decides on numbers with one unit written at each: "42.8 kg", "$1,200".
func (v *verdict) measureText(s *scan) bool {
	unit := ""
	ok, bad := fitting(s, func(x string) bool {
		u := writtenUnit(x)
		if unit == "" {
			unit = u
		}
		return u != "" && u == unit
	})
	if !ok {
		return false
	}
	v.is(Decimal, RoleMeasure, 0.8)
	switch {
	case unit == "%":
		v.semantic = Percentage
	case currencyCodes[unit]:
		v.semantic = Currency
	}
	v.unit, v.unitSource, v.invalid = unit, UnitFromValues, bad
	v.warnings = append(v.warnings, "numbers stored as text with their unit")
	return true
}

// writtenUnit is the unit written before or behind a number; "" when the text is not a number with a unit.
func writtenUnit(x string) string {
	if len(x) > 40 {
		return ""
	}
	x = strings.TrimSuffix(strings.TrimPrefix(x, "("), ")")
	number := func(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("+-−.,'\u00a0\u202f ", r) }
	first, last := strings.IndexFunc(x, unicode.IsDigit), strings.LastIndexFunc(x, unicode.IsDigit)
	if first < 0 || strings.ContainsFunc(x[first:last+1], func(r rune) bool { return !number(r) }) {
		return ""
	}
	before, behind := strings.Trim(x[:first], "+-−. "), strings.TrimSpace(x[last+1:])
	switch {
	case before == "":
		return unitOf(behind)
	case behind == "" && currencyCodes[unitOf(before)]:
		return unitOf(before)
	}
	return ""
}

// numberText decides on plain numbers that a few other texts keep from being stored as numbers. They cannot be added up as they are.
func (v *verdict) numberText(n Name, s *scan, unit string) bool {
	ok, bad := fitting(s, isNumber)
	if !ok {
		return false
	}
	v.is(Decimal, RoleMeasure, 0.7)
	switch {
	case currencyCodes[unit]:
		v.semantic = Currency
	case unit == "%" || n.has(percentWords):
		v.semantic = Percentage
	case mostFit(s, func(x string) bool { return isNumber(x) && !strings.ContainsAny(x, ".eE") }):
		v.semantic = Integer
	}
	if v.semantic == Integer && n.has(yearWords) && !n.counts() {
		v.is(Date, RoleTime, 0.7)
	}
	v.unit, v.unitSource, v.invalid = unit, UnitFromName, bad
	v.warnings = append(v.warnings, "numbers stored as text")
	return true
}

func isNumber(x string) bool {
	if x == "" || x[0] > '9' {
		return false
	}
	_, err := table.ParseDecimal(x)
	return err == nil
}

// isCategory reports whether texts repeat enough, or a name says so, to be a set of labels.
func (v *verdict) isCategory(n Name, s *scan) bool {
	cells, kinds := s.rows-s.nulls, s.kinds
	if s.lengths.Mean > 50 {
		return false
	}
	if n.ends(categoryWords) {
		return kinds <= max(50, cells/2)
	}
	if n.ends(textWords) {
		return kinds <= 20 && kinds*10 <= cells
	}
	return kinds <= 200 && kinds*5 <= cells || kinds <= 12 && kinds*2 <= cells
}
