package main

import (
	"testing"

	"catena/bench/sets"
)

// The sets beside the program are met to 14 digits.
func TestLinear(t *testing.T) {
	f, err := score(&sets.Options{Data: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if f.MinDigits < 14 || len(f.Sets) < 6 {
		t.Errorf("%.1f digits of %d sets: %v", f.MinDigits, len(f.Sets), f.Sets)
	}
}
