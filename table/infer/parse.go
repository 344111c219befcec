package infer

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"catena/internal/text"
	"catena/table"
)

// Parse reads the canonical text of a value (see Value.Text) as the column's type and scale, without rounding: what
// Text gives, Parse reads back. A text that does not fit gives a *TypeError.
func Parse(given string, col table.Column) (table.Value, error) {
	v, ok := table.Value{}, false
	switch col.Type {
	case table.Text:
		return table.TextValue(given), nil
	case table.JSON:
		v, ok = table.JsonValue(given), json.Valid([]byte(given))
	case table.Bool:
		v, ok = table.BoolValue(given == "true"), given == "true" || given == "false"
	case table.Int, table.Float, table.Decimal:
		v, ok = parseNumber(given, col)
	case table.Date, table.DateTime, table.Time, table.Duration:
		v, ok = ParseTemporal(given, col)
	}
	if !ok {
		return table.NullValue, &table.TypeError{
			Column: col.Name,
			Type:   col.Type,
			Reason: fmt.Sprintf("%q does not fit", text.Clip(given, 40)),
		}
	}
	return v, nil
}

// oneCell holds builders that are used for one cell at a time: the data frames of toolkits hold decimals as texts, and
// all of those come here.
var oneCell = sync.Pool{New: func() any { return new(table.ColumnBuilder) }}

func parseNumber(text string, col table.Column) (table.Value, bool) {
	b, _ := oneCell.Get().(*table.ColumnBuilder)
	defer oneCell.Put(b)
	b.Reset(col)
	kind, _, _ := ScanNumber(text)
	fits := kind != NotNumber && (kind != Exponent || col.Type != table.Int)
	if !fits || !AppendNumber(b, text) {
		return table.NullValue, false
	}
	return b.Last(), true
}

// ParseTemporal reads the canonical text of a Date, DateTime, Time or Duration.
func ParseTemporal(text string, col table.Column) (table.Value, bool) {
	switch col.Type {
	case table.Date:
		day, ok := parseISODay(text)
		return table.DateOfDays(day), ok
	case table.DateTime:
		m, ok := ParseMoment(text, "2006-1-2")
		if !ok || m.HasZone != (col.Zone != "") {
			return table.NullValue, false
		}
		return table.MicrosValue(table.DateTime, m.Instant(), col.Zone), true
	case table.Time:
		var m Moment
		ok := strings.Count(text, ":") == 2 && m.parseClock(text) && !m.HasZone
		return table.MicrosValue(table.Time, m.clock, ""), ok
	case table.Duration:
		us, ok := parseMicros(text)
		return table.DurationOfMicros(us), ok
	}
	return table.NullValue, false
}
