package infer

import (
	"strings"
	"time"

	"catena/internal/buffer"
	"catena/table"
)

// dateLayouts are the ways a calendar day is written that loaders know. A column is read by one of them. Two that fit
// all cells of a column and differ in a day (01/02/2006) leave the column text.
var dateLayouts = []string{
	"2006-1-2", "2006/1/2", "2006.1.2", "2006年1月2日",
	"1/2/2006", "2/1/2006", "1-2-2006", "2-1-2006", "2.1.2006",
	"1/2/06", "2/1/06",
	"Jan 2 2006", "January 2 2006", "2 Jan 2006", "2 January 2006", "2-Jan-2006", "2-Jan-06", "2-January-2006",
	"2006 Jan 2", "2006 January 2",
	"Mon Jan 2 2006", "Mon 2 Jan 2006", "Monday January 2 2006", "Monday 2 January 2006",
	"Jan 2006", "January 2006", "Jan-2006", "2006-1",
}

// Moment is a parsed cell: a day with, where the cell had one, a time of day and an offset from UTC.
type Moment struct {
	Day     int64 // since 1970-01-01
	clock   int64 // µs since midnight
	offset  int   // seconds east of UTC
	HasTime bool
	HasZone bool
	named   string // "UTC" where the cell said Z, UTC or GMT
}

// Instant is the moment in microseconds since 1970; one without an offset counts as UTC.
func (m Moment) Instant() int64 { return m.Day*table.DayMicros + m.clock - int64(m.offset)*1_000_000 }

// mayBeDate is a cheap test that spares text columns the layouts: a date has a digit and is short.
func mayBeDate(s string) bool {
	return len(s) >= 5 && len(s) <= 48 && strings.ContainsAny(s, "0123456789")
}

// ParseMoment reads a cell by one layout, followed by a time of day or not.
func ParseMoment(s, layout string) (Moment, bool) {
	date, clock := splitClock(s)
	var m Moment
	day, ok := parseDay(date, layout)
	if !ok {
		return m, false
	}
	m.Day = day
	if clock != "" {
		m.HasTime = true
		ok = m.parseClock(clock)
	}
	return m, ok
}

// splitClock cuts "2006-01-02T15:04:05" and the like before the word that holds the first colon.
func splitClock(s string) (date, clock string) {
	colon := strings.IndexByte(s, ':')
	if colon < 0 {
		return s, ""
	}
	at := strings.LastIndexAny(s[:colon], " T")
	if at < 0 {
		return "", s
	}
	return strings.TrimRight(s[:at], " ,"), s[at+1:]
}

func parseDay(s, layout string) (int64, bool) {
	if layout == "2006-1-2" {
		if day, ok := parseISODay(s); ok {
			return day, true
		}
	}
	if !mayFollow(s, layout) {
		return 0, false
	}
	if strings.Contains(layout, " ") && strings.ContainsAny(s, ",.") {
		s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '.' || r == ' ' }), " ")
	}
	t, err := time.Parse(layout, s)
	if err != nil || t.Year() < 1 {
		return 0, false
	}
	return table.FloorDiv(t.Unix(), 86400), true
}

// mayFollow tells most texts that a layout does not read apart by their beginning, as the errors of time.Parse take
// memory: a layout that begins with a year needs four digits, one that begins with a day or a month's number one or
// two, and the mark behind them is the layout's.
func mayFollow(s, layout string) bool {
	if s == "" || layout[0]-'0' > 9 {
		return s != "" && s[0]-'0' > 9
	}
	marks := leadingDigits(layout)
	digits := leadingDigits(s)
	if digits == 0 || digits > 4 || marks == 4 && digits != 4 || marks == 1 && digits > 2 || digits == len(s) {
		return false
	}
	// these are compared when their commas and points are gone
	return s[digits] == layout[marks] || layout[marks] == ' '
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n]-'0' <= 9 {
		n++
	}
	return n
}

// parseISODay is the fast path for 2006-01-02.
func parseISODay(s string) (int64, bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	const firstFour = 1<<32 - 1
	behind := buffer.Word(s[2:10])                                                // 06-01-02
	w := buffer.Word(s)&firstFour | behind>>24<<32&^(0xffff<<48) | behind>>48<<48 // 20060102
	if w ^= '0' * buffer.Ones; !eightDigits(w) {
		return 0, false
	}
	w = w*10 + w>>8 // every other byte is a number of two digits
	year, month, day := int(w&0xff)*100+int(w>>16&0xff), int(w>>32&0xff), int(w>>48&0xff)
	if year == 0 || month < 1 || month > 12 || day < 1 || day > 28 && day > daysIn(year, month) {
		return 0, false
	}
	return civilDay(year, month, day), true
}

