package xlsx

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"testing"

	"catena/table"
)

// A workbook of as many columns as a sheet has is written in time that goes with its cells, and none is written for a
// request that is over.
func TestWideWorkbooks(t *testing.T) {
	columns, values := make([]table.Column, sheetColumns), make([]table.Value, sheetColumns)
	for i := range columns {
		columns[i], values[i] = table.Column{Name: "c" + strconv.Itoa(i), Type: table.Int}, table.IntValue(int64(i))
	}
	b := table.NewBuilder(columns...)
	if err := b.Append(values...); err != nil {
		t.Fatal(err)
	}
	wide := b.Table()
	var buf bytes.Buffer
	if err := Write(t.Context(), &buf, Sheet{Table: wide}); err != nil { // by the square of the columns it took a quarter of an hour
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Write(over, io.Discard, Sheet{Table: wide}); !errors.Is(err, context.Canceled) {
		t.Error("a request that is over:", err)
	}
	var limit *table.LimitError
	budget := table.NewMemoryBudget(sheetColumns * sheetCellMemory)
	small, work := table.WithWork(t.Context(), budget)
	if err := Write(small, io.Discard, Sheet{Table: wide}); !errors.As(err, &limit) || limit.What != table.LimitMemory {
		t.Error("more than one call may have:", err)
	}
	if work.End(); budget.Taken() != 0 {
		t.Error("not given back:", budget.Taken())
	}
}
