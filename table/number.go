package table

import (
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// numberKind is the shape of a plain number's text.
type numberKind uint8

const (
	notNumber numberKind = iota
	whole                // -12
	fraction             // 12.50, .5
	exponent             // 1.2e-9
	zeroLed              // 007, 00.5: a code, not a number
)

// scanNumber classifies a plain number: a sign, digits with at most one point that has digits after it, an exponent.
func scanNumber(s string) (kind numberKind, digits int, scale int32) {
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
	kind = whole
	if i < len(s) && s[i] == '.' {
		i++
		point := i
		for i < len(s) && s[i]-'0' < 10 {
			i++
		}
		scale = int32(i - point)
		if scale == 0 {
			return notNumber, 0, 0
		}
		kind = fraction
	}
	if digits == 0 && scale == 0 {
		return notNumber, 0, 0
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
			return notNumber, 0, 0
		}
		kind = exponent
	}
	if i != len(s) {
		return notNumber, 0, 0
	}
	if led {
		return zeroLed, digits, scale
	}
	return kind, digits, scale
}

// numberShape is what a column of numbers needs.
type numberShape struct {
	n      int // numbers seen
	kinds  [zeroLed + 1]int
	digits int // before the point
	scale  int32
	int64s bool // whether all whole numbers fit 64 bits
}

func newNumberShape() numberShape { return numberShape{int64s: true} }

// add takes one more text into account; false when it is not a number.
func (n *numberShape) add(s string) bool {
	kind, digits, scale := scanNumber(s)
	if kind == notNumber {
		return false
	}
	n.n++
	n.kinds[kind]++
	n.digits, n.scale = max(n.digits, digits), max(n.scale, scale)
	if kind == whole && digits > 18 && n.int64s {
		_, err := strconv.ParseInt(s, 10, 64)
		n.int64s = err == nil
	}
	return true
}

// column is the type that stores all numbers seen: Int, else Decimal where 38 digits suffice, else Float. Codes with leading zeros, and (unless
// exact is false) whole numbers of more than 38 digits, which are identifiers rather than measures, give Text.
func (n *numberShape) column(exact bool) Column {
	switch {
	case n.kinds[zeroLed] > 0:
		return Column{Type: Text}
	case n.kinds[exponent] > 0:
		return Column{Type: Float}
	case n.kinds[fraction] == 0 && n.int64s:
		return Column{Type: Int}
	case n.digits+int(n.scale) <= maxDigits:
		return Column{Type: Decimal, Scale: n.scale}
	case n.kinds[fraction] == 0 && exact:
		return Column{Type: Text}
	}
	return Column{Type: Float}
}

// appendNumber parses a text that scanNumber has accepted into a column chosen by column; false when a double overflows.
func (b *columnBuilder) appendNumber(s string) bool {
	switch b.col.Type {
	case Int:
		i, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return false
		}
		b.appendInt(i)
	case Decimal:
		neg := s[0] == '-'
		n, scale, ok := parseDigits(strings.TrimLeft(s, "+-"))
		if !ok {
			return false
		}
		if neg {
			n = n.Negate()
		}
		if n, ok = rescale(n, scale, b.col.Scale); !ok {
			return false
		}
		b.appendDecimal(n)
	case Float:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return false
		}
		b.appendFloat(f)
	default:
		return false
	}
	return true
}

// buildNumbers makes the column; empty texts are null. False when the texts do not fit the column.
func buildNumbers(col Column, texts []string) (arrow.Array, bool) {
	b := newColumnBuilder(col, len(texts))
	for _, s := range texts {
		if s == "" {
			b.appendNull()
		} else if !b.appendNumber(s) {
			return nil, false
		}
	}
	return b.finish(), true
}

// symbols are the currency signs that loaders read, with their ISO 4217 codes. "$" and "¥" are used for several currencies: a note
// says how they were read.
var symbols = []struct{ sign, code string }{
	{"US$", "USD"}, {"R$", "BRL"}, {"A$", "AUD"}, {"C$", "CAD"}, {"$", "USD"}, {"€", "EUR"}, {"£", "GBP"}, {"¥", "JPY"}, {"₹", "INR"},
	{"₩", "KRW"}, {"₽", "RUB"}, {"₺", "TRY"}, {"₪", "ILS"}, {"฿", "THB"}, {"₫", "VND"}, {"₴", "UAH"}, {"₦", "NGN"},
	{"USD", "USD"}, {"EUR", "EUR"}, {"GBP", "GBP"}, {"JPY", "JPY"}, {"INR", "INR"}, {"CHF", "CHF"}, {"CNY", "CNY"}, {"CAD", "CAD"}, {"AUD", "AUD"},
	{"BRL", "BRL"}, {"MXN", "MXN"}, {"SEK", "SEK"}, {"NOK", "NOK"}, {"DKK", "DKK"}, {"PLN", "PLN"}, {"CZK", "CZK"},
}

// notation is how a number is decorated.
type notation struct {
	sign string // currency sign, "%" or ""
	unit string // what it means: an ISO 4217 code, "%" or ""
}

// undress strips sign, currency, percent and thousands separators from one number and gives its plain text; false when it is not such
// a number. Parentheses around a number with a currency or with separators mean a negative amount, as in accounting.
func undress(s string, point byte) (plain string, look notation, ok bool) {
	s = strings.TrimSpace(s)
	neg := false
	if len(s) > 2 && s[0] == '(' && s[len(s)-1] == ')' {
		neg, s = true, strings.TrimSpace(s[1:len(s)-1])
	}
	s, neg = stripSign(s, neg)
	for _, sym := range symbols {
		rest, found := strings.CutPrefix(s, sym.sign)
		if !found {
			rest, found = strings.CutSuffix(s, sym.sign)
		}
		if found {
			look.sign, look.unit = sym.sign, sym.code
			s, neg = stripSign(strings.TrimSpace(rest), neg)
			break
		}
	}
	if rest, found := strings.CutSuffix(s, "%"); found && look.sign == "" {
		look.sign, look.unit, s = "%", "%", strings.TrimSpace(rest)
	}
	body, ok := ungroup(s, point)
	if !ok {
		return "", look, false
	}
	if neg {
		body = "-" + body
	}
	return body, look, true
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

// ungroup drops thousands separators, each followed by exactly three digits and all alike, and turns the point into '.'. The
// separators are the other of ',' and '.', an apostrophe, and the no-break spaces.
func ungroup(s string, point byte) (string, bool) {
	s = plainSeparators.Replace(s)
	intPart, frac, hasPoint := strings.Cut(s, string(point))
	sep := ","
	if point == ',' {
		sep = "."
	}
	if strings.Contains(intPart, "'") {
		sep = "'"
	}
	groups := strings.Split(intPart, sep)
	for i, g := range groups {
		if len(groups) > 1 && (i > 0 && len(g) != 3 || i == 0 && (len(g) == 0 || len(g) > 3)) {
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
