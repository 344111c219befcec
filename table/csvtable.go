package table

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/internal/parallel"
	"catena/internal/text"
)

// table turns the grid into typed columns.
func (g *grid) table(report *LoadReport, lim Limits) (*Table, error) {
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
	if g.typed != nil {
		return tableOf(columns, report, lim, nil)
	}
	return tableOf(columns, report, lim, func(which []int) []*TextCells {
		texts := make([]*TextCells, len(which))
		for k, c := range which {
			texts[k] = g.column(cols[c].Name, c, body, rawCells).texts()
		}
		return texts
	})
}

// tableOf puts columns together. The function gives the texts of some of them once more; nil where their types do not come from texts.
func tableOf(columns []Inferred, report *LoadReport, lim Limits, again func(which []int) []*TextCells) (*Table, error) {
	marks := marksOf(lim.Locale)
	settleCommas(columns, report.Comma, marks)
	settlePoints(columns, report.Comma, marks, again)
	cols, arrays := make([]Column, len(columns)), make([]arrow.Array, len(columns))
	for c, got := range columns {
		cols[c], arrays[c] = got.Column, got.Array
		report.Notes = append(report.Notes, got.Notes...)
	}
	return New(cols, arrays)
}

// columns gives the columns, which have names but no types yet, and the rows below the header.
func (g *grid) columns(report *LoadReport, lim Limits) (cols []Column, body []csvRow, err error) {
	width := g.width(report)
	cols, body = make([]Column, width), g.rows
	if report.Header {
		for i, name := range g.row(0) {
			if i < width {
				cols[i].Name = name
			}
		}
		body = g.rows[1:]
	}
	if tooSparse(len(body), width, len(g.cells)) {
		return nil, nil, sparseError(report.Source)
	}
	if len(body) > lim.Rows {
		return nil, nil, OverLimit(report.Source, 0, LimitRows, int64(lim.Rows), "the text has more than %d rows", lim.Rows)
	}
	if err := g.reserveTable(width, g.rows[:len(g.rows)-len(body)], body, &lim); err != nil {
		return nil, nil, err
	}
	nameColumns(cols, report)
	return cols, body, nil
}

// inferColumns types the columns; when the context ends, those left are not.
func (g *grid) inferColumns(cols []Column, body []csvRow, lim Limits) []Inferred {
	out := make([]Inferred, len(cols))
	parallel.Columns(len(cols), len(body), func(c int) {
		if lim.Ended() != nil {
			return
		}
		if g.typed != nil {
			out[c] = g.typedColumn(cols[c].Name, body, c)
			return
		}
		column := g.column(cols[c].Name, c, body, g.kind(c, body))
		if column.failed {
			column = g.column(cols[c].Name, c, body, rawCells)
		}
		out[c] = column.finish().instants()
	})
	return out
}

// column reads column c of the rows by a kind.
func (g *grid) column(name string, c int, body []csvRow, kind cellKind) *cellColumn {
	column := newCellColumn(name, kind, len(body))
	for _, row := range body {
		column.add(g.cell(row, c))
	}
	column.flush()
	return column
}

// cell is cell c of a row, empty where the row has none.
func (g *grid) cell(row csvRow, c int) string {
	if row.from+c < row.to {
		return g.cells[row.from+c]
	}
	return ""
}

// kind guesses the kind of a column by its first cells.
func (g *grid) kind(c int, body []csvRow) cellKind {
	const most = 200 // rows that are looked at
	var few [most]string
	cells := few[:0]
	for _, row := range body[:min(len(body), most)] {
		cells = append(cells, g.cell(row, c))
	}
	kind := kindOfCells(cells)
	if kind != numberCells && kind != floatCells {
		return kind
	}
	name := ""
	if len(g.rows) > len(body) {
		name = g.row(0)[min(c, len(g.row(0))-1)]
	}
	if mayBeCodes(name, cells) {
		return rawCells
	}
	return kind
}

// width is the number of columns up to the last one in which any row has a cell. Rows of other widths than the first are reported.
func (g *grid) width(report *LoadReport) int {
	usual, width := len(g.row(0)), 1
	if !report.Header { // where no name says that a column is none, it stays, empty as it may be
		width = usual
	}
	for i := range g.rows {
		row := g.row(i)
		for len(row) > width && strings.TrimSpace(row[len(row)-1]) == "" {
			row = row[:len(row)-1]
		}
		width = max(width, len(row))
	}
	if width < usual {
		report.Notes = append(report.Notes, fmt.Sprintf("%s left out", text.CountOf(usual-width, "empty column at the right was", "empty columns at the right were")))
	}
	const most = 5
	odd := 0
	for i, r := range g.rows {
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
				report.Notes = append(report.Notes, fmt.Sprintf("line %d has %s instead of %d; it was %s", r.line, text.CountOf(n, "cell", "cells"), usual, what))
			}
		}
	}
	if odd > most {
		report.Notes = append(report.Notes, fmt.Sprintf("%s a different number of cells", text.CountOf(odd-most, "further row has", "further rows have")))
	}
	return width
}

// reserveTable draws what the typed columns of a section's rows take. Texts that many cells share in the grid are copied there, so their lengths are added up, not their number.
func (g *grid) reserveTable(width int, head, body []csvRow, lim *Limits) error {
	if err := lim.reserveEach(int64(len(body))*int64(width), typedCells); err != nil {
		return err
	}
	m := meter{lim: lim}
	for _, rows := range []struct {
		rows   []csvRow
		copies int64
	}{{head, nameCopies}, {body, 1}} {
		for _, r := range rows.rows {
			bytes := int64(0)
			for _, cell := range g.of(r) {
				bytes += int64(len(cell))
			}
			if err := m.add(rows.copies * bytes); err != nil {
				return err
			}
		}
	}
	return nil
}

// typedColumn has a column of typed cells typed.
func (g *grid) typedColumn(name string, body []csvRow, c int) Inferred {
	cells, texts := make([]int32, len(body)), make([]string, len(body))
	for i, r := range body {
		if at := r.from + c; at < r.to && at < len(g.typed) {
			cells[i], texts[i] = g.typed[at], g.cells[at]
		}
	}
	return g.typist(name, cells, texts)
}
