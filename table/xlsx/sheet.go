package xlsx

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/table/content"
	"catena/table/csv"
)

// sheet is one sheet as its part has it.
type sheet struct {
	w       *workbook
	rows    []sheetRow
	cells   []sheetCell
	columns []int32 // of each cell
	spans   []csv.Span
	left    int // first and last column with content
	right   int
	hidden  int          // rows with content that are hidden
	unseen  []csv.Span   // columns that are hidden
	sums    map[int]bool // lines that have a formula for a sum
	line    int          // of the row being read
	lost    int          // cells that formulas without a stored value left empty

	unmerged int // merged cells beyond those looked at

	memory table.Meter
}

// sheetRow is the cells[from:to] of a row that has any.
type sheetRow struct{ line, from, to int }

// maxSpans is how many merged cells of a sheet are looked at.
const maxSpans = 100_000

// tables reads the tables of a sheet; none where it is empty.
func (w *workbook) tables(info sheetInfo) ([]table.Named, error) {
	given, err := w.part(info.part)
	if err != nil {
		return nil, err
	}
	s := &sheet{w: w, left: 1 << 30, right: -1, sums: map[int]bool{}, memory: table.Meter{Lim: &w.lim}}
	if err := s.read(&xmlScanner{s: given}); err != nil {
		return nil, inSheet(err, info.name)
	}
	if len(s.cells) == 0 {
		return nil, nil
	}
	g, err := s.grid()
	if err != nil {
		return nil, inSheet(err, info.name)
	}
	report := table.LoadReport{Source: w.source, Format: "xlsx", Encoding: "utf-8"}
	report.Notes = append(report.Notes, fmt.Sprintf("the table is in the sheet %q", info.name))
	if info.hidden {
		report.Notes = append(report.Notes, "the sheet is hidden")
	}
	if s.hidden > 0 {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf(
				"%s hidden; read like the others",
				text.CountOf(s.hidden, "row of the sheet is", "rows of the sheet are"),
			),
		)
	}
	if n := s.hiddenColumns(); n > 0 {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf(
				"%s hidden; read like the others",
				text.CountOf(n, "column of the sheet is", "columns of the sheet are"),
			),
		)
	}
	if s.lost > 0 {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf(
				"%s null; open the file in a spreadsheet and save it",
				text.CountOf(s.lost, "formula has no stored value and is", "formulas have no stored value and are"),
			),
		)
	}
	if s.unmerged > 0 {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf(
				"the sheet has more than %d merged cells; the text of %d further ones counts for their first cell only",
				maxSpans,
				s.unmerged,
			),
		)
	}
	var out []table.Named
	parts, err := g.Sections(report, w.lim)
	if err != nil {
		return nil, inSheet(err, info.name)
	}
	for _, part := range parts {
		named, err := part.Load(w.lim)
		if err != nil {
			return nil, inSheet(err, info.name)
		}
		named.Name = info.name
		out = append(out, named)
	}
	return out, nil
}

// hiddenColumns counts the hidden columns among those with content.
func (s *sheet) hiddenColumns() int {
	n := 0
	for _, c := range s.unseen {
		n += max(0, min(c.Right, s.right)-max(c.Left, s.left)+1)
	}
	return min(n, s.right-s.left+1)
}

// inSheet names the sheet in an error.
func inSheet(err error, name string) error {
	var e *table.FormatError
	if errors.As(err, &e) {
		e.Reason = fmt.Sprintf("in the sheet %q %s", name, e.Reason)
	}
	return err
}

// read collects the cells of a sheet's part.
func (s *sheet) read(x *xmlScanner) error {
	row := 0
	for kind := x.next(); kind != xmlEnd; kind = x.next() {
		if kind != xmlOpen && kind != xmlEmpty {
			continue
		}
		switch x.name {
		case "col":
			if x.on("hidden") && len(s.unseen) < maxSpans {
				from, fromErr := strconv.Atoi(x.attr("min"))
				to, toErr := strconv.Atoi(x.attr("max"))
				if fromErr == nil && toErr == nil {
					s.unseen = append(s.unseen, csv.Span{Left: from - 1, Right: to - 1})
				}
			}
		case "row":
			row++
			if n, err := strconv.Atoi(x.attr("r")); err == nil && n > 0 {
				row = n
			}
			if kind == xmlOpen {
				if err := s.readRow(x, row, x.on("hidden")); err != nil {
					return err
				}
			}
		case "mergeCell":
			m, ok := parseSpan(x.attr("ref"))
			switch {
			case !ok:
			case len(s.spans) < maxSpans:
				s.spans = append(s.spans, m)
			default:
				s.unmerged++
			}
		}
	}
	return nil
}

