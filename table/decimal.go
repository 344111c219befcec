package table

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/cockroachdb/apd/v3"

	"catena/internal/text"
)

// MaxDigits is what a 128-bit decimal holds for certain: 10^38-1 < 2^127.
const MaxDigits = 38

var powers = func() (p [MaxDigits + 1]decimal128.Num) {
	p[0] = decimal128.FromI64(1)
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1].Mul(decimal128.FromI64(10))
	}
	return p
}()

var floatPowers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// ParseDecimal reads a decimal exactly: an optional sign, digits with at most one point, an optional exponent. The
// scale is the number of digits after the point. It fails where more than 38 digits would be needed; it never rounds.
func ParseDecimal(given string) (Value, error) {
	s := strings.TrimSpace(given)
	if strings.ContainsAny(s, "eE") {
		return parseScientific(s)
	}
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg, s = s[0] == '-', s[1:]
	}
	n, scale, ok := ParseDigits(s)
	if !ok {
		return NullValue, fmt.Errorf("%q is not a decimal of at most %d digits", text.Clip(given, 60), MaxDigits)
	}
	if neg {
		n = n.Negate()
	}
	return decimalOf(n, scale), nil
}

func parseScientific(s string) (Value, error) {
	d, _, err := apd.NewFromString(s)
	if err != nil || d.Form != apd.Finite {
		return NullValue, fmt.Errorf("%q is not a decimal number", text.Clip(s, 60))
	}
	return DecimalFromApd(d)
}

// DecimalFromApd makes a Decimal of d exactly, or fails when it needs more than 38 digits or is not finite.
func DecimalFromApd(d *apd.Decimal) (Value, error) {
	scale := -d.Exponent
	far := d.Exponent < -MaxDigits || d.Exponent > MaxDigits
	if d.Form != apd.Finite || far || d.NumDigits() > MaxDigits {
		return NullValue, fmt.Errorf("%s does not fit a decimal of %d digits", text.Clip(d.String(), 60), MaxDigits)
	}
	n := decimal128.FromBigInt(d.Coeff.MathBigInt())
	if scale < 0 {
		var ok bool
		if n, ok = Rescale(n, 0, -scale); !ok {
			return NullValue, fmt.Errorf("%s does not fit a decimal of %d digits", text.Clip(d.String(), 60), MaxDigits)
		}
		scale = 0
	}
	if d.Negative {
		n = n.Negate()
	}
	return decimalOf(n, scale), nil
}

// ParseDigits reads digits with at most one point. Leading zeros do not count against the 38 digits.
func ParseDigits(s string) (n decimal128.Num, scale int32, ok bool) {
	var small uint64
	digits, point, seen := 0, -1, 0
	wide := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '.' {
			if point >= 0 {
				return n, 0, false
			}
			point = seen
			continue
		}
		if c < '0' || c > '9' {
			return n, 0, false
		}
		seen++
		if digits > 0 || c != '0' {
			digits++
		}
		switch {
		case digits <= 18:
			small = small*10 + uint64(c-'0')
		case digits > MaxDigits:
			return n, 0, false
		default:
			if !wide {
				n, wide = decimal128.FromU64(small), true
			}
			n = n.Mul(powers[1]).Add(decimal128.FromU64(uint64(c - '0')))
		}
	}
	if seen == 0 {
		return n, 0, false
	}
	if !wide {
		n = decimal128.FromU64(small)
	}
	if point >= 0 {
		scale = int32(seen - point)
	}
	return n, scale, scale <= MaxDigits
}

// Rescale changes n/10^from to the scale to; false when digits would be lost or 38 are not enough.
func Rescale(n decimal128.Num, from, to int32) (decimal128.Num, bool) {
	switch {
	case from == to:
		return n, true
	case to > from:
		by := to - from
		if by > MaxDigits || !n.FitsInPrecision(MaxDigits-by) && n.Sign() != 0 {
			return n, false
		}
		return n.Mul(powers[by]), true
	}
	if from-to > MaxDigits {
		return n, n.Sign() == 0
	}
	q, rem := n.Div(powers[from-to])
	return q, rem.Sign() == 0
}

// FitsInt64 reports whether 64 bits hold a number.
func FitsInt64(n decimal128.Num) bool { return n.HighBits() == int64(n.LowBits())>>63 }

