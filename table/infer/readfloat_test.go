package infer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// sameFloat checks that ReadFloat gives what strconv does, for the texts that ScanNumber takes for numbers, and nothing
// for others.
func sameFloat(t *testing.T, s string) {
	t.Helper()
	got, kept, ok := ReadFloat(s)
	want, err := strconv.ParseFloat(s, 64)
	kind, _, _ := ScanNumber(s)
	if number := kind != NotNumber && kind != ZeroLed && err == nil; ok != number || ok && math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("%q: %v (%v), want %v (%v)", s, got, ok, want, number)
	} else if ok && kept != keeps(s, got) {
		t.Fatalf("%q: kept is %v, want %v", s, kept, !kept)
	}
}

func TestReadFloat(t *testing.T) {
	for _, s := range []string{
		"", "-", "+", ".", "-.", "e5", "1e", "1e+", "1.e5", ".5", "-.5e1", "00.5", "0.5", "-0", "-0.0e9", "0e999999999999", "1e400", "-1e400", "1e-400", "1E5", "1e05",
		"9007199254740993", "9007199254740992.5", "9007199254740993e0", "4503599627370496.5", "4503599627370497.5", "1e22", "1e23", "8.5e23", "1e-5x", "1 e5", "0x1p3", "1_0", "Inf", "NaN",
		"2.2250738585072011e-308", "2.2250738585072014e-308", "4.9e-324", "2e-324", "1.7976931348623157e308", "1.7976931348623159e308", "18446744073709551615", "18446744073709551616",
		"123456789012345678901234567890e-20", "0.00000000000000000000000000000012345", "7.2057594037927933e16", "9355950000000000000.00000000000000000000000000000000001844",
	} {
		sameFloat(t, s)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 300_000 {
		f := math.Float64frombits(r.Uint64())
		if r.IntN(2) == 0 {
			f = r.NormFloat64() * math.Pow(10, float64(r.IntN(60)-30))
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		sameFloat(t, strconv.FormatFloat(f, "gef"[r.IntN(3)], -1, 64))
		sameFloat(t, fmt.Sprintf("%de%d", r.Uint64()>>r.IntN(64), r.IntN(220)-110))
		// between two doubles, or next to that
		next := math.Nextafter(math.Abs(f), math.Inf(1))
		if middle := (math.Abs(f)/2 + next/2); !math.IsInf(middle, 0) {
			sameFloat(t, strconv.FormatFloat(middle, 'e', 17+r.IntN(3), 64))
		}
	}
}

func FuzzReadFloat(f *testing.F) {
	for _, s := range []string{"1.5", "-1e-7", "12345678.12345678", "0.1e1", "99999999999999999999e-30"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { sameFloat(t, s) })
}

func BenchmarkReadFloat(b *testing.B) {
	for _, s := range []string{"-0.0012345678901234567", "5.3e-05", "1234.5"} {
		b.Run(s, func(b *testing.B) {
			for b.Loop() {
				ReadFloat(s)
			}
		})
	}
}
