package number

import "strconv"

// appendBody writes the digits, without sign and symbols.
func (f *Format) appendBody(dst []byte, n *num, st *style, d *data) []byte {
	switch {
	case n.special == 'i' && f.d3:
		return append(dst, "Infinity"...)
	case n.special == 'i':
		return append(dst, d.infinity...)
	case n.special != 0:
		return append(dst, d.nan...)
	case st.bare:
		return dst
	case st.digits != "":
		return appendGrouped(dst, st, len(st.digits), func(i int) byte { return st.digits[i] })
	case st.scientific:
		return f.appendScientific(dst, n, st, d)
	}
	dst = appendWhole(dst, n, st)
	dst = appendFraction(dst, n, st)
	return append(dst, st.unit...)
}

// appendWhole writes the digits before the point with their groups.
func appendWhole(dst []byte, n *num, st *style) []byte {
	length := max(n.point, st.minInt)
	pad := length - n.point // zeros in front
	if st.group1 == 0 || length < st.group1+st.minGroup {
		for i := range length {
			dst = append(dst, n.digit(i-pad))
		}
		return dst
	}
	for i := range length {
		if left := length - i; i > 0 && (left == st.group1 || left > st.group1 && (left-st.group1)%st.group2 == 0) {
			dst = append(dst, st.groupMark...)
		}
		dst = append(dst, n.digit(i-pad))
	}
	return dst
}

// appendGrouped writes digits of another base with their groups.
func appendGrouped(dst []byte, st *style, length int, digit func(int) byte) []byte {
	for i := range length {
		if left := length - i; st.group1 > 0 && i > 0 && left%st.group1 == 0 {
			dst = append(dst, st.groupMark...)
		}
		dst = append(dst, digit(i))
	}
	return dst
}

// appendFraction writes the point and what follows, if anything does.
func appendFraction(dst []byte, n *num, st *style) []byte {
	places := min(max(st.minFrac, len(n.d)-n.point), max(st.maxFrac, st.minFrac))
	if places <= 0 {
		return dst
	}
	dst = append(dst, st.point...)
	for i := range places {
		dst = append(dst, n.digit(n.point+i))
	}
	return dst
}

// appendScientific writes mantissa and exponent; the mantissa has as many whole digits as the format has at least.
func (f *Format) appendScientific(dst []byte, n *num, st *style, d *data) []byte {
	exp := 0
	m := *n
	if !n.zero() {
		exp = n.point - st.minInt
		m.point = st.minInt
	}
	if f.pattern == nil { // zeros that fill the width are no part of the mantissa
		exp, m.point = n.exponent(), min(n.point, 1)
		if !n.zero() {
			m.point = 1
		}
	}
	dst = appendWhole(dst, &m, st)
	dst = appendFraction(dst, &m, st)
	switch {
	case f.pattern != nil:
		dst = append(dst, d.exponent...)
	case f.Type == 'E' || f.Type == 'G':
		dst = append(dst, 'E')
	default:
		dst = append(dst, 'e')
	}
	switch {
	case exp < 0 && f.pattern != nil:
		dst = append(dst, f.minusOf(d)...)
	case exp < 0:
		dst = append(dst, '-')
	case st.expPlus:
		dst = append(dst, '+')
	}
	var buf [8]byte
	digits := strconv.AppendInt(buf[:0], int64(max(exp, -exp)), 10)
	for range st.expDigits - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}
