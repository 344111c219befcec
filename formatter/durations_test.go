package formatter

import (
	"testing"
	"time"

	"catena/table"
)

// Lengths of time are shown as people write them.
func TestDurations(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "took", Type: table.Duration})
	want := []string{"1h 30m", "45m", "0s", "-2h", "1.5s"}
	for _, d := range []time.Duration{90 * time.Minute, 45 * time.Minute, 0, -2 * time.Hour, 1500 * time.Millisecond} {
		if err := b.Append(table.DurationValue(d)); err != nil {
			t.Fatal(err)
		}
	}
	v, err := Format(b.Table(), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got := v.Cell(i, 0); got != want[i] {
			t.Errorf("%q, want %q", got, want[i])
		}
	}
}
