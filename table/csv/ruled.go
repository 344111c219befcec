package csv

import (
	"regexp"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/table/content"
)

// DropTypes is why a row below the names is left out.
const DropTypes = "it names the types of the columns"

// sqlType is how programs name the type of a column.
var sqlType = regexp.MustCompile(
	`(?i)^(u?(tiny|small|big|huge)?int(eger)?\d*|[iu](8|16|32|64)|f(32|64)|float\d*|double( precision)?|real|decimal(\(\d+, ?\d+\))?|numeric(\(\d+, ?\d+\))?|(var)?char(\(\d+\))?|str|string|text|object|date|time|timestamp( with time zone)?|timestamptz|datetime(\[.*\])?|interval|duration(\[.*\])?|bool(ean)?|uuid|json|blob|cat(egory)?|list\[.*\]|.*\[\]|---|--)$`,
)

// ruled is a ruled table cut into cells: a grid whose rows may differ in width. Groups stand between two rules; the
// first one names the columns, where there are several.
type ruled struct {
	grid
	groups []int // the row with which each begins
	width  int
}

// ruledTable makes a table of the lines of a ruled one; first is the number of the first line. What stands above the
// second rule, or above the only one, names the columns.
func (c *csvText) ruledTable(
	lines []string,
	first int,
	dropped []table.DroppedRow,
	report table.LoadReport,
) (table.Named, error) {
	if named, ok := c.ruledPlain(lines, dropped, report); ok {
		return named, nil
	}
	r, err := c.cutRuled(lines, first)
	if err != nil {
		return table.Named{}, err
	}
	switch {
	case r.width > c.lim.Columns:
		return table.Named{}, table.TooManyColumns(report.Source, c.lim)
	case len(r.Rows) > c.lim.Rows+MaxHeaderRows:
		return table.Named{}, table.TooManyRows(report.Source, c.lim)
	case content.TooSparse(len(r.Rows), r.width, len(r.Cells)):
		return table.Named{}, content.SparseError(report.Source)
	}
	drop := func(row csvRow, why string) {
		dropped = append(
			dropped,
			table.DroppedRow{
				Line: row.line,
				Text: strings.Clone(text.Clip(strings.Join(r.of(row), " | "), 200)),
				Why:  why,
			},
		)
	}
	head := 0
	if len(r.groups) > 1 {
		head = r.groups[1]
	}
	if head > 1 &&
		!slices.ContainsFunc(r.row(head-1), func(s string) bool { return s != "" && !sqlType.MatchString(s) }) {
		head--
		drop(r.Rows[head], DropTypes)
		r.Rows = slices.Delete(r.Rows, head, head+1)
	}
	body := r.Rows[:head]
	for i, row := range r.Rows[head:] {
		if len(r.groups) > 1 && IsEllipsis(r.of(row)) {
			drop(row, DropEllipsis)
			continue
		}
		if slices.ContainsFunc(r.of(row), func(cell string) bool { return len(cell) > c.lim.CellSize }) {
			return table.Named{}, table.CellTooLarge(report.Source, row.line, c.lim)
		}
		row.gap = head+i > 0 && row.line > r.Rows[head+i-1].line+1
		body = append(body, row)
	}
	r.Rows = body
	g, err := r.padded(c.lim)
	if err != nil {
		return table.Named{}, err
	}
	return g.Load(head, dropped, report, c.lim)
}

// padded gives the rows cells for all columns.
func (r *ruled) padded(lim table.Limits) (*Grid, error) {
	if !slices.ContainsFunc(r.Rows, func(row csvRow) bool { return row.to-row.from != r.width }) {
		return &Grid{grid: r.grid, width: r.width}, nil
	}
	g, err := NewGrid(len(r.Rows), r.width, lim, nil)
	if err != nil {
		return nil, err
	}
	for _, row := range r.Rows {
		copy(g.Row(row.line), r.of(row))
	}
	return g, nil
}

