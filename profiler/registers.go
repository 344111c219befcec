package profiler

import (
	"math"
	"math/bits"
)

// registers estimate how many distinct keys were added: HyperLogLog (Flajolet et al., AofA 2007) over 64-bit hashes
// (Heule et al., EDBT 2013), 2^14 registers. It is only used for millions of keys, where its estimate needs no
// correction.
type registers [1 << registerBits]uint8

const registerBits = 14

// registerError is the relative standard error, 1.04/√m.
var registerError = 1.04 / math.Sqrt(1<<registerBits)

func (r *registers) add(key uint64) {
	// The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): all bits of its result depend on all of the
	// key.
	h := key + 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	h ^= h >> 31
	at := h >> (64 - registerBits)
	rank := uint8(bits.LeadingZeros64(h<<registerBits|1)) + 1
	r[at] = max(r[at], rank)
}

func (r *registers) estimate() int {
	const m = 1 << registerBits
	var sum float64
	empty := 0
	for _, rank := range r {
		sum += math.Ldexp(1, -int(rank))
		if rank == 0 {
			empty++
		}
	}
	estimate := 0.7213 / (1 + 1.079/m) * m * m / sum
	if estimate <= 2.5*m && empty > 0 {
		estimate = m * math.Log(m/float64(empty)) // linear counting, for few keys
	}
	return int(math.Round(estimate))
}
