package table

import "github.com/cockroachdb/apd/v3"

// leastLong is the size from which a mean with its cents has more digits than a double tells.
var leastLong = apd.New(1, 13)

// LongMean is the mean of n numbers with a sum, Int or Decimal, where it is too large for a double to hold all of its digits: a Decimal with up to
// four digits more than the sum's own scale, rounded once. ok is false for means that a double holds, and for what is no such sum.
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
