package table

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/cockroachdb/apd/v3"
)

// NullValue is the missing cell.
var NullValue = Value{}

// BoolValue makes a Bool.
func BoolValue(b bool) Value {
	if b {
		return Value{typ: Bool, i: 1}
	}
	return Value{typ: Bool}
}

// IntValue makes an Int.
func IntValue(i int64) Value { return Value{typ: Int, i: i} }

// FloatValue makes a Float. Tables hold finite numbers only: NaN and the infinities give null.
func FloatValue(f float64) Value {
	if notFinite(f) {
		return NullValue
	}
	return Value{typ: Float, f: f}
}

// DecimalValue makes the Decimal (hi·2^64 + lo) / 10^scale. The scale is from 0 to 38; others give null.
func DecimalValue(hi int64, lo uint64, scale int32) Value {
	if scale < 0 || scale > MaxDigits {
		return NullValue
	}
	return Value{typ: Decimal, hi: hi, i: int64(lo), sc: scale}
}

// TextValue makes a Text. An empty string is a text, not null.
func TextValue(s string) Value { return Value{typ: Text, s: s} }

// DateValue makes a Date; out-of-range months and days carry over as in time.Date.
func DateValue(year int, month time.Month, day int) Value {
	return Value{typ: Date, i: epochDay(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))}
}

// DateTimeValue makes a DateTime without zone from the instant t, cut to microseconds.
func DateTimeValue(t time.Time) Value { return Value{typ: DateTime, i: t.UnixMicro()} }

// DateTimeIn makes a DateTime that is shown in zone: an IANA name or an offset such as "+02:00"; "" means that none is
// known.
func DateTimeIn(t time.Time, zone string) Value {
	return Value{typ: DateTime, i: t.UnixMicro(), s: zone}
}

// TimeValue makes a Time of day from the duration since midnight, cut to microseconds.
func TimeValue(sinceMidnight time.Duration) Value {
	return Value{typ: Time, i: sinceMidnight.Microseconds()}
}

// DurationValue makes a Duration, cut to microseconds.
func DurationValue(d time.Duration) Value { return DurationOfMicros(d.Microseconds()) }

// DurationOfMicros makes a Duration of any number of microseconds, beyond the 292 years of a time.Duration, too: sums
// may be so long.
func DurationOfMicros(us int64) Value { return Value{typ: Duration, i: us} }

// DateOfDays makes a Date of days since 1970-01-01.
func DateOfDays(days int64) Value { return Value{typ: Date, i: days} }

// MicrosValue makes a DateTime, a Time or a Duration of microseconds: since 1970-01-01 UTC, since midnight, or of
// length. zone is that of a DateTime.
func MicrosValue(typ Type, us int64, zone string) Value { return Value{typ: typ, i: us, s: zone} }

// JsonValue makes a JSON cell of text that must be valid JSON; the text is kept as it is.
func JsonValue(s string) Value { return Value{typ: JSON, s: s} }

// Type is the type of the cell, Null for null.
func (v Value) Type() Type { return v.typ }

// IsNull reports whether the cell is missing.
func (v Value) IsNull() bool { return v.typ == Null }

// Bool is the boolean, false for any other type.
func (v Value) Bool() bool { return v.typ == Bool && v.i != 0 }

// Int is the number as an integer; false when the value is not a number or is not a whole one that fits.
func (v Value) Int() (int64, bool) {
	switch v.typ {
	case Int:
		return v.i, true
	case Float:
		if v.f == math.Trunc(v.f) && v.f >= -(1<<63) && v.f < 1<<63 {
			return int64(v.f), true
		}
	case Decimal:
		n, ok := Rescale(v.num(), v.sc, 0)
		if ok && FitsInt64(n) {
			return int64(n.LowBits()), true
		}
	}
	return 0, false
}

// Float is the number as the nearest double; false when the value is not a number.
func (v Value) Float() (float64, bool) {
	switch v.typ {
	case Int:
		return float64(v.i), true
	case Float:
		return v.f, true
	case Decimal:
		return decimalFloat(v.num(), v.sc), true
	}
	return 0, false
}

