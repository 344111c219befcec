package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"catena/internal/buffer"
)

// WireColumn is one column of a WireTable. Scale, Zone, Unit, Title and About stand only where the column has them.
type WireColumn struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Scale int32  `json:"scale,omitempty"`
	Zone  string `json:"zone,omitempty"`
	Unit  string `json:"unit,omitempty"`
	Title string `json:"title,omitempty"`
	About string `json:"description,omitempty"`
}

// WireTable is a table as it goes over the wire: rows as arrays in column order. Cells are what Value.Any gives.
type WireTable struct {
	Columns   []WireColumn `json:"columns"`
	Rows      [][]any      `json:"rows"`
	RowCount  int          `json:"row_count"`  // rows here
	TotalRows int          `json:"total_rows"` // rows of the whole table
	Truncated bool         `json:"truncated"`
	Handle    string       `json:"handle,omitempty"`
}

// Wire gives the wire form of t, which holds some or all of the total rows of the table that handle names.
func Wire(t *Table, handle string, total int, truncated bool) WireTable {
	w := WireTable{Columns: wireColumns(t), Rows: make([][]any, t.NumRows()), RowCount: t.NumRows(), TotalRows: total,
		Truncated: truncated, Handle: handle}
	for r := range w.Rows {
		row := make([]any, t.NumCols())
		for c := range row {
			row[c] = t.cells[c].value(r).Any()
		}
		w.Rows[r] = row
	}
	return w
}

func wireColumns(t *Table) []WireColumn {
	cols := make([]WireColumn, t.NumCols())
	for i := range cols {
		c := t.cols[i]
		cols[i] = WireColumn{Name: c.Name, Type: c.Type.String(), Scale: c.Scale, Zone: c.Zone, Unit: c.Unit,
			Title: c.Title, About: c.About}
	}
	return cols
}

// MarshalJSON gives the wire form of the whole table, without a handle.
func (t *Table) MarshalJSON() ([]byte, error) {
	cols, rows, err := t.JSONParts()
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, 96+len(cols)+len(rows))
	b = append(append(b, `{"columns":`...), cols...)
	b = buffer.Append(append(b, `,"rows":`...), rows)
	b = append(b, `,"row_count":`...)
	b = strconv.AppendInt(b, int64(t.NumRows()), 10)
	b = append(b, `,"total_rows":`...)
	b = strconv.AppendInt(b, int64(t.NumRows()), 10)
	return append(b, `,"truncated":false}`...), nil
}

// JSONParts returns the columns and the rows as MarshalJSON writes them, for who says more of a table than that.
func (t *Table) JSONParts() (columns, rows []byte, err error) {
	if columns, err = json.Marshal(wireColumns(t)); err != nil {
		return nil, nil, err
	}
	b := make([]byte, 0, 16+t.NumRows()*(2+t.NumCols()*12))
	b = append(b, '[')
	for r := range t.NumRows() {
		if row := len(b) / max(r, 1); cap(b)-len(b) < 2*row {
			// as much as rows like those before it take
			b = buffer.Grow(b, min(2*cap(b), max(cap(b)*5/4, row*t.NumRows()*17/16)))
		}
		if r > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		for c := range t.cells {
			if c > 0 {
				b = append(b, ',')
			}
			if b, err = appendJSON(b, t.cells[c].value(r)); err != nil {
				return nil, nil, fmt.Errorf("row %d, column %q: %w", r+1, t.cols[c].Name, err)
			}
		}
		b = append(b, ']')
	}
	return columns, append(b, ']'), nil
}

// appendJSON appends v.Any() as JSON.
func appendJSON(b []byte, v Value) ([]byte, error) {
	switch v.typ {
	case Null:
		return append(b, "null"...), nil
	case Bool:
		return v.appendText(b), nil
	case Float:
		if abs := math.Abs(v.f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
			return strconv.AppendFloat(b, v.f, 'e', -1, 64), nil
		}
		return v.appendText(b), nil
	case Int:
		if v.i >= -maxSafeInt && v.i <= maxSafeInt {
			return v.appendText(b), nil
		}
	case JSON:
		var out bytes.Buffer
		if err := json.Compact(&out, []byte(v.s)); err != nil {
			return b, err
		}
		return append(b, out.Bytes()...), nil
	case Text:
		return AppendJSONString(b, v.s), nil
	}
	b = append(b, '"')
	b = v.appendText(b)
	return append(b, '"'), nil
}
