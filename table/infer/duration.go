package infer

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"catena/internal/text"
	"catena/table"
)

// ReadDuration reads a length of time: 1h30m and 1 h 30 min, 2 days 03:04:05, 01:30:00 (hours, minutes, seconds, each
// with a fraction at the end), and PT1H30M, P2DT3H and P1W of ISO 8601. A sign may stand before all of it. Months and
// years have no fixed length and are errors, as are units that do not become smaller from left to right and lengths
// beyond 292 years. Two parts (05:30) could be hours or minutes and are an error.
func ReadDuration(given string) (time.Duration, error) {
	s := strings.TrimSpace(given)
	s, neg := stripSign(s, false)
	var d time.Duration
	var ok bool
	switch {
	case len(s) > 60 || s == "":
	case s[0] == 'P' || s[0] == 'p':
		d, ok = isoDuration(strings.ToUpper(s[1:]))
	default:
		d, ok = unitDuration(s)
	}
	if !ok {
		return 0, fmt.Errorf("%q is not a duration that can be read; write it as 1h30m, 01:30:00 or PT1H30M",
			text.Clip(given, 60))
	}
	if neg {
		d = -d
	}
	return d, nil
}

// isISODuration reports whether a text looks like a duration of ISO 8601: P, and a digit before the first unit.
func isISODuration(s string) bool {
	rest, ok := strings.CutPrefix(s, "P")
	rest = strings.TrimPrefix(rest, "T")
	return ok && rest != "" && rest[0]-'0' <= 9 && strings.Trim(rest, "0123456789.,WDTHMS") == ""
}

// isoDuration reads what follows the P.
func isoDuration(s string) (time.Duration, bool) {
	days, clock, hasClock := strings.Cut(s, "T")
	if days == "" && clock == "" || hasClock && clock == "" || strings.Trim(days+clock, "0123456789.,WDHMS") != "" {
		return 0, false
	}
	var whole, rest time.Duration
	ok := true
	if days != "" {
		whole, ok = parts(days, map[string]time.Duration{"W": 7 * day, "D": day})
	}
	if ok && clock != "" {
		rest, ok = parts(clock, map[string]time.Duration{"H": time.Hour, "M": time.Minute, "S": time.Second})
	}
	return sum(whole, rest, ok)
}

const day = 24 * time.Hour

// durationUnits are the words for lengths of time, in lower case.
var durationUnits = map[string]time.Duration{
	"w": 7 * day, "week": 7 * day, "weeks": 7 * day, "d": day, "day": day, "days": day,
	"h": time.Hour, "hr": time.Hour, "hrs": time.Hour, "hour": time.Hour, "hours": time.Hour, "m": time.Minute,
	"min": time.Minute, "mins": time.Minute, "minute": time.Minute, "minutes": time.Minute,
	"s": time.Second, "sec": time.Second, "secs": time.Second, "second": time.Second, "seconds": time.Second,
	"ms": time.Millisecond, "msec": time.Millisecond,
	"millisecond": time.Millisecond, "milliseconds": time.Millisecond, "µs": time.Microsecond, "μs": time.Microsecond,
	"us":          time.Microsecond,
	"microsecond": time.Microsecond, "microseconds": time.Microsecond, "ns": time.Nanosecond,
	"nanosecond": time.Nanosecond, "nanoseconds": time.Nanosecond,
}

// unitDuration reads units, a clock, or units and a clock behind them.
func unitDuration(s string) (time.Duration, bool) {
	colon := strings.IndexByte(s, ':')
	if colon < 0 {
		return parts(strings.ToLower(s), durationUnits)
	}
	at := strings.LastIndexByte(s[:colon], ' ') + 1
	clock, ok := clockDuration(s[at:])
	if !ok || at == 0 {
		return clock, ok
	}
	units, ok := parts(strings.ToLower(s[:at]),
		map[string]time.Duration{"day": day, "days": day, "d": day, "w": 7 * day, "week": 7 * day, "weeks": 7 * day})
	return sum(units, clock, ok && clock < day)
}

// clockDuration reads hours, minutes and seconds; the hours may be more than 24.
func clockDuration(s string) (time.Duration, bool) {
	f := strings.Split(s, ":")
	if len(f) != 3 || len(f[1]) != 2 || len(f[2]) < 2 || f[1] > "59" || f[2][:2] > "59" ||
		len(f[2]) > 2 && f[2][2] != '.' && f[2][2] != ',' {
		return 0, false
	}
	return parts(f[0]+"h"+f[1]+"m"+f[2]+"s", durationUnits)
}

// parts reads numbers with units, of which only the last may have a fraction; the units become smaller from left to
// right.
func parts(s string, units map[string]time.Duration) (total time.Duration, ok bool) {
	smallest := time.Duration(1<<63 - 1)
	for fraction := false; ; {
		if s = strings.TrimLeft(s, " "); s == "" {
			return total, ok
		}
		digits := s[:len(s)-len(strings.TrimLeft(s, "0123456789.,"))]
		s = strings.TrimLeft(s[len(digits):], " ")
		end := strings.IndexAny(s, "0123456789 .,")
		if end < 0 {
			end = len(s)
		}
		unit := units[s[:end]]
		s = s[end:]
		amount, fine := times(digits, unit)
		if !fine || fraction || unit == 0 || unit >= smallest {
			return 0, false
		}
		fraction, smallest = strings.ContainsAny(digits, ".,"), unit
		if total, ok = sum(total, amount, true); !ok {
			return 0, false
		}
	}
}

// times is a decimal number of units, exact to the nanosecond; what is smaller is cut.
func times(digits string, unit time.Duration) (time.Duration, bool) {
	whole, frac, hasPoint := strings.Cut(strings.ReplaceAll(digits, ",", "."), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || hasPoint && (frac == "" || !allDigits(frac)) || unit > 0 && n > (1<<63-1)/int64(unit) {
		return 0, false
	}
	total := time.Duration(n) * unit
	rest := unit
	for i := 0; i < len(frac) && rest > 0; i++ {
		if rest%10 != 0 { // minutes and hours do not divide by ten for ever: the rest goes by parts of a nanosecond
			f, err := strconv.ParseFloat("0."+frac[i:], 64)
			return total + time.Duration(float64(rest)*f+0.5), err == nil
		}
		rest /= 10
		total += time.Duration(frac[i]-'0') * rest
	}
	return total, total >= 0
}

// sum adds two lengths; false when either is none or the sum is too long.
func sum(a, b time.Duration, ok bool) (time.Duration, bool) {
	return a + b, ok && a+b >= a
}

// parseMicros reads what appendDuration writes.
func parseMicros(text string) (int64, bool) {
	if d, err := time.ParseDuration(text); err == nil {
		return d.Microseconds(), true
	}
	whole, part, _ := strings.Cut(text, "h")
	hours, err := strconv.ParseInt(whole, 10, 64)
	rest, rerr := time.ParseDuration(part)
	if err != nil || rerr != nil || part[0] == '-' {
		return 0, false
	}
	us := rest.Microseconds()
	if whole[0] == '-' {
		us = -us
	}
	total := hours*table.HourMicros + us
	return total, total/table.HourMicros == hours && total%table.HourMicros == us
}
