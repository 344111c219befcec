package table

import (
	"encoding/json"
	"strings"
	"time"
)

// wireTypes are the types by their wire names.
var wireTypes = func() map[string]Type {
	m := map[string]Type{}
	for t := Null; t <= JSON; t++ {
		m[t.String()] = t
	}
	return m
}()

// ParseType gives the type of a wire name.
func ParseType(name string) (Type, bool) {
	t, ok := wireTypes[name]
	return t, ok
}

// declareColumns sets up columns from the "columns" of the wire form: objects {name, type, scale, zone, unit} or plain names. False
// when the text is something else.
func (j *jsonRows) declareColumns(text string) bool {
	var specs []json.RawMessage
	if json.Unmarshal([]byte(text), &specs) != nil || len(specs) > j.lim.Columns {
		return false
	}
	for _, spec := range specs {
		var w WireColumn
		if json.Unmarshal(spec, &w.Name) != nil && (json.Unmarshal(spec, &w) != nil || w.Name == "") {
			return false
		}
		typ, known := ParseType(w.Type)
		if w.Scale < 0 || w.Scale > maxDigits {
			w.Scale = 0
		}
		c := &jsonColumn{name: w.Name, typed: known, collect: true, want: Column{Name: w.Name, Type: typ, Scale: w.Scale, Zone: w.Zone, Unit: w.Unit}}
		if _, dup := j.index[w.Name]; !dup {
			j.index[w.Name] = len(j.cols)
		}
		j.cols = append(j.cols, c)
	}
	return true
}

// declared reads the column as the type that the wire form says, where every cell allows it.
func (c *jsonColumn) declared() (inferred, bool) {
	col := c.want
	if col.Type == Decimal {
		for i, k := range c.kinds {
			if k == jsonNumber || k == jsonString {
				if _, _, scale := scanNumber(c.texts[i]); scale <= maxDigits {
					col.Scale = max(col.Scale, scale)
				}
			}
		}
	}
	b := newColumnBuilder(col, len(c.kinds))
	for i, k := range c.kinds {
		if k <= jsonNull {
			b.appendNull()
			continue
		}
		if col.Type == Null || !c.appendDeclared(b, k, c.texts[i]) {
			return inferred{}, false
		}
	}
	return inferred{col: col, array: b.finish()}, true
}

func (c *jsonColumn) appendDeclared(b *columnBuilder, kind jsonKind, text string) bool {
	switch b.col.Type {
	case Int, Float, Decimal:
		if kind != jsonNumber && kind != jsonString {
			return false
		}
		if k, _, _ := scanNumber(text); k == notNumber {
			return false
		}
		return b.appendNumber(text)
	case Bool:
		if kind == jsonBool {
			b.appendBool(text == "true")
		}
		return kind == jsonBool
	case Text:
		if kind == jsonString {
			b.appendText(text)
		}
		return kind == jsonString
	case JSON:
		if kind == jsonString {
			text = quoteJSON(text)
		}
		b.appendText(compactJSON(text))
		return true
	}
	v, ok := parseTemporal(text, b.col)
	if ok && kind == jsonString {
		b.append(v)
	}
	return ok && kind == jsonString
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
		d, err := time.ParseDuration(text)
		return DurationValue(d), err == nil
	}
	return NullValue, false
}
