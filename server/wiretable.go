package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
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

// cellRoom is what a cell of a page takes on its way to a client, beside its text: what a text and its JSON take by
// themselves, and while both grow.
const cellRoom = 64

// pageSize is what a page of so many rows at most takes while it is made.
func pageSize(res tools.Result, limit int) int64 {
	all := int64(res.Table.NumRows())
	rows := min(int64(limit), all)
	return rows*int64(res.Table.NumCols())*cellRoom + 3*handle.SizeOf(res.Table)/max(all, 1)*rows
}

// sendRows answers with a page of a table. Where it is large it takes room as files do, and its turn in the lane of
// heavy work until it is JSON: a client that reads slowly holds up the room alone.
func (s *Core) sendRows(c *gin.Context, size int64, page func() (any, error)) {
	ctx := c.Request.Context()
	give, err := s.takeRoom(ctx, size)
	if err != nil {
		s.Fail(c, err)
		return
	}
	defer give()
	body, err := s.inTurn(ctx, size, page)
	if err != nil {
		s.Fail(c, err)
		return
	}
	writeBytes(c, http.StatusOK, body)
}

// takeRoom takes room among the files that are sent, where it is much, until give is called.
func (s *Core) takeRoom(ctx context.Context, size int64) (give func(), err error) {
	if size < largeJSON {
		return func() {}, nil
	}
	caller := CallerOf(ctx).ID
	if !s.files.takeWithin(ctx, caller, size, s.fileWait) {
		return nil, busyProblem()
	}
	return func() { s.files.give(caller, size) }, nil
}

// ReadTable has read work on the table of a result and on its first rows, as much as a page has. As for pages it takes room and a
// turn in the lane of heavy work where the table is large.
func (s *Core) ReadTable(ctx context.Context, res tools.Result, rows int, read func()) error {
	size := pageSize(res, rows)
	give, err := s.takeRoom(ctx, size)
	if err != nil {
		return err
	}
	defer give()
	size = max(size, handle.SizeOf(res.Table))
	done, err := s.heavy(ctx, size)
	if err != nil {
		return err
	}
	defer done()
	aside(int(size), read)
	return ctx.Err()
}

// inTurn is what page gives as JSON, made in the lane of heavy work where it is large.
func (s *Core) inTurn(ctx context.Context, size int64, page func() (any, error)) (body []byte, err error) {
	done, err := s.heavy(ctx, size)
	if err != nil {
		return nil, err
	}
	defer done()
	aside(int(size), func() {
		var made any
		if made, err = page(); err == nil {
			body = encoded(made)
		}
	})
	return body, err
}

// pageTexts writes a page of a table as answers do, and takes the column of places off the page, where it has one.
func pageTexts(c *gin.Context, whole chat.TableProfile, res *tools.Result) (*chat.TableText, error) {
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

// cellOrigin is where a cell of a table comes from.
type cellOrigin struct {
	Handle     string `json:"handle"`
	Row        int    `json:"row"`
	Column     string `json:"column"`
	Value      any    `json:"value"`           // as rows of tables have it
	Expression string `json:"expression"`      // what was computed, in words
	Filter     string `json:"filter"`          // of which rows, in words
	Table      string `json:"table,omitempty"` // what the rows are of; none for those of a subquery
	// Windowed says that it was computed over rows around its own: the rows are all that it may have seen.
	Windowed bool      `json:"windowed"`
	Offset   int       `json:"offset"`
	Rows     tablePage `json:"rows"` // their number in the table first; total_rows is how many there are
}

// getCell answers which rows a cell of a table was computed of.
func (s *Core) getCell(c *gin.Context) {
	ctx := c.Request.Context()
	row, err := strconv.Atoi(c.Param("row"))
	if err != nil || row < 0 || !handle.Is(c.Param("handle")) {
		s.Fail(
			c,
			NewProblem(
				http.StatusNotFound,
				"not_found",
				"There is no such cell.",
				"Name a handle (tbl_…), a row from 0 on, and a column.",
			),
		)
		return
	}
	trace, err := s.opt.Data.TraceCell(
		ctx,
		CallerOf(ctx),
		tools.CellPage{Handle: c.Param("handle"), Row: row, Column: c.Param("column"),
			Offset: numberOf(c, "offset"), Limit: numberOf(c, "limit"), Locale: c.Query("locale")},
	)
	var fault *tools.ArgumentError
	if errors.As(err, &fault) {
		s.Fail(c, cellProblem(fault))
		return
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	found := tools.Result{Table: trace.Rows, Name: trace.Table}
	s.sendRows(c, pageSize(found, trace.Rows.NumRows()), func() (any, error) {
		var rows tablePage
		var err error
		if c.Query("cells") == textCells {
			page := chat.Page{Table: trace.Rows, Offset: trace.Offset, Locale: c.Query("locale")}
			var texts chat.TableText
			texts, err = page.Text(ctx, profiled(ctx, found))
			rows.Text = &texts
		}
		if err == nil {
			rows.WireTable, err = WireOf(trace.Rows)
		}
		rows.TotalRows, rows.Truncated = trace.Total, rows.RowCount < trace.Total
		return cellOrigin{
			Handle:     trace.Handle,
			Row:        trace.Row,
			Column:     trace.Column,
			Value:      trace.Value.Any(),
			Expression: trace.Expression,
			Filter:     trace.Filter,
			Table:      trace.Table,
			Windowed:   trace.Windowed,
			Offset:     trace.Offset,
			Rows:       rows,
		}, err
	})
}

// cellStatuses are those of the codes by which a cell is not traced.
var cellStatuses = map[string]int{
	tools.CodeNotFound:      http.StatusNotFound,
	tools.CodeUnknownColumn: http.StatusNotFound,
	"changed":               http.StatusConflict,
}

func cellProblem(fault *tools.ArgumentError) *Problem {
	status, ok := cellStatuses[fault.Code]
	if !ok {
		status = http.StatusUnprocessableEntity
	}
	return NewProblem(status, fault.Code, Sentence(fault.Reason), "")
}
