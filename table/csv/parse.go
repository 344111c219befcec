package csv

import (
	"strings"

	"catena/table"
	"catena/table/content"
	"catena/table/infer"
)

// dialect is how a delimited text is written.
type dialect struct {
	comma  string // one byte or more
	quote  byte   // 0 for none
	escape byte   // before quotes, delimiters and itself; 0 where quotes in quoted cells are doubled
	ends   lineEnd
}

// lineEnd is what ends a record.
type lineEnd uint8

const (
	anyEnd   lineEnd = iota // LF, CR LF or CR, also mixed
	onlyCR                  // LF is text
	onlyCRLF                // LF alone is text
)

// csvRow is one record: cells[from:to] of its grid and where it begins.
type csvRow struct {
	from, to int
	line     int // 1-based
	at, end  int // bytes of the text, without the line's end
	gap      bool
	starts   bool // a table begins here for certain
	stray    bool // a quote stands in the middle of a cell that it does not enclose
}

// grid is a delimited text cut into cells. The cells are parts of the text except where quotes had to be undone.
type grid struct {
	text   string
	seen   []string // the parts of the text that were cut; nil for all of it
	Cells  []string
	Rows   []csvRow // gap: a blank line comes before it
	blank  int      // blank lines
	spaced []int    // quoted cells that may have spaces at their ends, in ascending order
	loose  []int    // lines of records whose quotes do not follow the rules, as they are kept
	// where the source says what cells hold: numbers that typist knows them by, 0 for none; nil for text
	Typed  []int32
	Typist ColumnTyper  // types the columns of typed cells
	Sums   map[int]bool // lines of a sheet that have formulas for sums
	fixed  []int        // lines of records whose quotes were read in another way to give the usual number of cells
}

// ColumnTyper types a column of cells by the numbers that stand in grid.typed; AddedText is the number of a cell that
// has nothing but its text. Its notes name the column.
type ColumnTyper func(name string, cells []int32, texts []string) infer.Result

// AddedText is the number, in a grid that has types, of a cell that has nothing but its text.
const AddedText = -1

func (g *grid) row(i int) []string { return g.of(g.Rows[i]) }

func (g *grid) of(r csvRow) []string { return g.Cells[r.from:r.to] }

// csvParser cuts a text into records.
type csvParser struct {
	dialect
	text     string
	lim      table.Limits
	source   string
	want     int         // the usual number of cells; 0 when it is not known
	stray    bool        // the record being read has a quote in the middle of a cell
	work     int         // steps spent on reading lines anew
	line     lineReader  // which reads them
	single   *csvParser  // see ofLine
	scanned  int         // bytes looked through in vain for a closing quote
	formulas bool        // ="x" occurs
	memory   table.Meter // of a text that is read as a whole
	stop     [256]bool   // bytes at which an unquoted cell may end
	special  [256]bool   // bytes at the start of a cell that may be quoted
}

func newParser(text string, d dialect, lim table.Limits, source string) *csvParser {
	formulas := d.quote != 0 && strings.Contains(text, "="+string(rune(d.quote)))
	return newParserKnowing(text, d, lim, source, formulas)
}

// newParserKnowing is newParser where it is known whether ="x" occurs.
func newParserKnowing(text string, d dialect, lim table.Limits, source string, formulas bool) *csvParser {
	p := &csvParser{dialect: d, text: text, lim: lim, source: source, formulas: formulas}
	p.memory.Lim = &p.lim
	for _, c := range []byte{d.comma[0], '\n', '\r', d.quote} {
		p.stop[c] = true
	}
	if d.escape != 0 {
		p.stop[d.escape] = true
	}
	p.special[d.quote], p.special[' '] = true, true
	p.special['='] = true
	return p
}

// parseCSV cuts text by the rules of RFC 4180, and beyond them: any line ending, a quote inside an unquoted cell is
// text, so is a quote inside a quoted cell that neither ends it nor is doubled. Blank lines are counted and skipped.
// maxRows 0 means no limit.
func parseCSV(text string, d dialect, lim table.Limits, source string, maxRows int) (*grid, error) {
	return newParser(text, d, lim, source).parse(maxRows)
}

