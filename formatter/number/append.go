package number

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/table"
)

// Append writes a number at the end of dst and gives the longer slice. Decimals and integers are written from their
// exact digits, floats from the shortest digits that read back as the same double. A null writes nothing, and a value
// that is not a number its canonical text. The common kinds do not allocate where dst has room.
func (f *Format) Append(dst []byte, v table.Value, loc Locale) []byte {
	if !v.Type().Numeric() {
		return v.AppendText(dst)
	}
	var buf [64]byte
	n, ok := parseNum(v.AppendText(buf[:0]))
	if !ok {
		return v.AppendText(dst)
	}
	return f.append(dst, &n, loc.data())
}

// AppendDigits is Append for a decimal text of any length: a sign, digits with at most one point, an exponent up to
// ±2000; Infinity; NaN. False when text is no such number; dst is then as it was.
func (f *Format) AppendDigits(dst []byte, text string, loc Locale) ([]byte, bool) {
	var buf [64]byte
	n, ok := parseNum(append(buf[:0], text...))
	if !ok {
		return dst, false
	}
	return f.append(dst, &n, loc.data()), true
}

// Text is Append as a string.
func (f Format) Text(v table.Value, loc Locale) string {
	var buf [64]byte
	return string(f.Append(buf[:0], v, loc))
}

// style is what a number needs to be laid out: filled by its type, then written.
type style struct {
	shape
	affixes
	minGroup         int
	scientific       bool
	expDigits        int
	expPlus          bool
	unit             string // behind the digits: an SI prefix
	digits           string // whole digits that are not decimal
	groupMark, point string
}

// append writes n, whose digits it may change.
func (f *Format) append(dst []byte, n *num, d *data) []byte {
	var st style
	st.minInt = 1
	f.affixesOf(&st, d)
	f.shapeOf(&st, n, d)
	if n.neg && n.zero() && f.Unsigned0 {
		n.neg = false
	}
	start := len(dst)
	prefix, suffix := st.prefix, st.suffix
	if n.neg {
		prefix, suffix = st.nprefix, st.nsuffix
	}
	dst = f.appendLead(dst, n, &st, prefix, d)
	body := len(dst)
	if f.Zero && f.Align == 0 && f.Width > 0 && n.special == 0 && st.digits == "" {
		st.minInt = max(st.minInt, f.padded(n, &st, d, utf8.RuneCount(dst[start:]), f.affixWidth(suffix, n, d)))
	}
	dst = f.appendBody(dst, n, &st, d)
	dst = f.appendAffix(dst, suffix, n, d, false)
	if f.Sign == '(' && n.neg {
		dst = append(dst, ')')
	}
	if f.Width > 0 {
		dst = f.pad(dst, start, body)
	}
	return dst
}

// appendLead writes sign and prefix.
func (f *Format) appendLead(dst []byte, n *num, st *style, prefix string, d *data) []byte {
	switch {
	case n.neg && f.Sign == '(':
		return f.appendAffix(append(dst, '('), st.prefix, n, d, true)
	case n.neg, f.Unsigned0 && !f.d3 && n.zero():
	case f.Sign == '+':
		// where the sign stands: that of negative numbers tells
		return f.appendAffix(dst, plusFor(st.nprefix, st.prefix), n, d, true)
	case f.Sign == ' ':
		dst = append(dst, ' ')
	}
	return f.appendAffix(dst, prefix, n, d, true)
}

// plusFor is the negative prefix with a plus instead; accounting forms have no sign, and get one in front.
func plusFor(negative, positive string) string {
	switch {
	case negative == "-":
		return "+"
	case negative == "-¤":
		return "+¤"
	case strings.Contains(negative, "-"):
		return strings.Replace(negative, "-", "+", 1)
	}
	return "+" + positive
}

// appendAffix writes an affix with the locale's signs and the currency; before says that digits follow it, otherwise
// they precede it.
func (f *Format) appendAffix(dst []byte, text string, n *num, d *data, before bool) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == quote:
			i++
			dst = append(dst, text[i])
		case c == '-':
			dst = append(dst, f.minusOf(d)...)
		case c == '+':
			dst = append(dst, d.plus...)
		case c == '%':
			dst = append(dst, d.percentSign...)
		case strings.HasPrefix(text[i:], "‰"):
			dst = append(dst, d.perMille...)
			i += len("‰") - 1
		case strings.HasPrefix(text[i:], "¤"):
			k := 0
			for strings.HasPrefix(text[i:], "¤") {
				k++
				i += len("¤")
			}
			dst = f.appendCurrency(dst, k, n, d, before && i == len(text), !before && i == k*len("¤"))
			continue
		default:
			dst = append(dst, c)
		}
		i++
	}
	return dst
}

