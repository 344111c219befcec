package run

import (
	"math/big"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"catena/table"
)

// pow10 are the powers of ten that 38 digits hold.
var pow10 = func() (p [table.MaxDigits + 1]num) {
	p[0] = decimal128.FromI64(1)
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1].Mul(decimal128.FromI64(10))
	}
	return p
}()

func numOf(i int64) num { return decimal128.FromI64(i) }

// small reports whether 64 bits hold the digits.
func small(n num) bool { return n.HighBits() == int64(n.LowBits())>>63 }

// fits reports whether a big integer has at most 38 digits.
func fits(x *big.Int) (num, bool) {
	if x.BitLen() > 127 {
		return num{}, false
	}
	n := decimal128.FromBigInt(x)
	return n, n.FitsInPrecision(table.MaxDigits)
}

// addDec adds digits of one scale; false where 38 digits do not hold the sum.
func addDec(a, b num) (num, bool) {
	if small(a) && small(b) {
		return a.Add(b), true
	}
	sum := a.Add(b)
	if a.Sign() == b.Sign() && sum.Sign() != a.Sign() {
		return sum, false
	}
	return sum, sum.FitsInPrecision(table.MaxDigits)
}

func subDec(a, b num) (num, bool) { return addDec(a, b.Negate()) }

// mulDec multiplies digits; false where 38 digits do not hold the product.
func mulDec(a, b num) (num, bool) {
	if small(a) && small(b) {
		x, y := int64(a.LowBits()), int64(b.LowBits())
		hi, lo := bits.Mul64(magnitude(x), magnitude(y))
		n := decimal128.New(int64(hi), lo)
		if (x < 0) != (y < 0) {
			n = n.Negate()
		}
		return n, true // below 2^126, which is less than 10^38
	}
	x := a.BigInt()
	return fits(x.Mul(x, b.BigInt()))
}

func magnitude(i int64) uint64 {
	if i < 0 {
		return -uint64(i)
	}
	return uint64(i)
}

// scaleUp gives digits of a greater scale; false where 38 do not suffice.
func scaleUp(n num, by int32) (num, bool) {
	switch {
	case by == 0:
		return n, true
	case by > table.MaxDigits:
		return n, n.Sign() == 0
	}
	if !n.FitsInPrecision(table.MaxDigits-by) && n.Sign() != 0 {
		return n, false
	}
	return n.Mul(pow10[by]), true
}

// scaleDown gives digits of a smaller scale, half away from zero.
func scaleDown(n num, by int32) num {
	switch {
	case by == 0:
		return n
	case by > table.MaxDigits:
		return num{}
	}
	q, rest := n.Div(pow10[by])
	if rest = rest.Abs(); !rest.Add(rest).Less(pow10[by]) {
		q = q.Add(numOf(int64(n.Sign())))
	}
	return q
}

// compareDec compares digits of two scales by value.
func compareDec(a num, as int32, b num, bs int32) int {
	if as == bs {
		return a.Cmp(b)
	}
	x, xok := scaleUp(a, max(0, bs-as))
	y, yok := scaleUp(b, max(0, as-bs))
	if xok && yok {
		return x.Cmp(y)
	}
	p, q := a.BigInt(), b.BigInt()
	p.Mul(p, tenTo(max(0, bs-as)))
	q.Mul(q, tenTo(max(0, as-bs)))
	return p.Cmp(q)
}

func tenTo(n int32) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// floatDec is the double nearest to digits of a scale.
func floatDec(n num, scale int32) float64 {
	f, _ := table.DecimalValue(n.HighBits(), n.LowBits(), scale).Float()
	return f
}

// decOf is a cell as digits of a scale, rounded where it has more.
func decOf(x table.Value, scale int32) (num, bool) {
	var n num
	switch x.Type() {
	case table.Int:
		i, _ := x.Int()
		n = numOf(i)
	case table.Decimal:
		d := x.Apd()
		c := d.Coeff.MathBigInt()
		if d.Negative {
			c.Neg(c)
		}
		n = decimal128.FromBigInt(c)
	default:
		return n, false
	}
	if from := x.Scale(); from > scale {
		return scaleDown(n, from-scale), true
	}
	return scaleUp(n, scale-x.Scale())
}

// quotient is the double nearest to a/10^as divided by b/10^bs. Doubles hold operands below 2^53, and one division
// rounds once.
func quotient(a num, as int32, b num, bs int32) (float64, bool) {
	if b.Sign() == 0 {
		return 0, false
	}
	const most = 1 << 53
	x, xok := scaleUp(a, max(0, bs-as))
	y, yok := scaleUp(b, max(0, as-bs))
	if xok && yok && small(x) && small(y) {
		if p, q := int64(x.LowBits()), int64(y.LowBits()); magnitude(p) <= most && magnitude(q) <= most {
			return float64(p) / float64(q), true
		}
	}
	p, q := a.BigInt(), b.BigInt()
	p.Mul(p, tenTo(max(0, bs-as)))
	q.Mul(q, tenTo(max(0, as-bs)))
	f, _ := new(big.Rat).SetFrac(p, q).Float64()
	return f, true
}