func (p *csvParser) parse(maxRows int) (*grid, error) {
	g := &grid{text: p.text}
	head := p.text[:min(len(p.text), 1<<16)]
	if n := strings.Count(head, p.comma); n+content.LineEnds(head) > 0 && maxRows == 0 {
		more := 1.15 * float64(len(p.text)) / float64(len(head))
		cells, rows := int(float64(n+content.LineEnds(head))*more)+16, int(float64(content.LineEnds(head))*more)+2
		p.memory.Left = int64(cells)*CellMemory + int64(rows)*rowMemory
		if err := p.lim.Reserve(p.memory.Left); err != nil {
			return nil, err
		}
		g.Cells, g.Rows = make([]string, 0, cells), make([]csvRow, 0, rows)
	}
	_, _, err := p.rows(g, 0, 1, maxRows)
	return g, err
}

// rows adds the records from pos on, which stands in the given line, to a grid: at most maxRows unless that is 0. It
// gives where it ended.
func (p *csvParser) rows(g *grid, pos, line, maxRows int) (end, endLine int, err error) {
	gap, first := false, len(g.Rows)
	for pos < len(p.text) && (maxRows == 0 || len(g.Rows)-first < maxRows) {
		if (len(g.Rows)+g.blank)%infer.BlockRows == 0 {
			if err := p.lim.Ended(); err != nil {
				return 0, 0, err
			}
		}
		if end := p.blankLine(pos); end > pos {
			pos, gap = end, true
			line++
			g.blank++
			continue
		}
		row := csvRow{from: len(g.Cells), line: line, at: pos, gap: gap}
		gap = false
		if pos, line, err = p.record(g, &row, pos, line); err != nil {
			return 0, 0, err
		}
		g.Rows = append(g.Rows, row)
		if err := p.memory.Add(int64(row.to-row.from)*CellMemory + rowMemory); err != nil {
			return 0, 0, err
		}
		if row.to-row.from > p.lim.Columns {
			return 0, 0, table.OverLimit(
				p.source,
				row.line,
				table.LimitColumns,
				int64(p.lim.Columns),
				"the row has more than %d cells",
				p.lim.Columns,
			)
		}
		if len(g.Rows) > p.lim.Rows+MaxExtraRows {
			return 0, 0, p.tooManyRows(row.line)
		}
	}
	return pos, line, nil
}

// MaxExtraRows is how many rows a text may have beyond the limit of rows: names, titles and notes, which are no rows of
// the table.
const MaxExtraRows = 64

func (p *csvParser) tooManyRows(line int) error {
	return table.OverLimit(
		p.source,
		line,
		table.LimitRows,
		int64(p.lim.Rows),
		"the text has more than %d rows",
		p.lim.Rows,
	)
}

// blankLine gives the start of the next line when the one at pos is empty, else pos.
func blankLine(text string, pos int) int {
	switch text[pos] {
	case '\n':
		return pos + 1
	case '\r':
		if pos+1 < len(text) && text[pos+1] == '\n' {
			return pos + 2
		}
		return pos + 1
	}
	return pos
}

// record reads one record from pos and gives where the next begins.
func (p *csvParser) record(g *grid, row *csvRow, pos, line int) (next, nextLine int, err error) {
	clean := true
	p.stray = false
	text := p.text
	for {
		end := pos
		for end < len(text) && !p.stop[text[end]] {
			end++
		}
		if p.plain(pos, end) && end-pos <= p.lim.CellSize {
			g.Cells = append(g.Cells, text[pos:end])
			if pos = end; pos < len(text) && text[pos] == p.comma[0] {
				pos += len(p.comma)
				continue
			}
			break
		}
		cell, end, crossed, ok := p.cell(pos)
		line += crossed
		clean = clean && ok
		if len(cell) > p.lim.CellSize {
			if row.to, row.end = len(
				g.Cells,
			), end; p.quote != 0 &&
				crossed > 0 { // perhaps a quote that is never closed
				if next, ok := p.reread(g, row, false); ok && p.fits(g.of(*row)) {
					return next, row.line + 1, nil
				}
			}
			return 0, 0, table.CellTooLarge(p.source, line, p.lim)
		}
		if cell != "" && p.text[min(pos, len(p.text)-1)] == p.quote &&
			(cell[0] <= ' ' || cell[len(cell)-1] <= ' ' || cell[0] >= 0x80 || cell[len(cell)-1] >= 0x80) {
			g.spaced = append(g.spaced, len(g.Cells))
		}
		g.Cells = append(g.Cells, cell)
		if pos = end; pos < len(p.text) && p.atComma(pos) {
			pos += len(p.comma)
			continue
		}
		break
	}
	row.to, row.end, row.stray = len(g.Cells), pos, p.stray
	width := row.to - row.from
	if !clean || line > row.line && p.want > 0 && width != p.want {
		if next, ok := p.reread(g, row, clean); ok && p.fits(g.of(*row)) {
			return next, row.line + 1, nil
		}
		if !clean {
			g.loose = append(g.loose, row.line)
		}
	}
	if pos >= len(p.text) {
		return pos, line, nil
	}
	return p.blankLine(pos), line + 1, nil
}

