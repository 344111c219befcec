package server

import (
	"bytes"
	"encoding/json"

	"catena/tools"
)

// MaxWireRows is how many rows of a table a direct call answers with; the handle names the rest.
const MaxWireRows = 1000

// WireTable is the wire form of a table, its columns and rows as the table wrote them.
type WireTable struct {
	Columns   json.RawMessage `json:"columns"`
	Rows      json.RawMessage `json:"rows"`
	RowCount  int             `json:"row_count"`
	TotalRows int             `json:"total_rows"`
	Truncated bool            `json:"truncated"`
	Handle    string          `json:"handle,omitempty"`
	Next      string          `json:"next,omitempty"` // of a resource: the URI of the rows that follow
}

// Structured gives the structured content of a result: what the tool wrote for clients, the wire form of its table,
// with so many rows, else what it has.
func Structured(res tools.Result, most int) (any, error) {
	if res.Wire != nil {
		return res.Wire, nil
	}
	if res.Table == nil || res.Structured != nil {
		return res.AsWritten(), nil
	}
	t, rows := res.Table, res.Table.NumRows()
	if rows > most {
		t = t.Slice(0, most)
	}
	w, err := WireOf(t)
	if err != nil {
		return nil, err
	}
	w.Handle, w.TotalRows = res.Handle, max(rows, res.Total)
	w.Truncated = w.RowCount < w.TotalRows
	return w, nil
}

// WireOf is the wire form of a table, to be told its handle and counts.
func WireOf(t interface {
	JSONParts() (columns, rows []byte, err error)
	NumRows() int
}) (WireTable, error) {
	columns, rows, err := t.JSONParts()
	return WireTable{Columns: columns, Rows: rows, RowCount: t.NumRows(), TotalRows: t.NumRows()}, err
}

// Encoded is the same as JSON, without reading again what the table wrote.
func (w WireTable) Encoded() (json.RawMessage, error) {
	columns, rows := w.Columns, w.Rows
	w.Columns, w.Rows = nil, nil
	rest, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	rest = bytes.TrimPrefix(rest, []byte(`{"columns":null,"rows":null`))
	b := make([]byte, 0, len(columns)+len(rows)+len(rest)+32)
	b = append(append(b, `{"columns":`...), columns...)
	b = append(append(b, `,"rows":`...), rows...)
	return append(b, rest...), nil
}
