package csv

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/table/content"
	"catena/table/infer"
)

// Span is a cell that covers several rows and columns: a merged cell of a sheet, a colspan or rowspan of HTML. Rows are
// lines of the grid, columns are counted from 0 at its left edge; both ends belong to it.
type Span struct {
	Top, Bottom int
	Left, Right int
}

// Grid is a table whose source says where each cell stands. It is brought into the grid that the layout of delimited
// text is read from, so that titles, headers of several rows, totals and notes are found by the same rules.
type Grid struct {
	grid
	width int
	room  *content.TextBudget // for the texts that spans repeat
	Spans []Span              // sorted by where they begin, when fill is called
	Fills bool                // a span's text counts for all its columns below the header, too, as HTML means it
	work  int                 // cells that spans have filled
	short bool                // spans cover more cells than are filled
	again int                 // cells below a header that repeat a number
}

// NewGrid makes a grid of rows with the given number of cells; rows are added by row.
func NewGrid(rows, width int, lim table.Limits, room *content.TextBudget) (*Grid, error) {
	if err := errors.Join(
		lim.ReserveEach(int64(rows)*int64(width), CellMemory),
		lim.ReserveEach(int64(rows), rowMemory),
	); err != nil {
		return nil, err
	}
	return &Grid{
		room:  room,
		grid:  grid{Cells: make([]string, 0, rows*width), Rows: make([]csvRow, 0, rows)},
		width: width,
	}, nil
}

// Row adds an empty row and gives its cells to be filled; line is its number in the source. Lines must ascend; a line
// that is left out is a gap.
func (g *Grid) Row(line int) []string {
	from := len(g.Cells)
	r := csvRow{from: from, to: from + g.width, line: line}
	if n := len(g.Rows); n > 0 {
		r.gap = line > g.Rows[n-1].line+1
	}
	g.Cells = slices.Grow(g.Cells, g.width)[:from+g.width]
	clear(g.Cells[from:])
	g.Rows = append(g.Rows, r)
	return g.Cells[from:]
}

// Sections finds the tables in the grid by their looks; none where all cells are empty.
func (g *Grid) Sections(report table.LoadReport, lim table.Limits) ([]Section, error) {
	slices.SortStableFunc(g.Spans, func(a, b Span) int { return a.Top - b.Top })
	if bands := g.bands(); bands != nil {
		if err := g.fillBody(g.Rows); err != nil {
			return nil, err
		}
		g.grid, g.Spans = *g.stack(bands), nil
		g.width = 0
		for _, b := range bands {
			g.width = max(g.width, b.to-b.from)
		}
		report.Notes = append(report.Notes, noteBands)
	}
	l := &layout{g: &g.grid, lim: lim, spans: g.Spans}
	parts := l.arrange(g.width)
	if err := lim.Ended(); err != nil {
		return nil, err
	}
	parts = slices.DeleteFunc(parts, func(p part) bool { return len(p.head)+len(p.body) == 0 })
	if len(parts) == 0 {
		return nil, nil
	}
	if len(parts) > lim.Tables {
		return nil, table.OverLimit(
			report.Source,
			0,
			table.LimitTables,
			int64(lim.Tables),
			"there are more than %d tables",
			lim.Tables,
		)
	}
	for i := range parts {
		if err := g.fill(parts[i].head, parts[i].body); err != nil {
			return nil, err
		}
	}
	l.report(&report)
	if g.short {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf("merged cells cover more than %d cells; the others were left empty", fillWork),
		)
	}
	if g.again > 0 {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf(
				"%s the number of a merged cell, which a sum counts each time",
				text.CountOf(g.again, "cell repeats", "cells repeat"),
			),
		)
	}
	report.Blank = g.blank
	return l.sections(parts, report)
}

// fillWork is how many cells spans may fill in one grid.
const fillWork = 4_000_000

// fill repeats the texts of cells that span several, in the header and below it.
func (g *Grid) fill(head, body []csvRow) error {
	if err := g.fillHead(head); err != nil {
		return err
	}
	return g.fillBody(body)
}

// fillHead gives the names of groups to all columns that they span.
func (g *Grid) fillHead(head []csvRow) error {
	for _, s := range spansFrom(g.Spans, head) {
		for _, r := range head {
			if r.line != s.Top {
				continue
			}
			if g.work > fillWork {
				g.short = true
				return nil
			}
			cells := g.of(r)
			for c := s.Left + 1; c <= s.Right && c < len(cells); c++ {
				if err := g.room.Take(len(cells[s.Left])); err != nil {
					return err
				}
				cells[c] = cells[s.Left]
				g.work++
			}
		}
	}
	return nil
}

