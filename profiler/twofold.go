package profiler

import "math"

// twofold is a number as the unevaluated sum of two doubles, about 106 bits: what is added and multiplied in it and
// rounded once is right to the last digit of a double, where the terms do not cancel by more than fifteen digits. The
// steps are those of T. J. Dekker (Numerische Mathematik 18, 1971) and of D. E. Knuth (The Art of Computer Programming
// 2, section 4.2.2), with fused multiply-adds.
type twofold struct{ hi, lo float64 }

// twoSum is a + b without rounding.
func twoSum(a, b float64) twofold {
	s := a + b
	t := s - a
	return twofold{s, (a - (s - t)) + (b - t)}
}

// twoInt is a whole number without rounding.
func twoInt(i int64) twofold {
	hi := float64(i)
	if hi >= 1<<63 {
		return twofold{hi, float64(i - math.MaxInt64 - 1)}
	}
	return twofold{hi, float64(i - int64(hi))}
}

func (a twofold) add(b twofold) twofold {
	s := twoSum(a.hi, b.hi)
	t := twoSum(a.lo, b.lo)
	s = fast(s.hi, s.lo+t.hi)
	return fast(s.hi, s.lo+t.lo)
}

// fast is a + b for |a| >= |b|.
func fast(a, b float64) twofold {
	s := a + b
	return twofold{s, b - (s - a)}
}

func (a twofold) neg() twofold { return twofold{-a.hi, -a.lo} }

func (a twofold) mul(b twofold) twofold {
	p := a.hi * b.hi
	e := math.FMA(a.hi, b.hi, -p)
	return fast(p, e+(a.hi*b.lo+a.lo*b.hi))
}

func (a twofold) div(b twofold) twofold {
	q := a.hi / b.hi
	rest := a.add(b.mul(twofold{-q, 0}))
	return fast(q, rest.hi/b.hi)
}

func (a twofold) sqrt() twofold {
	if a.hi <= 0 {
		return twofold{}
	}
	s := math.Sqrt(a.hi)
	rest := math.FMA(-s, s, a.hi) + a.lo
	return fast(s, rest/(2*s))
}

// float is the double nearest to a, or an infinity or NaN where the sum overflowed.
func (a twofold) float() float64 { return a.hi + a.lo }

// scaled is a / 10^digits for digits from 0 to 38.
func (a twofold) scaled(digits int32) twofold {
	if digits > exactPower {
		a = a.div(twofold{1e22, 0})
		digits -= exactPower
	}
	if digits == 0 {
		return a
	}
	return a.div(twofold{math.Pow10(int(digits)), 0})
}

// running is a sum that keeps what each addition rounds off: its error is that of a sum in twofold precision, at a
// third of the cost.
type running twofold

func (r *running) add(hi, lo float64) {
	s := twoSum(r.hi, hi)
	r.hi, r.lo = s.hi, r.lo+(s.lo+lo)
}

func (r *running) total() twofold { return fast(r.hi, r.lo) }

func (a twofold) addFloat(b float64) twofold {
	s := twoSum(a.hi, b)
	return fast(s.hi, s.lo+a.lo)
}
