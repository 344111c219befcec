package infer

import (
	"regexp"
	"strings"
	"time"
	"unicode"

	"catena/table"
)

// mayBeDuration is a cheap test for texts that ReadDuration may read: ISO 8601, or a digit at the beginning and a unit
// at the end.
func mayBeDuration(s string) bool {
	if len(s) < 2 || len(s) > 60 {
		return false
	}
	if bare := strings.TrimPrefix(s, "-"); bare[0] == 'P' {
		return isISODuration(bare)
	}
	switch s[len(s)-1] {
	case 's', 'm', 'h', 'd', 'n', 'r':
		return s[0]-'0' < 10 || s[0] == '-' && s[1]-'0' < 10
	}
	return false
}

// durationName is a word by which a column's name says that it holds durations.
var durationName = regexp.MustCompile(
	`(?i)(?:^|[^a-z])(?:duration|elapsed|runtime|run_time|time_taken|took|uptime|downtime|lap_time|handling_time)(?:$|[^a-z])`,
)

// inferDurations reads a column of durations: by ISO 8601, of units (1h30m) where a cell has two of them, or of clocks
// where one goes beyond a day or the column's name says so. A single unit is not enough: 5m may be metres or millions.
func inferDurations(name string, values []string) (Result, bool) {
	b := table.NewColumnBuilder(table.Column{Type: table.Duration}, 0)
	sure, long, clocks := false, false, 0
	for _, s := range values {
		if s == "" {
			b.AppendNull()
			continue
		}
		if !mayBeDuration(s) && strings.Count(s, ":") != 2 {
			return Result{}, false
		}
		d, err := ReadDuration(s)
		if err != nil || d%time.Microsecond != 0 {
			return Result{}, false
		}
		switch {
		case strings.Contains(s, ":"):
			clocks++
			long = long || d >= day || d < 0
		case strings.Contains(s, "P"), unitWords(s) > 1:
			sure = true
		}
		b.AppendInt(d.Microseconds())
	}
	if clocks > 0 && (clocks < b.Len()-b.NullCount() || !long && !durationName.MatchString(name)) ||
		clocks == 0 && !sure {
		return Result{}, false
	}
	var notes []string
	if clocks > 0 {
		notes = append(notes, "hours, minutes and seconds were read as durations")
	}
	return Result{Column: b.Col, Array: b.Finish(), Notes: notes}, true
}

// unitWords counts the runs of letters in a text.
func unitWords(s string) int {
	return len(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }))
}
