package chat

import (
	"context"
	"slices"

	"catena/formatter"
	"catena/table"
)

// maxShownCell bounds the text of a cell on a page, in characters.
const maxShownCell = 500

// TableText is a page of a table as answers write it: headings, and each cell as text. It is read only.
type TableText struct {
	Columns []ColumnText `json:"columns"`
	Cells   [][]string   `json:"cells"` // by row, then column; "" is no value
	// Places are the rows' places in the whole table, from 0: what a cell is traced by.
	Places []int `json:"places"`
}

// ColumnText says how a column is headed and lined up.
type ColumnText struct {
	Name    string `json:"name"`    // in the table
	Heading string `json:"heading"` // "Revenue (USD)"
	Right   bool   `json:"right"`   // numbers line up right
}

// Page is a part of a table, on its way to who reads it.
type Page struct {
	Table  *table.Table
	Offset int    // of its first row, where the rows stand in the order of the whole
	Places string // the column with their places in the whole, from 1, where they do not; Text takes it off the page
	Locale string // BCP 47; "" is en
}

// Text writes the rows of a page as answers write the whole table, by what that was profiled to hold. The page has the
// columns of the profile. After the end of ctx cells may be missing.
func (p *Page) Text(ctx context.Context, whole TableProfile) (TableText, error) {
	places, err := p.takePlaces()
	if err != nil {
		return TableText{}, err
	}
	opt := formatter.Options{Locale: p.Locale, MaxCell: maxShownCell,
		SignedColumns: signed(shownTable{}, whole.Columns)}
	view, err := formatter.Format(p.Table.In(ctx), whole.Columns, opt)
	if err != nil {
		return TableText{}, err
	}
	out := TableText{Columns: make([]ColumnText, len(view.Columns)), Places: places}
	out.Cells = make([][]string, view.NumRows())
	for i := range view.Columns {
		c := &view.Columns[i]
		out.Columns[i] = ColumnText{Name: c.Name, Heading: c.Heading, Right: c.Right}
	}
	for r := range out.Cells {
		if ctx.Err() != nil {
			return TableText{}, ctx.Err()
		}
		out.Cells[r] = make([]string, len(view.Columns))
		for c := range view.Columns {
			out.Cells[r][c] = view.Text(r, c)
		}
	}
	return out, nil
}

// takePlaces gives the places of the rows, from 0.
func (p *Page) takePlaces() ([]int, error) {
	places := make([]int, p.Table.NumRows())
	column := p.Table.Index(p.Places)
	if column < 0 {
		for i := range places {
			places[i] = p.Offset + i
		}
		return places, nil
	}
	for i := range places {
		n, _ := p.Table.Value(i, column).Int()
		places[i] = int(n) - 1
	}
	rest := slices.DeleteFunc(p.Table.Names(), func(name string) bool { return name == p.Places })
	var err error
	p.Table, err = p.Table.Select(rest...)
	return places, err
}
