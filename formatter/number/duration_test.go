package number

import (
	"math"
	"testing"
	"time"

	"catena/table/infer"
)

func TestDuration(t *testing.T) {
	d := (26*time.Hour + 90*time.Second).Microseconds()
	for style, want := range []string{"26h 1m 30s", "26:01:30", "PT26H1M30S"} {
		if got := string(AppendDuration(nil, d, DurationStyle(style))); got != want {
			t.Errorf("style %d writes %q, want %q", style, got, want)
		}
	}
	if got, want := string(AppendDuration(nil, math.MinInt64, UnitDuration)), "-2562047788h 54.775808s"; got != want {
		t.Errorf("the longest is written %q, want %q", got, want)
	}
}

// longest is the longest length, in microseconds, that reads back.
const longest = math.MaxInt64 / 1000

// What is written reads back, in every style.
func FuzzDuration(f *testing.F) {
	for _, d := range []int64{0, 1, -1, 59_999_999, 3_600_000_000, longest, -longest} {
		f.Add(d)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		for style := UnitDuration; style <= ISODuration; style++ {
			text := string(AppendDuration(nil, n, style))
			back, err := infer.ReadDuration(text)
			if n > longest || n < -longest {
				continue // its length does not fit: an error
			}
			if err != nil || back.Microseconds() != n {
				t.Fatalf("%d is written %q and reads %d, %v", n, text, back, err)
			}
		}
	})
}
