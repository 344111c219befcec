package infer

import (
	"strings"

	"catena/internal/text"
	"catena/table"
)

// ReadingKind says what one text is.
type ReadingKind uint8

// What a text may be read as.
const (
	TextReading       ReadingKind = iota // none of the others
	NullReading                          // a word for a missing value
	BooleanReading                       // yes, no and the like
	NumberReading                        // a number without unit
	CurrencyReading                      // an amount; Unit is its ISO 4217 code
	PercentageReading                    // Unit is "%", and 15.2 % is 15.2
)

// String is the name of the kind.
func (k ReadingKind) String() string {
	return [...]string{"Text", "Null", "Boolean", "Number", "Currency", "Percentage"}[k]
}

// Reading is what a single text says when nothing else is known about it.
type Reading struct {
	Kind  ReadingKind
	Value table.Value // a Decimal for the kinds of numbers, a Bool, the Text itself; null for NullReading
	Unit  string      // ISO 4217 code, "%" or ""
	// Ambiguous says why the text could as well mean something else; "" when it could not. "1,234" may be one thousand
	// or one and a bit, "$" a dollar of another country.
	Ambiguous string
}

// ReadValue reads one text, a cell that was pasted or a word of a message, by itself: numbers with separators of any
// country, currencies, percent, words for yes, no and nothing. Codes stay text: digits with a leading zero, hexadecimal
// numbers, digits joined by underscores. The columns of a file are not read so: there all cells have a say (one point,
// one sign), and words such as "t" or "TBD" stay what they are. It does not read dates; ReadTime does.
func ReadValue(text string) Reading {
	s := strings.TrimSpace(text)
	if missing(s) {
		return Reading{Kind: NullReading}
	}
	if truth, ok := truthOf(s); ok {
		return Reading{Kind: BooleanReading, Value: table.BoolValue(truth)}
	}
	if r, ok := readNumber(s); ok {
		return r
	}
	return Reading{Value: table.TextValue(text)}
}

// missingWords are texts that stand for no value, in lower case.
var missingWords = text.Set(
	`null|nil|none|nan|na|n/a|n.a.|n.a|n/d|n.d.|#n/a|#na|#ref!|#div/0!|#value!|#name?|#null!|#num!|#spill!|#calc!|#error!|-|--|---|–|—|.|..|...|…|?|??|???|tbd|tba|tbc|
(blank)|blank|(empty)|empty|(null)|(none)|(n/a)|<na>|<null>|<none>|\\n|missing|(missing)|unknown|(unknown)|undefined|not available|not applicable|no data|nodata|not specified|unspecified|unavailable|pending`,
)

func missing(s string) bool {
	return s == "" || len(s) <= 16 && missingWords[strings.ToLower(s)]
}

var (
	trueWords  = text.Set("true|yes|y|t|on|✓|✔|☑|✅")
	falseWords = text.Set("false|no|n|f|off|✗|✘|☒|❌|✖")
)

func truthOf(s string) (truth, ok bool) {
	if len(s) > 5 {
		s = strings.TrimSuffix(s, "\ufe0f") // the mark of emoji
	}
	s = strings.ToLower(s)
	return trueWords[s], trueWords[s] || falseWords[s]
}

// readNumber reads a number with all that may stand around it.
func readNumber(s string) (Reading, bool) {
	if len(s) > 80 || !strings.ContainsAny(s, "0123456789") {
		return Reading{}, false
	}
	if kind, _, _ := ScanNumber(s); kind != NotNumber {
		return plainReading(s, kind)
	}
	point, why := pointOf(s)
	plain, look, ok := Undress(s, point)
	if !ok {
		plain, ok = undressBare(s, point)
	}
	if !ok {
		return Reading{}, false
	}
	if look.behind && look.Unit != "%" && point == '.' &&
		thousandsLike(plain) { // 1.234 € is written where the point groups
		point, why = ',', "the point could as well stand before a fraction"
		if plain, look, ok = Undress(s, point); !ok {
			return Reading{}, false
		}
	}
	if kind, _, _ := ScanNumber(plain); kind == ZeroLed || kind == NotNumber {
		return Reading{}, false
	}
	v, err := table.ParseDecimal(plain)
	if err != nil {
		return Reading{}, false
	}
	r := Reading{Kind: NumberReading, Value: v, Unit: look.Unit, Ambiguous: why}
	switch look.sign {
	case "":
	case "%":
		r.Kind = PercentageReading
	case "$", "¥", "￥", "kr", "kr.":
		r.Kind = CurrencyReading
		if code := usualCodes[look.Unit]; code != "" {
			r.Unit = code
		}
		if why == "" {
			r.Ambiguous = look.sign + " is the sign of several currencies; it was read as " + r.Unit
		}
	default:
		r.Kind = CurrencyReading
	}
	return r, true
}

// usualCodes are the currencies that a text by itself is read as where its sign leaves several open; columns leave it
// open.
var usualCodes = map[string]string{"¥": "JPY", "kr": "SEK"}

// plainReading is a number that needs no undressing. Codes with leading zeros are none.
func plainReading(s string, kind NumberKind) (Reading, bool) {
	v, err := table.ParseDecimal(s)
	if kind == ZeroLed || err != nil {
		return Reading{}, false
	}
	return Reading{Kind: NumberReading, Value: v}, true
}

// undressBare reads a number that stands for itself with a magnitude, 3.4M, or with blanks between its groups, 1 234
// 567.
func undressBare(s string, point byte) (string, bool) {
	s, neg := stripSign(s, false)
	s, power := cutMagnitude(s)
	body, ok := ungroup(strings.ReplaceAll(s, " ", "'"), point)
	if !ok {
		return "", false
	}
	if power > 0 {
		body = timesPower(body, power)
	}
	if neg {
		body = "-" + body
	}
	return body, true
}

// pointOf is the character before the fraction of a single number, and why it could be another one.
func pointOf(s string) (point byte, why string) {
	dot, comma := strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ',')
	switch {
	case comma < 0 && strings.Count(s, ".") > 1:
		return ',', ""
	case comma < 0:
		return '.', ""
	case dot >= 0 && comma > dot:
		return ',', ""
	case dot >= 0 || strings.Count(s, ",") > 1:
		return '.', ""
	}
	// One comma and no point: three digits behind it make it a separator of thousands, unless nothing or a zero stands
	// before it.
	before, behind := digitsBefore(s[:comma]), digitsAfter(s[comma+1:])
	if behind == 3 && before >= 1 && before <= 3 && s[comma-before] != '0' {
		return '.', "the comma could as well stand before a fraction"
	}
	return ',', ""
}

func digitsBefore(s string) int {
	return len(s) - len(strings.TrimRight(s, "0123456789"))
}

func digitsAfter(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}

// thousandsLike reports whether a plain number could be groups of three digits: 1.234 but not 0.123 or 12.50.
func thousandsLike(plain string) bool {
	whole, frac, _ := strings.Cut(strings.TrimPrefix(plain, "-"), ".")
	return len(frac) == 3 && len(whole) <= 3 && whole != "" && whole[0] != '0'
}
