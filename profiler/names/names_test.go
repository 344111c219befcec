package names_test

import (
	"fmt"
	"testing"

	"catena/profiler/names"
)

func ExampleModel_Read() {
	for _, r := range names.Embedded(names.Trade).Read("", []string{"VndrPhNo", "OrderDt", "supplr_rtng"}) {
		fmt.Println(r)
	}
	// Output:
	// vendor phone number
	// order date
	// supplier rating
}

func TestNorm(t *testing.T) {
	for in, want := range map[string]string{"Rate, of the_Growth (a-b)": "rate of growth b", "8/10 %": "8/10 %", "": ""} {
		if got := names.Norm(in); got != want {
			t.Errorf("Norm(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"ytd_rev", "", "\xff", "éÉ", "A1b2", "%%%", "g/m^2"} {
		f.Add(s)
	}
	m := names.Embedded(names.Science)
	f.Fuzz(func(t *testing.T, name string) {
		for _, r := range m.Read("", []string{name, "site"}) {
			if r.Confidence < 0 || r.Confidence > 1+1e-9 {
				t.Fatalf("%q is read with confidence %v", name, r.Confidence)
			}
		}
	})
}
