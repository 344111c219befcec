package shape

import "strings"

// DateKind is how much of a moment a text names.
type DateKind uint8

// Kinds of dates; the zero kind is no date.
const (
	NoDate  DateKind = iota
	Day              // 2026-11-21, 21 November 2026, 21.11.26
	Instant          // a day with a time of day
	Clock            // 15:04, 15:04:05
	Month            // Nov 2026, 2026-11
	Partial          // 21-Nov: a day without its year
)

// maxDate bounds the length of a date with its time and zone, in bytes.
const maxDate = 48

// Date says what moment a text names, by its form; NoDate for all other texts, plain numbers included. Which of two
// numbers is the month is not decided here.
func Date(s string) DateKind {
	if len(s) < 4 || len(s) > maxDate || s[0] == '-' {
		return NoDate
	}
	day, clock := cutClock(s)
	switch {
	case clock == "":
		return dayKind(day)
	case !isClock(clock):
		return NoDate
	case day == "":
		return Clock
	case dayKind(day) == Day:
		return Instant
	}
	return NoDate
}

// cutClock cuts before the word that holds the first colon.
func cutClock(s string) (day, clock string) {
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

// isClock accepts 3:04, 15:04:05.123, 3:04 PM, each with a zone behind: Z, UTC, EST, +02:00, +0200.
func isClock(s string) bool {
	hour, rest, ok := number(s)
	if !ok || hour > 24 || len(rest) < 3 || rest[0] != ':' {
		return false
	}
	size := len(rest) - 1
	minute, rest, ok := number(rest[1:])
	if !ok || minute > 59 || size-len(rest) != 2 {
		return false
	}
	if strings.HasPrefix(rest, ":") {
		var second int
		if second, rest, ok = number(rest[1:]); !ok || second > 60 {
			return false
		}
		if rest != "" && (rest[0] == '.' || rest[0] == ',') {
			rest = strings.TrimLeft(rest[1:], "0123456789")
		}
	}
	rest = strings.TrimLeft(rest, " ")
	if len(rest) >= 2 && (strings.EqualFold(rest[:2], "am") || strings.EqualFold(rest[:2], "pm")) {
		if hour > 12 {
			return false
		}
		rest = strings.TrimLeft(rest[2:], " ")
	}
	return isZone(rest)
}

func isZone(s string) bool {
	if s == "" || s == "Z" {
		return true
	}
	if s[0] == '+' || s[0] == '-' {
		body := strings.Replace(s[1:], ":", "", 1)
		return allDigits(body) && (len(body) == 2 || len(body) == 4)
	}
	if len(s) < 2 || len(s) > 5 {
		return false
	}
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return true
}

// number reads one or two digits.
func number(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && i < 2 && digit(s[i]) {
		n = n*10 + int(s[i]-'0')
		i++
	}
	return n, s[i:], i > 0
}

// dateTokens are the parts of a day.
type dateTokens struct {
	value, size [3]int // of the numbers
	seps        [3]byte
	n           int // numbers
	months      int // names of months
}

// dayKind says what day or month a text without a time of day names.
func dayKind(s string) DateKind {
	var t dateTokens
	if !t.scan(s) {
		return NoDate
	}
	switch {
	case t.months == 1 && t.n == 2:
		a, b := t.part(0), t.part(1)
		if a == 'd' && (b == 'y' || b == 's' || b == 'd' && t.size[1] == 2) || a == 'y' && b == 'd' ||
			a == 's' && b == 'd' && t.size[0] == 2 {
			return Day
		}
	case t.months == 1 && t.n == 1:
		switch t.part(0) {
		case 'y':
			return Month
		case 'd', 's':
			return Partial
		}
	case t.months == 0 && t.n == 3 && t.seps[1] == t.seps[2] && strings.IndexByte("-/.", t.seps[1]) >= 0:
		if t.numericDay() {
			return Day
		}
	case t.months == 0 && t.n == 2 && t.size[0] == 4 && t.size[1] == 2 && (t.seps[1] == '-' || t.seps[1] == '/') &&
		t.part(0) == 'y' && t.value[1] >= 1 && t.value[1] <= 12:
		return Month
	}
	return NoDate
}

// part says what a number of a date with a month's name can be: a day, a year, or the two digits of one; 0 for nothing.
func (t *dateTokens) part(i int) byte {
	switch v := t.value[i]; {
	case t.size[i] == 4 && v >= 1000 && v <= 2999:
		return 'y'
	case t.size[i] <= 2 && v >= 1 && v <= 31:
		return 'd'
	case t.size[i] == 2:
		return 's'
	}
	return 0
}

// numericDay accepts three numbers with the same separator: year first, or year last with day and month before it.
func (t *dateTokens) numericDay() bool {
	a, b, c := t.value[0], t.value[1], t.value[2]
	if t.size[0] == 4 {
		return a >= 1000 && a <= 2999 && t.size[1] <= 2 && t.size[2] <= 2 && b >= 1 && b <= 12 && c >= 1 && c <= 31
	}
	if t.size[0] > 2 || t.size[1] > 2 || a < 1 || b < 1 || a > 31 || b > 31 || a > 12 && b > 12 {
		return false
	}
	switch {
	case t.size[2] == 4:
		return c >= 1000 && c <= 2999
	case t.seps[1] == '.':
		return t.size[0] == 2 && t.size[1] == 2 && t.size[2] == 2
	}
	return t.size[2] == 2
}

// scan cuts a day into numbers and names; false for what no day has.
func (t *dateTokens) scan(s string) bool {
	var sep byte
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case digit(c):
			if t.n == 3 {
				return false
			}
			from := i
			for i < len(s) && digit(s[i]) {
				if i-from >= 4 {
					return false
				}
				t.value[t.n] = t.value[t.n]*10 + int(s[i]-'0')
				i++
			}
			t.size[t.n], t.seps[t.n] = i-from, sep
			t.n++
			sep = 0
		case c|32 >= 'a' && c|32 <= 'z':
			from := i
			for i < len(s) && s[i]|32 >= 'a' && s[i]|32 <= 'z' {
				i++
			}
			if !t.word(s[from:i], from > 0 && digit(s[from-1])) {
				return false
			}
			sep = 0
		case strings.IndexByte("-/., '", c) >= 0:
			if sep == 0 || sep == ' ' {
				sep = c
			}
			i++
		default:
			return false
		}
	}
	return t.n > 0
}

// word takes the name of a month or a weekday, or the ending of an ordinal.
func (t *dateTokens) word(w string, behindDigit bool) bool {
	switch {
	case MonthName(w):
		t.months++
		return t.months == 1
	case behindDigit:
		return strings.EqualFold(w, "st") || strings.EqualFold(w, "nd") || strings.EqualFold(w, "rd") ||
			strings.EqualFold(w, "th")
	}
	return WeekdayName(w)
}

var (
	monthNames = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september",
		"october", "november", "december"}
	weekdayNames = [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
)

// MonthName reports whether a word is the English name of a month, whole or its first three letters.
func MonthName(w string) bool { return nameOf(w, monthNames[:]) || strings.EqualFold(w, "sept") }

// WeekdayName reports whether a word is the English name of a weekday, whole or its first three letters.
func WeekdayName(w string) bool { return nameOf(w, weekdayNames[:]) }

func nameOf(w string, names []string) bool {
	if len(w) < 3 || len(w) > 9 {
		return false
	}
	for _, name := range names {
		if strings.EqualFold(w, name) || len(w) == 3 && strings.EqualFold(w, name[:3]) {
			return true
		}
	}
	return false
}
