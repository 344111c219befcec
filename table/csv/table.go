package csv

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/internal/parallel"
	"catena/internal/text"
	"catena/table"
	"catena/table/content"
	"catena/table/infer"
)

// table turns the grid into typed columns.
func (g *grid) table(report *table.LoadReport, lim table.Limits) (*table.Table, error) {
	cols, body, err := g.columns(report, lim)
	if err != nil {
		return nil, err
	}
	if len(body) == 0 {
		report.Notes = append(report.Notes, "there is a header row but no data below it")
	}
	report.Rows = len(body)
	columns := g.inferColumns(cols, body, lim)
	if err := lim.Ended(); err != nil {
		return nil, err
	}
	if g.Typed != nil {
		return tableOf(columns, report, lim, nil)
	}
	return tableOf(columns, report, lim, func(which []int) []*infer.Texts {
		texts := make([]*infer.Texts, len(which))
		for k, c := range which {
			texts[k] = g.column(cols[c].Name, c, body, infer.RawCells).Texts()
		}
		return texts
	})
}

// tableOf puts columns together. The function gives the texts of some of them once more; nil where their types do not
// come from texts.
func tableOf(
	columns []infer.Result,
	report *table.LoadReport,
	lim table.Limits,
	again func(which []int) []*infer.Texts,
) (*table.Table, error) {
	marks := infer.MarksOf(lim.Locale)
	infer.SettleCommas(columns, report.Comma, marks)
	infer.SettlePoints(columns, report.Comma, marks, again)
	cols, arrays := make([]table.Column, len(columns)), make([]arrow.Array, len(columns))
	for c, got := range columns {
		cols[c], arrays[c] = got.Column, got.Array
		report.Notes = append(report.Notes, got.Notes...)
	}
	return table.New(cols, arrays)
}

// columns gives the columns, which have names but no types yet, and the rows below the header.
func (g *grid) columns(report *table.LoadReport, lim table.Limits) (cols []table.Column, body []csvRow, err error) {
	width := g.width(report)
	cols, body = make([]table.Column, width), g.Rows
	if report.Header {
		for i, name := range g.row(0) {
			if i < width {
				cols[i].Name = name
			}
		}
		body = g.Rows[1:]
	}
	if content.TooSparse(len(body), width, len(g.Cells)) {
		return nil, nil, content.SparseError(report.Source)
	}
	if len(body) > lim.Rows {
		return nil, nil, table.OverLimit(
			report.Source,
			0,
			table.LimitRows,
			int64(lim.Rows),
			"the text has more than %d rows",
			lim.Rows,
		)
	}
	if err := g.reserveTable(width, g.Rows[:len(g.Rows)-len(body)], body, &lim); err != nil {
		return nil, nil, err
	}
	table.NameColumns(cols, report)
	return cols, body, nil
}

// inferColumns types the columns; when the context ends, those left are not.
func (g *grid) inferColumns(cols []table.Column, body []csvRow, lim table.Limits) []infer.Result {
	out := make([]infer.Result, len(cols))
	parallel.Columns(len(cols), len(body), func(c int) {
		if lim.Ended() != nil {
			return
		}
		if g.Typed != nil {
			out[c] = g.typedColumn(cols[c].Name, body, c)
			return
		}
		column := g.column(cols[c].Name, c, body, g.kind(c, body))
		if column.Failed {
			column = g.column(cols[c].Name, c, body, infer.RawCells)
		}
		out[c] = column.Finish().Instants()
	})
	return out
}

// column reads column c of the rows by a kind.
func (g *grid) column(name string, c int, body []csvRow, kind infer.Kind) *infer.Column {
	column := infer.NewColumn(name, kind, len(body))
	for _, row := range body {
		column.Add(g.cell(row, c))
	}
	column.Flush()
	return column
}

// cell is cell c of a row, empty where the row has none.
func (g *grid) cell(row csvRow, c int) string {
	if row.from+c < row.to {
		return g.Cells[row.from+c]
	}
	return ""
}

// kind guesses the kind of a column by its first cells.
func (g *grid) kind(c int, body []csvRow) infer.Kind {
	const most = 200 // rows that are looked at
	var few [most]string
	cells := few[:0]
	for _, row := range body[:min(len(body), most)] {
		cells = append(cells, g.cell(row, c))
	}
	kind := infer.KindOfCells(cells)
	if kind != infer.NumberCells && kind != infer.FloatCells {
		return kind
	}
	name := ""
	if len(g.Rows) > len(body) {
		name = g.row(0)[min(c, len(g.row(0))-1)]
	}
	if infer.MayBeCodes(name, cells) {
		return infer.RawCells
	}
	return kind
}

// width is the number of columns up to the last one in which any row has a cell. Rows of other widths than the first
// are reported.
func (g *grid) width(report *table.LoadReport) int {
	usual, width := len(g.row(0)), 1
	if !report.Header { // where no name says that a column is none, it stays, empty as it may be
		width = usual
	}
	for i := range g.Rows {
		row := g.row(i)
		for len(row) > width && strings.TrimSpace(row[len(row)-1]) == "" {
			row = row[:len(row)-1]
		}
		width = max(width, len(row))
	}
	if width < usual {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf(
				"%s left out",
				text.CountOf(usual-width, "empty column at the right was", "empty columns at the right were"),
			),
		)
	}
	const most = 5
	odd := 0
	for i, r := range g.Rows {
		n := r.to - r.from
		if n > width { // only blank cells
			n = usual
		}
		if n != usual && i > 0 {
			if odd++; odd <= most {
				what := "padded with nulls"
				if n > usual {
					what = "kept in further columns"
				}
				report.Notes = append(
					report.Notes,
					fmt.Sprintf(
						"line %d has %s instead of %d; it was %s",
						r.line,
						text.CountOf(n, "cell", "cells"),
						usual,
						what,
					),
				)
			}
		}
	}
	if odd > most {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf(
				"%s a different number of cells",
				text.CountOf(odd-most, "further row has", "further rows have"),
			),
		)
	}
	return width
}

// reserveTable draws what the typed columns of a section's rows take. Texts that many cells share in the grid are
// copied there, so their lengths are added up, not their number.
func (g *grid) reserveTable(width int, head, body []csvRow, lim *table.Limits) error {
	if err := lim.ReserveEach(int64(len(body))*int64(width), table.TypedCellMemory); err != nil {
		return err
	}
	m := table.Meter{Lim: lim}
	for _, rows := range []struct {
		rows   []csvRow
		copies int64
	}{{head, table.NameCopies}, {body, 1}} {
		for _, r := range rows.rows {
			bytes := int64(0)
			for _, cell := range g.of(r) {
				bytes += int64(len(cell))
			}
			if err := m.Add(rows.copies * bytes); err != nil {
				return err
			}
		}
	}
	return nil
}

// typedColumn has a column of typed cells typed.
func (g *grid) typedColumn(name string, body []csvRow, c int) infer.Result {
	cells, texts := make([]int32, len(body)), make([]string, len(body))
	for i, r := range body {
		if at := r.from + c; at < r.to && at < len(g.Typed) {
			cells[i], texts[i] = g.Typed[at], g.Cells[at]
		}
	}
	return g.Typist(name, cells, texts)
}
