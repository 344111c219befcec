package table

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestExactMeans checks that means are the doubles nearest to the exact ones.
func TestExactMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, col := range []Column{{Name: "x", Type: Int}, {Name: "x", Type: Decimal, Scale: 2}, {Name: "x", Type: Decimal, Scale: 20}} {
		for _, bits := range []uint{10, 50, 62} {
			b := NewBuilder(col)
			sum, n := new(big.Int), int64(0)
			for range 101 {
				i := rng.Int64N(1<<bits) - 1<<(bits-1)
				v := IntValue(i)
				if col.Type == Decimal {
					v = decimalOf(numOf(i), col.Scale)
				}
				if rng.IntN(10) == 0 {
					v = NullValue
				} else {
					sum.Add(sum, big.NewInt(i))
					n++
				}
				if err := b.Append(v); err != nil {
					t.Fatal(err)
				}
			}
			got, err := b.Table().Group(nil, []Aggregate{{Func: Mean, Column: "x"}})
			if err != nil {
				t.Fatal(err)
			}
			unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(col.Scale)), nil)
			exact, _ := new(big.Rat).SetFrac(sum, unit.Mul(unit, big.NewInt(n))).Float64()
			if f, _ := got.Value(0, 0).Float(); f != exact {
				t.Errorf("mean of %v with %d bits: %v, want %v", col, bits, f, exact)
			}
		}
	}
}
