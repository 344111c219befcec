package number

import "strings"

// affixesOf sets what stands around the digits of positive and negative numbers, and how they are grouped.
func (f *Format) affixesOf(st *style, d *data) {
	st.nprefix, st.minGroup, st.groupMark, st.point = "-", d.minGroup, d.group, d.point
	if f.money() && !f.d3 {
		st.groupMark, st.point = d.raw.MoneyGroup, d.raw.MoneyPoint
	}
	from := f.patternIn(d)
	switch {
	case from != nil:
		st.affixes = affixes{prefix: from.prefix, suffix: from.suffix, nprefix: from.nprefix, nsuffix: from.nsuffix}
	case f.Symbol == 'w' && f.Currency != "":
		st.suffix, st.nsuffix = " ¤¤¤", " ¤¤¤"
	}
	if from == nil {
		from = d.decimal
	}
	st.group1, st.group2 = from.group1, from.group2
	byThrees := f.Group == '_' || f.d3 && (f.Group != 0 || f.Type == 'n')
	switch {
	case f.pattern != nil:
		st.minGroup = 1
	case byThrees:
		st.group1, st.group2, st.minGroup = 3, 3, 1
		if f.Group == '_' {
			st.groupMark = "_"
		}
	case f.Group == 0 && f.Type != 'n' && !f.natural():
		st.group1 = 0
	}
}

// patternIn is the pattern that says what stands around the digits; nil where nothing but a sign, or words, does.
func (f *Format) patternIn(d *data) *pattern {
	switch {
	case f.pattern != nil:
		return f.pattern
	case f.percents():
		if f.d3 {
			return plainPercent
		}
		return d.percent
	case f.Symbol == 'w' && f.Currency != "", !f.money():
		return nil
	case f.d3:
		return d3Currency
	case f.Sign == 'a':
		return d.accounting
	}
	return d.currency
}

var (
	plainPercent = must(parsePattern("#,##0%"))
	d3Currency   = must(parsePattern("¤#,##0.00"))
)

func must(p *pattern, err error) *pattern {
	if err != nil {
		panic("number: " + err.Error()) // the texts are constants of this package
	}
	return p
}

// percents reports whether numbers are shown in percent.
func (f *Format) percents() bool { return f.Type == '%' || f.Type == 'p' || f.Percent }

// money reports whether a currency is shown beside the digits.
func (f *Format) money() bool {
	return f.Currency != "" && (f.Symbol == '$' || f.Symbol == 'c')
}

// natural reports whether digits and groups are those of the currency: "$" alone.
func (f *Format) natural() bool {
	inWords := f.Symbol == 'w' && f.Currency != ""
	plain := f.Type == 0 && !f.hasDigits && !f.d3
	return plain && (f.money() || inWords)
}

// shapeOf scales and rounds n and sets how its digits are laid out.
func (f *Format) shapeOf(st *style, n *num, d *data) {
	if n.special != 0 {
		return
	}
	switch f.Type {
	case 0:
		f.shapeNatural(st, n)
	case 'f', 'F':
		f.fixed(st, n, f.precision(6))
	case '%':
		n.shift(2)
		f.fixed(st, n, f.precision(6))
	case 'd':
		f.fixed(st, n, 0)
	case 'e', 'E':
		p := f.precision(6)
		n.significant(p+1, f.d3)
		f.exponential(st, n, p, !f.Trim)
	case 'g', 'G', 'n':
		f.general(st, n, f.precision(6), !f.Trim && (f.d3 || f.Symbol == '#'))
	case 'r', 'p':
		if f.Type == 'p' {
			n.shift(2)
		}
		f.rounded(st, n, max(f.precision(6), 1))
	case 's':
		f.si(st, n)
	case 'k', 'K':
		f.compact(st, n, d)
	default:
		f.radix(st, n)
	}
}

// shift multiplies by 10^by.
func (n *num) shift(by int) {
	if len(n.d) > 0 {
		n.point += by
	}
	n.scale = max(n.scale-by, 0)
}

// shapeNatural is for formats without a type: a pattern's shape, a currency's digits, significant digits, or all that
// there are.
func (f *Format) shapeNatural(st *style, n *num) {
	switch {
	case f.pattern != nil:
		f.shapePattern(st, n)
	case f.natural():
		f.fixed(st, n, CurrencyDigits(f.Currency))
	case f.d3:
		f.general(st, n, f.precision(12), false)
	case f.hasDigits:
		f.general(st, n, f.digits, !f.Trim && f.Symbol == '#')
	case n.exponent() > 38:
		f.exponential(st, n, len(n.d)-1, false)
	default:
		st.maxFrac = max(n.scale, len(n.d)-n.point, 0)
		if !f.Trim {
			st.minFrac = min(st.maxFrac, 100)
		}
	}
}

