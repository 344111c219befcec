package table

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"catena/internal/text"
)

// cellSpan is a cell that covers several rows and columns: a merged cell of a sheet, a colspan or rowspan of HTML. Rows are lines of the grid, columns
// are counted from 0 at its left edge; both ends belong to it.
type cellSpan struct {
	top, bottom int
	left, right int
}

// cellGrid is a table whose source says where each cell stands. It is brought into the grid that the layout of delimited text is read from, so that titles, headers of
// several rows, totals and notes are found by the same rules.
type cellGrid struct {
	grid
	width int
	room  *textRoom  // for the texts that spans repeat
	spans []cellSpan // sorted by where they begin, when fill is called
	fills bool       // a span's text counts for all its columns below the header, too, as HTML means it
	work  int        // cells that spans have filled
	short bool       // spans cover more cells than are filled
	again int        // cells below a header that repeat a number
}

// newCellGrid makes a grid of rows with the given number of cells; rows are added by row.
func newCellGrid(rows, width int, lim Limits, room *textRoom) (*cellGrid, error) {
	if err := errors.Join(lim.reserveEach(int64(rows)*int64(width), cellMemory), lim.reserveEach(int64(rows), rowMemory)); err != nil {
		return nil, err
	}
	return &cellGrid{room: room, grid: grid{cells: make([]string, 0, rows*width), rows: make([]csvRow, 0, rows)}, width: width}, nil
}

// row adds an empty row and gives its cells to be filled; line is its number in the source. Lines must ascend; a line that is left out is a gap.
func (g *cellGrid) row(line int) []string {
	from := len(g.cells)
	r := csvRow{from: from, to: from + g.width, line: line}
	if n := len(g.rows); n > 0 {
		r.gap = line > g.rows[n-1].line+1
	}
	g.cells = slices.Grow(g.cells, g.width)[:from+g.width]
	clear(g.cells[from:])
	g.rows = append(g.rows, r)
	return g.cells[from:]
}

// sections finds the tables in the grid by their looks; none where all cells are empty.
func (g *cellGrid) sections(report LoadReport, lim Limits) ([]section, error) {
	slices.SortStableFunc(g.spans, func(a, b cellSpan) int { return a.top - b.top })
	if bands := g.bands(); bands != nil {
		if err := g.fillBody(g.rows); err != nil {
			return nil, err
		}
		g.grid, g.spans = *g.stack(bands), nil
		g.width = 0
		for _, b := range bands {
			g.width = max(g.width, b.to-b.from)
		}
		report.Notes = append(report.Notes, noteBands)
	}
	l := &layout{g: &g.grid, lim: lim, spans: g.spans}
	parts := l.arrange(g.width)
	if err := lim.Ended(); err != nil {
		return nil, err
	}
	parts = slices.DeleteFunc(parts, func(p part) bool { return len(p.head)+len(p.body) == 0 })
	if len(parts) == 0 {
		return nil, nil
	}
	if len(parts) > lim.Tables {
		return nil, OverLimit(report.Source, 0, LimitTables, int64(lim.Tables), "there are more than %d tables", lim.Tables)
	}
	for i := range parts {
		if err := g.fill(parts[i].head, parts[i].body); err != nil {
			return nil, err
		}
	}
	l.report(&report)
	if g.short {
		report.Notes = append(report.Notes, fmt.Sprintf("merged cells cover more than %d cells; the others were left empty", fillWork))
	}
	if g.again > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%s the number of a merged cell, which a sum counts each time", text.CountOf(g.again, "cell repeats", "cells repeat")))
	}
	report.Blank = g.blank
	return l.sections(parts, report)
}

// fillWork is how many cells spans may fill in one grid.
const fillWork = 4_000_000

// fill repeats the texts of cells that span several, in the header and below it.
func (g *cellGrid) fill(head, body []csvRow) error {
	if err := g.fillHead(head); err != nil {
		return err
	}
	return g.fillBody(body)
}

// fillHead gives the names of groups to all columns that they span.
func (g *cellGrid) fillHead(head []csvRow) error {
	for _, s := range spansFrom(g.spans, head) {
		for _, r := range head {
			if r.line != s.top {
				continue
			}
			if g.work > fillWork {
				g.short = true
				return nil
			}
			cells := g.of(r)
			for c := s.left + 1; c <= s.right && c < len(cells); c++ {
				if err := g.room.take(len(cells[s.left])); err != nil {
					return err
				}
				cells[c] = cells[s.left]
				g.work++
			}
		}
	}
	return nil
}

