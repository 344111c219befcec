package text

import "testing"

func TestPlural(t *testing.T) {
	for one, many := range map[string]string{
		"order": "orders", "city": "cities", "person": "people", "box": "boxes", "series": "series", "address": "addresses", "day": "days",
	} {
		if got := Plural(one); got != many {
			t.Errorf("Plural(%q) = %q, want %q", one, got, many)
		}
		if got := Singular(many); got != one {
			t.Errorf("Singular(%q) = %q, want %q", many, got, one)
		}
	}
}
