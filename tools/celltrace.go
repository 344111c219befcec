package tools

import "catena/table"

// CellTrace is where a cell of a table comes from.
type CellTrace struct {
	Handle     string
	Row        int // from 0
	Column     string
	Value      table.Value
	Expression string       // what was computed, in words
	Filter     string       // of which rows, in words
	Table      string       // what the rows are of; "" is a subquery
	Windowed   bool         // the cell was computed over rows around its own: Rows are all that it may have seen
	Rows       *table.Table // a page of the rows, with their number in the table first
	Offset     int          // of the page
	Total      int          // rows in all
}

// CellPage asks for the rows that a cell was computed of.
type CellPage struct {
	Handle        string
	Row           int    // from 0
	Column        string // its name, else its place from 0
	Offset, Limit int
	Locale        string // of what is said in words
}
