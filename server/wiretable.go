package server

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/tools"
	"catena/tools/handle"
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

const (
	// textCells is the value of the parameter cells that asks for each cell as answers write it.
	textCells = "text"
	// placeColumn is what the rows' places in the whole table are called while they are sorted and filtered.
	placeColumn = "catena place of the row"
	// mostProfiles is how many tables' profiles are kept for the pages that are read of them.
	mostProfiles = 32
)

// tablePage is a page of a table.
type tablePage struct {
	WireTable
	Text *chat.TableText `json:"text,omitempty"` // its cells as answers write them, where they were asked for
}

// pageTexts writes a page of a table as answers do, and takes the column of places off the page, where it has one.
func (s *Core) pageTexts(c *gin.Context, name string, res *tools.Result) (*chat.TableText, error) {
	whole, err := s.profileFor(c.Request.Context(), name)
	if err != nil {
		return nil, err
	}
	page := chat.Page{Table: res.Table, Offset: numberOf(c, "offset"), Places: placeColumn, Locale: c.Query("locale")}
	out, err := page.Text(c.Request.Context(), whole)
	res.Table = page.Table
	return &out, err
}

// profileFor is the profile of the caller's table. Those of handles are kept for the next page, as what is under a
// handle does not change; whether the caller may read it is asked each time.
func (s *Core) profileFor(ctx context.Context, name string) (chat.TableProfile, error) {
	res, err := s.findTable(ctx, name, nil, true)
	if err != nil || !handle.Is(name) {
		return profiled(ctx, res), err
	}
	s.profiles.Lock()
	found, ok := s.profiles.of[name]
	s.profiles.Unlock()
	if ok {
		return found, nil
	}
	if found = profiled(ctx, res); ctx.Err() != nil {
		return found, ctx.Err()
	}
	s.profiles.Lock()
	defer s.profiles.Unlock()
	if s.profiles.of == nil || len(s.profiles.of) >= mostProfiles {
		s.profiles.of = map[string]chat.TableProfile{}
	}
	s.profiles.of[name] = found
	return found, nil
}

func profiled(ctx context.Context, res tools.Result) chat.TableProfile {
	if res.Table == nil {
		return chat.TableProfile{}
	}
	return chat.ProfileOf(ctx, res)
}

// profiles are those of the tables that were read last.
type profiles struct {
	sync.Mutex
	of map[string]chat.TableProfile
}
