package pipeline

import (
	"fmt"
	"strings"
	"time"
)

// span is a stretch of time that a text such as "2005", "2005-Q1", "2005-03" or "2005-03-01" names: start <= t < end.
type span struct {
	start, end time.Time
}

// spanLayouts are the forms of a constant that a date is compared with, and how far each reaches.
var spanLayouts = []struct {
	layout        string
	years, months int
	rest          time.Duration
}{
	{"2006", 1, 0, 0},
	{"2006-01", 0, 1, 0},
	{"2006-01-02", 0, 0, 24 * time.Hour},
	{"2006-01-02T15", 0, 0, time.Hour},
	{"2006-01-02T15:04", 0, 0, time.Minute},
	{"2006-01-02T15:04:05", 0, 0, time.Second},
	{"2006-01-02T15:04:05.999999", 0, 0, time.Microsecond},
}

// parseSpan reads a constant. A zone in it is dropped: columns are compared by their own wall clock.
func parseSpan(s string) (span, error) {
	s = strings.TrimSpace(s)
	if y, q, ok := strings.Cut(strings.ToUpper(s), "-Q"); ok && len(q) == 1 && q[0] >= '1' && q[0] <= '4' {
		if start, err := time.Parse("2006", y); err == nil {
			start = start.AddDate(0, 3*int(q[0]-'1'), 0)
			return span{start, start.AddDate(0, 3, 0)}, nil
		}
	}
	if decade, ok := strings.CutSuffix(s, "s"); ok && len(decade) == 4 && decade[3] == '0' {
		if start, err := time.Parse("2006", decade); err == nil {
			return span{start, start.AddDate(10, 0, 0)}, nil
		}
	}
	if len(s) > 10 && s[10] == ' ' {
		s = s[:10] + "T" + s[11:]
	}
	if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
		at = wallClock(at)
		return span{at, at.Add(time.Second)}, nil
	}
	for _, l := range spanLayouts {
		if at, err := time.Parse(l.layout, s); err == nil {
			return span{at, at.AddDate(l.years, l.months, 0).Add(l.rest)}, nil
		}
	}
	return span{}, fmt.Errorf("%q is no date", s)
}

// wallClock is t's date and time of day as if it were UTC.
func wallClock(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}
