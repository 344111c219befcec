package infer

import "strings"

// NumberKind is the shape of a plain number's text.
type NumberKind uint8

// Of the kinds only a NotNumber cannot be read as a number.
const (
	NotNumber NumberKind = iota
	Whole                // -12
	Fraction             // 12.50, .5
	Exponent             // 1.2e-9
	ZeroLed              // 007, 00.5: a code, not a number
)

// ScanNumber classifies a plain number: a sign, digits with at most one point that has digits after it, an exponent.
func ScanNumber(s string) (kind NumberKind, digits int, scale int32) {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	start := i
	for i < len(s) && s[i]-'0' < 10 {
		i++
	}
	digits = i - start
	led := digits > 1 && s[start] == '0'
	kind = Whole
	if i < len(s) && s[i] == '.' {
		i++
		point := i
		for i < len(s) && s[i]-'0' < 10 {
			i++
		}
		scale = int32(i - point)
		if scale == 0 {
			return NotNumber, 0, 0
		}
		kind = Fraction
	}
	if digits == 0 && scale == 0 {
		return NotNumber, 0, 0
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '-' || s[i] == '+') {
			i++
		}
		from := i
		for i < len(s) && s[i]-'0' < 10 {
			i++
		}
		if i == from {
			return NotNumber, 0, 0
		}
		kind = Exponent
	}
	if i != len(s) {
		return NotNumber, 0, 0
	}
	if led {
		return ZeroLed, digits, scale
	}
	return kind, digits, scale
}

// Symbols are the currency signs that loaders read, with their ISO 4217 codes; those that neighbours share, "¥" and
// "kr", stand for themselves, until something else tells which currency it is. Longer ones stand before those that they
// begin or end with. "$" alone is read as US dollars, and a note says so.
var Symbols = []struct{ Sign, Code string }{
	{"US$", "USD"}, {"R$", "BRL"}, {"CA$", "CAD"}, {"AU$", "AUD"}, {"NZ$", "NZD"}, {"HK$", "HKD"}, {"NT$", "TWD"},
	{"MX$", "MXN"}, {"A$", "AUD"}, {"C$", "CAD"}, {"S$", "SGD"},
	{"$", "USD"}, {"€", "EUR"}, {"£", "GBP"}, {"CN¥", "CNY"}, {"¥", "¥"}, {"￥", "¥"}, {"₹", "INR"}, {"₩", "KRW"},
	{"₽", "RUB"}, {"₺", "TRY"}, {"₪", "ILS"}, {"฿", "THB"}, {"₫", "VND"},
	{"₴", "UAH"}, {"₦", "NGN"}, {"₱", "PHP"}, {"zł", "PLN"}, {"Kč", "CZK"}, {"kr.", "kr"}, {"kr", "kr"}, {"Ft", "HUF"},
	{"Rs.", "INR"}, {"Rs", "INR"},
	{"USD", "USD"}, {"EUR", "EUR"}, {"GBP", "GBP"}, {"JPY", "JPY"}, {"INR", "INR"}, {"CHF", "CHF"}, {"CNY", "CNY"},
	{"CAD", "CAD"}, {"AUD", "AUD"},
	{"BRL", "BRL"}, {"MXN", "MXN"}, {"SEK", "SEK"}, {"NOK", "NOK"}, {"DKK", "DKK"}, {"PLN", "PLN"}, {"CZK", "CZK"},
	{"HUF", "HUF"}, {"RON", "RON"}, {"TRY", "TRY"}, {"RUB", "RUB"},
	{"UAH", "UAH"}, {"ILS", "ILS"}, {"ZAR", "ZAR"}, {"KRW", "KRW"}, {"SGD", "SGD"}, {"HKD", "HKD"}, {"NZD", "NZD"},
	{"TWD", "TWD"}, {"THB", "THB"}, {"IDR", "IDR"}, {"MYR", "MYR"},
	{"PHP", "PHP"}, {"VND", "VND"}, {"AED", "AED"}, {"SAR", "SAR"}, {"EGP", "EGP"}, {"NGN", "NGN"}, {"KES", "KES"},
	{"KWD", "KWD"}, {"ARS", "ARS"}, {"CLP", "CLP"}, {"COP", "COP"},
}

