package app

import (
	"strings"
	"testing"
	"time"
)

// A clock that is behind what the store has is told, one that is not has its time shown.
func TestClock(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		written time.Time
		bad     bool
		say     string
	}{
		{time.Time{}, false, "2026-05-01 12:00:00 UTC"},
		{now.Add(-time.Hour), false, "2026-05-01 12:00:00 UTC"},
		{now.Add(clockApart), false, "2026-05-01 12:00:00 UTC"},
		{now.Add(time.Hour), true, "1h0m0s later than that: set the clock by NTP"},
	} {
		if got := clockOf(now, c.written); got.Bad != c.bad || !strings.HasSuffix(got.Say, c.say) {
			t.Errorf("%v: %+v", c.written, got)
		}
	}
}