// blankLine gives the start of the next line when the one at pos is empty, else pos.
func (p *csvParser) blankLine(pos int) int {
	if p.ends != anyEnd && !p.atEnd(pos) {
		return pos
	}
	return blankLine(p.text, pos)
}

// plain reports whether a cell ends at end, the first byte behind pos at which one may, without anything that has to be
// undone.
func (p *csvParser) plain(pos, end int) bool {
	if pos < len(p.text) && p.special[p.text[pos]] {
		return false
	}
	if end >= len(p.text) {
		return true
	}
	c := p.text[end]
	return c == p.comma[0] && len(p.comma) == 1 || (c == '\n' || c == '\r') && p.ends == anyEnd
}

// fits reports whether all cells are within the limit.
func (p *csvParser) fits(cells []string) bool {
	for _, c := range cells {
		if len(c) > p.lim.CellSize {
			return false
		}
	}
	return true
}

// atEnd reports whether a record can end at pos, which is in the text.
func (p *csvParser) atEnd(pos int) bool {
	switch c := p.text[pos]; p.ends {
	case onlyCR:
		return c == '\r'
	case onlyCRLF:
		return c == '\r' && pos+1 < len(p.text) && p.text[pos+1] == '\n'
	default:
		return c == '\n' || c == '\r'
	}
}

func (p *csvParser) atComma(pos int) bool {
	return p.text[pos] == p.comma[0] && (len(p.comma) == 1 || strings.HasPrefix(p.text[pos:], p.comma))
}

// cell reads the cell at pos: its text, where it ends, how many line ends it holds and whether its quotes follow the
// rules.
func (p *csvParser) cell(pos int) (cell string, end, crossed int, clean bool) {
	text := p.text
	if pos < len(text) && p.quote != 0 {
		switch c := text[pos]; {
		case c == p.quote:
			return p.quoted(pos)
		case c == ' ' && p.comma[0] != ' ':
			at := pos + 1
			for at < len(text) && text[at] == ' ' {
				at++
			}
			if at < len(text) && text[at] == p.quote {
				return p.quoted(at)
			}
		case c == '=' && p.formulas && pos+1 < len(text) && text[pos+1] == p.quote:
			if cell, end, crossed, clean = p.quoted(pos + 1); clean {
				return cell, end, crossed, true
			}
		}
	}
	start := pos
	for pos < len(text) {
		if !p.stop[text[pos]] {
			pos++
			continue
		}
		if p.escape != 0 && text[pos] == p.escape {
			pos = min(pos+p.escaped(pos), len(text))
			continue
		}
		if text[pos] == p.quote && p.quote != 0 {
			p.stray = true
		} else if p.atEnd(pos) || p.atComma(pos) {
			break
		}
		pos++
	}
	return p.unescape(text[start:pos]), pos, 0, true
}

// escaped gives the length of what stands at an escape character: 1 when it escapes nothing.
func (p *csvParser) escaped(pos int) int {
	if pos++; pos < len(p.text) {
		switch c := p.text[pos]; {
		case c == p.quote, c == p.escape:
			return 2
		case p.atComma(pos):
			return 1 + len(p.comma)
		}
	}
	return 1
}

// unescape drops the escape characters of a cell.
func (p *csvParser) unescape(s string) string {
	if p.escape == 0 || strings.IndexByte(s, p.escape) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == p.escape && i+1 < len(s) && (s[i+1] == p.quote || s[i+1] == p.escape || s[i+1] == p.comma[0]) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// usualWidth gives the number of cells that most rows have, and their share. Cells at the end of a row that are empty
// count.
func (g *grid) usualWidth() (width int, share float64) {
	counts := map[int]int{}
	for _, r := range g.Rows {
		counts[r.to-r.from]++
	}
	most := 0
	for w, n := range counts {
		if n > most || n == most && w > width {
			width, most = w, n
		}
	}
	return width, float64(most) / float64(max(len(g.Rows), 1))
}

const rowMemory = 96 // of a grid, in the lists that the layout makes of it

// CellMemory is how many bytes a cell of a grid takes, without its text.
const CellMemory = 20
