package infer

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/itlightning/dateparse"

	"catena/internal/text"
)

// TimeOptions say how ReadTime reads what a text leaves open.
type TimeOptions struct {
	Location *time.Location // of texts without a zone, and of zone names such as PST; nil is UTC
	DayFirst bool           // 04/02/2014 is 4 February, not 2 April
}

// TimeReading is the day or instant that a text names.
type TimeReading struct {
	Time  time.Time // in the text's zone, else in that of the options; midnight without a time of day
	Clock bool      // the text has a time of day
	Zone  bool      // the text has an offset from UTC, or a zone whose offset is known
	// Ambiguous says why the text could as well name another instant, or is at odds with itself or with the options; ""
	// when nothing is so.
	Ambiguous string
	Other     time.Time // what it names with day and month the other way round; zero unless that is why it is ambiguous
}

// maxTimeText is the longest text that may be a date.
const maxTimeText = 80

// ReadTime reads a date or date-time in any of the usual notations: month names, weekdays, ordinals, AM and PM, zones
// and offsets, fractions of seconds, seconds, milliseconds, microseconds and nanoseconds since 1970 (digits alone),
// 2014年04月08日, and two-digit years, of which 69 to 99 are of the last century. It is for single texts that are known to
// be times; columns of a file are read by one layout for all cells, and numbers there are numbers. A text that is no
// date is an error, as is one with a day that there is not, or with characters that have no meaning, spaces around it
// included.
func ReadTime(given string, opt TimeOptions) (TimeReading, error) {
	var r TimeReading
	if len(given) > maxTimeText || !strings.ContainsAny(given, "0123456789") || strings.TrimSpace(given) != given {
		return r, fmt.Errorf("%q is not a date", text.Clip(given, 60))
	}
	loc := opt.Location
	if loc == nil {
		loc = time.UTC
	}
	at, layout, err := parseTime(given, loc, !opt.DayFirst)
	if err != nil && joinedMonth.MatchString(given) {
		given = joinedMonth.ReplaceAllString(given, "$1 $2 $3")
		at, layout, err = parseTime(given, loc, !opt.DayFirst)
	}
	other, otherLayout, otherErr := parseTime(given, loc, opt.DayFirst)
	if err != nil {
		at, layout, err = other, otherLayout, otherErr
		other = time.Time{}
	}
	if err != nil || at.Year() < 1 || at.Year() > 9999 {
		return r, fmt.Errorf("%q is not a date that can be read; write it as 2006-01-02 or 2006-01-02T15:04:05Z",
			text.Clip(given, 60))
	}
	r.Time, r.Clock = at, strings.Contains(layout, ":") || layout == "20060102150405"
	r.Zone = strings.Contains(layout, "07") && strings.ContainsAny(layout, "-Z+")
	switch {
	case otherErr == nil && !other.IsZero() && !other.Equal(at):
		r.Ambiguous, r.Other = "day and month could be the other way round", other
	case !opt.DayFirst && dayBeforeMonth.MatchString(layout), opt.DayFirst && monthBeforeDay.MatchString(layout):
		r.Ambiguous = "day and month stand the other way round than asked for"
	case strings.Contains(layout, "MST") && !r.Zone:
		r.zoneName(at)
	}
	if day, ok := weekdayOf(given); ok && day != at.Weekday() && r.Ambiguous == "" {
		r.Ambiguous = fmt.Sprintf("%s is a %s", at.Format(time.DateOnly), at.Weekday())
	}
	return r, nil
}

// joinedMonth is 03-Jul 2015.
var joinedMonth = regexp.MustCompile(`\b(\d{1,2})-([A-Za-z]{3,9})[ -](\d{4})\b`)

// Layouts that begin with a day and a month in digits.
var (
	dayBeforeMonth = regexp.MustCompile(`^0?2[-/.:]0?1[-/.:]`)
	monthBeforeDay = regexp.MustCompile(`^0?1[-/.:]0?2[-/.:]`)
)

func parseTime(text string, loc *time.Location, monthFirst bool) (at time.Time, layout string, err error) {
	options := []dateparse.ParserOption{dateparse.PreferMonthFirst(monthFirst), dateparse.SimpleErrorMessages(true)}
	if at, err = dateparse.ParseIn(text, loc, options...); err != nil {
		return time.Time{}, "", err
	}
	if layout, err = dateparse.ParseFormat(text, options...); err != nil {
		layout, err = "", nil // digits since 1970 have no layout
	}
	return at, layout, err
}

// zoneName judges a zone given by its name: package time makes an offset of zero of the names that it does not know.
func (r *TimeReading) zoneName(at time.Time) {
	name, offset := at.Zone()
	switch name {
	case "UTC", "GMT", "Z", "UT", "":
		r.Zone = true
		return
	}
	if r.Zone = offset != 0; !r.Zone {
		r.Ambiguous = "the offset of " + name + " is not known; it was read as UTC"
	}
}

// weekdayOf finds the name of a weekday at the start of a text.
func weekdayOf(text string) (time.Weekday, bool) {
	word := text
	if end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		word = text[:end]
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := d.String(); len(word) >= 3 && len(word) <= len(name) && strings.EqualFold(word, name[:len(word)]) {
			return d, true
		}
	}
	return 0, false
}
