package table

import (
	"math/big"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
)

// medians gives the median of each group: the rows are put together by group, and each group is sorted.
func medians(c *cells, g grouping) ([]Value, error) {
	ends := make([]int, len(g.first)+1) // where each group ends; in between, where its next row goes
	for _, id := range g.group {
		ends[id+1]++
	}
	for id := range g.first {
		ends[id+1] += ends[id]
	}
	s := newSorter([]sortColumn{{cells: c}}, len(g.group))
	for r, id := range g.group {
		s.rows[ends[id]] = int32(r)
		ends[id]++
	}
	values := make([]Value, len(g.first))
	from := 0
	for id := range values {
		to := ends[id]
		s.sort(from, to, 0, 0)
		n := to - from
		for n > 0 && c.isNull(int(s.rows[from+n-1])) {
			n--
		}
		if n > 0 {
			var err error
			if values[id], err = medianOf(c.value(int(s.rows[from+(n-1)/2])), c.value(int(s.rows[from+n/2]))); err != nil {
				return nil, err
			}
		}
		from = to
	}
	return values, nil
}

// medianOf is the mean of the two middle values.
func medianOf(lo, hi Value) (Value, error) {
	switch lo.typ {
	case Float:
		if sum := lo.f + hi.f; !notFinite(sum) {
			return FloatValue(sum / 2), nil
		}
		return FloatValue(lo.f/2 + hi.f/2), nil
	case Duration:
		return Value{typ: Duration, i: lo.i + int64((uint64(hi.i)-uint64(lo.i))/2)}, nil
	case Int:
		var sum wide
		sum.add(lo.hiLo())
		sum.add(hi.hiLo())
		f, _ := new(big.Rat).SetFrac(sum.big(), big.NewInt(2)).Float64()
		return FloatValue(f), nil
	}
	return middle(lo, hi)
}

// middle is (a+b)/2 of two Decimals of one scale, exactly: with one digit more where that is needed and fits, else cut
// to the scale.
func middle(a, b Value) (Value, error) {
	var both wide // a sum of 38 digits each needs more than 128 bits
	both.add(a.hiLo())
	both.add(b.hiLo())
	sum, ok := both.num()
	if !ok {
		half := both.big()
		return decimalOf(decimal128.FromBigInt(half.Quo(half, big.NewInt(2))), a.sc), nil
	}
	if half, rem := sum.Div(numOf(2)); rem.Sign() == 0 {
		return decimalOf(half, a.sc), nil
	}
	if a.sc < MaxDigits && sum.FitsInPrecision(MaxDigits-1) {
		return decimalOf(sum.Mul(numOf(5)), a.sc+1), nil
	}
	half, _ := sum.Div(numOf(2))
	return decimalOf(half, a.sc), nil
}