// The bytes that currency signs begin and end with.
var symbolFirst, symbolLast = func() (first, last [256]bool) {
	for _, s := range Symbols {
		first[s.Sign[0]], last[s.Sign[len(s.Sign)-1]] = true, true
	}
	return first, last
}()

// Notation is how a number is decorated.
type Notation struct {
	sign   string // currency sign, "%" or ""
	Unit   string // what it means: an ISO 4217 code, "%" or ""
	behind bool   // the sign stands behind the digits
}

// Undress strips sign, currency, percent and thousands separators from one number and gives its plain text; false when
// it is not such a number. Parentheses around a number with a currency or with separators mean a negative amount, as in
// accounting; so does a minus behind it. An amount of money may have k, M, B and the like behind it: $3.4B is
// 3400000000.
func Undress(s string, point byte) (plain string, look Notation, ok bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", look, false
	}
	s, neg := stripSign(stripBrackets(s, false))
	if s != "" && (s[0]-'0' > 9 || s[len(s)-1]-'0' > 9) { // digits at both ends carry no sign
		if s, look = cutSymbol(s); look.sign != "" {
			s, neg = stripSign(stripBrackets(s, neg))
		} else {
			s, look = cutPercent(s)
		}
		if rest, found := strings.CutSuffix(s, "-"); found && !neg && rest != "" {
			s, neg = strings.TrimSpace(rest), true
		}
	}
	power := 0
	if look.Unit != "" && look.Unit != "%" {
		s, power = cutMagnitude(s)
	}
	if strings.Contains(s, " ") && (look.sign != "" || strings.IndexByte(s, point) >= 0) {
		s = strings.ReplaceAll(s, " ", "'")
	}
	body, ok := ungroup(s, point)
	if !ok {
		return "", look, false
	}
	if power > 0 {
		body = timesPower(body, power)
	}
	if neg {
		body = "-" + body
	}
	return body, look, true
}

// stripBrackets takes the parentheses of a negative amount off.
func stripBrackets(s string, neg bool) (string, bool) {
	if !neg && len(s) > 2 && s[0] == '(' && s[len(s)-1] == ')' {
		return strings.TrimSpace(s[1 : len(s)-1]), true
	}
	return s, neg
}

// cutSymbol takes a currency sign off, before or behind the digits.
func cutSymbol(s string) (string, Notation) {
	if !symbolFirst[s[0]] && !symbolLast[s[len(s)-1]] {
		return s, Notation{}
	}
	for _, sym := range Symbols {
		if rest, found := strings.CutPrefix(s, sym.Sign); found {
			return strings.TrimSpace(rest), Notation{sign: sym.Sign, Unit: sym.Code}
		}
		if rest, found := strings.CutSuffix(s, sym.Sign); found {
			return strings.TrimSpace(rest), Notation{sign: sym.Sign, Unit: sym.Code, behind: true}
		}
	}
	return s, Notation{}
}

// cutPercent takes a percent sign or word off the end.
func cutPercent(s string) (string, Notation) {
	for _, word := range [...]string{"%", "percent", "per cent", "pct.", "pct"} {
		if rest, found := strings.CutSuffix(s, word); found {
			return strings.TrimSpace(rest), Notation{sign: "%", Unit: "%", behind: true}
		}
	}
	return s, Notation{}
}

// magnitudes are what may stand behind an amount, with their power of ten.
var magnitudes = []struct {
	word  string
	power int
}{
	{"thousand", 3}, {"million", 6}, {"billion", 9}, {"trillion", 12}, {"Tsd.", 3}, {"Mio.", 6}, {"Mrd.", 9}, {"bn", 9},
	{"mn", 6}, {"mm", 6}, {"k", 3}, {"K", 3}, {"m", 6}, {"M", 6}, {"B", 9}, {"b", 9}, {"T", 12},
}

