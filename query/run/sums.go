package run

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"catena/table"
)

// wide is an integer of 192 bits: 2^63 values of 128 bits do not overflow it, whatever their order.
type wide struct{ lo, mid, hi uint64 }

func (w *wide) add(n num) {
	hi := uint64(n.HighBits())
	var c uint64
	w.lo, c = bits.Add64(w.lo, n.LowBits(), 0)
	w.mid, c = bits.Add64(w.mid, hi, c)
	w.hi, _ = bits.Add64(w.hi, uint64(int64(hi)>>63), c)
}

func (w *wide) addInt(i int64) {
	sign := uint64(i >> 63)
	var c uint64
	w.lo, c = bits.Add64(w.lo, uint64(i), 0)
	w.mid, c = bits.Add64(w.mid, sign, c)
	w.hi, _ = bits.Add64(w.hi, sign, c)
}

func (w *wide) sub(n num) { w.add(n.Negate()) }

// num is the sum as a decimal's digits, if 38 hold it.
func (w *wide) num() (num, bool) {
	n := decimal128.New(int64(w.mid), w.lo)
	return n, int64(w.hi) == int64(w.mid)>>63 && n.FitsInPrecision(table.MaxDigits)
}

func (w *wide) big() *big.Int {
	x := big.NewInt(int64(w.hi))
	x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(w.mid))
	return x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(w.lo))
}

// over is the sum divided by n·10^scale, rounded once.
func (w *wide) over(n int64, scale int32) float64 {
	const most = 1 << 53
	if s, ok := w.num(); ok && small(s) && scale <= 15 {
		x, unit := int64(s.LowBits()), int64(pow10[scale].LowBits())
		if magnitude(x) < most && n < most/unit {
			return float64(x) / float64(n*unit)
		}
	}
	f, _ := new(big.Rat).SetFrac(w.big(), new(big.Int).Mul(tenTo(scale), big.NewInt(n))).Float64()
	return f
}

// rounded is the sum divided by n, rounded to a whole number.
func (w *wide) rounded(n int64) (int64, bool) {
	q := nearest(w.big(), n)
	return q.Int64(), q.IsInt64()
}

// quotient is the sum divided by n with so many digits more, rounded once; false where 38 digits do not hold it.
func (w *wide) quotient(n int64, digits int32) (num, bool) {
	x := w.big()
	return fits(nearest(x.Mul(x, tenTo(digits)), n))
}

// nearest is x divided by n, which is above zero, rounded to a whole number, half upwards.
func nearest(x *big.Int, n int64) *big.Int {
	q := x.Lsh(x, 1)
	q.Add(q, big.NewInt(n))
	return q.Div(q, new(big.Int).Lsh(big.NewInt(n), 1)) // Euclid's: the floor, for a positive divisor
}

// double is a sum of doubles with what each addition rounds off (Neumaier; found without a branch, as Knuth has it).
type double struct{ hi, lo float64 }

func (d *double) add(f float64) {
	t := d.hi + f
	b := t - d.hi
	d.lo += (d.hi - (t - b)) + (f - b)
	d.hi = t
}

// addProduct adds x·y with all of its digits.
func (d *double) addProduct(x, y double) {
	p := x.hi * y.hi
	d.add(p)
	d.lo += math.FMA(x.hi, y.hi, -p) + x.hi*y.lo + x.lo*y.hi
}

// value is the sum as one double.
func (d double) value() float64 { return d.hi + d.lo }

// times is a product of about 106 bits.
func (d double) times(e double) double {
	p := d.hi * e.hi
	return quickSum(p, math.FMA(d.hi, e.hi, -p)+d.hi*e.lo+d.lo*e.hi)
}

func quickSum(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

func (d double) minus(e double) double {
	d = quickSum(d.hi, d.lo)
	d.add(-e.hi)
	d.lo -= e.lo
	return quickSum(d.hi, d.lo)
}

// over is the quotient, rounded about once.
func (d double) over(f float64) float64 {
	d = quickSum(d.hi, d.lo)
	q := d.hi / f
	return q + (math.FMA(-q, f, d.hi)+d.lo)/f
}

// number gives the values of a vector as doubles of double precision, without the point of decimals, whose digits are
// whole.
func number(v *vec) func(row int) double {
	switch v.typ {
	case table.Int, table.Duration:
		return func(row int) double { return split64(v.ints[row]) }
	case table.Decimal:
		return func(row int) double {
			if n := v.decs[row]; small(n) {
				return split64(int64(n.LowBits()))
			}
			return double{floatDec(v.decs[row], 0), 0}
		}
	case table.Bool:
		return func(row int) double { return double{float64(btoi(v.bools[row])), 0} }
	}
	return func(row int) double { return double{v.floats[row], 0} }
}

// split64 holds all bits of an integer.
func split64(i int64) double {
	hi := float64(i)
	if hi >= 1<<63 {
		return double{hi, float64(i - math.MaxInt64 - 1)}
	}
	return double{hi, float64(i - int64(hi))}
}

// unit is what number's values are to be divided by.
func unit(s shape) float64 { return math.Pow10(int(s.scale)) }
