package chat

import "testing"

// A confidence is shown with two digits.
func TestConfidenceIsRounded(t *testing.T) {
	for f, want := range map[float64]float64{0.8999999999999999: 0.9, 0.5: 0.5, 1: 1, 0: 0, 0.987: 0.99} {
		if got := hundredths(f); got != want {
			t.Errorf("%v is %v, want %v", f, got, want)
		}
	}
}
