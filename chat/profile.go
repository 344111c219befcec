package chat

import (
	"context"

	"catena/profiler"
	"catena/tools"
)

// TableProfile says what a table's columns hold, as the tables of an answer do.
type TableProfile struct {
	Handle    string                    `json:"handle,omitempty"` // "" for a table that is known by its name only
	Name      string                    `json:"name"`
	Title     string                    `json:"title,omitempty"`
	RowCount  int                       `json:"row_count"`  // rows that the statistics are made of
	TotalRows int                       `json:"total_rows"` // rows that there are: more where the tool kept some back
	Columns   []profiler.ColumnMetadata `json:"columns"`    // never null
}

// ProfileOf profiles the table of a result, which it must have. After the end of ctx it is as far as it got.
func ProfileOf(ctx context.Context, res tools.Result) TableProfile {
	columns := profiler.ProfileWith(ctx, res.Table, profiler.Options{Title: res.Name})
	if columns == nil {
		columns = []profiler.ColumnMetadata{}
	}
	rows := res.Table.NumRows()
	return TableProfile{Handle: res.Handle, Name: res.Name, Title: res.Title, RowCount: rows, TotalRows: max(rows, res.Total), Columns: columns}
}
