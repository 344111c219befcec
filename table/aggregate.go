package table

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// accumulator folds the non-null cells of one group of one column.
type accumulator interface {
	add(v Value)
	result() (Value, error)
}

// accumulatorFor gives a maker of accumulators and the type of their results.
func accumulatorFor(f AggFunc, col Column) (func() accumulator, Type, error) {
	switch f {
	case Count:
		return func() accumulator { return &counter{} }, Int, nil
	case CountDistinct:
		return func() accumulator { return &distinct{seen: map[string]struct{}{}} }, Int, nil
	case Min:
		return func() accumulator { return &extreme{sign: -1} }, col.Type, nil
	case Max:
		return func() accumulator { return &extreme{sign: 1} }, col.Type, nil
	case First:
		return func() accumulator { return &edge{} }, col.Type, nil
	case Last:
		return func() accumulator { return &edge{last: true} }, col.Type, nil
	case Sum, Mean, Median, Stddev:
	default:
		return nil, Null, fmt.Errorf("table: there is no aggregate %q; the aggregates are sum, mean, median, min, max, count, count_distinct, stddev, first, last", f)
	}
	if !col.Type.Numeric() && col.Type != Duration && col.Type != Null {
		return nil, Null, &TypeError{Column: col.Name, Type: col.Type, Reason: string(f) + " needs numbers"}
	}
	typ := col.Type
	switch f {
	case Sum:
		if typ == Float {
			return func() accumulator { return &floatSum{} }, typ, nil
		}
		return func() accumulator { return &exactSum{typ: typ, scale: col.Scale} }, typ, nil
	case Median:
		if typ == Int {
			typ = Float
		}
		return func() accumulator { return &median{} }, typ, nil
	case Mean:
		typ = meanType(typ)
		if col.Type == Float {
			return func() accumulator { return &floatMoments{} }, typ, nil
		}
		return func() accumulator { return &exactMoments{typ: col.Type, scale: col.Scale} }, typ, nil
	}
	typ = meanType(typ)
	if col.Type == Float {
		return func() accumulator { return &floatMoments{deviation: true} }, typ, nil
	}
	return func() accumulator { return &exactMoments{typ: col.Type, scale: col.Scale, deviation: true} }, typ, nil
}

func meanType(t Type) Type {
	if t == Duration || t == Null {
		return t
	}
	return Float
}

type counter struct{ n int64 }

func (c *counter) add(Value)              { c.n++ }
func (c *counter) result() (Value, error) { return IntValue(c.n), nil }

type distinct struct {
	seen map[string]struct{}
	buf  []byte
}

func (d *distinct) add(v Value) {
	d.buf = appendRaw(d.buf[:0], v)
	if _, ok := d.seen[string(d.buf)]; !ok {
		d.seen[string(d.buf)] = struct{}{}
	}
}

func (d *distinct) result() (Value, error) { return IntValue(int64(len(d.seen))), nil }

type extreme struct {
	sign int
	best Value
}

func (e *extreme) add(v Value) {
	if e.best.typ == Null || Compare(v, e.best)*e.sign > 0 {
		e.best = v
	}
}

func (e *extreme) result() (Value, error) { return e.best, nil }

type edge struct {
	last bool
	v    Value
}

func (e *edge) add(v Value) {
	if e.last || e.v.typ == Null {
		e.v = v
	}
}

func (e *edge) result() (Value, error) { return e.v, nil }

var errTooLarge = errors.New("the sum does not fit the column's type")

// exactSum adds Ints, Decimals and Durations without rounding.
type exactSum struct {
	typ   Type
	scale int32
	n     int
	sum   wide
}

func (s *exactSum) add(v Value) {
	s.n++
	s.sum.add(v.hiLo())
}

func (s *exactSum) result() (Value, error) {
	if s.n == 0 {
		return NullValue, nil
	}
	n, ok := s.sum.num()
	switch {
	case s.typ == Decimal && ok && n.FitsInPrecision(maxDigits):
		return decimalOf(n, s.scale), nil
	case s.typ != Decimal && ok && fitsInt64(n):
		return Value{typ: s.typ, i: int64(n.LowBits())}, nil
	}
	return NullValue, errTooLarge
}

// floatSum is Neumaier's compensated sum (Zeitschrift für Angewandte Mathematik und Mechanik 54, 1974).
type floatSum struct {
	n         int
	sum, comp float64
}

func (s *floatSum) add(v Value) {
	s.n++
	s.addFloat(v.f)
}

func (s *floatSum) addFloat(f float64) {
	t := s.sum + f
	if math.Abs(s.sum) >= math.Abs(f) {
		s.comp += (s.sum - t) + f
	} else {
		s.comp += (f - t) + s.sum
	}
	s.sum = t
}

func (s *floatSum) value() float64 { return s.sum + s.comp }

func (s *floatSum) result() (Value, error) {
	if s.n == 0 {
		return NullValue, nil
	}
	if v := FloatValue(s.value()); v.typ != Null {
		return v, nil
	}
	return NullValue, errTooLarge
}

// exactMoments computes mean and sample standard deviation from exact integer sums of x and x²: the variance is
// (n·Σx² − (Σx)²) / (n·(n−1)), and only the last step rounds.
type exactMoments struct {
	typ       Type
	scale     int32
	deviation bool
	n         int64
	sum       wide
	squares   wide    // of values within 63 bits
	large     big.Int // squares of the others
}

