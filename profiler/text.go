package profiler

import (
	"encoding/json"
	"net/netip"
	"net/url"
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
	unit, source := v.unit, v.unitSource
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
	case v.booleanText(s), v.dateText(n, s), v.codeText(n, s), v.placeText(n, s), v.listText(n, s):
	case v.measureText(s):
	case n.any("website", "url", "domain", "site", "homepage") && mostFit(s, isDomain):
		v.is(URL, RoleDimension, 0.85)
	case v.isCategory(n, s):
		v.is(Category, RoleDimension, 0.75)
	}
	if s.mostlyNumbers() && v.semantic != ID && v.semantic != PostalCode && v.semantic != Phone {
		v.unit, v.unitSource = unit, source
		v.warnings = append(v.warnings, "numbers stored as text")
	}
}

// fitting reports whether most texts of the sample fit, and how many cells do not when the sample is the whole column.
func fitting(s *scan, fits func(string) bool) (bool, int) {
	bad := map[string]bool{}
	for _, text := range s.sample {
		if !fits(strings.TrimSpace(text)) {
			bad[text] = true
		}
	}
	if float64(len(s.sample)-len(bad)) < mostly*float64(len(s.sample)) || len(bad) == len(s.sample) {
		return false, 0
	}
	cells := 0
	if len(bad) > 0 {
		for _, e := range s.distinct {
			if bad[clip(e.first.Text(), maxTextBytes)] {
				cells += e.count
			}
		}
	}
	return true, cells
}

func mostFit(s *scan, fits func(string) bool) bool {
	ok, _ := fitting(s, fits)
	return ok
}

var boolPairs = []map[string]bool{set("yes", "no"), set("y", "n"), set("true", "false"), set("t", "f"), set("on", "off"), set("ja", "nein"), set("oui", "non"), set("sí", "no"), set("si", "no")}

func (v *verdict) booleanText(s *scan) bool {
	if len(s.distinct) > 6 {
		return false
	}
	for _, pair := range boolPairs {
		if all(s.sample, func(x string) bool { return pair[strings.ToLower(strings.TrimSpace(x))] }) {
			v.boolean(0.95)
			v.format = Suggestion{Kind: "text"}
			return true
		}
	}
	return false
}

// dateLayouts are tried on texts that the loader left alone, for tables that no loader made.
var dateLayouts = []struct{ layout, semantic string }{
	{"2006-01-02", Date}, {"2006/01/02", Date}, {"02.01.2006", Date}, {"01/02/2006", Date}, {"02/01/2006", Date}, {"2 Jan 2006", Date}, {"Jan 2, 2006", Date}, {"January 2, 2006", Date}, {"2006-01", Date},
	{time.RFC3339, DateTime}, {"2006-01-02 15:04:05", DateTime}, {"2006-01-02T15:04:05", DateTime}, {"2006-01-02 15:04", DateTime}, {"02.01.2006 15:04", DateTime}, {"01/02/2006 15:04", DateTime},
	{"15:04", Time}, {"15:04:05", Time},
}

