package pipeline

import (
	"testing"
)

func TestTextPeriod(t *testing.T) {
	rising := [][]string{
		{"Q4 2025", "Q1 2026", "q2-2026"}, {"2025 Q4", "2026-Q1"}, {"H2 2025", "H1 2026"}, {"Dec 2025", "January 2026", "Sept 2026"},
		{"Jan", "Feb", "March", "December"}, {"Monday", "Tue", "Sunday"}, {"Q1", "Q2", "Q3"},
	}
	for _, list := range rising {
		for i := 1; i < len(list); i++ {
			a, kind := textPeriod(list[i-1])
			b, other := textPeriod(list[i])
			if kind == "" || kind != other || a >= b {
				t.Errorf("%s (%d, %q) does not come before %s (%d, %q)", list[i-1], a, kind, list[i], b, other)
			}
		}
	}
	for _, s := range []string{"", "2026", "Marchand", "Maybe", "Q5 2026", "Q1 Q2", "Sun King 2026", "12 March 2026", "H3"} {
		if _, kind := textPeriod(s); kind != "" {
			t.Errorf("%q was read as a period, %s", s, kind)
		}
	}
}
