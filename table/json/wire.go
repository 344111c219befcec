package json

import (
	"errors"
	"strconv"
	"strings"

	"catena/table"
	"catena/table/infer"
)

// declareColumns sets up columns from the "columns" of the wire form: objects {name, type, scale, zone, unit, title,
// description} or plain names. False when the text, which is known to be an array, holds something else.
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
func (p *scanner) wireColumn() (w table.WireColumn, ok bool) {
	if p.peek() != '{' {
		kind, name, err := p.value()
		return table.WireColumn{Name: name}, err == nil && kind == jsonString
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
			w.Zone, _ = table.KnownZone(text)
		case "unit":
			w.Unit = table.TitleText(text)
		case "title":
			w.Title = table.TitleText(text)
		case "description":
			w.About = table.AboutText(text)
		case "scale":
			want = jsonNumber
			scale, err := strconv.Atoi(text)
			ok, w.Scale = ok && (err == nil || kind == jsonNull), int32(min(max(scale, 0), table.MaxDigits+1))
		default:
			return err
		}
		ok = ok && (kind == want || kind == jsonNull)
		return err
	})
	return w, ok && err == nil && w.Name != ""
}

// declare adds a column of the wire form.
func (j *jsonRows) declare(w table.WireColumn) {
	typ, known := table.ParseType(w.Type)
	if w.Scale > table.MaxDigits {
		w.Scale = 0
	}
	c := &jsonColumn{
		name:  strings.Clone(w.Name),
		cut:   -1,
		fixed: true,
		typed: known,
		want: table.Column{
			Type:  typ,
			Scale: w.Scale,
			Zone:  strings.Clone(w.Zone),
			Unit:  strings.Clone(w.Unit),
			Title: strings.Clone(w.Title),
			About: strings.Clone(w.About),
		},
	}
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
	kind := infer.RawCells
	switch c.want.Type {
	case table.Bool:
		kind, c.class = infer.BoolCells, jsonBool
	case table.Int, table.Decimal:
		kind, c.class = infer.NumberCells, jsonNumber
	case table.Float:
		kind, c.class = infer.FloatCells, jsonNumber
	case table.Text:
		kind, c.class = infer.CertainText, jsonString
	case table.JSON:
		kind, c.class = infer.JSONCells, jsonObject
	case table.Date:
		kind, c.class = infer.DateCells, jsonString
	case table.DateTime:
		kind, c.class = infer.MomentCells, jsonString
		if c.want.Zone != "" {
			kind = infer.InstantCells
		}
	}
	if c.collect = kind == infer.RawCells; !c.collect {
		c.cells = infer.NewColumn(c.name, kind, 0)
		c.cells.Built.Col = c.want
	}
}

// declared reads the column as the type that the wire form says, where every cell allows it.
func (c *jsonColumn) declared() (infer.Result, bool) {
	col := c.want
	if col.Type == table.Decimal {
		for i, k := range c.kinds {
			if k == jsonNumber || k == jsonString {
				if _, _, scale := infer.ScanNumber(c.texts[i]); scale <= table.MaxDigits {
					col.Scale = max(col.Scale, scale)
				}
			}
		}
	}
	b := table.NewColumnBuilder(col, len(c.kinds))
	for i, k := range c.kinds {
		if k <= jsonNull {
			b.AppendNull()
			continue
		}
		if col.Type == table.Null || !c.appendDeclared(b, k, c.texts[i]) {
			return infer.Result{}, false
		}
	}
	return infer.Result{Column: col, Array: b.Finish()}, true
}

func (c *jsonColumn) appendDeclared(b *table.ColumnBuilder, kind jsonKind, text string) bool {
	switch b.Col.Type {
	case table.Int, table.Float, table.Decimal:
		if kind != jsonNumber && kind != jsonString {
			return false
		}
		if k, _, _ := infer.ScanNumber(text); k == infer.NotNumber {
			return false
		}
		return infer.AppendNumber(b, text)
	case table.Bool:
		if kind == jsonBool {
			b.AppendBool(text == "true")
		}
		return kind == jsonBool
	case table.Text:
		if kind == jsonString {
			b.AppendText(text)
		}
		return kind == jsonString
	case table.JSON:
		if kind == jsonString {
			text = quoteJSON(text)
		}
		b.AppendText(compactJSON(text))
		return true
	}
	v, ok := infer.ParseTemporal(text, b.Col)
	if ok && kind == jsonString {
		b.Append(v)
	}
	return ok && kind == jsonString
}
