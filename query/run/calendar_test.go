package run

import (
	"testing"
	"time"

	"catena/table"
)

// TestCalendar: days are computed as package time has them.
func TestCalendar(t *testing.T) {
	s := shape{typ: table.Date}
	from, to := reader(s), writer(s)
	for days := int64(-800_000); days < 3_000_000; days += 97 {
		d, want := dateOf(days), time.Unix(days*86400, 0).UTC()
		if d.year != int64(want.Year()) || d.month != int64(want.Month()) || d.day != int64(want.Day()) {
			t.Fatalf("%d: %v, want %v", days, d, want)
		}
		if back := daysOf(d.year, d.month, d.day); back != days {
			t.Fatalf("%v: %d", d, back)
		}
		for unit, f := range dayTruncs {
			if w, _ := to(truncs[unit](from(days))); f(d) != w {
				t.Fatalf("%s of %v: %d, want %d", unit, want, f(d), w)
			}
		}
		for unit, f := range dayParts {
			if w := parts[unit](want); f(d) != w {
				t.Fatalf("%s of %v: %d, want %d", unit, want, f(d), w)
			}
		}
	}
}
