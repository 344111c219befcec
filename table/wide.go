package table

import (
	"math/big"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
)

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
