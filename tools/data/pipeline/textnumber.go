package pipeline

import (
	"bytes"
	"strings"

	"catena/table"
	"catena/table/infer"
)

// NumbersOf reads a text column as numbers: the leading number of each cell. ok is false unless two thirds of the cells
// that are not blank hold one; bad counts those that do not.
func NumbersOf(t *table.Table, col int) (values []table.Value, bad int, ok bool) {
	values = t.NewValues()
	good, point := 0, decimalPoint(t, col)
	for row := range t.Rows() {
		v := t.Value(row, col)
		if Blank(v) {
			continue
		}
		if n, is := textNumber(v.Text(), point); is {
			values[row] = n
			good++
		} else {
			bad++
		}
	}
	return values, bad, good > 0 && good >= 2*bad
}

// AllNumbers reports whether every cell of a text column that is not blank holds a number, and there is one. Columns
// of words are told by their first cell.
func AllNumbers(t *table.Table, col int) bool {
	for row := range t.Rows() {
		v := t.Value(row, col)
		if Blank(v) {
			continue
		}
		if _, ok := readNumber(v.Text()); !ok {
			return false
		}
	}
	_, bad, ok := NumbersOf(t, col)
	return ok && bad == 0
}

// decimalPoint tells what separates the fractions of a text column's numbers, '.' or ','. The cells decide it together:
// the last of two different marks, and a mark that has not three digits behind it, separates a fraction; a mark that
// stands twice separates thousands. Where cells disagree or say nothing it is '.'.
func decimalPoint(t *table.Table, col int) byte {
	if t.Column(col).Type != table.Text {
		return '.'
	}
	points, commas := 0, 0
	for row := range t.Rows() {
		switch fractionMark(t.Value(row, col).Text()) {
		case '.':
			points++
		case ',':
			commas++
		}
	}
	if commas > 0 && points == 0 {
		return ','
	}
	return '.'
}

// written is the number that a text starts with, as it stands there.
type written struct {
	digits   string // digits with points and commas; spaces and apostrophes between thousands are gone
	exponent string // with its e, or ""
	negative bool
	rest     string // what stands behind
}

// readWritten reads signs on either side or brackets, digits, and an exponent. Without digits there is no number.
func readWritten(s string) (w written, ok bool) {
	s = strings.TrimSpace(strings.ReplaceAll(s, "\u2212", "-"))
	if inner, is := strings.CutPrefix(s, "("); is && strings.HasSuffix(inner, ")") {
		w.negative, s = true, strings.TrimSuffix(inner, ")")
	}
	s = strings.TrimLeft(s, "$€£~≈ ")
	if s != "" && (s[0] == '-' || s[0] == '+') {
		w.negative, s = w.negative != (s[0] == '-'), strings.TrimLeft(s[1:], "$€£ ")
	}
	var digits []byte
	i := 0
	for i < len(s) {
		if s[i] >= '0' && s[i] <= '9' || s[i] == '.' || s[i] == ',' {
			digits = append(digits, s[i])
			i++
			continue
		}
		n := thousandsGap(s, i, digits)
		if n == 0 {
			break
		}
		digits = append(digits, s[i+n:i+n+3]...)
		i += n + 3
	}
	w.digits, w.rest = string(digits), s[i:]
	if len(w.rest) > 1 && (w.rest[0] == 'e' || w.rest[0] == 'E') {
		n := 1
		if w.rest[n] == '-' || w.rest[n] == '+' {
			n++
		}
		end := n
		for end < len(w.rest) && w.rest[end] >= '0' && w.rest[end] <= '9' {
			end++
		}
		if end > n && end == len(w.rest) {
			w.exponent, w.rest = w.rest, ""
		}
	}
	if strings.TrimSpace(w.rest) == "-" && !w.negative {
		w.negative, w.rest = true, ""
	}
	return w, strings.ContainsAny(w.digits, "0123456789")
}

// thousandsGap gives the length of the space or apostrophe at i where it separates thousands: one to three digits or
// another group stand before it, three behind it and then no other.
func thousandsGap(s string, i int, before []byte) int {
	if len(before) == 0 || bytes.ContainsAny(before, ".,") || before[0] == '0' {
		return 0
	}
	for _, gap := range []string{" ", "'", "’", "\u00a0", "\u202f", "\u2009"} {
		rest, ok := strings.CutPrefix(s[i:], gap)
		if !ok || len(rest) < 3 || len(before) > 3 && i < 4 {
			continue
		}
		for k := range 3 {
			if rest[k] < '0' || rest[k] > '9' {
				return 0
			}
		}
		if len(rest) > 3 && rest[3] >= '0' && rest[3] <= '9' || s[i-1] < '0' || s[i-1] > '9' {
			return 0
		}
		if first := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }); first > 3 {
			return 0
		}
		return len(gap)
	}
	return 0
}

// fractionMark is the mark of the fraction in the number that a text starts with, where that one cell proves it; else
// 0.
func fractionMark(s string) byte {
	w, _ := readWritten(s)
	digits := strings.TrimRight(w.digits, ".,")
	last := strings.LastIndexAny(digits, ".,")
	if last < 0 {
		return 0
	}
	mark, other := digits[last], '.'+','-digits[last]
	switch {
	case strings.IndexByte(digits, other) >= 0:
		return mark
	case strings.Count(digits, string(mark)) > 1:
		return other
	case len(digits)-last-1 != 3 || last == 0 || last > 3 || digits[0] == '0':
		return mark
	}
	return 0
}

// plainDigits writes a number without separators of thousands and with a point before its fraction.
func plainDigits(digits string, point byte) string {
	if point == ',' {
		return strings.ReplaceAll(strings.ReplaceAll(digits, ".", ""), ",", ".")
	}
	return strings.ReplaceAll(digits, ",", "")
}

// readNumber is readWritten of what is no date and no code.
func readNumber(s string) (w written, ok bool) {
	w, ok = readWritten(s)
	if ofDate := w.rest != "" && strings.IndexByte("-/:", w.rest[0]) >= 0; !ok || ofDate {
		return w, false
	}
	code := len(w.digits) > 1 && w.digits[0] == '0' && w.digits[1] >= '0' && w.digits[1] <= '9' // 000101
	return w, !code
}

// textNumber reads the number that a text starts with, whose fraction is behind point (see decimalPoint): "1,234",
// "$5.20", "43 %", "12 km", "−3", "(5)", "1 500", and its magnitude: "1.2M" is 1200000. Dates and codes are none.
func textNumber(s string, point byte) (table.Value, bool) {
	w, ok := readNumber(s)
	if !ok {
		return table.NullValue, false
	}
	plain := plainDigits(w.digits, point)
	if w.negative {
		plain = "-" + plain
	}
	if v, scaled := scaledNumber(plain+w.rest, len(plain)); scaled {
		return v, true
	}
	v, err := table.ParseDecimal(strings.TrimRight(plain, ".") + w.exponent)
	return v, err == nil
}

// scaledNumber reads a number with its magnitude, which begins at end: 1.2M, 350K, 2 bn, 1.2M EUR.
func scaledNumber(s string, end int) (table.Value, bool) {
	rest := strings.TrimSpace(s[end:])
	if end == 0 || rest == "" {
		return table.NullValue, false
	}
	if v, scaled := infer.ReadScaled(s); scaled {
		return v, true
	}
	if r := infer.ReadValue(s); r.Kind == infer.CurrencyReading {
		word, _, several := strings.Cut(rest, " ")
		if several && word != "" {
			return infer.ReadScaled(s[:end] + word)
		}
	}
	return table.NullValue, false
}
