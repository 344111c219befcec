package table

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// mayBeAligned reports whether the beginning of a text, which no delimiter cuts, has lines with columns that spaces part.
func (c *csvText) mayBeAligned() bool {
	const near = 60
	if c.found.comma != " " && c.found.width > 1 {
		return false
	}
	head, n, several := c.text, 0, 0
	for n < near && head != "" {
		var line string
		line, head, _ = strings.Cut(head, "\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		if n++; segments(line) > 1 {
			several++
		}
	}
	return several > 2 && several*2 >= n
}

// segments counts the parts of a line between which two spaces stand, or more.
func segments(line string) int {
	n, blanks := 0, 2
	for _, r := range line {
		switch r {
		case ' ', '\t', '\r':
			if blanks++; r == '\t' {
				blanks++
			}
		default:
			if blanks > 1 {
				n++
			}
			blanks = 0
		}
	}
	return n
}

// isSpacedRule reports whether a line is the rule below names that tells how wide the columns are: ---- ------.
func isSpacedRule(line string) bool {
	fields := strings.Fields(line)
	return len(fields) > 1 && !slices.ContainsFunc(fields, func(f string) bool { return strings.Trim(f, "-=") != "" })
}

// printLine is a line as it is shown: where each character begins, counted in columns of a terminal.
type printLine struct {
	text   string
	places []int // by byte; nil where each byte takes one
	number int
}

// newPrintLine places the characters of a line: a tab goes on to the next eighth column, East Asian characters take two.
func newPrintLine(text string, number int) printLine {
	p := printLine{text: strings.TrimRight(text, " \t\r"), number: number}
	if isPlaced(p.text) {
		return p
	}
	p.places = make([]int, 0, len(p.text)+1)
	at := 0
	for _, r := range p.text {
		for range max(1, utf8.RuneLen(r)) {
			p.places = append(p.places, at)
		}
		switch kind := width.LookupRune(r).Kind(); {
		case r == '\t':
			at = (at/8 + 1) * 8
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			at += 2
		default:
			at++
		}
	}
	p.places = append(p.places, at)
	return p
}

// isPlaced reports whether each byte of a text takes one column: ASCII without tabs.
func isPlaced(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf || text[i] == '\t' {
			return false
		}
	}
	return true
}

// place is the column where byte i begins; the length of the text gives where the line ends.
func (p *printLine) place(i int) int {
	if p.places == nil {
		return i
	}
	return p.places[i]
}

// byteAt is the first byte at a column or behind it, at most the length of the text.
func (p *printLine) byteAt(place int) int {
	if p.places == nil {
		return min(place, len(p.text))
	}
	i, _ := slices.BinarySearch(p.places, place)
	return min(i, len(p.text))
}

// cut gives what stands in the columns of the terminal from..to-1.
func (p *printLine) cut(from, to int) string {
	return strings.TrimSpace(p.text[p.byteAt(from):p.byteAt(to)])
}

// marked sets the places of a line that hold something.
func (p *printLine) mark(held []bool) {
	for i := range len(p.text) {
		if p.text[i] != ' ' && p.text[i] != '\t' {
			for at := p.place(i); at < max(p.place(i)+1, p.place(i+1)) && at < len(held); at++ {
				held[at] = true
			}
		}
	}
}

// alignedRows cuts lines whose columns are aligned by spaces, with the numbers of the lines, and tells where a rule of dashes stands below names. A line that is no row has a single cell. None where the lines have no columns in common.
// A row ends with the last column that its line reaches. The error is that of a context that has ended.
func alignedRows(lines []string, lim Limits) (rows [][]string, at []int, err error) {
	const longest, most = 2000, 500      // columns of a terminal; columns of a table
	var all, block, inBlocks []printLine // those with several parts of the paragraph, and of paragraphs that may be tables
	var rule *printLine
	end, several := 0, 0
	for i := range len(lines) + 1 {
		text := "" // the last paragraph ends, too
		if i < len(lines) {
			text = lines[i]
		}
		if i%askEvery == 0 {
			if err := lim.ended(); err != nil {
				return nil, nil, err
			}
		}
		if strings.TrimSpace(text) == "" {
			if len(block) > 2 {
				inBlocks = append(inBlocks, block...)
			}
			block = nil
			continue
		}
		if len(text) > longest || !utf8.ValidString(text) {
			return nil, nil, nil
		}
		line := newPrintLine(text, i+1)
		if isSpacedRule(text) {
			if rule == nil && len(all) > 0 {
				rule = &line
			}
			continue
		}
		if segments(text) > 1 {
			several++
			block = append(block, line)
		}
		all = append(all, line)
		end = max(end, line.place(len(line.text)))
	}
	var starts []int
	switch {
	case rule != nil:
		starts = runStarts(rule)
	case several > 2:
		if len(inBlocks) == 0 {
			inBlocks = all
		}
		starts = commonStarts(inBlocks, end)
	}
	if len(starts) < 2 || len(starts) > most {
		return nil, nil, nil
	}
	full := 0
	for i := range all {
		if i%askEvery == 0 {
			if err := lim.ended(); err != nil {
				return nil, nil, err
			}
		}
		cells := all[i].cells(starts, end)
		if filledCount(cells) > 1 {
			full++
		}
		rows, at = append(rows, cells), append(at, all[i].number)
	}
	if full < 3 && (rule == nil || full < 2) || full*2 < len(rows) {
		return nil, nil, nil
	}
	return mergeEmpty(rows, len(starts)), at, nil
}

