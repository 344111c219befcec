package shape

import (
	"math"
	"strings"
	"unicode/utf8"
)

// Number is a number as a cell writes it. The zero Number is 0.
type Number struct {
	Value    float64 // its sign and a magnitude behind it (k, M, B, T) applied; the unit is not
	Before   string  // what stands before the digits, signs apart: "$", "US$", "approx"
	After    string  // what stands behind, magnitude apart: "kg", "%"
	Whole    bool    // no fraction and no exponent is written
	Grouped  bool    // thousands separators are written
	Comma    bool    // the decimal point is a comma
	Exponent bool
	Padded   bool // zeros lead: 007
	Scaled   bool // a magnitude is written: $1.2M
	Brackets bool // (12): negative, as in accounting
}

// maxNumber bounds the length of a number with its unit, in bytes.
const maxNumber = 40

// ReadNumber reads a text that is one number with at most a unit or currency before or behind it. Where a comma may
// separate thousands, it is read so.
func ReadNumber(s string) (Number, bool) {
	var n Number
	if s == "" || len(s) > maxNumber {
		return n, false
	}
	if s[0] == '(' && s[len(s)-1] == ')' {
		n.Brackets, s = true, s[1:len(s)-1]
	}
	from := strings.IndexAny(s, "0123456789")
	if from < 0 {
		return n, false
	}
	before, neg := cutSign(s[:from])
	n.Before = before
	if strings.HasSuffix(n.Before, ".") { // .5
		n.Before = n.Before[:len(n.Before)-1]
		from--
	}
	end, ok := n.scanDigits(s[from:])
	if !ok {
		return Number{}, false
	}
	n.After = strings.TrimLeft(s[from+end:], " \u00a0\u202f")
	if strings.ContainsAny(n.After, "0123456789") && !powers(n.After) || strings.ContainsAny(n.Before, "(),;:/") {
		return Number{}, false
	}
	n.takeMagnitude()
	if neg || n.Brackets {
		n.Value = -n.Value
	}
	return n, true
}

// powers reports whether the digits of a unit are exponents: m2, µg/m3.
func powers(unit string) bool {
	for i := range len(unit) {
		if digit(unit[i]) && (i == 0 || unit[i] != '2' && unit[i] != '3' || unit[i-1] != 'm') {
			return false
		}
	}
	return true
}

// cutSign takes signs off what stands before the digits.
func cutSign(s string) (rest string, neg bool) {
	s = strings.Trim(s, " \u00a0")
	for s != "" {
		switch {
		case strings.HasPrefix(s, "-"), strings.HasPrefix(s, "−"), strings.HasPrefix(s, "+"):
			neg = neg || s[0] != '+'
			_, size := utf8.DecodeRuneInString(s)
			s = strings.TrimLeft(s[size:], " ")
		case strings.HasSuffix(s, "-"), strings.HasSuffix(s, "−"), strings.HasSuffix(s, "+"):
			neg = neg || s[len(s)-1] != '+'
			_, size := utf8.DecodeLastRuneInString(s)
			s = strings.TrimRight(s[:len(s)-size], " ")
		default:
			return s, neg
		}
	}
	return "", neg
}

// scanDigits reads digits with their separators, fraction and exponent from the beginning of s and says where they end.
func (n *Number) scanDigits(s string) (int, bool) {
	i, digits, group := 0, 0, 0
	var sep byte
	value, fraction := 0.0, 0
	n.Whole = true
	inFraction := false
	for i < len(s) {
		c := s[i]
		switch {
		case digit(c):
			value = value*10 + float64(c-'0')
			digits++
			group++
			if inFraction {
				fraction++
			}
			i++
			continue
		case (c == '.' || c == ',' || c == '\'') && i+1 < len(s) && digit(s[i+1]):
			switch {
			case inFraction:
				return 0, false
			case threes(s[i+1:]) && c != '.' && (sep == 0 || sep == c) &&
				(sep == 0 && digits > 0 && digits <= 3 || sep == c && group == 3) && s[0] != '0',
				c == '.' && threes(s[i+1:]) && sep == 0 && digits > 0 && digits <= 3 && regroups(s[i+1:]),
				c == '.' && sep == '.' && group == 3:
				sep, n.Grouped = c, true
			case c == '\'' || sep == c || sep != 0 && group != 3:
				return 0, false
			default:
				inFraction, n.Whole, n.Comma = true, false, c == ','
			}
			group = 0
			i++
			continue
		case spaced(s[i:]) > 0 && threes(s[i+spaced(s[i:]):]) && !inFraction && digits > 0 &&
			(sep == 0 && digits <= 3 || sep == ' ' && group == 3):
			sep, n.Grouped, group = ' ', true, 0
			i += spaced(s[i:])
			continue
		}
		break
	}
	if digits == 0 || n.Grouped && !inFraction && group != 3 {
		return 0, false
	}
	n.Padded = !n.Grouped && digits-fraction > 1 && s[0] == '0'
	exp, size := exponent(s[i:])
	n.Exponent = size > 0
	n.Whole = n.Whole && !n.Exponent
	n.Value = value * math.Pow10(exp-fraction)
	if fraction > 0 && exp == 0 {
		n.Value = value / math.Pow10(fraction) // one rounding
	}
	return i + size, !math.IsInf(n.Value, 0) && !math.IsNaN(n.Value)
}

// threes reports whether exactly three digits come next.
func threes(s string) bool {
	return len(s) >= 3 && digit(s[0]) && digit(s[1]) && digit(s[2]) && (len(s) == 3 || !digit(s[3]))
}

// regroups reports whether a point separates thousands because another separator follows: 1.234.567 or 1.234,56.
func regroups(s string) bool { return len(s) > 4 && (s[3] == '.' || s[3] == ',') && digit(s[4]) }

// spaced is the length of the space that may separate thousands at the beginning of s; 0 for none.
func spaced(s string) int {
	switch {
	case s[0] == ' ':
		return 1
	case strings.HasPrefix(s, "\u00a0"):
		return len("\u00a0")
	case strings.HasPrefix(s, "\u202f"):
		return len("\u202f")
	case strings.HasPrefix(s, "\u2009"):
		return len("\u2009")
	}
	return 0
}

// exponent reads e+03 and its length; 0, 0 for none.
func exponent(s string) (exp, size int) {
	if s == "" || s[0]|32 != 'e' {
		return 0, 0
	}
	i, neg := 1, false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	from := i
	for i < len(s) && digit(s[i]) && i-from < 3 {
		exp = exp*10 + int(s[i]-'0')
		i++
	}
	if i == from {
		return 0, 0
	}
	if neg {
		exp = -exp
	}
	return exp, i
}

// magnitudes are the letters for thousands and more, as written behind a number with a currency or alone.
var magnitudes = []struct {
	sign  string
	times float64
}{{"bn", 1e9}, {"mm", 1e6}, {"mn", 1e6}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"B", 1e9}, {"T", 1e12}}

// takeMagnitude applies a magnitude behind an amount of money: $1.2M, €45k. Without a currency the letter may as well
// be a unit.
func (n *Number) takeMagnitude() {
	if n.Before == "" || n.After == "" {
		return
	}
	for _, m := range magnitudes {
		if rest, ok := strings.CutPrefix(n.After, m.sign); ok && (rest == "" || rest[0] == ' ') {
			n.Value *= m.times
			n.Scaled, n.After = true, strings.TrimLeft(rest, " ")
			return
		}
	}
}
