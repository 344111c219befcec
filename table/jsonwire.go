package table

import (
	"errors"
	"strconv"
	"strings"
)

// wireTypes are the types by their wire names.
var wireTypes = func() map[string]Type {
	m := map[string]Type{}
	for t := Null; t <= JSON; t++ {
		m[t.String()] = t
	}
	return m
}()

// ParseType gives the type of a wire name (see Type.String); false where there is none of that name.
func ParseType(name string) (Type, bool) {
	t, ok := wireTypes[name]
	return t, ok
}

// declareColumns sets up columns from the "columns" of the wire form: objects {name, type, scale, zone, unit, title, description} or plain names. False
// when the text, which is known to be an array, holds something else.
func (j *jsonRows) declareColumns(text string) bool {
	p := &scanner{s: text, lim: j.lim}
	err := p.array(func() error {
		w, ok := p.wireColumn()
		if !ok || len(j.cols) == j.lim.Columns {
			return errNoColumns
		}
		j.declare(w)
		return nil
	})
	return err == nil
}

// errNoColumns ends the reading of columns that are none.
var errNoColumns = errors.New("these are no columns")

// wireColumn reads one column of the wire form.
func (p *scanner) wireColumn() (w WireColumn, ok bool) {
	if p.peek() != '{' {
		kind, name, err := p.value()
		return WireColumn{Name: name}, err == nil && kind == jsonString
	}
	ok = true
	err := p.object(func(key string) error {
		kind, text, err := p.value()
		want := jsonString
		switch key {
		case "name":
			w.Name = text
		case "type":
			w.Type = text
		case "zone":
			w.Zone, _ = KnownZone(text)
		case "unit":
			w.Unit = TitleText(text)
		case "title":
			w.Title = TitleText(text)
		case "description":
			w.About = AboutText(text)
		case "scale":
			want = jsonNumber
			scale, err := strconv.Atoi(text)
			ok, w.Scale = ok && (err == nil || kind == jsonNull), int32(min(max(scale, 0), MaxDigits+1))
		default:
			return err
		}
		ok = ok && (kind == want || kind == jsonNull)
		return err
	})
	return w, ok && err == nil && w.Name != ""
}

// declare adds a column of the wire form.
func (j *jsonRows) declare(w WireColumn) {
	typ, known := ParseType(w.Type)
	if w.Scale > MaxDigits {
		w.Scale = 0
	}
	c := &jsonColumn{name: strings.Clone(w.Name), cut: -1, fixed: true, typed: known, want: Column{Type: typ, Scale: w.Scale, Zone: strings.Clone(w.Zone), Unit: strings.Clone(w.Unit), Title: strings.Clone(w.Title), About: strings.Clone(w.About)}}
	c.want.Name = c.name
	if c.typed {
		c.expect()
	}
	if _, dup := j.index[jsonPath{c.name, -1}]; !dup {
		j.index[jsonPath{c.name, -1}] = len(j.cols)
	}
	j.cols = append(j.cols, c)
}

// expect makes the declared type the guess.
func (c *jsonColumn) expect() {
	kind := rawCells
	switch c.want.Type {
	case Bool:
		kind, c.class = boolCells, jsonBool
	case Int, Decimal:
		kind, c.class = numberCells, jsonNumber
	case Float:
		kind, c.class = floatCells, jsonNumber
	case Text:
		kind, c.class = certainText, jsonString
	case JSON:
		kind, c.class = jsonCells, jsonObject
	case Date:
		kind, c.class = dateCells, jsonString
	case DateTime:
		kind, c.class = momentCells, jsonString
		if c.want.Zone != "" {
			kind = instantCells
		}
	}
	if c.collect = kind == rawCells; !c.collect {
		c.cells = newCellColumn(c.name, kind, 0)
		c.cells.built.Col = c.want
	}
}

// declared reads the column as the type that the wire form says, where every cell allows it.
func (c *jsonColumn) declared() (Inferred, bool) {
	col := c.want
	if col.Type == Decimal {
		for i, k := range c.kinds {
			if k == jsonNumber || k == jsonString {
				if _, _, scale := scanNumber(c.texts[i]); scale <= MaxDigits {
					col.Scale = max(col.Scale, scale)
				}
			}
		}
	}
	b := NewColumnBuilder(col, len(c.kinds))
	for i, k := range c.kinds {
		if k <= jsonNull {
			b.AppendNull()
			continue
		}
		if col.Type == Null || !c.appendDeclared(b, k, c.texts[i]) {
			return Inferred{}, false
		}
	}
	return Inferred{Column: col, Array: b.Finish()}, true
}

func (c *jsonColumn) appendDeclared(b *ColumnBuilder, kind jsonKind, text string) bool {
	switch b.Col.Type {
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
			b.AppendBool(text == "true")
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
	v, ok := parseTemporal(text, b.Col)
	if ok && kind == jsonString {
		b.Append(v)
	}
	return ok && kind == jsonString
}
