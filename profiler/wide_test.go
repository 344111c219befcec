package profiler

import (
	"encoding/binary"
	"math"
	"math/big"
	"testing"
)

// wide numbers are those of math/big as far as 384 bits go, and twofold is right to 104 bits.
func FuzzWide(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff"), uint8(8), false)
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), uint8(12), true)
	f.Fuzz(func(t *testing.T, data []byte, split uint8, negative bool) {
		data = data[:min(len(data), 46)]
		at := min(int(split), len(data))
		a, x := wideFrom(data[:at])
		b, y := wideFrom(data[at:])
		if negative {
			a, x = wide{}.sub(a), x.Neg(x)
		}
		for name, pair := range map[string]struct {
			got  wide
			want *big.Int
		}{"+": {a.add(b), new(big.Int).Add(x, y)}, "-": {a.sub(b), new(big.Int).Sub(x, y)}, "*": {a.mul(b), new(big.Int).Mul(x, y)}, "b*a": {b.mul(a), new(big.Int).Mul(x, y)}} {
			if got := bigOf(pair.got); got.Cmp(pair.want) != 0 {
				t.Errorf("%v %s %v = %v, want %v", x, name, y, got, pair.want)
			}
			near := pair.got.twofold()
			off := new(big.Float).SetPrec(500).SetFloat64(near.hi)
			off.Add(off, big.NewFloat(near.lo)).Sub(off, new(big.Float).SetPrec(500).SetInt(pair.want))
			if d, _ := off.Float64(); math.Abs(d) > math.Ldexp(math.Abs(near.hi), -104) {
				t.Errorf("%v in twofold precision is off by %v", pair.want, d)
			}
		}
	})
}

func wideFrom(data []byte) (wide, *big.Int) {
	var room [8 * len(wide{})]byte
	copy(room[:], data)
	var a wide
	for i := range a {
		a[i] = binary.LittleEndian.Uint64(room[8*i:])
	}
	return a, bigOf(a)
}

func bigOf(a wide) *big.Int {
	x, m := new(big.Int), a.magnitude()
	for i := len(m) - 1; i >= 0; i-- {
		x.Or(x.Lsh(x, 64), new(big.Int).SetUint64(m[i]))
	}
	if a.negative() {
		x.Neg(x)
	}
	return x
}