// fillBody repeats a cell in the rows that it spans, so that each row says all that it means.
func (g *Grid) fillBody(body []csvRow) error {
	for _, s := range spansFrom(g.Spans, body) {
		from, found := slices.BinarySearchFunc(body, s.Top, func(r csvRow, line int) int { return r.line - line })
		if !found || s.Left >= g.width {
			continue
		}
		right := s.Left
		if g.Fills && (s.Left > 0 || s.Right < g.width-1) {
			right = min(s.Right, g.width-1)
		}
		first := body[from].from
		for i := from; i < len(body) && body[i].line <= s.Bottom; i++ {
			if g.work >= fillWork {
				g.short = true
				return nil
			}
			for c := s.Left; c <= right; c++ {
				if err := g.room.Take(len(g.Cells[first+s.Left])); err != nil {
					return err
				}
				if number, _, _ := infer.ScanNumber(
					g.Cells[first+s.Left],
				); number != infer.NotNumber &&
					g.Cells[body[i].from+c] == "" {
					g.again++
				}
				g.copyCell(body[i].from+c, first+s.Left)
				g.work++
			}
		}
	}
	return nil
}

// spansFrom gives the spans that begin in some rows or between them. Spans are sorted by where they begin, so a sheet
// of many tables costs no more than its spans.
func spansFrom(spans []Span, rows []csvRow) []Span {
	if len(rows) == 0 {
		return nil
	}
	byTop := func(s Span, line int) int { return s.Top - line }
	from, _ := slices.BinarySearchFunc(spans, rows[0].line, byTop)
	to, _ := slices.BinarySearchFunc(spans, rows[len(rows)-1].line+1, byTop)
	return spans[from:max(from, to)]
}

// copyCell copies a cell of the grid with what is known about it.
func (g *Grid) copyCell(to, from int) {
	g.Cells[to] = g.Cells[from]
	if g.Typed != nil {
		g.Typed[to] = g.Typed[from]
	}
}

// raw is a row as it stands in the source, or its cells where the source is no text.
func (g *grid) raw(r csvRow) string {
	if g.text != "" {
		return g.text[r.at:r.end]
	}
	return strings.Join(FilledCells(g.of(r)), " | ")
}

// spannedHead gives how many rows name the columns where cells that cover several rows or columns say so: a name beside
// others that spans columns has names below it, and one that spans rows has its neighbours' names there.
func (l *layout) spannedHead(rows []csvRow, n int) int {
	if n == 0 {
		return 0
	}
	for _, s := range spansFrom(l.spans, rows[:min(len(rows), MaxHeaderRows)]) {
		if s.Top > rows[n-1].line || s.Bottom-s.Top >= MaxHeaderRows { // one that long stands beside rows
			continue
		}
		bottom := s.Bottom
		if s.Right > s.Left && filledCount(l.g.of(rows[n-1])) > 1 {
			bottom++
		}
		for n < MaxHeaderRows && n+1 < len(rows) && rows[n].line <= bottom && !l.hasTyped(rows[n]) {
			n++
		}
	}
	return n
}

// TableName is the name of the nth table of a source, from 0.
func TableName(source string, n int) string {
	if n == 0 {
		return content.BaseName(source)
	}
	return content.BaseName(source) + "_" + strconv.Itoa(n+1)
}

// IsEllipsis reports whether a row has nothing but dots, which stand for rows that are not shown.
func IsEllipsis(cells []string) bool {
	filled := FilledCells(cells)
	return len(filled) > 0 && !slices.ContainsFunc(filled, func(c string) bool { return c != "…" && c != "..." })
}

// Load makes a table of a grid of which the first rows are known to be the header.
func (g *Grid) Load(
	head int,
	dropped []table.DroppedRow,
	report table.LoadReport,
	lim table.Limits,
) (table.Named, error) {
	l := &layout{
		g:       &g.grid,
		lim:     lim,
		spans:   g.Spans,
		dropped: dropped[:min(len(dropped), maxListed)],
		left:    max(0, len(dropped)-maxListed),
	}
	p := part{head: g.Rows[:head], body: g.Rows[head:], width: g.width}
	p.body = l.cutFooter(p.body, g.width, l.typedColumns(p.body, g.width))
	if err := g.fill(p.head, p.body); err != nil {
		return table.Named{}, err
	}
	slices.SortStableFunc(l.dropped, func(a, b table.DroppedRow) int { return a.Line - b.Line })
	l.report(&report)
	found, err := l.sections([]part{p}, report)
	if err != nil {
		return table.Named{}, err
	}
	return found[0].Load(lim)
}
