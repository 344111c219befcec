package infer

import (
	"strings"
	"time"

	"catena/table"
)

// Kind is how the cells of a column are read as they go by: a guess from some of them. What a kind accepts is so narrow
// that a column all of whose cells it accepts has the type that infer gives by all the rules. A cell that does not fit
// ends the guess; then the column is collected as RawCells and infer decides.
type Kind uint8

// The kinds. The zero value, RawCells, is always right and the slowest.
const (
	RawCells     Kind = iota // texts that infer has to look at
	NoCells                  // left out: nobody asked for the column
	CertainText              // texts of which one is nothing else, and with it the column
	NumberCells              // Int or Decimal: see PlainNumber and addWide
	FloatCells               // numbers of which one has an exponent
	BoolCells                // true and false
	DateCells                // 2006-01-02
	MomentCells              // 2006-01-02T15:04:05, with a space for the T, or a fraction behind, or without seconds
	InstantCells             // the same with Z behind
	JSONCells                // JSON text; of arrays and objects, and other values between them
)

// kindOf is the kind of a cell by itself: RawCells when it could be part of more than one kind of column, or of one
// that only infer knows.
func kindOf(s string) Kind {
	if kind, _, _ := ScanNumber(s); kind != NotNumber {
		switch _, _, ok := PlainNumber(s); {
		case ok:
			return NumberCells
		case kind == Exponent:
			return FloatCells
		case kind == Fraction: // more digits than that
			return NumberCells
		}
		return RawCells
	}
	if IsBool(s) {
		return BoolCells
	}
	return KindOfString(s)
}

// KindOfString is kindOf for cells that are known to be no numbers and no booleans, such as the strings of JSON.
func KindOfString(s string) Kind {
	if _, ok := PlainDay(s); ok {
		return DateCells
	}
	if _, ok := plainMoment(s); ok {
		return MomentCells
	}
	if rest, ok := strings.CutSuffix(s, "Z"); ok {
		if _, ok := plainMoment(rest); ok {
			return InstantCells
		}
	}
	if mayHaveType(s) {
		return RawCells
	}
	return CertainText
}

// KindOfCells guesses the kind of a column by some of its cells. Empty ones say nothing.
func KindOfCells(cells []string) Kind {
	const most = 64 // cells that are looked at
	kind, seen := RawCells, 0
	for _, s := range cells {
		if isBlank(s) {
			continue
		}
		if seen++; seen > most {
			break
		}
		switch k := kindOf(s); {
		case k == CertainText:
			return CertainText // whatever the others are
		case seen == 1 || kind == k:
			kind = k
		case kind == NumberCells && k == FloatCells || kind == FloatCells && k == NumberCells:
			kind = FloatCells
		default:
			kind = RawCells
		}
	}
	return kind
}

// PlainNumber reads a number of at most 18 digits without exponent and without leading zeros, as n/10^scale.
func PlainNumber(s string) (n int64, scale int32, ok bool) {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	start, point := i, -1
	for ; i < len(s); i++ {
		c := s[i] - '0'
		if c <= 9 {
			n = n*10 + int64(c)
			continue
		}
		if s[i] != '.' || point >= 0 {
			return 0, 0, false
		}
		point = i
	}
	whole, digits := i-start, i-start
	if point >= 0 {
		whole, scale = point-start, int32(i-point-1)
		if digits--; scale == 0 {
			return 0, 0, false
		}
	}
	if digits == 0 || digits > 18 || whole > 1 && s[start] == '0' {
		return 0, 0, false
	}
	if s[0] == '-' {
		n = -n
	}
	return n, scale, true
}

// IsBool reports whether a cell is true or false, in letters of any size.
func IsBool(s string) bool {
	const small = 0x20202020
	switch len(s) {
	case 4:
		return uint32(s[0])|uint32(s[1])<<8|uint32(s[2])<<16|uint32(s[3])<<24|small == 't'|'r'<<8|'u'<<16|'e'<<24
	case 5:
		return uint32(s[0])|uint32(s[1])<<8|uint32(s[2])<<16|uint32(s[3])<<24|small == 'f'|'a'<<8|'l'<<16|'s'<<24 &&
			s[4]|0x20 == 'e'
	}
	return false
}

// PlainDay reads 2006-01-02 as days since 1970-01-01.
func PlainDay(s string) (int64, bool) {
	if len(s) != 10 {
		return 0, false
	}
	return parseISODay(s)
}

// plainMoment reads 2006-01-02T15:04:05 as microseconds since 1970-01-01. A space may stand for the T; the seconds may
// be missing or have up to six digits behind a point.
func plainMoment(s string) (int64, bool) {
	if len(s) < 16 || len(s) > 26 || s[10] != 'T' && s[10] != ' ' || s[13] != ':' {
		return 0, false
	}
	day, ok := parseISODay(s[:10])
	hour, ok1 := twoDigits(s[11:13])
	minute, ok2 := twoDigits(s[14:16])
	if !ok || !ok1 || !ok2 || hour > 23 || minute > 59 {
		return 0, false
	}
	micros := int64(hour*60+minute) * int64(time.Minute/time.Microsecond)
	if len(s) > 16 {
		if len(s) < 19 || s[16] != ':' {
			return 0, false
		}
		second, ok := twoDigits(s[17:19])
		if !ok || second > 59 {
			return 0, false
		}
		micros += int64(second) * 1_000_000
		if len(s) > 19 {
			fraction, ok := fractionMicros(s[19:])
			if !ok || s[19] != '.' {
				return 0, false
			}
			micros += int64(fraction)
		}
	}
	return day*table.DayMicros + micros, true
}

// plainInstant reads a plainMoment with Z behind.
func plainInstant(s string) (int64, bool) {
	rest, ok := strings.CutSuffix(s, "Z")
	if !ok {
		return 0, false
	}
	return plainMoment(rest)
}