// appendDecimal writes n/10^scale with all digits of the scale.
func appendDecimal(b []byte, n decimal128.Num, scale int32) []byte {
	if n.Sign() < 0 {
		b = append(b, '-')
	}
	var buf [48]byte
	var digits []byte
	if abs := n.Abs(); abs.HighBits() == 0 {
		digits = strconv.AppendUint(buf[:0], abs.LowBits(), 10)
	} else {
		digits = appendWide(buf[:0], uint64(abs.HighBits()), abs.LowBits())
	}
	if scale == 0 {
		return append(b, digits...)
	}
	whole := len(digits) - int(scale)
	if whole <= 0 {
		b = append(b, '0', '.')
		for ; whole < 0; whole++ {
			b = append(b, '0')
		}
		return append(b, digits...)
	}
	b = append(b, digits[:whole]...)
	b = append(b, '.')
	return append(b, digits[whole:]...)
}

// appendWide writes hi·2^64+lo in base ten by dividing off 18 digits at a time.
func appendWide(b []byte, hi, lo uint64) []byte {
	const chunk = 1e18
	var parts [3]uint64
	k := 0
	for hi != 0 || lo >= chunk {
		qhi, r := hi/chunk, hi%chunk
		qlo, rem := bits.Div64(r, lo, chunk)
		parts[k], hi, lo = rem, qhi, qlo
		k++
	}
	b = strconv.AppendUint(b, lo, 10)
	for k--; k >= 0; k-- {
		s := strconv.FormatUint(parts[k]+chunk, 10) // the added 10^18 keeps leading zeros
		b = append(b, s[1:]...)
	}
	return b
}

// decimalFloat is the double nearest to n/10^scale. Both operands of the fast path are exact, so one division rounds
// once.
func decimalFloat(n decimal128.Num, scale int32) float64 {
	if FitsInt64(n) && int(scale) < len(floatPowers) {
		if i := int64(n.LowBits()); i >= -maxSafeInt && i <= maxSafeInt {
			return float64(i) / floatPowers[scale]
		}
	}
	var buf [64]byte
	f, err := strconv.ParseFloat(string(appendDecimal(buf[:0], n, scale)), 64)
	if err != nil {
		return math.NaN() // unreachable: at most 38 digits are always in range
	}
	return f
}

func decimalApd(n decimal128.Num, scale int32) *apd.Decimal {
	d := &apd.Decimal{Exponent: -scale, Negative: n.Sign() < 0}
	if FitsInt64(n) && n.LowBits() != 1<<63 {
		i := int64(n.LowBits())
		d.Coeff.SetInt64(max(i, -i))
		return d
	}
	d.Coeff.SetMathBigInt(n.Abs().BigInt())
	return d
}

// floatApd is the exact decimal expansion of the double: every double is m·2^e, and 2^-e = 5^e/10^e.
func floatApd(f float64) *apd.Decimal {
	d := &apd.Decimal{Negative: f < 0}
	mant, exp := math.Frexp(math.Abs(f))
	m := new(big.Int).SetInt64(int64(mant * (1 << 53)))
	exp -= 53
	if exp >= 0 {
		d.Coeff.SetMathBigInt(m.Lsh(m, uint(exp)))
		return d
	}
	if zeros := int(m.TrailingZeroBits()); m.Sign() != 0 {
		shift := min(zeros, -exp)
		m.Rsh(m, uint(shift))
		exp += shift
	} else {
		exp = 0
	}
	m.Mul(m, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-exp)), nil))
	d.Coeff.SetMathBigInt(m)
	d.Exponent = int32(exp)
	return d
}

// leastLong is the size from which a mean with its cents has more digits than a double tells.
var leastLong = apd.New(1, 13)

// LongMean is the mean of n numbers with a sum, Int or Decimal, where it is too large for a double to hold all of its
// digits: a Decimal with up to four digits more than the sum's own scale, rounded once. ok is false for means that a
// double holds, and for what is no such sum.
func LongMean(sum Value, n int) (mean Value, ok bool) {
	const more = 4
	if n <= 0 || sum.Type() != Int && sum.Type() != Decimal {
		return NullValue, false
	}
	var out, size apd.Decimal
	wide := apd.BaseContext.WithPrecision(2 * MaxDigits)
	if _, err := wide.Quo(&out, sum.Apd(), apd.New(int64(n), 0)); err != nil || size.Abs(&out).Cmp(leastLong) < 0 {
		return NullValue, false
	}
	whole := int32(out.NumDigits()) + out.Exponent
	scale := min(max(0, -sum.Apd().Exponent)+more, MaxDigits-whole)
	if scale < 0 {
		return NullValue, false
	}
	if _, err := wide.Quantize(&out, &out, -scale); err != nil {
		return NullValue, false
	}
	v, err := DecimalFromApd(&out)
	return v, err == nil
}
