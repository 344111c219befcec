package table

import (
	"cmp"
	"math"
	"strings"
)

// Compare orders two cells: -1, 0 or 1. Numbers compare by exact value across Int, Float and Decimal; text and JSON by
// bytes; Date and DateTime by instant, a Date standing for its midnight UTC. Cells of types that do not compare are
// ordered by type. Nulls come last and equal each other.
func Compare(a, b Value) int {
	switch {
	case a.typ == Null || b.typ == Null:
		return cmp.Compare(nullRank(a), nullRank(b))
	case a.typ.Numeric() && b.typ.Numeric():
		return compareNumbers(a, b)
	case a.typ == b.typ:
		switch a.typ {
		case Text, JSON:
			return strings.Compare(a.s, b.s)
		}
		return cmp.Compare(a.i, b.i)
	case a.typ.Temporal() && b.typ.Temporal():
		return cmp.Compare(a.InMicros(), b.InMicros())
	}
	return cmp.Compare(a.typ, b.typ)
}

// Equal reports whether two cells compare as equal; two nulls do.
func Equal(a, b Value) bool { return Compare(a, b) == 0 }

func nullRank(v Value) int {
	if v.typ == Null {
		return 1
	}
	return 0
}

// DayMicros is how many microseconds a day has.
const DayMicros = 86400 * 1_000_000

// InMicros is a Date or DateTime as microseconds since 1970, the length of a Duration, a Time since midnight.
func (v Value) InMicros() int64 {
	if v.typ == Date {
		return v.i * DayMicros
	}
	return v.i
}

func compareNumbers(a, b Value) int {
	switch {
	case a.typ == Int && b.typ == Int:
		return cmp.Compare(a.i, b.i)
	case a.typ == Float && b.typ == Float:
		return cmp.Compare(a.f, b.f)
	case a.typ == Decimal && b.typ == Decimal && a.sc == b.sc:
		return a.num().Cmp(b.num())
	case a.typ == Int && b.typ == Float:
		return compareIntFloat(a.i, b.f)
	case a.typ == Float && b.typ == Int:
		return -compareIntFloat(b.i, a.f)
	}
	return a.Apd().Cmp(b.Apd())
}

// compareIntFloat compares exactly: the double is split at its point, so that no integer is rounded.
func compareIntFloat(i int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f < -(1 << 63):
		return 1
	}
	whole := math.Trunc(f)
	if c := cmp.Compare(i, int64(whole)); c != 0 {
		return c
	}
	return cmp.Compare(0, f-whole)
}