// shapePattern lays out by a pattern of CLDR.
func (f *Format) shapePattern(st *style, n *num) {
	p := f.pattern
	n.shift(p.shift)
	st.shape = p.shape
	st.minInt = max(p.minInt, 1)
	if f.Currency != "" && p.maxSig == 0 && p.expDigits == 0 {
		st.minFrac = CurrencyDigits(f.Currency)
		st.maxFrac = st.minFrac
	}
	if f.hasDigits {
		st.maxFrac = f.digits
		st.minFrac = min(st.minFrac, st.maxFrac)
	}
	switch {
	case p.expDigits > 0:
		st.scientific, st.expDigits, st.expPlus = true, p.expDigits, p.expPlus
		if st.maxFrac > 0 { // a pattern without a fraction, such as #E0, keeps all digits
			n.significant(st.minInt+st.maxFrac, false)
		} else {
			st.maxFrac = len(n.d)
		}
	case p.maxSig > 0:
		n.significant(p.maxSig, false)
		st.minInt = 1
		st.minFrac, st.maxFrac = max(p.minSig-1-n.exponent(), 0), max(p.maxSig-1-n.exponent(), 0)
	default:
		n.round(st.maxFrac, false)
	}
}

// fixed has p digits after the point.
func (f *Format) fixed(st *style, n *num, p int) {
	n.round(p, f.d3)
	st.maxFrac = p
	if !f.Trim {
		st.minFrac = p
	}
}

// exponential has p digits after the point of the first digit; n is rounded already.
func (f *Format) exponential(st *style, n *num, p int, zeros bool) {
	st.scientific, st.expDigits, st.expPlus = true, 2, true
	if f.d3 {
		st.expDigits = 1
	}
	st.maxFrac = p
	if zeros {
		st.minFrac = p
	}
	st.group1 = 0
}

// general has p significant digits, with an exponent where the number is very small or has more whole digits.
func (f *Format) general(st *style, n *num, p int, zeros bool) {
	p = max(p, 1)
	n.significant(p, f.d3)
	least := -4
	if f.d3 {
		least = -6
	}
	e := n.exponent()
	if e < least || e >= p {
		f.exponential(st, n, p-1, zeros)
		return
	}
	st.maxFrac = p - 1 - e
	if zeros {
		st.minFrac = st.maxFrac
	}
}

// rounded has p significant digits and never an exponent.
func (f *Format) rounded(st *style, n *num, p int) {
	n.significant(p, f.d3)
	if n.zero() {
		return
	}
	st.maxFrac = max(p-1-n.exponent(), 0)
	if !f.Trim {
		st.minFrac = st.maxFrac
	}
}

// siPrefixes stand for 10^-24 to 10^24 in steps of 1000.
var siPrefixes = [...]string{"y", "z", "a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y"}

// si has significant digits before a prefix of the International System of Units (BIPM, SI Brochure, 9th edition, table
// 7).
func (f *Format) si(st *style, n *num) {
	p := max(f.precision(6), 1)
	n.significant(p, f.d3)
	power := min(max(floorDiv(n.exponent(), 3), -8), 8)
	st.unit = siPrefixes[power+8]
	n.shift(-3 * power)
	st.maxFrac = max(p-1-n.exponent(), 0)
	if n.exponent() < 0 { // below 1y: as many decimals as one digit before the point would leave
		st.maxFrac = p - 1
		n.round(p-1, f.d3)
	}
	if !f.Trim {
		st.minFrac = st.maxFrac
	}
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// radix writes the whole number to base 2, 8 or 16.
func (f *Format) radix(st *style, n *num) {
	base, mark := 16, "0x"
	switch f.Type {
	case 'b':
		base, mark = 2, "0b"
	case 'o':
		base, mark = 8, "0o"
	}
	st.digits = n.radix(base)
	if f.Type == 'X' {
		st.digits = strings.ToUpper(st.digits)
	}
	if f.Group == '_' {
		st.group1, st.group2 = 4, 4 // as in Python
	}
	if f.Symbol == '#' {
		if f.Type == 'X' && !f.d3 {
			mark = "0X"
		}
		st.prefix, st.nprefix = mark, "-"+mark
	}
}

// compact divides by the locale's power of ten and adds its word or letter: 1.2M, 1,2 Mio., 120万. Without a precision
// numbers below 100 have two significant digits, others none after the point (CLDR's default); zeros at the end are
// dropped then.
func (f *Format) compact(st *style, n *num, d *data) {
	forms := d.short
	switch {
	case f.Type == 'K':
		forms = d.long
	case f.money():
		forms = d.money
	}
	st.minGroup = max(st.minGroup, 2)
	form, drop := compactFor(forms, n)
	n.shift(-drop)
	whole := n.point
	places := f.compactPlaces(n)
	n.round(places, false)
	if n.point > whole { // 999,999 has become 1,000 thousand
		n.shift(drop)
		form, drop = compactFor(forms, n)
		n.shift(-drop)
		places = f.compactPlaces(n)
	}
	if st.maxFrac = places; f.hasDigits && !f.Trim {
		st.minFrac = places
	}
	if form == nil {
		return
	}
	a := form.forms[pluralOf(d.language, n, max(len(n.d)-n.point, st.minFrac, 0))]
	if f.Type == 'K' && f.money() { // the long forms have no place for the currency: it keeps that of full amounts
		st.prefix, st.suffix, st.nprefix, st.nsuffix = st.prefix+a.prefix, a.suffix+st.suffix, st.nprefix+a.prefix,
			a.suffix+st.nsuffix
		return
	}
	st.affixes = *a
}

// compactPlaces is the digits after the point of a shortened number.
func (f *Format) compactPlaces(n *num) int {
	if f.hasDigits {
		return f.digits
	}
	return max(1-n.exponent(), 0)
}