// readRow collects the cells of one row.
func (s *sheet) readRow(x *xmlScanner, line int, hidden bool) error {
	if err := s.w.lim.Ended(); err != nil {
		return err
	}
	r := sheetRow{line: line, from: len(s.cells)}
	s.line = line
	col := -1
	for {
		kind := x.next()
		if kind == xmlEnd || kind == xmlClose && x.name == "row" {
			break
		}
		if x.name != "c" || kind != xmlOpen && kind != xmlEmpty {
			continue
		}
		col++
		if at, _, ok := parseRef(x.attr("r")); ok {
			col = at
		}
		if kind == xmlEmpty {
			continue
		}
		cell, err := s.readCell(x)
		if err != nil {
			return err
		}
		if cell.kind == sheetBlank {
			continue
		}
		if s.left, s.right = min(s.left, col), max(s.right, col); s.right-s.left >= s.w.lim.Columns {
			return table.TooManyColumns(s.w.source, s.w.lim)
		}
		s.cells, s.columns = append(s.cells, cell), append(s.columns, int32(col))
	}
	if r.to = len(s.cells); r.to == r.from {
		return nil
	}
	if hidden {
		s.hidden++
	}
	if n := len(s.rows); n > 0 && s.rows[n-1].line >= line {
		return content.Damaged(
			s.w.source,
			"workbook's",
			fmt.Errorf("row %d stands below row %d", line, s.rows[n-1].line),
		)
	}
	if s.rows = append(s.rows, r); len(s.rows) > s.w.lim.Rows+csv.MaxExtraRows {
		return table.TooManyRows(s.w.source, s.w.lim)
	}
	return nil
}

// readCell reads the rest of a cell whose opening tag was read.
func (s *sheet) readCell(x *xmlScanner) (sheetCell, error) {
	typ := x.attr("t")
	style, _ := strconv.Atoi(x.attr("s"))
	if style < 0 || style >= len(s.w.styles) {
		style = 0 // there is always one
	}
	var value pieces
	inline, valued, formula, inside, inFormula := "", false, false, false, false
	for {
		kind := x.next()
		if kind == xmlEnd || kind == xmlClose && x.name == "c" {
			break
		}
		switch {
		case kind == xmlText && inside:
			valued = true
			if value.add(x.plain()); value.len() > s.w.lim.CellSize {
				return sheetCell{}, table.CellTooLarge(s.w.source, 0, s.w.lim)
			}
		case x.name == "v" && kind != xmlText:
			inside = kind == xmlOpen
		case x.name == "f" && kind != xmlText:
			formula, inFormula = true, kind == xmlOpen
		case kind == xmlText && inFormula:
			if text := strings.ToUpper(
				x.plain(),
			); strings.HasPrefix(text, "SUM(") ||
				strings.HasPrefix(text, "SUBTOTAL(") {
				s.sums[s.line] = true
			}
		case x.name == "is" && kind == xmlOpen:
			var err error
			if inline, err = s.w.richText(x, "is"); err != nil {
				return sheetCell{}, err
			}
		}
	}
	if formula && !valued && typ != "str" {
		s.lost++
	}
	cell := sheetCell{format: s.w.styles[style]}
	cell.kind, cell.text = s.w.content(typ, value.text(), inline)
	if code, ok := cell.format.masked(cell.text); ok && cell.kind == sheetNumber {
		cell.kind, cell.text = sheetText, code
	}
	if err := s.memory.Add(csv.CellMemory + sheetCells); err != nil {
		return sheetCell{}, err
	}
	if typ == "s" {
		return cell, s.w.room.Take(len(cell.text))
	}
	return cell, nil
}

// grid brings the cells to their places.
func (s *sheet) grid() (*csv.Grid, error) {
	width := s.right - s.left + 1
	if content.TooSparse(len(s.rows), width, len(s.cells)) {
		return nil, content.SparseError(s.w.source)
	}
	g, err := csv.NewGrid(len(s.rows), width, s.w.lim, &s.w.room)
	if err != nil {
		return nil, err
	}
	if err := s.w.lim.ReserveEach(int64(len(s.rows))*int64(width), sheetCells); err != nil {
		return nil, err
	}
	g.Sums = s.sums
	g.Typed, g.Typist = make([]int32, len(s.rows)*width), s.sheetColumn
	for i, r := range s.rows {
		cells := g.Row(r.line)
		typed := g.Typed[i*width:]
		for k := r.from; k < r.to; k++ {
			c := int(s.columns[k]) - s.left
			typed[c] = int32(k + 1)
			cells[c] = s.cells[k].shown()
		}
	}
	for _, m := range s.spans {
		if m.Left -= s.left; m.Left >= 0 {
			m.Right -= s.left
			g.Spans = append(g.Spans, m)
		}
	}
	return g, nil
}

const sheetCells = 40 // more for a cell of a sheet, which has a format