func (f *Format) minusOf(d *data) string {
	switch f.Minus {
	case ASCIIMinus:
		return "-"
	case TypographicMinus:
		return "\u2212"
	}
	return d.minus
}

// appendCurrency writes what k signs ¤ stand for: symbol, code or name. Where letters would touch digits a no-break
// space stands between (CLDR's currencySpacing), unless the format is Tight.
func (f *Format) appendCurrency(dst []byte, k int, n *num, d *data, beforeDigits, afterDigits bool) []byte {
	if f.Currency == "" {
		return dst
	}
	text := f.Currency
	switch {
	case k >= 3 || f.Symbol == 'w':
		text = d.currencyName(f.Currency, pluralOf(d.language, n, max(len(n.d)-n.point, 0)))
	case k == 1 && f.Symbol != 'c':
		if s := d.symbolsOf[f.Currency]; s != "" {
			text = s
		}
	}
	if afterDigits && !f.Tight && !f.d3 {
		if r, _ := utf8.DecodeRuneInString(text); unicode.IsLetter(r) {
			dst = append(dst, "\u00a0"...)
		}
	}
	dst = append(dst, text...)
	if beforeDigits && !f.Tight && !f.d3 {
		if r, _ := utf8.DecodeLastRuneInString(text); unicode.IsLetter(r) {
			dst = append(dst, "\u00a0"...)
		}
	}
	return dst
}

// currencyName is the name of a currency in a plural form, else its code.
func (d *data) currencyName(code string, form int) string {
	forms := d.raw.Names[code]
	if s := forms[pluralNames[form]]; s != "" {
		return s
	}
	if s := forms["other"]; s != "" {
		return s
	}
	return code
}

// affixWidth is the characters that an affix takes.
func (f *Format) affixWidth(text string, n *num, d *data) int {
	var buf [64]byte
	w := utf8.RuneCount(f.appendAffix(buf[:0], text, n, d, false))
	if f.Sign == '(' && n.neg {
		w++
	}
	return w
}

// padded is the whole digits that fill the width between lead and tail, the widths of what stands before and behind. In
// d3 the lead counts against the digits only, not against the separators between them.
func (f *Format) padded(n *num, st *style, d *data, lead, tail int) int {
	var buf [96]byte
	digits := max(st.minInt, n.point)
	if st.scientific {
		digits = 1
	}
	width, most := lead+tail+utf8.RuneCount(f.appendBody(buf[:0], n, st, d)), f.Width
	if f.d3 {
		width, most = width-lead, max(digits, digits+f.Width-width)
	}
	for width < f.Width && digits < most {
		digits++
		width++
		if st.group1 > 0 && digits > st.group1 && (digits-1-st.group1)%st.group2 == 0 &&
			digits >= st.group1+st.minGroup {
			width++
		}
	}
	return digits
}

// pad brings what was written from start on to the width; body is where the digits begin.
func (f *Format) pad(dst []byte, start, body int) []byte {
	missing := f.Width - utf8.RuneCount(dst[start:])
	if missing <= 0 {
		return dst
	}
	fill := f.Fill
	if fill == 0 {
		if fill = ' '; f.Zero {
			fill = '0'
		}
	}
	left, at := missing, start
	switch f.Align {
	case '<':
		left = 0
	case '^':
		left = missing / 2
	case '=':
		at = body
	case 0:
		if f.Zero {
			at = body
		}
	}
	var one [utf8.UTFMax]byte
	size := utf8.EncodeRune(one[:], fill)
	for range missing {
		dst = append(dst, one[:size]...)
	}
	old := len(dst) - missing*size
	copy(dst[at+left*size:], dst[at:old])
	for i := range left {
		copy(dst[at+i*size:], one[:size])
	}
	for i := range missing - left {
		copy(dst[old+left*size+i*size:], one[:size])
	}
	return dst
}
