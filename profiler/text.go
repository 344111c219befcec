package profiler

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/profiler/shape"
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
	{Email, RoleDimension, shape.Email, 0.98},
	{URL, RoleDimension, shape.URL, 0.98},
	{IP, RoleDimension, shape.IP, 0.97},
	{ID, RoleIdentifier, shape.UUID, 0.98},
	{JSON, RoleDimension, shape.JSON, 0.97},
	{Geo, RoleDimension, shape.Geo, 0.95},
}

// text decides on Text columns.
func (v *verdict) text(n Name, s *scan) {
	v.is(Text, RoleDimension, 0.6)
	unit := v.unit
	v.unit = ""
	if len(s.sample) == 0 {
		if n.identifies() && !n.counts() {
			v.identifier(0.3)
		}
		v.warnings = append(v.warnings, "every cell is empty")
		return
	}
	for _, p := range patterns {
		if ok, bad := fitting(s, p.fits); ok {
			v.is(p.semantic, p.role, p.sure)
			if v.invalid = bad; p.semantic == JSON {
				v.semantic = jsonKind(s.sample)
			}
			return
		}
	}
	switch {
	case v.booleanText(s), v.dateText(n, s), v.measureText(s, unit), v.codeText(n, s):
	case v.numberText(n, s, unit):
	case v.placeText(n, s), v.listText(n, s):
	case n.any("website", "url", "domain", "site", "homepage") && mostFit(s, shape.Domain):
		v.is(URL, RoleDimension, 0.85)
	case v.isCategory(n, s):
		v.is(Category, RoleDimension, 0.75)
	}
}

// missingWords stand for nothing in columns of something else; patterns pass over them.
var missingWords = set("", "-", "--", "–", "—", "?", "n/a", "na", "null", "none", "nil", "nan", "unknown",
	"tbd", "missing")

// isMissing reports whether a text without blanks around it is one of missingWords.
func isMissing(x string) bool {
	const longest = 7
	return len(x) <= longest && hasFolded(missingWords, x)
}

// hasFolded reports whether the set has a short text in lower case, without allocating.
func hasFolded(words map[string]bool, x string) bool {
	var room [8]byte
	low := append(room[:0], x...)
	for i, c := range low {
		switch {
		case c >= utf8.RuneSelf:
			return words[strings.ToLower(x)]
		case c >= 'A' && c <= 'Z':
			low[i] = c + 'a' - 'A'
		}
	}
	return words[string(low)]
}

// fitting reports whether most texts of the sample fit (with five distinct texts or more, one may always differ), and
// how many cells do not when the sample is the whole column.
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

var boolPairs = []map[string]bool{set("yes", "no"), set("y", "n"), set("true", "false"), set("t", "f"),
	set("on", "off"), set("ja", "nein"), set("oui", "non"), set("sí", "no"), set("si", "no")}

// maxBool is the length of the longest text of boolPairs, in bytes.
const maxBool = 5

func (v *verdict) booleanText(s *scan) bool {
	if s.kinds > 6 {
		return false
	}
	for _, pair := range boolPairs {
		if ok, bad := fitting(s, func(x string) bool { return len(x) <= maxBool && hasFolded(pair, x) }); ok && bad == 0 {
			v.boolean(0.95)
			v.format = Suggestion{Kind: "text"}
			return true
		}
	}
	return false
}

// dateText decides on dates and times that the loader left as text: because of a few other texts, because day and month
// could be either way round, or because no loader saw them.
func (v *verdict) dateText(n Name, s *scan) bool {
	var kinds [shape.Partial]int
	ok, bad := fitting(s, func(x string) bool {
		kind := shape.Date(x)
		if kind == shape.NoDate || kind == shape.Partial {
			return false
		}
		kinds[kind]++
		return true
	})
	if ok && !s.seasons() && !(s.dotted() && !n.has(timeWords)) {
		semantic := Date
		switch {
		case kinds[shape.Clock] > 0 && kinds[shape.Clock] >= kinds[shape.Day]+kinds[shape.Instant]:
			semantic = Time
		case kinds[shape.Instant] > kinds[shape.Month]:
			semantic = DateTime
		}
		v.is(semantic, RoleTime, 0.85)
		v.invalid = bad
		v.warnings = append(v.warnings, "dates or times stored as text"+s.mixedForms())
		return true
	}
	if mostFit(s, shape.Period) || (n.has(periodWords) || n.endsWith("period", "half")) && mostFit(s, isPeriodName) {
		v.is(Category, RoleTime, 0.8)
		return true
	}
	return false
}

// mixedForms says, behind a colon, that dates are written in more ways than one: with other marks between their digits
// and letters.
func (s *scan) mixedForms() string {
	first, seen := "", false
	for _, x := range s.sample {
		if isMissing(x) {
			continue
		}
		marks := strings.Join(strings.FieldsFunc(strings.TrimSpace(x), func(r rune) bool {
			return unicode.IsLetter(r) || unicode.IsDigit(r)
		}), "")
		if !seen {
			first, seen = marks, true
		} else if marks != first {
			return ": they are written in more ways than one"
		}
	}
	return ""
}

// seasons reports whether every text is a year and the two digits of the next one: 2001-02.
func (s *scan) seasons() bool {
	return all(s.sample, func(x string) bool {
		x = strings.TrimSpace(x)
		return isMissing(x) || len(x) == 7 && (int(x[2]-'0')*10+int(x[3]-'0')+1)%100 == int(x[5]-'0')*10+int(x[6]-'0')
	})
}

