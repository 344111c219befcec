package table

import (
	"math"
	"math/big"
	"slices"

	"github.com/cockroachdb/apd/v3"
)

// plainAggregate computes from all cells of a group, none of them null, by exact arithmetic.
func plainAggregate(f AggFunc, cells []Value) Value {
	n := int64(len(cells))
	switch {
	case f == Count:
		return IntValue(n)
	case f == CountDistinct:
		seen := map[string]bool{}
		for _, v := range cells {
			seen[string(appendRaw(nil, v))] = true
		}
		return IntValue(int64(len(seen)))
	case n == 0 || f == Stddev && n == 1:
		return NullValue
	case f == First:
		return cells[0]
	case f == Last:
		return cells[n-1]
	case f == Min:
		return slices.MinFunc(cells, Compare)
	case f == Max:
		return slices.MaxFunc(cells, Compare)
	}
	typ := cells[0].typ
	if typ == Float {
		return plainFloats(f, cells)
	}
	sum, squares := new(big.Rat), new(big.Rat)
	for _, v := range cells {
		x := exactRat(v)
		sum.Add(sum, x)
		squares.Add(squares, new(big.Rat).Mul(x, x))
	}
	count := new(big.Rat).SetInt64(n)
	switch f {
	case Sum:
		return fromRat(sum, cells[0])
	case Mean:
		return rounded(new(big.Rat).Quo(sum, count), typ)
	case Median:
		sorted := slices.SortedFunc(slices.Values(cells), Compare)
		v, err := medianOf(sorted[(n-1)/2], sorted[n/2])
		if err != nil {
			panic(err)
		}
		return v
	}
	mean := new(big.Rat).Quo(sum, count)
	variance := new(big.Rat).Sub(squares, new(big.Rat).Mul(mean, sum))
	variance.Quo(variance, new(big.Rat).SetInt64(n-1))
	return rounded(new(big.Rat).SetFloat64(sqrtRat(variance)), typ)
}

func plainFloats(f AggFunc, cells []Value) Value {
	switch f {
	case Median:
		sorted := slices.SortedFunc(slices.Values(cells), Compare)
		v, err := medianOf(sorted[(len(sorted)-1)/2], sorted[len(sorted)/2])
		if err != nil {
			panic(err)
		}
		return v
	}
	var sum floatSum
	for _, v := range cells {
		sum.add(v.f)
	}
	if f == Sum {
		return FloatValue(sum.value())
	}
	if f == Mean {
		return FloatValue(sum.mean())
	}
	var squares, rest floatSum
	for _, v := range cells {
		x := v.f - sum.mean()
		squares.add(x * x)
		rest.add(x)
	}
	n := float64(len(cells))
	return FloatValue(math.Sqrt((squares.value() - rest.value()*rest.value()/n) / (n - 1)))
}

func exactRat(v Value) *big.Rat {
	if d := v.Apd(); d != nil {
		r, _ := new(big.Rat).SetString(d.Text('f'))
		return r
	}
	return new(big.Rat).SetInt64(v.i)
}

// fromRat gives a sum as a cell like the given one.
func fromRat(x *big.Rat, like Value) Value {
	if like.typ == Decimal {
		d, _, _ := apd.NewFromString(x.FloatString(int(like.sc)))
		v, err := DecimalFromApd(d)
		if err != nil {
			panic(err)
		}
		return v
	}
	if n := x.Num(); like.typ != Int || n.IsInt64() {
		return Value{typ: like.typ, i: n.Int64()}
	}
	v, err := ParseDecimal(x.Num().String())
	if err != nil {
		panic(err)
	}
	return v
}

func rounded(x *big.Rat, typ Type) Value {
	f, _ := x.Float64()
	if typ == Duration {
		return Value{typ: Duration, i: int64(math.Round(f))}
	}
	return FloatValue(f)
}
