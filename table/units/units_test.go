package units_test

import (
	"fmt"
	"testing"

	"catena/table"
	"catena/table/units"
)

func ExampleConvert() {
	n, ok := units.Convert(table.IntValue(6), "kg", "g")
	fmt.Println(n, ok)
	// Output: 6000 true
}

func TestConvert(t *testing.T) {
	for _, c := range []struct {
		n        int64
		from, to string
		want     string
		ok       bool
	}{
		{6, "kg", "g", "6000", true},
		{1, "mi", "m", "1609.344", true},
		{90, "min", "h", "1.5", true},
		{1, "kg", "m", "", false},
		{1, "hp", "hp", "", false},
	} {
		got, ok := units.Convert(table.IntValue(c.n), c.from, c.to)
		if ok != c.ok || ok && got.String() != c.want {
			t.Errorf("%d %s in %s: %v %v, want %s %v", c.n, c.from, c.to, got, ok, c.want, c.ok)
		}
	}
}

func TestAlike(t *testing.T) {
	if !units.Alike("kg", "lb", "g") || units.Alike("kg", "m") || units.Alike() || units.Alike("furlong") {
		t.Error("units that convert are not told from others")
	}
}
