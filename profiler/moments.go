package profiler

import (
	"math"
	"math/bits"
	"slices"

	"catena/table"
)

// Moments are sum, mean, sample standard deviation and lag-1 autocorrelation of a column. What is not known is nil: a
// sum that its column's type cannot hold, the deviation of a single number, the autocorrelation of less than three
// numbers or of equal ones.
type Moments struct {
	sum               table.Value // null where it does not fit
	Mean, Stddev, Lag *float64
}

// moments of the numbers of a scan. Those of whole numbers and decimals are computed from exact sums of whole numbers
// and rounded once, at the end. Those of doubles are computed around the mean in twofold precision. Either way they are
// right to 15 digits and more.
func (s *scan) moments() Moments {
	switch {
	case s.col.Type == table.Float:
		return MomentsOf(s.numbers)
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

func (t *total) wide() wide { return wide{t.lo, t.mid, t.hi} }

// exactMoments sums the distances from the least number, which are never negative.
func (s *scan) exactMoments() Moments {
	least, most := s.ranks.ords[0], s.ranks.ords[len(s.ranks.ords)-1]
	var d distances
	if n := safeTerms(uint64(most) - uint64(least)); n > 1 {
		for block := range slices.Chunk(s.ords, n) {
			d.addNear(block, least)
		}
	} else {
		d.add(s.ords, least)
	}
	return s.fromSums(sums{n: uint64(len(s.ords)), sum: d.sum.wide(), squares: d.squares.wide(),
		products: d.products.wide(),
		first:    wideOf(uint64(s.ords[0]) - uint64(least)), last: wideOf(d.last)}, wideOf(uint64(least)).signed(1))
}

// safeTerms is how many squares of distances up to most can be added in 64 bits, where that is more than a few; else 1.
func safeTerms(most uint64) int {
	const few, many = 4, 30 // bits
	if room := 64 - 2*bits.Len64(most); room >= few {
		return 1 << min(room, many)
	}
	return 1
}

// distances are the sums of distances from a number, of their squares and of the products of neighbours.
type distances struct {
	sum, squares, products total
	last                   uint64
}

func (t *distances) add(ords []int64, least int64) {
	for _, o := range ords {
		d := uint64(o) - uint64(least)
		t.sum.addProduct(d, 1)
		t.squares.addProduct(d, d)
		t.products.addProduct(d, t.last)
		t.last = d
	}
}

// addNear is add for distances and numbers of them that safeTerms allows.
func (t *distances) addNear(ords []int64, least int64) {
	var sum, squares, products uint64
	last := t.last
	for _, o := range ords {
		d := uint64(o) - uint64(least)
		sum, squares, products, last = sum+d, squares+d*d, products+d*last, d
	}
	t.sum.addProduct(sum, 1)
	t.squares.addProduct(squares, 1)
	t.products.addProduct(products, 1)
	t.last = last
}

// wideMoments is exactMoments for decimals of more than 64 bits.
func (s *scan) wideMoments() Moments {
	var x sums
	for r := range s.rows {
		if s.buf.IsNull(r) {
			continue
		}
		d := &s.buf.Decimals[r]
		cell := wide{d.LowBits(), uint64(d.HighBits())}.signed(2)
		if x.n++; x.n == 1 {
			x.first = cell
		}
		x.sum = x.sum.add(cell)
		x.squares = x.squares.add(cell.mul(cell))
		x.products = x.products.add(cell.mul(x.last))
		x.last = cell
	}
	return s.fromSums(x, wide{})
}

// sums are those of whole numbers x, of their squares and of the products of neighbours.
type sums struct {
	n                      uint64
	sum, squares, products wide
	first, last            wide
}

// fromSums gives the moments of x + shift, in units of the column's last digit. With S = Σx, Q = Σx² and P =
// Σx[i]x[i+1] the variance is (nQ − S²) / n(n−1) and the autocorrelation, as NIST's Dataplot has it, (n²P − nS(2S −
// x[1] − x[n]) + (n−1)S²) / n(nQ − S²).
func (s *scan) fromSums(x sums, shift wide) Moments {
	var m Moments
	n := wideOf(x.n)
	all := shift.mul(n).add(x.sum)
	m.sum = s.sumValue(all)
	mean := all.twofold().div(n.twofold()).scaled(s.col.Scale).float()
	m.Mean = &mean
	if x.n < 2 {
		return m
	}
	square := x.sum.mul(x.sum)
	spread := x.squares.mul(n).sub(square) // n²·Σ(x−mean)²/n
	deviation := spread.twofold().div(wideOf(x.n * (x.n - 1)).twofold()).sqrt().scaled(s.col.Scale).float()
	m.Stddev = &deviation
	if x.n < 3 || spread == (wide{}) {
		return m
	}
	ends := x.sum.add(x.sum).sub(x.first).sub(x.last)
	products := x.products.mul(n).sub(ends.mul(x.sum)).mul(n).add(square.mul(wideOf(x.n - 1)))
	lag := products.twofold().div(spread.mul(n).twofold()).float()
	m.Lag = &lag
	return m
}

// tooLarge is 10^38: decimals are less.
var tooLarge = wide{0x098A224000000000, 0x4B3B4CA85A86C47A}

// sumValue is a sum in the column's type; null when it does not fit.
func (s *scan) sumValue(sum wide) table.Value {
	small := sum == wideOf(sum[0]).signed(1)
	switch {
	case s.col.Type == table.Duration:
		if small {
			return table.DurationOfMicros(int64(sum[0]))
		}
		return table.NullValue
	case s.col.Type == table.Decimal:
		if !sum.magnitude().sub(tooLarge).negative() {
			return table.NullValue
		}
		return table.DecimalValue(int64(sum[1]), sum[0], s.col.Scale)
	case small:
		return table.IntValue(int64(sum[0]))
	}
	return table.NullValue
}

// MomentsOf are the moments of doubles. The sum of n doubles is off by about n²·2^-106 of the sum of their magnitudes
// at most, so that it has all its digits even where terms cancel by fifteen; deviations are taken from the mean in
// twofold precision. Very large and very small numbers are moved near one by a power of two first, so that squares
// neither overflow nor vanish.
func MomentsOf(x []float64) Moments {
	var m Moments
	scale := powerScale(x)
	var adds running
	for _, v := range x {
		adds.add(v*scale, 0)
	}
	sum, n := adds.total(), float64(len(x))
	m.sum = table.FloatValue(sum.float() / scale) // null where it overflows
	center := sum.div(twofold{n, 0})
	mean := center.float() / scale
	m.Mean = &mean
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
	m.Stddev = &deviation
	if lag := products.div(squares).float(); len(x) > 2 && squares.hi > 0 && !math.IsNaN(lag) {
		m.Lag = &lag
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