func (m *exactMoments) add(v Value) {
	m.n++
	hi, lo := v.hiLo()
	m.sum.add(hi, lo)
	if !m.deviation {
		return
	}
	if hi == int64(lo)>>63 {
		m.squares.addSquare(int64(lo))
		return
	}
	x := v.num().BigInt()
	m.large.Add(&m.large, x.Mul(x, x))
}

func (m *exactMoments) result() (Value, error) {
	if m.n == 0 || m.deviation && m.n == 1 {
		return NullValue, nil
	}
	if f, ok := m.smallMean(); ok && !m.deviation {
		if m.typ == Duration {
			return Value{typ: Duration, i: int64(math.Round(f))}, nil
		}
		return FloatValue(f), nil
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(m.scale)), nil)
	n := big.NewInt(m.n)
	sum := m.sum.big()
	var f float64
	if !m.deviation {
		f, _ = new(big.Rat).SetFrac(sum, unit.Mul(unit, n)).Float64()
	} else {
		squares := m.squares.big()
		squares.Add(squares, &m.large)
		num := squares.Mul(squares, n)
		num.Sub(num, sum.Mul(sum, sum))
		den := new(big.Int).Mul(n, big.NewInt(m.n-1))
		den.Mul(den, unit).Mul(den, unit)
		f = sqrtRat(new(big.Rat).SetFrac(num, den))
	}
	if m.typ == Duration {
		return Value{typ: Duration, i: int64(math.Round(f))}, nil
	}
	return FloatValue(f), nil
}

// smallMean is the mean where sum and divisor are whole numbers that doubles hold: one division rounds once, as the exact way does.
func (m *exactMoments) smallMean() (float64, bool) {
	const most, scales = 1 << 53, 15
	sum, ok := m.sum.num()
	if !ok || !fitsInt64(sum) || m.scale < 0 || m.scale > scales {
		return 0, false
	}
	x, unit := int64(sum.LowBits()), int64(1)
	for range m.scale {
		unit *= 10
	}
	if x <= -most || x >= most || m.n >= most/unit {
		return 0, false
	}
	return float64(x) / float64(m.n*unit), true
}

// sqrtRat is the square root with 200 bits on the way, so that the result is the nearest double.
func sqrtRat(r *big.Rat) float64 {
	x := new(big.Float).SetPrec(200).SetRat(r)
	f, _ := x.Sqrt(x).Float64()
	return f
}

// floatMoments keeps the values for a second pass around the mean, which is stable for any offset.
type floatMoments struct {
	deviation bool
	sum       floatSum
	values    []float64
}

func (m *floatMoments) add(v Value) {
	m.sum.add(v)
	if m.deviation {
		m.values = append(m.values, v.f)
	}
}

func (m *floatMoments) result() (Value, error) {
	n := float64(m.sum.n)
	if n == 0 || m.deviation && n == 1 {
		return NullValue, nil
	}
	mean := m.sum.value() / n
	if !m.deviation {
		return finite(mean)
	}
	var squares, rest floatSum
	for _, x := range m.values {
		squares.addFloat((x - mean) * (x - mean))
		rest.addFloat(x - mean)
	}
	r := rest.value() // what rounding left of Σ(x−mean): Chan, Golub & LeVeque, The American Statistician 37, 1983
	return finite(math.Sqrt((squares.value() - r*r/n) / (n - 1)))
}

func finite(f float64) (Value, error) {
	if v := FloatValue(f); v.typ != Null {
		return v, nil
	}
	return NullValue, errTooLarge
}

type median struct{ values []Value }

func (m *median) add(v Value) { m.values = append(m.values, v) }

func (m *median) result() (Value, error) {
	n := len(m.values)
	if n == 0 {
		return NullValue, nil
	}
	slices.SortFunc(m.values, Compare)
	lo, hi := m.values[(n-1)/2], m.values[n/2]
	switch lo.typ {
	case Float:
		if sum := lo.f + hi.f; !notFinite(sum) {
			return FloatValue(sum / 2), nil
		}
		return FloatValue(lo.f/2 + hi.f/2), nil
	case Duration:
		return Value{typ: Duration, i: lo.i + (hi.i-lo.i)/2}, nil
	case Int:
		var sum wide
		sum.add(lo.hiLo())
		sum.add(hi.hiLo())
		f, _ := new(big.Rat).SetFrac(sum.big(), big.NewInt(2)).Float64()
		return FloatValue(f), nil
	}
	return middle(lo, hi)
}

// middle is (a+b)/2 of two Decimals of one scale, exactly: with one digit more where that is needed and fits.
func middle(a, b Value) (Value, error) {
	sum := a.num().Add(b.num())
	if half, rem := sum.Div(numOf(2)); rem.Sign() == 0 {
		return decimalOf(half, a.sc), nil
	}
	if a.sc < maxDigits && sum.FitsInPrecision(maxDigits-1) {
		return decimalOf(sum.Mul(numOf(5)), a.sc+1), nil
	}
	half, _ := sum.Div(numOf(2))
	return decimalOf(half, a.sc), nil
}