// cutMagnitude takes k, M, million and the like off the end of a number.
func cutMagnitude(s string) (string, int) {
	if s == "" || s[len(s)-1]-'0' <= 9 {
		return s, 0
	}
	for _, m := range magnitudes {
		if rest, found := strings.CutSuffix(s, m.word); found && rest != "" {
			return strings.TrimSpace(rest), m.power
		}
	}
	return s, 0
}

// timesPower is plain digits with at most one point, times 10^power.
func timesPower(plain string, power int) string {
	whole, frac, _ := strings.Cut(plain, ".")
	if len(frac) < power {
		frac += strings.Repeat("0", power-len(frac))
	}
	whole = strings.TrimLeft(whole+frac[:power], "0")
	if whole == "" {
		whole = "0"
	}
	if frac = frac[power:]; frac != "" {
		return whole + "." + frac
	}
	return whole
}

func stripSign(s string, neg bool) (string, bool) {
	if rest, ok := strings.CutPrefix(s, "−"); ok && !neg { // U+2212
		return strings.TrimSpace(rest), true
	}
	if s != "" && !neg && (s[0] == '-' || s[0] == '+') {
		return strings.TrimSpace(s[1:]), s[0] == '-'
	}
	return s, neg
}

// ungroup drops thousands separators, each followed by exactly three digits (or as in India, two until the last) and
// all alike, and turns the point into '.'. The separators are the other of ',' and '.', an apostrophe, and the no-break
// spaces.
func ungroup(s string, point byte) (string, bool) {
	plain, separated, wide := digitsAndMarks(s, point)
	switch {
	case !plain || s == "":
		return "", false
	case !separated: // digits only
		return s, true
	case wide:
		s = plainSeparators.Replace(s)
	}
	intPart, frac, hasPoint := strings.Cut(s, string(point))
	sep := ","
	if point == ',' {
		sep = "."
	}
	if strings.Contains(intPart, "'") {
		sep = "'"
	}
	groups := strings.Split(intPart, sep)
	indian := len(groups) > 2 && sep == "," && len(groups[1]) == 2 // 12,34,567
	for i, g := range groups {
		width := 3
		if indian && i < len(groups)-1 {
			width = 2
		}
		if len(groups) > 1 && (i > 0 && len(g) != width || i == 0 && (len(g) == 0 || len(g) > width)) {
			return "", false
		}
		if !allDigits(g) {
			return "", false
		}
	}
	if hasPoint && (frac == "" || !allDigits(frac)) || intPart == "" && !hasPoint {
		return "", false
	}
	out := strings.Join(groups, "")
	if hasPoint {
		out += "." + frac
	}
	return out, true
}

// digitsAndMarks looks at the bytes of a number: plain when they may all be part of one, separated when some are no
// digits, wide when some are beyond ASCII. Most texts are told apart here, before anything is allocated.
func digitsAndMarks(s string, point byte) (plain, separated, wide bool) {
	for i := range len(s) {
		switch c := s[i]; {
		case c-'0' <= 9:
		case c == ',' || c == '.' || c == '\'' || c == point:
			separated = true
		case c >= 0x80:
			separated, wide = true, true
		default:
			return false, true, wide
		}
	}
	return true, separated, wide
}

// plainSeparators turns the no-break and thin spaces and the curly apostrophe into one separator.
var plainSeparators = strings.NewReplacer("\u00a0", "'", "\u202f", "'", "\u2009", "'", "’", "'")

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return true
}

// SignificantDigits counts the digits of a plain number from the first that is not 0.
func SignificantDigits(s string) int {
	s, _, _ = strings.Cut(s, "e")
	s = strings.TrimLeft(strings.TrimLeft(s, "-+"), "0.")
	n := len(s) - strings.Count(s, ".")
	if !strings.Contains(s, ".") {
		n = len(strings.TrimRight(s, "0"))
	}
	return n
}
