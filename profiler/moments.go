package profiler

import (
	"math"
	"math/big"
	"math/bits"

	"catena/table"
)

// moments are sum, mean, sample standard deviation and lag-1 autocorrelation of a column. What is not known is nil: a sum that its column's
// type cannot hold, the deviation of a single number, the autocorrelation of less than three numbers or of equal ones.
type moments struct {
	sum               table.Value // null where it does not fit
	mean, stddev, lag *float64
}

// moments of the numbers of a scan. Those of whole numbers and decimals are computed from exact sums of whole numbers and rounded once, at the end.
// Those of doubles are computed around the mean in twofold precision. Either way they are right to 15 digits and more.
func (s *scan) moments() moments {
	switch {
	case s.col.Type == table.Float:
		return floatMoments(s.numbers)
	case s.wide:
		return s.wideMoments()
	}
	return s.exactMoments()
}

// total is a sum of products of 64-bit numbers, modulo 2^192: 2^64 terms cannot overflow it.
type total struct{ lo, mid, hi uint64 }

func (t *total) addProduct(a, b uint64) {
	hi, lo := bits.Mul64(a, b)
	var c uint64
	t.lo, c = bits.Add64(t.lo, lo, 0)
	t.mid, c = bits.Add64(t.mid, hi, c)
	t.hi += c
}

func (t *total) big() *big.Int {
	x := new(big.Int).SetUint64(t.hi)
	x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(t.mid))
	return x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(t.lo))
}

// exactMoments sums the distances from the least number, which are never negative.
func (s *scan) exactMoments() moments {
	least := s.ords[0]
	for _, o := range s.ords {
		least = min(least, o)
	}
	var sum, squares, products total
	last := uint64(0)
	for _, o := range s.ords {
		d := uint64(o) - uint64(least)
		sum.addProduct(d, 1)
		squares.addProduct(d, d)
		products.addProduct(d, last)
		last = d
	}
	sums := sums{n: int64(len(s.ords)), sum: sum.big(), squares: squares.big(), products: products.big(),
		first: new(big.Int).SetUint64(uint64(s.ords[0]) - uint64(least)), last: new(big.Int).SetUint64(last)}
	return s.fromSums(sums, big.NewInt(least))
}

// wideMoments is exactMoments for decimals of more than 64 bits.
func (s *scan) wideMoments() moments {
	sums := sums{sum: new(big.Int), squares: new(big.Int), products: new(big.Int), last: new(big.Int)}
	p := new(big.Int)
	for r := range s.rows {
		if s.buf.IsNull(r) {
			continue
		}
		x := s.buf.Decimals[r].BigInt()
		if sums.n++; sums.n == 1 {
			sums.first = x
		}
		sums.sum.Add(sums.sum, x)
		sums.squares.Add(sums.squares, p.Mul(x, x))
		sums.products.Add(sums.products, p.Mul(x, sums.last))
		sums.last = x
	}
	return s.fromSums(sums, new(big.Int))
}

// sums are those of whole numbers x, of their squares and of the products of neighbours.
type sums struct {
	n                      int64
	sum, squares, products *big.Int
	first, last            *big.Int
}

// fromSums gives the moments of x + shift, in units of the column's last digit. With S = Σx, Q = Σx² and P = Σx[i]x[i+1] the variance is
// (nQ − S²) / n(n−1) and the autocorrelation, as NIST's Dataplot has it, (n²P − nS(2S − x[1] − x[n]) + (n−1)S²) / n(nQ − S²).
func (s *scan) fromSums(x sums, shift *big.Int) moments {
	var m moments
	n := big.NewInt(x.n)
	all := new(big.Int).Mul(shift, n)
	all.Add(all, x.sum)
	m.sum = s.sumValue(all)
	mean := quotient(all, n).scaled(s.col.Scale).float()
	m.mean = &mean
	if x.n < 2 {
		return m
	}
	square := new(big.Int).Mul(x.sum, x.sum)
	spread := new(big.Int).Mul(x.squares, n)
	spread.Sub(spread, square) // n²·Σ(x−mean)²/n
	deviation := quotient(spread, big.NewInt(x.n*(x.n-1))).sqrt().scaled(s.col.Scale).float()
	m.stddev = &deviation
	if x.n < 3 || spread.Sign() == 0 {
		return m
	}
	ends := new(big.Int).Lsh(x.sum, 1)
	ends.Sub(ends, x.first).Sub(ends, x.last)
	num := ends.Mul(ends, x.sum).Neg(ends)
	num.Add(num, new(big.Int).Mul(x.products, n)).Mul(num, n)
	num.Add(num, square.Mul(square, big.NewInt(x.n-1)))
	lag := quotient(num, spread.Mul(spread, n)).float()
	m.lag = &lag
	return m
}

// sumValue is a sum in the column's type; null when it does not fit.
func (s *scan) sumValue(sum *big.Int) table.Value {
	if s.col.Type == table.Int {
		if sum.IsInt64() {
			return table.IntValue(sum.Int64())
		}
		return table.NullValue
	}
	const digits = 38
	if limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(digits), nil); sum.CmpAbs(limit) >= 0 {
		return table.NullValue
	}
	low := new(big.Int).And(sum, new(big.Int).SetUint64(math.MaxUint64)).Uint64() // two's complement, as big.Int has it
	return table.DecimalValue(new(big.Int).Rsh(sum, 64).Int64(), low, s.col.Scale)
}

// floatMoments are the moments of doubles. The sum of n doubles is off by about n²·2^-106 of the sum of their magnitudes at most, so that it has all its digits
// even where terms cancel by fifteen; deviations are taken from the mean in twofold precision. Very large and very small numbers are moved near one by a
// power of two first, so that squares neither overflow nor vanish.
func floatMoments(x []float64) moments {
	var m moments
	scale := powerScale(x)
	var adds running
	for _, v := range x {
		adds.add(v*scale, 0)
	}
	sum, n := adds.total(), float64(len(x))
	m.sum = table.FloatValue(sum.float() / scale) // null where it overflows
	center := sum.div(twofold{n, 0})
	mean := center.float() / scale
	m.mean = &mean
	if len(x) < 2 {
		return m
	}
	var squareSum, productSum running
	var last twofold
	center = center.neg()
	for _, v := range x {
		d := center.addFloat(v * scale)
		p := d.hi * d.hi
		squareSum.add(p, math.FMA(d.hi, d.hi, -p)+2*d.hi*d.lo)
		p = d.hi * last.hi
		productSum.add(p, math.FMA(d.hi, last.hi, -p)+(d.hi*last.lo+d.lo*last.hi))
		last = d
	}
	squares, products := squareSum.total(), productSum.total()
	deviation := squares.div(twofold{n - 1, 0}).sqrt().float() / scale
	m.stddev = &deviation
	if lag := products.div(squares).float(); len(x) > 2 && squares.hi > 0 && !math.IsNaN(lag) {
		m.lag = &lag
	}
	return m
}

// powerScale is the power of two that moves numbers of extreme size near one; 1 for others.
func powerScale(x []float64) float64 {
	const large, small = 1e120, 1e-120
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	if most == 0 || most > small && most < large {
		return 1
	}
	_, exp := math.Frexp(most)
	return math.Ldexp(1, -max(min(exp, 1000), -1000))
}