func (v *verdict) dateText(n Name, s *scan) bool {
	for _, l := range dateLayouts {
		ok, bad := fitting(s, func(x string) bool { _, err := time.Parse(l.layout, x); return err == nil })
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
	case s.mostlyNumbers() && s.leadingZeros():
		v.identifier(0.85)
	case mostFit(s, isCode) && s.sameShape() && 2*len(s.distinct) > s.rows-s.nulls:
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

// measureText decides on numbers with one unit written behind each: "42.8 kg".
func (v *verdict) measureText(s *scan) bool {
	unit := ""
	ok, bad := fitting(s, func(x string) bool {
		i := strings.IndexFunc(x, func(r rune) bool { return !unicode.IsDigit(r) && !strings.ContainsRune("+-−.,", r) })
		if i <= 0 {
			return false
		}
		u := unitOf(x[i:])
		if unit == "" {
			unit = u
		}
		return u != "" && u == unit
	})
	if !ok {
		return false
	}
	v.is(Decimal, RoleMeasure, 0.8)
	v.unit, v.unitSource, v.invalid = unit, UnitFromValues, bad
	v.warnings = append(v.warnings, "numbers stored as text with their unit")
	return true
}

// isCategory reports whether texts repeat enough, or a name says so, to be a set of labels.
func (v *verdict) isCategory(n Name, s *scan) bool {
	cells, kinds := s.rows-s.nulls, len(s.distinct)
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

func (s *scan) mostlyNumbers() bool {
	return mostFit(s, func(x string) bool {
		_, err := table.ParseDecimal(x)
		return err == nil && x != ""
	})
}

func (s *scan) leadingZeros() bool {
	for _, x := range s.sample {
		if len(x) > 1 && x[0] == '0' && x[1] >= '0' && x[1] <= '9' {
			return true
		}
	}
	return false
}

// sameShape reports whether most texts have one pattern of letters, digits and signs.
func (s *scan) sameShape() bool {
	shapes := map[string]int{}
	for _, x := range s.sample {
		shapes[shapeOf(x)]++
	}
	best := 0
	for _, n := range shapes {
		best = max(best, n)
	}
	return float64(best) >= 0.8*float64(len(s.sample))
}

// shapeOf maps letters to A, digits to 9 and keeps the rest; runs count once.
func shapeOf(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			r = 'A'
		case unicode.IsDigit(r):
			r = '9'
		}
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// isCode reports whether a text is one word with digits in it: T-000001, A98-117.
func isCode(s string) bool {
	digits := false
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits = true
		case unicode.IsLetter(r), r == '-', r == '_', r == '/', r == ':', r == '.', r == '#':
		default:
			return false
		}
	}
	return digits && len(s) <= 64
}

func isEmail(s string) bool {
	local, domain, ok := strings.Cut(s, "@")
	return ok && local != "" && !strings.ContainsAny(s, " ,;<>()") && isDomain(domain)
}

func isDomain(s string) bool {
	labels := strings.Split(s, ".")
	if len(labels) < 2 || len(s) > 253 {
		return false
	}
	for _, l := range labels {
		if l == "" || strings.ContainsFunc(l, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }) {
			return false
		}
	}
	return strings.ContainsFunc(labels[len(labels)-1], unicode.IsLetter)
}

func isURL(s string) bool {
	if strings.HasPrefix(s, "www.") {
		return isDomain(strings.SplitN(s, "/", 2)[0])
	}
	if !strings.Contains(s, "://") || strings.ContainsAny(s, " \n\t") {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && u.Host != ""
}

func isIP(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range 36 {
		c := s[i]
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if (c < '0' || c > '9') && (c|32 < 'a' || c|32 > 'f') {
			return false
		}
	}
	return true
}

func isJSON(s string) bool {
	if len(s) < 2 || s[0] != '{' && s[0] != '[' {
		return false
	}
	return json.Valid([]byte(s)) || strings.HasSuffix(s, "…")
}

// jsonKind tells lists from other JSON.
func jsonKind(sample []string) string {
	if len(sample) > 0 && all(sample, func(x string) bool { return strings.HasPrefix(strings.TrimSpace(x), "[") }) {
		return List
	}
	return JSON
}

// isPhone accepts 7 to 15 digits (ITU-T E.164) with the usual separators.
func isPhone(s string) bool {
	digits := 0
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '+' && i == 0, strings.ContainsRune(" -().\u00a0/x", r):
		default:
			return false
		}
	}
	return digits >= 7 && digits <= 15
}

// isFullPhone accepts phone numbers that nothing else looks like: international ones and North American ones with an area code.
func isFullPhone(s string) bool {
	if !isPhone(s) {
		return false
	}
	return strings.HasPrefix(s, "+") || strings.HasPrefix(s, "(") || shapeOf(s) == "9-9-9" && len(s) == 12
}

func all(texts []string, ok func(string) bool) bool {
	for _, x := range texts {
		if !ok(x) {
			return false
		}
	}
	return true
}
