package server

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/tools"
	"catena/tools/handle"
)

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
	var rows tablePage
	if c.Query("cells") == textCells {
		whole := profiled(ctx, tools.Result{Table: trace.Rows, Name: trace.Table})
		page := chat.Page{Table: trace.Rows, Offset: trace.Offset, Locale: c.Query("locale")}
		var texts chat.TableText
		texts, err = page.Text(ctx, whole)
		rows.Text = &texts
	}
	if err == nil {
		rows.WireTable, err = WireOf(trace.Rows)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	rows.TotalRows, rows.Truncated = trace.Total, rows.RowCount < trace.Total
	WriteJSON(
		c,
		http.StatusOK,
		cellOrigin{
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
		},
	)
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
