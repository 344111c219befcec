package csv

import (
	"cmp"
	"slices"
	"strings"

	"catena/table"
)

// part is one table of a text.
type part struct {
	head  []csvRow // the rows that name the columns; none where there is no header
	body  []csvRow
	width int // the usual number of cells
	title string
}

// layout finds out what each row of a text is for.
type layout struct {
	g       *grid
	d       dialect
	lim     table.Limits
	dropped []table.DroppedRow
	left    int // dropped rows beyond those listed
	repairs []table.RepairedRow
	notes   []string   // of rows that are called totals and stay
	header  []string   // of the part being read
	work    int        // spent on repairs
	looks   []cellLook // of the grid's cells, those that were asked for
	spans   []Span     // of a grid whose source has such cells

	middle   int  // where the last rows begin of a text of which those between are not in the grid; 0 for none
	needsAll bool // these would have to be looked at
}

// arrange divides the rows into tables; what belongs to none is dropped and reported. The first table is the one the
// text is about: the others are found below it.
func (l *layout) arrange(usual int) []part {
	const each = 16 // more tables than the limit allows are found before it counts, since some are joined
	most := each * cmp.Or(l.lim.Tables, table.DefaultLimits.Tables)
	rows := l.filledRows()
	var parts []part
	headers := map[string]bool{}
	for len(rows) > 0 && len(headers) <= most && l.lim.Ended() == nil { // whoever asked for it looks once more
		end := 1
		for end < len(rows) && !rows[end].starts {
			end++
		}
		for below := rows[:end:end]; len(below) > 0 && len(headers) <= most && l.lim.Ended() == nil; {
			p, rest := l.nextPart(below, usual, len(parts) == 0)
			if len(p.head)+len(p.body) == 0 {
				break
			}
			parts = append(parts, p)
			headers[l.headerKey(&p)] = true
			below, usual = rest, 0
		}
		rows, usual = rows[end:], 0
	}
	return l.joinParts(parts)
}

// headerKey tells tables apart that have other columns: their names, else the first row.
func (l *layout) headerKey(p *part) string {
	if len(p.head) > 0 {
		return strings.Join(l.g.of(p.head[len(p.head)-1]), "\x00")
	}
	return strings.Join(l.g.of(p.body[0]), "\x00")
}

// filledRows leaves out rows without any content and comments. Where nothing but a header would be left, the empty rows
// below it are the data. They lie where the grid's rows lay, which are not there any more.
func (l *layout) filledRows() []csvRow {
	rows := l.g.Rows
	i := 0
	for i < len(rows) && l.aside(i) == "" {
		i++
	}
	if i == len(rows) {
		return rows
	}
	out := rows[:i] // what is appended takes the place of a row that was looked at
	gap := false
	var blank []csvRow
	for ; i < len(rows); i++ {
		r := rows[i]
		switch why := l.aside(i); why {
		case "":
			r.gap = r.gap || gap
			gap = false
			out = append(out, r)
		case DropBlank:
			gap = true
			blank = append(blank, r)
		default:
			l.drop(r, why)
		}
	}
	if len(out) == 1 && len(blank) > 0 && blank[0].at > out[0].at &&
		blank[0].to-blank[0].from == out[0].to-out[0].from {
		return append(out, blank...)
	}
	for _, r := range blank {
		l.drop(r, DropBlank)
	}
	l.g.blank += len(blank)
	return out
}

// aside gives why row i is no part of a table by its own looks; "" when it may be.
func (l *layout) aside(i int) string {
	cells := l.g.of(l.g.Rows[i])
	first := cells[0]
	switch {
	case first == "":
		if blankFrom(cells, 1) {
			return DropBlank
		}
	case first[0] == '#':
		if l.isComment(i, cells) {
			return DropComment
		}
	case first[0] == '-' || first[0] == '=' || first[0] == '+' || first[0] == ':':
		if isRulerRow(cells) {
			return DropRuler
		}
	}
	return ""
}

// isComment reports whether a row that begins with # is one: unless it has as many cells as the next one, which is how
// numpy writes names.
func (l *layout) isComment(i int, cells []string) bool {
	const near = 50
	if filledCount(cells) == 1 {
		return len(cells) == 1 || strings.HasPrefix(cells[0], "# ")
	}
	rows := l.g.Rows
	for _, next := range rows[i+1 : min(len(rows), i+near)] {
		if first := l.g.Cells[next.from]; first != "" && first[0] != '#' {
			return next.to-next.from != len(cells)
		}
	}
	return false
}

// FilledCells are the cells of a row that are not empty.
func FilledCells(cells []string) []string {
	return slices.DeleteFunc(slices.Clone(cells), func(c string) bool { return c == "" })
}

func filledCount(cells []string) int {
	n := 0
	for _, c := range cells {
		if c != "" {
			n++
		}
	}
	return n
}

// rulers are what lines of dashes are made of.
const rulers = "-=+_:| "

// isRulerRow reports whether all cells are lines of dashes, as below the names of a printed table.
func isRulerRow(cells []string) bool {
	if len(cells[0]) < 3 {
		return false
	}
	if len(cells[0]) > 8 && strings.Trim(cells[0], rulers) == "" && blankFrom(cells, 1) {
		return true
	}
	for _, c := range cells {
		if len(c) < 2 || strings.Trim(c, rulers) != "" {
			return false
		}
	}
	return len(cells) > 1
}