// Apd is the number exactly, in a fresh decimal that the caller owns; nil when the value is not a number.
func (v Value) Apd() *apd.Decimal {
	switch v.typ {
	case Int:
		return apd.New(v.i, 0)
	case Decimal:
		return decimalApd(v.num(), v.sc)
	case Float:
		return floatApd(v.f)
	}
	return nil
}

// Scale is the number of digits after a Decimal's point, 0 for other types.
func (v Value) Scale() int32 { return v.sc }

// Micros is the length of a Duration or the time of day of a Time in microseconds; false for other types.
func (v Value) Micros() (int64, bool) {
	if v.typ == Duration || v.typ == Time {
		return v.i, true
	}
	return 0, false
}

// Zone is the zone of a DateTime where its source had one, else "".
func (v Value) Zone() string {
	if v.typ == DateTime {
		return v.s
	}
	return ""
}

// Time is the start of a Date in UTC, or the instant of a DateTime in its zone (UTC where none is known).
func (v Value) Time() (time.Time, bool) {
	switch v.typ {
	case Date:
		return time.Unix(v.i*86400, 0).UTC(), true
	case DateTime:
		return time.UnixMicro(v.i).In(Location(v.s)), true
	}
	return time.Time{}, false
}

// Text is the canonical text of the cell; "" for null. Dates are 2006-01-02, datetimes RFC 3339 (without zone where
// none is known), decimals have all digits of their scale, floats are the shortest text that reads back the same, JSON
// is its text.
func (v Value) Text() string {
	switch v.typ {
	case Text, JSON:
		return v.s
	case Null:
		return ""
	case Bool:
		return strconv.FormatBool(v.i != 0)
	case Int:
		return strconv.FormatInt(v.i, 10)
	}
	return string(v.appendText(make([]byte, 0, 40)))
}

// appendText appends the canonical text to b without further allocation.
func (v Value) appendText(b []byte) []byte {
	switch v.typ {
	case Bool:
		return strconv.AppendBool(b, v.i != 0)
	case Int:
		return strconv.AppendInt(b, v.i, 10)
	case Float:
		return appendFloat(b, v.f)
	case Decimal:
		return appendDecimal(b, v.num(), v.sc)
	case Text, JSON:
		return append(b, v.s...)
	case Date:
		return appendDate(b, v.i)
	case DateTime:
		return v.appendDateTime(b)
	case Time:
		return appendClock(b, v.i)
	case Duration:
		return appendDuration(b, v.i)
	}
	return b
}

// HourMicros is an hour in microseconds, the unit of times and durations.
const HourMicros = int64(time.Hour / time.Microsecond)

// maxSafeInt is the largest integer that JSON readers with doubles keep: 2^53.
const maxSafeInt = 1 << 53

// Any is the cell as encoding/json wants it: nil, bool, int64, float64, string or json.RawMessage (for JSON). Decimals
// and integers beyond 2^53 are strings, so that no reader rounds them; dates, times and durations are their text.
func (v Value) Any() any {
	switch v.typ {
	case Null:
		return nil
	case Bool:
		return v.i != 0
	case Int:
		if v.i >= -maxSafeInt && v.i <= maxSafeInt {
			return v.i
		}
	case Float:
		return v.f
	case JSON:
		return json.RawMessage(v.s)
	}
	return v.Text()
}

// String is Text, with null shown as "null"; for logs and tests.
func (v Value) String() string {
	if v.typ == Null {
		return "null"
	}
	return v.Text()
}

func (v Value) num() decimal128.Num { return decimal128.New(v.hi, uint64(v.i)) }

func decimalOf(n decimal128.Num, scale int32) Value {
	return Value{typ: Decimal, hi: n.HighBits(), i: int64(n.LowBits()), sc: scale}
}

