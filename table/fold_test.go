package table

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// Fold gives what Group gives, and means by the short way what they are by the exact one.
func TestFold(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	funcs := []AggFunc{Sum, Mean, Stddev, Count, Min, Max, Median}
	for _, col := range []Column{{Name: "x", Type: Int}, {Name: "x", Type: Decimal, Scale: 2}, {Name: "x", Type: Float}, {Name: "x", Type: Duration}, {Name: "x", Type: Decimal, Scale: 20}} {
		for _, bits := range []uint{10, 50, 62} {
			b := NewBuilder(col)
			sum, n := new(big.Int), int64(0)
			for range 101 {
				i := rng.Int64N(1<<bits) - 1<<(bits-1)
				v := IntValue(i)
				switch col.Type {
				case Decimal:
					v = decimalOf(numOf(i), col.Scale)
				case Float:
					v = FloatValue(float64(i))
				case Duration:
					v = Value{typ: Duration, i: i}
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
			tab := b.Table()
			got, errs := tab.Fold(0, funcs...)
			for i, f := range funcs {
				want, err := tab.Group(nil, []Aggregate{{Func: f, Column: "x", As: "y"}})
				if (err == nil) != (errs[i] == nil) {
					t.Errorf("%s of %v: %v, %v", f, col, errs[i], err)
				} else if err == nil && !Equal(got[i], want.Value(0, 0)) {
					t.Errorf("%s of %v: %v, want %v", f, col, got[i], want.Value(0, 0))
				}
			}
			if col.Type == Int || col.Type == Decimal {
				unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(col.Scale)), nil)
				exact, _ := new(big.Rat).SetFrac(sum, unit.Mul(unit, big.NewInt(n))).Float64()
				if f, _ := got[1].Float(); f != exact {
					t.Errorf("mean of %v with %d bits: %v, want %v", col, bits, f, exact)
				}
			}
		}
	}
	if _, errs := NewBuilder(Column{Name: "s", Type: Text}).Table().Fold(0, Sum, Count, "mode"); errs[0] == nil || errs[1] != nil || errs[2] == nil {
		t.Error(errs)
	}
}
