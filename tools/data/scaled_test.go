package data

import "testing"

// The magnitude behind a number counts in text too.
func TestTextNumbersWithMagnitudes(t *testing.T) {
	for text, want := range map[string]string{
		"1.2M": "1200000", "350K": "350000", "2.5B": "2500000000", "$1.2M": "1200000", "1.2M EUR": "1200000", "2 bn": "2000000000", "-3.5k": "-3500",
		"12 km": "12", "43 %": "43", "300 K": "300", "5 m": "5", "1,234": "1234", "350": "350",
	} {
		if v, ok := textNumber(text); !ok || v.Text() != want {
			t.Errorf("%q is %s, %v; want %s", text, v.Text(), ok, want)
		}
	}
}