func (v Value) appendDateTime(b []byte) []byte {
	const day = 86400 * 1e6
	if v.s != "" {
		t := time.UnixMicro(v.i).In(Location(v.s))
		if _, offset := t.Zone(); offset%60 != 0 {
			// local mean time of before the railways: RFC 3339 has no seconds in offsets
			t = t.UTC()
		}
		return t.AppendFormat(b, "2006-01-02T15:04:05.999999Z07:00")
	}
	days := FloorDiv(v.i, day)
	b = append(appendDate(b, days), 'T')
	return appendClock(b, v.i-days*day)
}

// appendDate appends a day as 2006-01-02. The year of a day is computed as Howard Hinnant's civil_from_days does
// (howardhinnant.github.io/date_algorithms.html), for years of four digits.
func appendDate(b []byte, days int64) []byte {
	const firstDay, lastDay = -719_162, 2_932_896 // 0001-01-01, 9999-12-31
	if days < firstDay || days > lastDay {
		return time.Unix(days*86400, 0).UTC().AppendFormat(b, time.DateOnly)
	}
	z := uint32(days + 719_468)
	era := z / 146_097
	doe := z - era*146_097
	yoe := (doe - doe/1460 + doe/36_524 - doe/146_096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day, month, year := doy-(153*mp+2)/5+1, mp+3, yoe+era*400
	if month > 12 {
		month, year = month-12, year+1
	}
	return append(b, byte('0'+year/1000), byte('0'+year/100%10), byte('0'+year/10%10), byte('0'+year%10), '-',
		byte('0'+month/10), byte('0'+month%10), '-', byte('0'+day/10), byte('0'+day%10))
}

// appendClock appends hours, minutes, seconds and, where there are any, microseconds without trailing zeros.
func appendClock(b []byte, micros int64) []byte {
	return time.UnixMicro(micros).UTC().AppendFormat(b, "15:04:05.999999")
}

// appendFloat writes plain notation between 1e-6 and 1e21, exponents outside, as ECMAScript does.
func appendFloat(b []byte, f float64) []byte {
	if abs := math.Abs(f); f == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, f, 'e', -1, 64)
}

var locations sync.Map // zone -> *time.Location; zones come from sources, few per process

// Location resolves a zone name or offset; an unknown one is UTC.
func Location(zone string) *time.Location {
	loc, ok := findLocation(zone)
	if !ok {
		return time.UTC
	}
	return loc
}

// longestZone is how many bytes the name of a time zone may have.
const longestZone = 64

// findLocation finds the zone of a name. One that is not known is looked for in files each time: KnownZone keeps such
// names out of tables.
func findLocation(zone string) (loc *time.Location, ok bool) {
	if zone == "" || zone == "UTC" || zone == "Z" {
		return time.UTC, true
	}
	if loc, ok := locations.Load(zone); ok {
		return loc.(*time.Location), true
	}
	if len(zone) > longestZone || zone == "Local" {
		return nil, false
	}
	if t, err := time.Parse("-07:00", zone); err == nil {
		_, offset := t.Zone()
		loc = time.FixedZone("", offset)
	} else if loc, err = time.LoadLocation(zone); err != nil {
		return nil, false // not kept: unknown names must not fill the map
	}
	locations.Store(strings.Clone(zone), loc)
	return loc, true
}

// KnownZone is the zone that a source names, or UTC where it is not known.
func KnownZone(zone string) (string, bool) {
	if _, ok := findLocation(zone); !ok {
		return "UTC", false
	}
	return strings.Clone(zone), true
}

// FloorDiv is a/b, rounded down.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// appendDuration writes microseconds as time.Duration does, and those that it does not hold likewise.
func appendDuration(b []byte, us int64) []byte {
	if span := time.Duration(us) * time.Microsecond; span.Microseconds() == us {
		return append(b, span.String()...)
	}
	hours, rest := us/HourMicros, us%HourMicros
	if us < 0 {
		rest = -rest
	}
	oneHour := (time.Hour + time.Duration(rest)*time.Microsecond).String()
	return append(strconv.AppendInt(b, hours, 10), oneHour[1:]...)
}