// cells cuts a line where columns start. A line with a word across a start is one text.
func (p *printLine) cells(starts []int, end int) []string {
	if p.crosses(starts) {
		return []string{strings.TrimSpace(p.text)}
	}
	reach, _ := slices.BinarySearch(starts, p.place(len(p.text)))
	cells := make([]string, max(1, reach))
	for c := range cells {
		from := starts[c]
		to := end + 1
		if c+1 < len(starts) {
			to = starts[c+1]
		}
		if c == 0 {
			from = 0
		}
		cells[c] = p.cut(from, to)
	}
	return cells
}

// crosses reports whether a word of the line stands on both sides of a start.
func (p *printLine) crosses(starts []int) bool {
	for _, s := range starts[1:] {
		if s >= p.place(len(p.text)) {
			return false
		}
		if i := p.byteAt(s); i > 0 && i < len(p.text) && p.text[i] != ' ' && p.text[i-1] != ' ' {
			return true
		}
	}
	return false
}

// runStarts gives where the runs of dashes of a rule begin.
func runStarts(rule *printLine) []int {
	var starts []int
	for i := range len(rule.text) {
		if rule.text[i] != ' ' && (i == 0 || rule.text[i-1] == ' ') {
			starts = append(starts, rule.place(i))
		}
	}
	return starts
}

// commonStarts gives where columns begin: behind two places or more that are empty in all lines with several parts, or one where numbers stand beside it.
func commonStarts(all []printLine, end int) []int {
	const most = 400 // lines that tell whether columns hold numbers
	held := make([]bool, end)
	var several []*printLine
	for i := range all {
		if segments(all[i].text) > 1 {
			all[i].mark(held)
			several = append(several, &all[i])
		}
	}
	sample := several
	if step := (len(several) + most - 1) / most; step > 1 {
		sample = nil
		for i := 0; i < len(several); i += step {
			sample = append(sample, several[i])
		}
	}
	var starts []int
	for at := 0; at < end; at++ {
		if !held[at] || at > 0 && held[at-1] {
			continue
		}
		if at < 2 || !held[at-2] || len(starts) == 0 || typedBeside(sample, starts[len(starts)-1], at, held) {
			starts = append(starts, at)
		}
	}
	return starts
}

// typedBeside reports whether numbers or dates stand in most lines between two starts of columns, or behind the second one.
func typedBeside(lines []*printLine, from, at int, held []bool) bool {
	end := at
	for end < len(held) && held[end] {
		end++
	}
	left, right, n := 0, 0, len(lines)
	for _, p := range lines {
		if isTypedCell(p.cut(from, at)) {
			left++
		}
		if isTypedCell(p.cut(at, end)) {
			right++
		}
	}
	return n > 3 && (left*4 >= n*3 || right*4 >= n*3)
}

// mergeEmpty joins a column that holds nothing but a part of the name with the column before it. The first row gets a cell for each column that is left.
func mergeEmpty(rows [][]string, columns int) [][]string {
	filled := make([]int, columns)
	for _, cells := range rows {
		for c, cell := range cells {
			if cell != "" {
				filled[c]++
			}
		}
	}
	first := append(rows[0], make([]string, columns-len(rows[0]))...)
	merged, some := make([]bool, columns), false
	for c := 1; c < columns; c++ {
		merged[c] = filled[c] < 2 && first[c] != "" && first[c-1] != ""
		some = some || merged[c]
	}
	names := first[:0:0]
	for c, cell := range first {
		if merged[c] {
			names[len(names)-1] += " " + cell
		} else {
			names = append(names, cell)
		}
	}
	rows[0] = names
	if !some {
		return rows
	}
	for i, cells := range rows[1:] {
		kept := cells[:0]
		for c, cell := range cells {
			if !merged[c] {
				kept = append(kept, cell)
			}
		}
		rows[i+1] = kept
	}
	return rows
}

// alignedTables makes tables of lines that were cut into cells.
func (c *csvText) alignedTables(rows [][]string, at []int, report LoadReport) ([]Named, error) {
	columns := len(rows[0])
	switch {
	case columns > c.lim.Columns:
		return nil, tooManyColumns(report.Source, c.lim)
	case len(rows) > c.lim.Rows+maxExtraRows:
		return nil, tooManyRows(report.Source, c.lim)
	}
	present := 0
	for _, cells := range rows {
		present += len(cells)
	}
	if tooSparse(len(rows), columns, present) {
		return nil, sparseError(report.Source)
	}
	g := newCellGrid(len(rows), columns, nil)
	for i, cells := range rows {
		copy(g.row(at[i]), cells)
	}
	report.Comma = "  "
	found, err := g.sections(report, c.lim)
	if err != nil {
		return nil, err
	}
	out := make([]Named, len(found))
	for i := range found {
		if out[i], err = found[i].load(c.lim); err != nil {
			return nil, err
		}
	}
	return out, nil
}
