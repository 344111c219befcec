package number

import (
	"strconv"
	"strings"
	"time"
)

// DateStyle is one of the lengths in which CLDR has dates.
type DateStyle byte

// The lengths of dates, as of 31 December 1999 in English: 12/31/99; Dec 31, 1999; December 31, 1999; Friday, December
// 31, 1999.
const (
	ShortDate DateStyle = iota
	MediumDate
	LongDate
	FullDate
)

// DatePattern is the locale's pattern for a style, as AppendTime takes it.
func (l Locale) DatePattern(s DateStyle) string {
	return l.data().raw.Dates[3-min(s, FullDate)]
}

// AppendDate writes the day of t in the locale's own way at the end of dst.
func (l Locale) AppendDate(dst []byte, t time.Time, s DateStyle) []byte {
	return l.AppendTime(dst, t, l.DatePattern(s))
}

// Month is the name of a month as it stands alone: "März". Weekday likewise.
func (l Locale) Month(m time.Month) string { return l.data().raw.LoneMonthsWide[(m+11)%12] }

// Weekday is the name of a day of the week.
func (l Locale) Weekday(d time.Weekday) string { return l.data().raw.LoneDaysWide[(d%7+7)%7] }

// AppendTime writes t by a date pattern of CLDR (Unicode TR 35, part 4, section 8) at the end of dst. It knows the
// letters G y M L d E c a h H K k m s S Q q D Z X x z and texts between apostrophes; other letters are written as they
// are.
func (l Locale) AppendTime(dst []byte, t time.Time, pattern string) []byte {
	for i := 0; i < len(pattern); {
		c := pattern[i]
		if c == '\'' {
			dst, i = appendQuoted(dst, pattern, i)
			continue
		}
		k := 1
		if isLetter(c) {
			for i+k < len(pattern) && pattern[i+k] == c {
				k++
			}
			dst = l.data().appendField(dst, t, c, k)
		} else {
			dst = append(dst, c)
		}
		i += k
	}
	return dst
}

func isLetter(c byte) bool {
	small := c | ' ' // of ASCII
	return small >= 'a' && small <= 'z'
}

// appendQuoted writes the text between apostrophes from i on; two of them are one.
func appendQuoted(dst []byte, pattern string, i int) ([]byte, int) {
	if strings.HasPrefix(pattern[i:], "''") {
		return append(dst, '\''), i + 2
	}
	for i++; i < len(pattern); i++ {
		if pattern[i] == '\'' {
			if i+1 >= len(pattern) || pattern[i+1] != '\'' {
				return dst, i + 1
			}
			i++
		}
		dst = append(dst, pattern[i])
	}
	return dst, i
}

// appendField writes k letters c.
func (d *data) appendField(dst []byte, t time.Time, c byte, k int) []byte {
	r := &d.raw
	switch c {
	case 'y', 'u':
		if k == 2 {
			return appendPadded(dst, t.Year()%100, 2)
		}
		return appendPadded(dst, t.Year(), k)
	case 'M':
		return appendName(dst, int(t.Month())-1, 1, k, r.MonthsAbbreviated, r.MonthsWide)
	case 'L':
		return appendName(dst, int(t.Month())-1, 1, k, r.LoneMonthsAbbreviated, r.LoneMonthsWide)
	case 'd':
		return appendPadded(dst, t.Day(), k)
	case 'D':
		return appendPadded(dst, t.YearDay(), k)
	case 'E':
		return appendName(dst, int(t.Weekday()), 0, max(k, 3), r.DaysAbbreviated, r.DaysWide)
	case 'c':
		return appendName(dst, int(t.Weekday()), 0, k, r.DaysAbbreviated, r.LoneDaysWide)
	case 'G':
		return append(dst, r.Era...)
	case 'Q', 'q':
		return appendPadded(dst, (int(t.Month())+2)/3, min(k, 2))
	case 'a':
		return append(dst, r.Halves[t.Hour()/12]...)
	}
	return appendClockField(dst, t, c, k)
}

// appendClockField writes the letters of times of day and zones.
func appendClockField(dst []byte, t time.Time, c byte, k int) []byte {
	switch c {
	case 'H':
		return appendPadded(dst, t.Hour(), k)
	case 'h':
		return appendPadded(dst, (t.Hour()+11)%12+1, k)
	case 'K':
		return appendPadded(dst, t.Hour()%12, k)
	case 'k':
		return appendPadded(dst, (t.Hour()+23)%24+1, k)
	case 'm':
		return appendPadded(dst, t.Minute(), k)
	case 's':
		return appendPadded(dst, t.Second(), k)
	case 'S':
		nanos := t.Nanosecond()
		for range min(k, 9) {
			dst = append(dst, byte('0'+nanos/1e8))
			nanos = nanos % 1e8 * 10
		}
		return dst
	case 'Z', 'x':
		return t.AppendFormat(dst, "-0700")
	case 'X':
		return t.AppendFormat(dst, "Z07:00")
	case 'z':
		return t.AppendFormat(dst, "MST")
	}
	for range k {
		dst = append(dst, c)
	}
	return dst
}

// appendName writes the number of a month or weekday for one and two letters, its short name for three, its name for
// four.
func appendName(dst []byte, i, first, k int, short, wide []string) []byte {
	switch {
	case k <= 2:
		return appendPadded(dst, i+first, k)
	case k == 3:
		return append(dst, short[i]...)
	}
	return append(dst, wide[i]...)
}

func appendPadded(dst []byte, n, width int) []byte {
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	var buf [20]byte
	text := strconv.AppendInt(buf[:0], int64(n), 10)
	for range width - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}