// civilDay is the day of a date in the Gregorian calendar, since 1970-01-01 (Howard Hinnant, "chrono-Compatible
// Low-Level Date Algorithms", days_from_civil, without its eras, which years before 0 need).
func civilDay(year, month, day int) int64 {
	if month <= 2 {
		year, month = year-1, month+12
	}
	y, m := uint32(year), uint32(month)
	century := y / 100
	days := y*365 + y/4 - century + century/4 + (153*(m-3)+2)/5
	return int64(days) + int64(day) - 1 - 719_468
}

func twoDigits(s string) (int, bool) {
	a, b := s[0]-'0', s[1]-'0'
	return int(a)*10 + int(b), a < 10 && b < 10
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// parseClock reads 15:04, 15:04:05, 15:04:05.999999, 3:04 PM and so on, with Z, UTC, GMT, +02:00 or +0200 behind.
func (m *Moment) parseClock(s string) bool {
	half := 0 // 1 for AM, 2 for PM
	if last := s[len(s)-1]; last-'0' > 9 || len(s) > 8 || len(s) == 8 && s[5] != ':' {
		s = m.cutZone(s)
		s, half = cutHalf(s)
	}
	hour, rest, ok := leadingNumber(s, 1)
	if !ok || !strings.HasPrefix(rest, ":") {
		return false
	}
	minute, rest, ok := leadingNumber(rest[1:], 2)
	if !ok || minute > 59 {
		return false
	}
	var second, micros int
	if strings.HasPrefix(rest, ":") {
		if second, rest, ok = leadingNumber(rest[1:], 2); !ok || second > 59 {
			return false
		}
		if micros, ok = fractionMicros(rest); !ok {
			return false
		}
	} else if rest != "" {
		return false
	}
	switch {
	case half > 0 && (hour < 1 || hour > 12), hour > 23:
		return false
	case half == 1 && hour == 12:
		hour = 0
	case half == 2 && hour < 12:
		hour += 12
	}
	m.clock = int64((hour*60+minute)*60+second)*1_000_000 + int64(micros)
	return true
}

// cutHalf takes AM or PM off the end.
func cutHalf(s string) (rest string, half int) {
	if n := len(s) - 2; n > 0 {
		switch {
		case strings.EqualFold(s[n:], "AM"):
			return strings.TrimSpace(s[:n]), 1
		case strings.EqualFold(s[n:], "PM"):
			return strings.TrimSpace(s[:n]), 2
		}
	}
	return s, 0
}

// cutZone takes the zone off the end of a clock's text.
func (m *Moment) cutZone(s string) string {
	for _, utc := range [...]string{"Z", " UTC", " GMT", " +00:00 UTC"} {
		if rest, ok := strings.CutSuffix(s, utc); ok {
			m.HasZone, m.named = true, "UTC"
			return rest
		}
	}
	at := strings.LastIndexAny(s, "+-")
	if at < 0 {
		return s
	}
	for _, layout := range [...]string{"-07:00", "-0700", "-07"} {
		if t, err := time.Parse(layout, s[at:]); err == nil {
			_, m.offset = t.Zone()
			m.HasZone = true
			return strings.TrimRight(s[:at], " ")
		}
	}
	return s
}

// leadingNumber reads one or two digits; at least least of them.
func leadingNumber(s string, least int) (int, string, bool) {
	n, i := 0, 0
	for i < len(s) && i < 2 && s[i]-'0' < 10 {
		n = n*10 + int(s[i]-'0')
		i++
	}
	return n, s[i:], i >= least
}

// fractionMicros reads ".123456"; digits beyond microseconds must be zeros, so that nothing is lost.
func fractionMicros(s string) (int, bool) {
	if s == "" {
		return 0, true
	}
	if (s[0] != '.' && s[0] != ',') || len(s) < 2 || len(s) > 10 || !allDigits(s[1:]) {
		return 0, false
	}
	micros := 0
	for i := 1; i <= 6; i++ {
		micros *= 10
		if i < len(s) {
			micros += int(s[i] - '0')
		}
	}
	return micros, len(s) <= 7 || strings.Trim(s[7:], "0") == ""
}