// nextPart reads the table at the beginning of rows and gives the rows behind it.
func (l *layout) nextPart(rows []csvRow, usual int, first bool) (part, []csvRow) {
	sample := rows[:min(len(rows), sniffRows)]
	if usual == 0 {
		usual, _ = (&grid{Rows: blockOf(sample)}).usualWidth()
	}
	if first {
		usual = l.leadingWidth(rows, usual)
	}
	start := l.start(rows, usual)
	if start == len(rows) {
		start = 0
	}
	for _, r := range rows[:start] {
		l.drop(r, DropPreamble)
	}
	title := ""
	if start > 0 {
		title = l.titleOf(rows[start-1])
	}
	rows = rows[start:]
	p := part{width: usual, title: title}
	n := l.headerRows(rows, usual)
	p.head = rows[:n]
	l.header = nil
	if n > 0 {
		l.header = l.g.of(rows[n-1])
	}
	end := n
	typed := l.typedColumns(rows[n:], usual)
	for end < len(rows) {
		if r := rows[end]; end > n && ((r.gap || r.to-r.from != usual) && l.beginsTable(rows, end, usual, typed) || l.titlesTable(rows, end, usual, typed)) {
			break
		}
		end++
	}
	p.body = rows[n:end]
	rest := rows[end:]
	p.body = l.cutFooter(p.body, usual, typed)
	if n > 0 {
		l.repairHeader(&p)
	}
	return p, rest
}

// blockOf is the rows up to the first gap, if these are several, else all.
func blockOf(rows []csvRow) []csvRow {
	for i := 2; i < len(rows); i++ {
		if rows[i].gap {
			return rows[:i]
		}
	}
	return rows
}

// Start gives the first row that belongs to the table: what is above it has only one cell, or another number of cells
// than the table and few of them filled.
func (l *layout) start(rows []csvRow, usual int) int {
	const most = 60
	if usual < 2 {
		return 0
	}
	typical := l.typicalFill(rows, usual)
	for i, r := range rows {
		if i == most {
			return 0
		}
		cells := l.g.of(r)
		filled := filledCount(cells)
		if len(cells) == 1 && i+1 < len(rows) && l.otherDelimiter(r, rows[i+1], usual) {
			return i
		}
		if filled < 2 && typical >= 2 || filled*2 < typical || l.isPair(cells) && l.headerBelow(rows[i+1:], usual) {
			continue
		}
		if len(cells) != usual && i+1 < len(rows) && l.betterBelow(rows[i:], usual) {
			continue
		}
		// names of groups stand above
		for i > 0 && rows[i-1].to-rows[i-1].from == usual && filledCount(l.g.of(rows[i-1])) > 1 &&
			!l.hasTyped(rows[i-1]) && !(l.isPair(l.g.of(rows[i-1])) && l.headerBelow(rows[i:], usual)) {
			i--
		}
		return i
	}
	return len(rows)
}

// otherDelimiter reports whether a row of a single cell is a header with another delimiter than the rows have.
func (l *layout) otherDelimiter(r, next csvRow, usual int) bool {
	if r.end-r.at > repairLine || next.to-next.from != usual || !l.hasTyped(next) {
		return false
	}
	for _, other := range commas {
		d := l.d
		d.comma = other
		if cells := splitLine(l.g.text[r.at:r.end], d, l.lim); other != l.d.comma && len(cells) == usual &&
			blankFrom(cells[usual-1:], 1) && !slices.Contains(cells, "") {
			return true
		}
	}
	return false
}

// betterBelow reports whether, below a row of another width, rows of the usual width follow of which the first may be
// the header.
func (l *layout) betterBelow(rows []csvRow, usual int) bool {
	for i := 1; i < min(len(rows), 10); i++ {
		if rows[i].to-rows[i].from == usual && filledCount(l.g.of(rows[i]))*2 >= usual {
			if rows[0].to-rows[0].from > usual { // a title with a delimiter in it stands directly above
				return i == 1 && i+1 < len(rows) && !l.hasTyped(rows[i]) && l.hasTyped(rows[i+1])
			}
			return l.hasTyped(rows[0]) || !l.hasTyped(rows[i])
		}
	}
	return false
}

func (l *layout) hasTyped(r csvRow) bool {
	for i := r.from; i < r.to; i++ {
		if l.look(i).value() {
			return true
		}
	}
	return false
}

// typicalFill is the number of filled cells that rows of the usual width have in the middle.
func (l *layout) typicalFill(rows []csvRow, usual int) int {
	counts, n := make([]int, usual+1), 0 // rows by how many cells are filled
	for _, r := range rows[:min(len(rows), sniffRows)] {
		if r.to-r.from == usual {
			counts[filledCount(l.g.of(r))]++
			n++
		}
	}
	if n == 0 {
		return usual
	}
	fill, below := 0, counts[0]
	for below <= n/2 {
		fill++
		below += counts[fill]
	}
	return fill
}

// typedColumns tells which columns hold mostly numbers or dates. Names of a further table behind a gap do not count.
func (l *layout) typedColumns(rows []csvRow, width int) []bool {
	hits, filled := make([]int, width), make([]int, width)
	for i, r := range rows[:min(len(rows), 60)] {
		if r.gap && i+1 < len(rows) && !l.hasTyped(r) && l.hasTyped(rows[i+1]) {
			continue
		}
		for c := range min(width, r.to-r.from) {
			look := l.look(r.from + c)
			if l.g.Cells[r.from+c] == "" || look.null() {
				continue
			}
			filled[c]++
			if look.typed() {
				hits[c]++
			}
		}
	}
	typed := make([]bool, width)
	for c := range typed {
		typed[c] = hits[c] > 0 && hits[c]*3 >= filled[c]*2
	}
	return typed
}