// dotted reports whether the first text is three pairs of digits with points, which a version may be as well as a day.
func (s *scan) dotted() bool {
	x := strings.TrimSpace(s.sample[0])
	return len(x) == 8 && x[2] == '.' && x[5] == '.'
}

// isPeriodName accepts periods of any year beside those of one: Jan, Monday, Q3, H1, W07.
func isPeriodName(s string) bool {
	return shape.MonthName(s) || shape.WeekdayName(s) || shape.Period(s) ||
		len(s) <= len("W07") && shape.Period(s+" 2000")
}

// codeText decides on identifiers, postal codes and phone numbers.
func (v *verdict) codeText(n Name, s *scan) bool {
	switch {
	case n.postal() && mostFit(s, isPostal):
		v.is(PostalCode, RoleDimension, 0.95)
	case n.any("phone", "mobile", "fax", "telephone", "tel") && mostFit(s, shape.Phone), mostFit(s, shape.FullPhone):
		ok, bad := fitting(s, shape.Phone)
		v.is(Phone, RoleDimension, 0.9)
		if ok {
			v.invalid = bad
		}
	case n.identifies() && !n.has(textWords) && !mostFit(s, isWording):
		v.identifier(0.95)
	case mostFit(s, isPlainNumber):
		if !s.leadingZeros() {
			return false
		}
		if mostFit(s, shape.TrunkPhone) {
			v.is(Phone, RoleDimension, 0.6)
			return true
		}
		v.identifier(0.85)
	case !n.has(extremeWords) && mostFit(s, shape.Code) && s.sameShape() && 2*s.kinds > s.rows-s.nulls:
		v.identifier(0.8)
	default:
		return false
	}
	return true
}

// isWording accepts what no identifier is: letters and blanks without a digit.
func isWording(x string) bool {
	return strings.Contains(x, " ") && !strings.ContainsAny(x, "0123456789")
}

// isPostal accepts what postal codes are written with, in up to ten characters of one or two parts.
func isPostal(x string) bool {
	return len(x) <= 10 && strings.Count(x, " ")+strings.Count(x, "-") <= 2 && strings.ContainsAny(x, "0123456789")
}

func (v *verdict) placeText(n Name, s *scan) bool {
	word := n.last()
	if word == "name" && len(n.Words) > 1 || word == "code" && len(n.Words) > 1 {
		word = n.Words[len(n.Words)-2]
	}
	semantic := placeWords[word]
	switch {
	case semantic == Country && s.someCountries():
		v.is(Country, RoleDimension, 0.95)
	case mostFit(s, isCountry) && len(s.sample) >= 2:
		v.is(Country, RoleDimension, 0.9)
	case semantic == "" && mostFit(s, isCountryCode) && len(s.sample) >= 4 && !mostFit(s, func(x string) bool {
		return usStates[x]
	}) && !mostFit(s, IsCurrency):
		v.is(Country, RoleDimension, 0.75)
	case semantic != "" && semantic != Country && s.lengths.Mean < 60:
		v.is(semantic, RoleDimension, 0.9)
	case mostFit(s, func(x string) bool { return usStates[x] }) && len(s.sample) >= 5:
		v.is(Region, RoleDimension, 0.8)
	default:
		return false
	}
	return true
}

// someCountries reports whether a column called country holds some: a fifth of its texts are countries by name or code.
func (s *scan) someCountries() bool {
	known, cells := 0, 0
	for _, text := range s.sample {
		x := strings.TrimSpace(text)
		if isMissing(x) {
			continue
		}
		cells++
		if isCountry(x) || isCountryCode(strings.ToUpper(x)) {
			known++
		}
	}
	return known > 0 && 5*known >= cells
}

func (v *verdict) listText(n Name, s *scan) bool {
	list := func(sep string) bool {
		return mostFit(s, func(x string) bool {
			return strings.Count(x, sep) >= 1 && len(x)/(1+strings.Count(x, sep)) < 40
		})
	}
	if list(";") || list("|") || n.endsWith("tags", "keywords", "list") && list(",") {
		v.is(List, RoleDimension, 0.75)
		return true
	}
	return false
}

// numberText decides on plain numbers that a few other texts keep from being stored as numbers, as if they were: they
// are dates, shares or money for the same reasons. They cannot be added up as they are.
func (v *verdict) numberText(n Name, s *scan, unit string) bool {
	ok, bad := fitting(s, isPlainNumber)
	if !ok {
		return false
	}
	v.unit = unit
	v.number(n, s.asNumbers())
	v.confidence, v.aggregate, v.invalid, v.format = 0.9*v.confidence, AggregateNone, bad, Suggestion{Kind: "text"}
	v.warnings = append(v.warnings, "numbers stored as text")
	return true
}

// asNumbers is the scan of the numbers among the sampled texts.
func (s *scan) asNumbers() *scan {
	out := *s
	out.numbers, out.whole, out.col.Type, out.ascends, out.descends = make([]float64, 0, len(s.sample)), true,
		table.Int, false, false
	for _, text := range s.sample {
		x := strings.TrimSpace(text)
		if number, ok := shape.ReadNumber(x); ok && isPlainNumber(x) {
			out.numbers = append(out.numbers, number.Value)
			out.whole = out.whole && number.Whole
		}
	}
	if !out.whole {
		out.col.Type = table.Float
	}
	out.min, out.max = table.FloatValue(slices.Min(out.numbers)), table.FloatValue(slices.Max(out.numbers))
	return &out
}

// isPlainNumber accepts numbers without a unit.
func isPlainNumber(x string) bool {
	n, ok := shape.ReadNumber(x)
	return ok && n.Before == "" && n.After == "" && !n.Brackets
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