// ruledPlain reads a large table with a rule below its names and no other in it as delimited text, which takes less
// memory than a grid of its cells; false where it is another one.
func (c *csvText) ruledPlain(lines []string, dropped []table.DroppedRow, report table.LoadReport) (table.Named, bool) {
	p := plainWriter{}
	if len(lines)*len(lines[0]) < plainBytes/4 || !p.fits(c.text) {
		return table.Named{}, false
	}
	var cells []string
	rules, rows := 0, 0 // behind the last row; in all
	for i, line := range lines {
		if i%table.AskEvery == 0 && c.lim.Ended() != nil {
			return table.Named{}, false
		}
		if line = unboxed(line); isCrossRule(line) {
			rules++
			continue
		}
		cells = ruledCells(cells[:0], line)
		if rows == 0 {
			p.width, rules = len(cells), 0
		}
		if between := rules > 0; between != (rows == 1) || len(cells) != p.width || p.width > c.lim.Columns ||
			IsEllipsis(cells) ||
			!p.add(cells) {
			return table.Named{}, false
		}
		rules = 0
		rows++
	}
	around := layout{g: &grid{}, dropped: dropped[:min(len(dropped), maxListed)], left: max(0, len(dropped)-maxListed)}
	around.report(&report)
	named, ok := p.read(c, report)
	named.Report.Dropped = around.dropped
	return named, ok
}

// cutRuled cuts the lines of a ruled table into cells. Where rules stand between all rows, a line without a first cell
// goes on with the row above it.
func (c *csvText) cutRuled(lines []string, first int) (*ruled, error) {
	r := &ruled{}
	r.Rows = make([]csvRow, 0, len(lines))
	ends := true // a rule stands above
	for i, line := range lines {
		if i%table.AskEvery == 0 {
			if err := c.lim.Ended(); err != nil {
				return nil, err
			}
		}
		if line = unboxed(line); isCrossRule(line) {
			ends = true
			continue
		}
		if strings.Count(line, "|") > c.lim.Columns+1 {
			return nil, table.TooManyColumns(c.report.Source, c.lim)
		}
		if ends {
			r.groups, ends = append(r.groups, len(r.Rows)), false
		}
		from := len(r.Cells)
		r.Cells = ruledCells(r.Cells, line)
		r.Rows = append(r.Rows, csvRow{from: from, to: len(r.Cells), line: first + i})
		r.width = max(r.width, len(r.Cells)-from)
	}
	if len(r.groups) < 3 {
		return r, nil
	}
	return r, c.joinLines(r)
}

// joinLines makes one row of a line and those below it, in its group, without a first cell.
func (c *csvText) joinLines(r *ruled) error {
	kept := r.Rows[:0]
	for k, from := range r.groups {
		end := len(r.Rows)
		if k+1 < len(r.groups) {
			end = r.groups[k+1]
		}
		group := r.Rows[from:end]
		r.groups[k] = len(kept)
		for i := 0; i < len(group); {
			row, to := group[i], i+1
			for to < len(group) && r.Cells[group[to].from] == "" && group[to].to-group[to].from == row.to-row.from {
				to++
			}
			if to > i+1 {
				for col := range row.to - row.from {
					text, err := c.joinCells(r, group[i:to], col)
					if err != nil {
						return err
					}
					r.Cells[row.from+col] = text
				}
			}
			kept = append(kept, row)
			i = to
		}
	}
	r.Rows = kept
	return nil
}

// joinCells joins the texts of a column in lines that are one row.
func (c *csvText) joinCells(r *ruled, lines []csvRow, col int) (string, error) {
	var b strings.Builder
	for _, row := range lines {
		cell := r.Cells[row.from+col]
		if cell == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if b.WriteString(cell); b.Len() > c.lim.CellSize {
			return "", table.CellTooLarge(c.report.Source, lines[0].line, c.lim)
		}
	}
	return b.String(), nil
}

// ruledCells adds the cells of a line, which bars part.
func ruledCells(cells []string, line string) []string {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "|") && strings.HasSuffix(line, "|") && len(line) > 1 {
		line = line[1 : len(line)-1]
	}
	for more := true; more; {
		var cell string
		cell, line, more = strings.Cut(line, "|")
		if cell = strings.TrimSpace(cell); cell == "NULL" { // so databases print what is missing
			cell = ""
		}
		cells = append(cells, cell)
	}
	return cells
}
