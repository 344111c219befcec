package profiler

import (
	"math"
	"math/bits"
)

// wide is a whole number of 384 bits in two's complement, the lowest limb first. The largest number that moments need
// is n³·x² for decimals x of 128 bits and less than 2^31 cells: it takes 350 bits.
type wide [6]uint64

func wideOf(x uint64) wide { return wide{x} }

// signed fills up the limbs from the given ones on with the sign.
func (a wide) signed(limbs int) wide {
	fill := uint64(int64(a[limbs-1]) >> 63)
	for i := limbs; i < len(a); i++ {
		a[i] = fill
	}
	return a
}

// limbs is how many limbs a number without sign needs.
func (a *wide) limbs() int {
	n := len(a)
	for n > 0 && a[n-1] == 0 {
		n--
	}
	return n
}

func (a wide) add(b wide) wide {
	var c uint64
	for i := range a {
		a[i], c = bits.Add64(a[i], b[i], c)
	}
	return a
}

func (a wide) sub(b wide) wide {
	var c uint64
	for i := range a {
		a[i], c = bits.Sub64(a[i], b[i], c)
	}
	return a
}

// mul is a·b modulo 2^384, which is right for signed numbers too.
func (a wide) mul(b wide) wide {
	var out wide
	short, long := a.limbs(), b.limbs()
	for i := range short {
		var carry uint64
		for j := 0; j < long && i+j < len(out); j++ {
			hi, lo := bits.Mul64(a[i], b[j])
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			out[i+j], c = bits.Add64(out[i+j], lo, 0)
			carry = hi + c
		}
		if i+long < len(out) {
			out[i+long] = carry
		}
	}
	return out
}

func (a wide) negative() bool { return int64(a[len(a)-1]) < 0 }

func (a wide) magnitude() wide {
	if a.negative() {
		return wide{}.sub(a)
	}
	return a
}

// twofold is a in twofold precision, rounded at the 106th bit or so. Three limbs are looked at, since the highest may
// have one bit only.
func (a wide) twofold() twofold {
	m := a.magnitude()
	n := m.limbs()
	if n == 0 {
		return twofold{}
	}
	sum, unit := twofold{}, math.Ldexp(1, 64*(n-1))
	for i := n - 1; i >= max(0, n-3); i-- {
		part := twoUint(m[i])
		sum = sum.add(twofold{part.hi * unit, part.lo * unit})
		unit /= 1 << 64
	}
	if a.negative() {
		return sum.neg()
	}
	return sum
}

// twoUint is a whole number without rounding.
func twoUint(x uint64) twofold {
	hi, lo := float64(x>>32)*(1<<32), float64(x&(1<<32-1))
	return fast(hi, lo)
}
