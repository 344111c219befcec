package formatter

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"

	"catena/profiler"
	"catena/table"
)

// Minus signs. The typographic one is for people; readers of plain text and programs take the ASCII one.
const (
	Minus      = "\u2212"
	ASCIIMinus = "-"
)

// Value writes one cell by a format suggestion: numbers are rounded half to even on their decimal digits, never through a double;
// a suggestion that does not fit the cell's type gives the canonical text, and a null "". minus is Minus or ASCIIMinus.
func Value(v table.Value, s profiler.Suggestion, loc Locale, minus string) string {
	switch {
	case v.IsNull():
		return ""
	case s.Numeric() && v.Type().Numeric():
		return number(v, s, loc, minus)
	case s.Kind == "date" && s.Layout == profiler.LayoutQuarter && v.Type().Temporal():
		at, _ := v.Time()
		return strconv.Itoa(at.Year()) + " Q" + strconv.Itoa((int(at.Month())+2)/3)
	case s.Kind == "weekday", s.Kind == "month":
		return periodName(v, s.Kind)
	case s.Kind == "date" && v.Type().Temporal(), s.Kind == "time" && v.Type().Temporal():
		at, _ := v.Time()
		return at.Format(s.Layout)
	case s.Kind == "boolean" && v.Type() == table.Bool:
		if v.Bool() {
			return "yes"
		}
		return "no"
	case v.Type().Numeric() && minus != ASCIIMinus:
		if text, neg := strings.CutPrefix(v.Text(), "-"); neg {
			return minus + text
		}
	}
	return v.Text()
}

// periodName is the name of a weekday, 1 being Monday, or a month; another number is written as it is.
func periodName(v table.Value, kind string) string {
	n, ok := v.Int()
	switch {
	case ok && kind == "weekday" && n >= 1 && n <= 7:
		return time.Weekday(n % 7).String()
	case ok && kind == "month" && n >= 1 && n <= 12:
		return time.Month(n).String()
	}
	return v.Text()
}

// number writes a numeric cell with sign, groups, symbol or percent sign.
func number(v table.Value, s profiler.Suggestion, loc Locale, minus string) string {
	text := v.Text()
	if strings.ContainsRune(text, 'e') {
		f, _ := v.Float()
		if math.Abs(f) > 1 {
			return text // beyond 1e21: digits would say more than is known
		}
		text = strconv.FormatFloat(f, 'f', -1, 64)
	}
	digits, neg := strings.CutPrefix(text, "-")
	shift := 0
	if s.Kind == "percent" && s.Ratio {
		shift = 2
	}
	var buf [64]byte
	plain, zero := round(buf[:0], digits, shift, places(s, digits))
	var b strings.Builder
	b.Grow(len(plain) + 16)
	sign := ""
	switch {
	case neg && !zero:
		sign = minus
	case s.Plus && !zero:
		sign = "+"
	}
	symbol := ""
	if s.Kind == "currency" {
		symbol = loc.symbol(s.Code)
	}
	prefix := symbol != "" && !loc.SymbolAfter
	if !prefix || !loc.signAfterUnit {
		b.WriteString(sign)
	}
	if prefix {
		b.WriteString(symbol)
		b.WriteString(prefixGap(symbol, loc))
		if loc.signAfterUnit {
			b.WriteString(sign)
		}
	}
	writeGrouped(&b, plain, s.Group, loc)
	switch {
	case s.Kind == "percent":
		b.WriteString(loc.PercentGap)
		b.WriteByte('%')
	case symbol != "" && !prefix:
		b.WriteString(loc.SymbolGap)
		b.WriteString(symbol)
	}
	return b.String()
}

// places is the number of digits after the point; integer formats keep the fraction of a number that is not whole.
func places(s profiler.Suggestion, digits string) int {
	if s.Kind != "integer" {
		return s.Digits
	}
	if _, frac, ok := strings.Cut(digits, "."); ok {
		return len(strings.TrimRight(frac, "0"))
	}
	return 0
}

// prefixGap stands between a symbol and the number behind it: a code of letters, as in CHF 1.00, is always set off.
func prefixGap(symbol string, loc Locale) string {
	if last := symbol[len(symbol)-1]; last >= 'A' && last <= 'Z' {
		return loc.SymbolGap
	}
	return loc.PrefixGap
}

// round appends the decimal text (digits with at most one point, no sign) times 10^shift with exactly n digits after the point, rounded
// half to even, and reports whether all digits are zero.
func round(b []byte, text string, shift, n int) ([]byte, bool) {
	whole, frac, _ := strings.Cut(text, ".")
	for ; shift > 0; shift-- {
		if frac == "" {
			whole += "0"
		} else {
			whole, frac = whole+frac[:1], frac[1:]
		}
	}
	whole = strings.TrimLeft(whole, "0")
	b = append(append(b, '0'), whole...) // the zero takes a carry
	keep := min(n, len(frac))
	b = append(b, frac[:keep]...)
	if roundsUp(b[len(b)-1], frac[keep:]) {
		increment(b)
	}
	for range n - keep {
		b = append(b, '0')
	}
	point := len(b) - n
	start := 0
	for start < point-1 && b[start] == '0' {
		start++
	}
	zero := len(bytes.Trim(b, "0")) == 0
	if n > 0 {
		b = append(b, 0)
		copy(b[point+1:], b[point:])
		b[point] = '.'
	}
	return b[start:], zero
}

// roundsUp decides by the digits that are cut off; last is the digit before them.
func roundsUp(last byte, rest string) bool {
	if rest == "" || rest[0] < '5' {
		return false
	}
	if rest[0] > '5' || strings.Trim(rest[1:], "0") != "" {
		return true
	}
	return (last-'0')%2 == 1
}

// increment adds one to the last digit; the first digit never overflows.
func increment(b []byte) {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] < '9' {
			b[i]++
			return
		}
		b[i] = '0'
	}
}

// writeGrouped writes digits with the locale's separators.
func writeGrouped(b *strings.Builder, plain []byte, group bool, loc Locale) {
	whole, frac, hasPoint := bytes.Cut(plain, []byte{'.'})
	if !group || len(whole) < 3+max(loc.MinGroup, 1) {
		b.Write(whole)
	} else {
		head := (len(whole)-1)%3 + 1
		b.Write(whole[:head])
		for i := head; i < len(whole); i += 3 {
			b.WriteString(loc.Group)
			b.Write(whole[i : i+3])
		}
	}
	if hasPoint {
		b.WriteString(loc.Point)
		b.Write(frac)
	}
}
