package names_test

import (
	"fmt"
	"strings"
	"testing"

	"catena/profiler/names"
)

func ExampleModel_Parts() {
	for _, parts := range names.Embedded().Parts("", []string{"VndrPhNo", "order_amt"}, []bool{true, true}) {
		var words []string
		for _, p := range parts {
			words = append(words, p.Words...)
		}
		fmt.Println(strings.Join(words, " "))
	}
	// Output:
	// vendor phone number
	// order amount
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
	m := names.Embedded()
	f.Fuzz(func(t *testing.T, name string) {
		for _, parts := range m.Parts("", []string{name, "site"}, []bool{true, true}) {
			for _, p := range parts {
				if p.Confidence < 0 || p.Confidence > 1+1e-9 {
					t.Fatalf("%q is read with confidence %v", name, p.Confidence)
				}
			}
		}
	})
}
