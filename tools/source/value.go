package source

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"catena/query"
	"catena/table"
	"catena/table/infer"
)

// ValueError is a value that a table cannot hold as what its column is.
type ValueError struct {
	Column string
	Type   table.Type
	Value  string // shortened
	Why    string
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("column %q: %q is no %s: %s", e.Column, e.Value, e.Type, e.Why)
}

// valueOf is what a driver gives for a cell, as a value of the column's type. NaN and the infinities are null; told
// says so.
func valueOf(v any, f query.Field) (out table.Value, told bool, err error) {
	fault := func(why string) error {
		text := fmt.Sprint(v)
		return &ValueError{Column: f.Name, Type: f.Type, Value: text[:min(len(text), 40)], Why: why}
	}
	switch x := v.(type) {
	case nil:
		return table.NullValue, false, nil
	case bool:
		out = table.BoolValue(x)
	case int64:
		out, err = intAs(x, f.Type)
	case float64:
		if out = table.FloatValue(x); out.IsNull() {
			return out, true, nil
		}
		out, err = floatAs(x, out, f)
	case time.Time:
		out, err = timeAs(x, f)
	case []byte:
		return textAs(bytesText(x), f, fault)
	case string:
		return textAs(x, f, fault)
	default:
		return out, false, fault("the driver gives it as " + fmt.Sprintf("%T", v))
	}
	if err != nil {
		return out, false, fault(err.Error())
	}
	return out, false, nil
}

func bytesText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return hex.EncodeToString(b)
}

func intAs(x int64, t table.Type) (table.Value, error) {
	switch t {
	case table.Bool:
		return table.BoolValue(x != 0), nil
	case table.Int, table.Decimal:
		return table.IntValue(x), nil
	case table.Float:
		return table.FloatValue(float64(x)), nil
	}
	return table.NullValue, fmt.Errorf("it is an integer")
}

// floatAs refuses a float where integers stand: they were too large for the database. A decimal has the digits that its
// column is declared with.
func floatAs(x float64, v table.Value, f query.Field) (table.Value, error) {
	switch f.Type {
	case table.Float:
		return v, nil
	case table.Decimal:
		text := strconv.FormatFloat(x, 'f', -1, 64)
		if _, digits, _ := strings.Cut(text, "."); len(digits) < int(f.Scale) {
			text = strconv.FormatFloat(x, 'f', int(f.Scale), 64)
		}
		return table.ParseDecimal(text)
	}
	return table.NullValue, fmt.Errorf("it is a float")
}

func timeAs(t time.Time, f query.Field) (table.Value, error) {
	if y := t.Year(); y < 1 || y > 9999 {
		return table.NullValue, fmt.Errorf("the year is not from 1 to 9999")
	}
	switch f.Type {
	case table.Date:
		return table.DateValue(t.Date()), nil
	case table.DateTime:
		if f.Zone == "" {
			return table.DateTimeValue(t), nil
		}
		return table.DateTimeIn(t, f.Zone), nil
	case table.Time:
		return table.TimeValue(t.Sub(t.Truncate(24 * time.Hour))), nil
	}
	return table.NullValue, fmt.Errorf("it is a time")
}

// notNumbers are what databases write for values that no number is.
var notNumbers = map[string]bool{"NaN": true, "Infinity": true, "-Infinity": true, "infinity": true, "-infinity": true}

func textAs(s string, f query.Field, fault func(string) error) (table.Value, bool, error) {
	if notNumbers[s] && f.Type != table.Text && f.Type != table.JSON {
		return table.NullValue, true, nil
	}
	switch f.Type {
	case table.Text:
		return table.TextValue(s), false, nil
	case table.JSON:
		return table.JsonValue(s), false, nil
	case table.Int, table.Decimal:
		if i, err := strconv.ParseInt(s, 10, 64); err == nil {
			return table.IntValue(i), false, nil
		}
		v, err := table.ParseDecimal(s)
		if err != nil {
			return v, false, fault("a decimal here has at most 38 digits")
		}
		return v, false, nil
	case table.Float:
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return table.NullValue, false, fault("it is no number")
		}
		return table.FloatValue(x), false, nil
	case table.Duration:
		return lengthOf(s, fault)
	}
	v, err := infer.Parse(s, table.Column{Type: f.Type})
	if err != nil || v.IsNull() {
		return v, false, fault("it is not written so")
	}
	return v, false, nil
}

// lengthOf reads PostgreSQL's intervals of days and hours: 3 days 04:05:06.5.
func lengthOf(s string, fault func(string) error) (table.Value, bool, error) {
	var us int64
	rest := s
	if days, after, ok := strings.Cut(s, " day"); ok {
		n, err := strconv.ParseInt(days, 10, 64)
		if err != nil {
			return table.NullValue, false, fault("only days and hours are read")
		}
		us, rest = n*table.DayMicros, strings.TrimSpace(strings.TrimPrefix(after, "s"))
	}
	if rest != "" {
		d, err := infer.ReadDuration(rest)
		if err != nil {
			return table.NullValue, false, fault("only days and hours are read")
		}
		us += d.Microseconds()
	}
	return table.DurationOfMicros(us), false, nil
}

// Argument is a constant as a driver takes it.
func argument(v table.Value) any {
	switch v.Type() {
	case table.Null:
		return nil
	case table.Int:
		n, _ := v.Int()
		return n
	case table.Float:
		f, _ := v.Float()
		return f
	case table.Bool:
		return v.Bool()
	}
	return v.Text()
}
