package table

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
)

// exactSum adds Ints, Decimals and Durations without rounding.
type exactSum struct {
	n   int64
	sum wide
}

// exactSums adds the cells of each group that are not null.
func exactSums(c *cells, g grouping) []exactSum {
	sums := make([]exactSum, len(g.first))
	if c.typ == Decimal {
		for r, id := range g.group {
			if !c.isNull(r) {
				s := &sums[id]
				s.n++
				s.sum.add(c.decs[r].HighBits(), c.decs[r].LowBits())
			}
		}
		return sums
	}
	for r, id := range g.group {
		if !c.isNull(r) {
			s, x := &sums[id], c.ints[r]
			s.n++
			s.sum.add(x>>63, uint64(x))
		}
	}
	return sums
}

// exactAggregates gives the sum, mean or standard deviation of each group of Ints, Decimals or Durations.
func exactAggregates(f AggFunc, col Column, c *cells, g grouping) ([]Value, error) {
	values := make([]Value, len(g.first))
	sums := exactSums(c, g)
	var squares []exactSquares
	if f == Stddev {
		squares = squaresOf(c, g)
	}
	for id := range sums {
		var err error
		switch s := &sums[id]; f {
		case Sum:
			values[id], err = s.total(col)
		case Mean:
			values[id] = s.mean(col)
		default:
			values[id] = s.deviation(&squares[id], col)
		}
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}

// total is the sum as a cell of the column: of Ints, as a Decimal where 64 bits do not hold it.
func (s *exactSum) total(col Column) (Value, error) {
	if s.n == 0 {
		return NullValue, nil
	}
	n, ok := s.sum.num()
	switch {
	case col.Type == Decimal && ok && n.FitsInPrecision(MaxDigits):
		return decimalOf(n, col.Scale), nil
	case col.Type != Decimal && ok && FitsInt64(n):
		return Value{typ: col.Type, i: int64(n.LowBits())}, nil
	case col.Type == Int && ok && n.FitsInPrecision(MaxDigits):
		return decimalOf(n, 0), nil
	}
	return NullValue, errTooLarge
}

// mean rounds once.
func (s *exactSum) mean(col Column) Value {
	if s.n == 0 {
		return NullValue
	}
	f, ok := s.smallMean(col.Scale)
	if !ok {
		unit := powers[col.Scale].BigInt()
		f, _ = new(big.Rat).SetFrac(s.sum.big(), unit.Mul(unit, big.NewInt(s.n))).Float64()
	}
	return momentValue(f, col.Type)
}

// smallMean is the mean where sum and divisor are whole numbers that doubles hold: one division rounds once, as the
// exact way does.
func (s *exactSum) smallMean(scale int32) (float64, bool) {
	const most, scales = 1 << 53, 15
	sum, ok := s.sum.num()
	if !ok || !FitsInt64(sum) || scale > scales {
		return 0, false
	}
	x, unit := int64(sum.LowBits()), int64(powers[scale].LowBits())
	if x <= -most || x >= most || s.n >= most/unit {
		return 0, false
	}
	return float64(x) / float64(s.n*unit), true
}

// momentValue is a mean or deviation as a cell: a Duration for Durations, rounded to whole microseconds, else a Float.
func momentValue(f float64, typ Type) Value {
	if typ == Duration {
		return Value{typ: Duration, i: int64(math.Round(f))}
	}
	return FloatValue(f)
}

// exactSquares adds squares without rounding.
type exactSquares struct {
	small wide     // of values within 63 bits
	large *big.Int // of the others; nil when there is none
}

func squaresOf(c *cells, g grouping) []exactSquares {
	squares := make([]exactSquares, len(g.first))
	for r, id := range g.group {
		if r%askedRows == 0 {
			c.work.block(r, len(g.group))
		}
		if c.isNull(r) {
			continue
		}
		s := &squares[id]
		if c.typ != Decimal {
			s.small.addSquare(c.ints[r])
			continue
		}
		n := c.decs[r]
		if FitsInt64(n) {
			s.small.addSquare(int64(n.LowBits()))
			continue
		}
		if s.large == nil {
			s.large = new(big.Int)
		}
		x := n.BigInt()
		s.large.Add(s.large, x.Mul(x, x))
	}
	return squares
}

// deviation is the sample standard deviation: the variance (n·Σx² − (Σx)²) / (n·(n−1)) is exact, and only the last step
// rounds.
func (s *exactSum) deviation(squares *exactSquares, col Column) Value {
	if s.n < 2 {
		return NullValue
	}
	sum, num := s.sum.big(), squares.small.big()
	if squares.large != nil {
		num.Add(num, squares.large)
	}
	num.Mul(num, big.NewInt(s.n))
	num.Sub(num, sum.Mul(sum, sum))
	unit := powers[col.Scale].BigInt()
	den := new(big.Int).Mul(big.NewInt(s.n), big.NewInt(s.n-1))
	den.Mul(den, unit).Mul(den, unit)
	return momentValue(sqrtRat(new(big.Rat).SetFrac(num, den)), col.Type)
}

// sqrtRat is the square root with 200 bits on the way, so that the result is the nearest double.
func sqrtRat(r *big.Rat) float64 {
	x := new(big.Float).SetPrec(200).SetRat(r)
	f, _ := x.Sqrt(x).Float64()
	return f
}

// wide is a 192-bit two's complement sum: 2^63 values of 128 bits cannot overflow it.
type wide struct{ lo, mid, hi uint64 }

// hiLo is the 128-bit integer of an Int, Duration or (unscaled) Decimal.
func (v Value) hiLo() (int64, uint64) {
	if v.typ == Decimal {
		return v.hi, uint64(v.i)
	}
	return v.i >> 63, uint64(v.i)
}

func (w *wide) add(hi int64, lo uint64) {
	var c uint64
	w.lo, c = bits.Add64(w.lo, lo, 0)
	w.mid, c = bits.Add64(w.mid, uint64(hi), c)
	w.hi, _ = bits.Add64(w.hi, uint64(hi>>63), c)
}

// addSquare adds i². The square is below 2^127, so that it is a positive 128-bit number.
func (w *wide) addSquare(i int64) {
	abs := uint64(i)
	if i < 0 {
		abs = -abs
	}
	hi, lo := bits.Mul64(abs, abs)
	w.add(int64(hi), lo)
}

// num is the sum as 128 bits, if it fits.
func (w *wide) num() (decimal128.Num, bool) {
	return decimal128.New(int64(w.mid), w.lo), int64(w.hi) == int64(w.mid)>>63
}

func (w *wide) big() *big.Int {
	x := big.NewInt(int64(w.hi))
	x.Lsh(x, 64)
	x.Or(x, new(big.Int).SetUint64(w.mid))
	x.Lsh(x, 64)
	return x.Or(x, new(big.Int).SetUint64(w.lo))
}
