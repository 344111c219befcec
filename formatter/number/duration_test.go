package number

import (
	"math"
	"testing"
	"time"

	"catena/table"
)

func TestDuration(t *testing.T) {
	d := 26*time.Hour + 90*time.Second
	for style, want := range []string{"26h 1m 30s", "26:01:30", "PT26H1M30S"} {
		if got := string(AppendDuration(nil, d, DurationStyle(style))); got != want {
			t.Errorf("style %d writes %q, want %q", style, got, want)
		}
	}
}

// What is written reads back, in every style.
func FuzzDuration(f *testing.F) {
	for _, d := range []int64{0, 1, -1, 59_999_999_999, 3_600_000_000_000, math.MaxInt64, math.MinInt64 + 1} {
		f.Add(d)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		d := time.Duration(n)
		for style := UnitDuration; style <= ISODuration; style++ {
			text := string(AppendDuration(nil, d, style))
			back, err := table.ReadDuration(text)
			if d == math.MinInt64 {
				continue // its length does not fit: an error
			}
			if err != nil || back != d {
				t.Fatalf("%d is written %q and reads %d, %v", d, text, back, err)
			}
		}
	})
}
