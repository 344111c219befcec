package number

import "math/big"

// num is a number as its decimal digits: ±0.d1d2d3... × 10^point. Zero has no digits. The digits of d are ASCII,
// without zeros at either end.
type num struct {
	neg     bool
	special byte // 'i' is an infinity, 'n' is not a number
	d       []byte
	point   int
	scale   int // digits after the point that the text had
}

// parseNum reads a decimal text: a sign, digits with at most one point, an exponent; or Infinity, inf, NaN. The digits
// are kept in text itself, which it overwrites. False when it is no number.
func parseNum(text []byte) (n num, ok bool) {
	i := 0
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		n.neg = text[0] == '-'
		i++
	}
	switch string(text[i:]) {
	case "Infinity", "Inf", "inf":
		n.special = 'i'
		return n, true
	case "NaN", "nan":
		n.special = 'n'
		return n, true
	}
	out, seen, point := 0, false, -1
	lead := 0 // digits of the whole part that count
	for ; i < len(text); i++ {
		c := text[i]
		if c == '.' && point < 0 {
			point = 0
			continue
		}
		if c-'0' > 9 {
			break
		}
		seen = true
		if point >= 0 {
			point++
		}
		switch {
		case out > 0 || c != '0':
			text[out] = c
			out++
			if point < 0 {
				lead++
			}
		case point >= 0:
			lead-- // a zero right after the point
		}
	}
	exp, ok := exponentOf(text[i:])
	if !seen || !ok {
		return n, false
	}
	n.scale = max(point, 0) - exp
	n.d, n.point = text[:out], lead+exp
	n.trim()
	return n, true
}

// maxExponent bounds the size of what is written: beyond any double, far below what would hurt.
const maxExponent = 2000

// exponentOf reads "e-12" or nothing.
func exponentOf(s []byte) (int, bool) {
	if len(s) == 0 {
		return 0, true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return 0, false
	}
	s = s[1:]
	neg := false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	e := 0
	for _, c := range s {
		if c-'0' > 9 || e > maxExponent {
			return 0, false
		}
		e = e*10 + int(c-'0')
	}
	if neg {
		e = -e
	}
	return e, len(s) > 0 && e <= maxExponent && e >= -maxExponent
}

// trim drops zeros at the end; a number without digits is zero.
func (n *num) trim() {
	k := len(n.d)
	for k > 0 && n.d[k-1] == '0' {
		k--
	}
	n.d = n.d[:k]
	if k == 0 {
		n.point = 0
	}
}

func (n *num) zero() bool { return len(n.d) == 0 && n.special == 0 }

// round keeps the digits down to 10^-places: half to even, or half away from zero.
func (n *num) round(places int, away bool) {
	keep := n.point + places
	if keep >= len(n.d) || n.special != 0 {
		return
	}
	if keep < 0 {
		n.d = n.d[:0]
		n.point = 0
		return
	}
	up := n.d[keep] > '5'
	if n.d[keep] == '5' { // nothing but zeros behind makes it a tie; zeros at the end are never kept
		up = len(n.d) > keep+1 || away || keep > 0 && (n.d[keep-1]-'0')%2 == 1
	}
	n.d = n.d[:keep]
	if up {
		n.increment()
	}
	n.trim()
}

// increment adds one to the last digit kept.
func (n *num) increment() {
	for i := len(n.d) - 1; i >= 0; i-- {
		if n.d[i] < '9' {
			n.d[i]++
			return
		}
		n.d[i] = '0'
	}
	// 99 became 00, or nothing was kept of 0.7: a one before all.
	// There is room: a digit was cut off before. (Slicing n.d in place keeps the caller's buffer on its stack.)
	n.d = n.d[:1]
	n.d[0] = '1'
	n.point++
}

// significant keeps n digits.
func (n *num) significant(digits int, away bool) {
	if len(n.d) > 0 {
		n.round(digits-n.point, away)
	}
}

// exponent is that of scientific notation: 1234 has 3, 0.01 has -2, zero has 0.
func (n *num) exponent() int {
	if len(n.d) == 0 {
		return 0
	}
	return n.point - 1
}

// digit is the i-th digit, zeros standing on both sides.
func (n *num) digit(i int) byte {
	if i < 0 || i >= len(n.d) {
		return '0'
	}
	return n.d[i]
}

// radix is the whole number in another base, lower case.
func (n *num) radix(base int) string {
	n.round(0, false)
	if len(n.d) == 0 {
		return "0"
	}
	var b, ten big.Int
	b.SetString(string(n.d), 10)
	b.Mul(&b, ten.Exp(big.NewInt(10), big.NewInt(int64(n.point-len(n.d))), nil))
	return b.Text(base)
}
