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
	places []int // by byte
	number int
}

// newPrintLine places the characters of a line: a tab goes on to the next eighth column, East Asian characters take two.
func newPrintLine(text string, number int) printLine {
	p := printLine{text: strings.TrimRight(text, " \t\r"), number: number}
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

// cut gives what stands in the columns of the terminal from..to-1.
func (p *printLine) cut(from, to int) string {
	a, _ := slices.BinarySearch(p.places, from)
	b, _ := slices.BinarySearch(p.places, to)
	a, b = min(a, len(p.text)), min(b, len(p.text))
	return strings.TrimSpace(p.text[a:b])
}

// marked sets the places of a line that hold something.
func (p *printLine) mark(held []bool) {
	for i := range len(p.text) {
		if p.text[i] != ' ' && p.text[i] != '\t' {
			for at := p.places[i]; at < max(p.places[i]+1, p.places[i+1]) && at < len(held); at++ {
				held[at] = true
			}
		}
	}
}

// alignedRows cuts lines whose columns are aligned by spaces, with the numbers of the lines, and tells where a rule of dashes stands below names. A line that is no row has a single cell. None where the lines have no columns in common.
func alignedRows(lines []string) (rows [][]string, at []int) {
	const longest, most = 2000, 500      // columns of a terminal; columns of a table
	var all, block, inBlocks []printLine // those with several parts of the paragraph, and of paragraphs that may be tables
	var rule *printLine
	end, several := 0, 0
	for i, text := range append(slices.Clone(lines), "") {
		if strings.TrimSpace(text) == "" {
			if len(block) > 2 {
				inBlocks = append(inBlocks, block...)
			}
			block = nil
			continue
		}
		if len(text) > longest || !utf8.ValidString(text) {
			return nil, nil
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
		end = max(end, line.places[len(line.text)])
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
		return nil, nil
	}
	full := 0
	for i := range all {
		cells := all[i].cells(starts, end)
		if filledCount(cells) > 1 {
			full++
		}
		rows, at = append(rows, cells), append(at, all[i].number)
	}
	if full < 3 && (rule == nil || full < 2) || full*2 < len(rows) {
		return nil, nil
	}
	return mergeEmpty(rows), at
}

// cells cuts a line where columns start. A line with a word across a start is one text.
func (p *printLine) cells(starts []int, end int) []string {
	cells := make([]string, len(starts))
	if p.crosses(starts) {
		cells[0] = strings.TrimSpace(p.text)
		return cells
	}
	for c, from := range starts {
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
		if i, _ := slices.BinarySearch(p.places, s); i > 0 && i < len(p.text) && p.text[i] != ' ' && p.text[i-1] != ' ' {
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
			starts = append(starts, rule.places[i])
		}
	}
	return starts
}

// commonStarts gives where columns begin: behind two places or more that are empty in all lines with several parts, or one where numbers stand beside it.
func commonStarts(all []printLine, end int) []int {
	held := make([]bool, end)
	for i := range all {
		if segments(all[i].text) > 1 {
			all[i].mark(held)
		}
	}
	var starts []int
	for at := 0; at < end; at++ {
		if !held[at] || at > 0 && held[at-1] {
			continue
		}
		if at < 2 || !held[at-2] || len(starts) == 0 || typedBeside(all, starts[len(starts)-1], at, held) {
			starts = append(starts, at)
		}
	}
	return starts
}

// typedBeside reports whether numbers or dates stand in most lines between two starts of columns, or behind the second one.
func typedBeside(all []printLine, from, at int, held []bool) bool {
	end := at
	for end < len(held) && held[end] {
		end++
	}
	left, right, n := 0, 0, 0
	for i := range all {
		if segments(all[i].text) < 2 {
			continue
		}
		n++
		if isTypedCell(all[i].cut(from, at)) {
			left++
		}
		if isTypedCell(all[i].cut(at, end)) {
			right++
		}
	}
	return n > 3 && (left*4 >= n*3 || right*4 >= n*3)
}

// mergeEmpty joins a column that holds nothing but a part of the name with the column before it.
func mergeEmpty(rows [][]string) [][]string {
	for c := len(rows[0]) - 1; c > 0; c-- {
		n := 0
		for _, cells := range rows {
			if cells[c] != "" {
				n++
			}
		}
		if n > 1 || rows[0][c] == "" || rows[0][c-1] == "" {
			continue
		}
		for i, cells := range rows {
			cells[c-1] = strings.TrimSpace(cells[c-1] + " " + cells[c])
			rows[i] = slices.Delete(cells, c, c+1)
		}
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