// fillBody repeats a cell in the rows that it spans, so that each row says all that it means.
func (g *cellGrid) fillBody(body []csvRow) error {
	for _, s := range spansFrom(g.spans, body) {
		from, found := slices.BinarySearchFunc(body, s.top, func(r csvRow, line int) int { return r.line - line })
		if !found || s.left >= g.width {
			continue
		}
		right := s.left
		if g.fills && (s.left > 0 || s.right < g.width-1) {
			right = min(s.right, g.width-1)
		}
		first := body[from].from
		for i := from; i < len(body) && body[i].line <= s.bottom; i++ {
			if g.work >= fillWork {
				g.short = true
				return nil
			}
			for c := s.left; c <= right; c++ {
				if err := g.room.take(len(g.cells[first+s.left])); err != nil {
					return err
				}
				if number, _, _ := scanNumber(g.cells[first+s.left]); number != notNumber && g.cells[body[i].from+c] == "" {
					g.again++
				}
				g.copyCell(body[i].from+c, first+s.left)
				g.work++
			}
		}
	}
	return nil
}

// spansFrom gives the spans that begin in some rows or between them. Spans are sorted by where they begin, so a sheet of many tables costs no more than its spans.
func spansFrom(spans []cellSpan, rows []csvRow) []cellSpan {
	if len(rows) == 0 {
		return nil
	}
	byTop := func(s cellSpan, line int) int { return s.top - line }
	from, _ := slices.BinarySearchFunc(spans, rows[0].line, byTop)
	to, _ := slices.BinarySearchFunc(spans, rows[len(rows)-1].line+1, byTop)
	return spans[from:max(from, to)]
}

// copyCell copies a cell of the grid with what is known about it.
func (g *cellGrid) copyCell(to, from int) {
	g.cells[to] = g.cells[from]
	if g.typed != nil {
		g.typed[to] = g.typed[from]
	}
}

// raw is a row as it stands in the source, or its cells where the source is no text.
func (g *grid) raw(r csvRow) string {
	if g.text != "" {
		return g.text[r.at:r.end]
	}
	return strings.Join(filledCells(g.of(r)), " | ")
}

// spannedHead gives how many rows name the columns where cells that cover several rows or columns say so: a name beside others that spans columns has names below
// it, and one that spans rows has its neighbours' names there.
func (l *layout) spannedHead(rows []csvRow, n int) int {
	if n == 0 {
		return 0
	}
	for _, s := range spansFrom(l.spans, rows[:min(len(rows), maxHeaderRows)]) {
		if s.top > rows[n-1].line || s.bottom-s.top >= maxHeaderRows { // one that long stands beside rows
			continue
		}
		bottom := s.bottom
		if s.right > s.left && filledCount(l.g.of(rows[n-1])) > 1 {
			bottom++
		}
		for n < maxHeaderRows && n+1 < len(rows) && rows[n].line <= bottom && !l.hasTyped(rows[n]) {
			n++
		}
	}
	return n
}

// tableName is the name of the nth table of a source, from 0.
func tableName(source string, n int) string {
	if n == 0 {
		return BaseName(source)
	}
	return BaseName(source) + "_" + strconv.Itoa(n+1)
}

func isEllipsis(cells []string) bool {
	filled := filledCells(cells)
	return len(filled) > 0 && !slices.ContainsFunc(filled, func(c string) bool { return c != "…" && c != "..." })
}

// load makes a table of a grid of which the first rows are known to be the header.
func (g *cellGrid) load(head int, dropped []DroppedRow, report LoadReport, lim Limits) (Named, error) {
	l := &layout{g: &g.grid, lim: lim, spans: g.spans, dropped: dropped[:min(len(dropped), maxListed)], left: max(0, len(dropped)-maxListed)}
	p := part{head: g.rows[:head], body: g.rows[head:], width: g.width}
	p.body = l.cutFooter(p.body, g.width, l.typedColumns(p.body, g.width))
	if err := g.fill(p.head, p.body); err != nil {
		return Named{}, err
	}
	slices.SortStableFunc(l.dropped, func(a, b DroppedRow) int { return a.Line - b.Line })
	l.report(&report)
	found, err := l.sections([]part{p}, report)
	if err != nil {
		return Named{}, err
	}
	return found[0].load(lim)
}
