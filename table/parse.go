package table

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"catena/internal/text"
)

// Parse reads the canonical text of a value (see Value.Text) as the column's type and scale, without rounding: what Text gives, Parse
// reads back. A text that does not fit gives a *TypeError.
func Parse(given string, col Column) (Value, error) {
	v, ok := Value{}, false
	switch col.Type {
	case Text:
		return TextValue(given), nil
	case JSON:
		v, ok = JsonValue(given), json.Valid([]byte(given))
	case Bool:
		v, ok = BoolValue(given == "true"), given == "true" || given == "false"
	case Int, Float, Decimal:
		v, ok = parseNumber(given, col)
	case Date, DateTime, Time, Duration:
		v, ok = parseTemporal(given, col)
	}
	if !ok {
		return NullValue, &TypeError{Column: col.Name, Type: col.Type, Reason: fmt.Sprintf("%q does not fit", text.Clip(given, 40))}
	}
	return v, nil
}

// oneCell holds builders that are used for one cell at a time: the data frames of toolkits hold decimals as texts, and all of
// those come here.
var oneCell = sync.Pool{New: func() any { return new(ColumnBuilder) }}

func parseNumber(text string, col Column) (Value, bool) {
	b, _ := oneCell.Get().(*ColumnBuilder)
	defer oneCell.Put(b)
	*b = ColumnBuilder{Col: col, valid: b.valid[:0], ints: b.ints[:0], floats: b.floats[:0], decs: b.decs[:0]}
	if kind, _, _ := scanNumber(text); kind == notNumber || kind == exponent && col.Type == Int || !b.appendNumber(text) {
		return NullValue, false
	}
	switch col.Type {
	case Int:
		return IntValue(b.ints[0]), true
	case Float:
		return FloatValue(b.floats[0]), true
	}
	return decimalOf(b.decs[0], col.Scale), true
}

// parseTemporal reads the canonical text of a Date, DateTime, Time or Duration.
func parseTemporal(text string, col Column) (Value, bool) {
	switch col.Type {
	case Date:
		day, ok := parseISODay(text)
		return Value{typ: Date, i: day}, ok
	case DateTime:
		m, ok := parseMoment(text, "2006-1-2")
		if !ok || m.hasZone != (col.Zone != "") {
			return NullValue, false
		}
		return Value{typ: DateTime, i: m.instant(), s: col.Zone}, true
	case Time:
		var m moment
		ok := strings.Count(text, ":") == 2 && m.parseClock(text) && !m.hasZone
		return Value{typ: Time, i: m.clock}, ok
	case Duration:
		us, ok := parseMicros(text)
		return DurationOfMicros(us), ok
	}
	return NullValue, false
}
