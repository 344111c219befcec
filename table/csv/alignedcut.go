package csv

import (
	"slices"
	"strings"
	"unicode/utf8"

	"catena/internal/buffer"
	"catena/table"
	"catena/table/content"
)

// Bounds of texts with aligned columns.
const (
	alignedLongest = 2000 // bytes of a line
	alignedColumns = 500
	alignedSample  = 400 // lines that tell whether columns hold numbers
)

// alignedCut tells where the columns of aligned lines are. It keeps no cells: a text may have many more of them than
// bytes that anyone needs twice.
type alignedCut struct {
	lines  []string
	lim    table.Limits
	starts []int  // where the columns begin, in columns of a terminal
	end    int    // where the longest line ends
	rule   int    // the line with the rule below the names, -1 for none
	rows   int    // lines that are rows or titles
	cells  int    // that these have
	merged []bool // columns that hold nothing but a part of the name of the one before
	width  int    // columns that are left
}

// cutAligned finds the columns of lines that are aligned by spaces; nil where the lines have none in common. The error
// is that of a context that has ended.
func cutAligned(lines []string, lim table.Limits) (*alignedCut, error) {
	a := &alignedCut{lines: lines, lim: lim, rule: -1}
	blocks, several, ok := a.paragraphs()
	if err := lim.Ended(); err != nil || !ok {
		return nil, err
	}
	switch {
	case a.rule >= 0:
		var rule printLine
		rule.set(lines[a.rule])
		a.starts = runStarts(&rule)
	case several > 2:
		if len(blocks) == 0 {
			blocks = []lineRange{{0, len(lines), several}}
		}
		a.starts = a.commonStarts(blocks)
	}
	if len(a.starts) < 2 || len(a.starts) > alignedColumns {
		return nil, nil
	}
	if full := a.count(); full < 3 && (a.rule < 0 || full < 2) || full*2 < a.rows {
		return nil, lim.Ended()
	}
	return a, lim.Ended()
}

// lineRange is the lines from..to-1, of which some have several parts.
type lineRange struct{ from, to, several int }

// paragraphs finds the paragraphs that may be tables, and counts the lines with several parts; false where the text is
// of another kind.
func (a *alignedCut) paragraphs() (blocks []lineRange, several int, ok bool) {
	var line printLine
	Block, any := lineRange{}, false
	for i := range len(a.lines) + 1 {
		text := "" // the last paragraph ends, too
		if i < len(a.lines) {
			text = a.lines[i]
		}
		if i%table.AskEvery == 0 && a.lim.Ended() != nil {
			return nil, 0, false
		}
		if strings.TrimSpace(text) == "" {
			if Block.to = i; Block.several > 2 {
				blocks = append(blocks, Block)
			}
			Block = lineRange{from: i + 1}
			continue
		}
		if len(text) > alignedLongest || !utf8.ValidString(text) {
			return nil, 0, false
		}
		if isSpacedRule(text) {
			if a.rule < 0 && any {
				a.rule = i
			}
			continue
		}
		any = true
		if segments(text) > 1 {
			several++
			Block.several++
		}
		line.set(text)
		a.end = max(a.end, line.place(len(line.text)))
	}
	return blocks, several, true
}

// commonStarts finds the columns that the lines of several parts in the paragraphs have in common.
func (a *alignedCut) commonStarts(blocks []lineRange) []int {
	n := 0
	for _, b := range blocks {
		n += b.several
	}
	step := max(1, (n+alignedSample-1)/alignedSample)
	held := make([]bool, a.end)
	var sample []*printLine
	var line printLine
	at := 0
	for _, b := range blocks {
		for _, text := range a.lines[b.from:b.to] {
			if segments(text) < 2 || isSpacedRule(text) {
				continue
			}
			line.set(text)
			line.mark(held)
			if at%step == 0 {
				kept := &printLine{}
				kept.set(text)
				sample = append(sample, kept)
			}
			at++
		}
	}
	return commonStarts(held, sample)
}

// eachRow gives the cells of each row with the index of its line, until it is told to stop or the context ends. The
// cells are good until the next row.
func (a *alignedCut) eachRow(do func(i int, cells []string) bool) {
	var line printLine
	var cells []string
	for i, text := range a.lines {
		if i%table.AskEvery == 0 && a.lim.Ended() != nil {
			return
		}
		if strings.TrimSpace(text) == "" || isSpacedRule(text) {
			continue
		}
		line.set(text)
		if cells = line.cells(cells[:0], a.starts, a.end); !do(i, cells) {
			return
		}
	}
}

// count counts the rows, those with several cells, and what the columns hold: one that holds nothing but a part of the
// name is merged with the column before it.
func (a *alignedCut) count() (full int) {
	filled := make([]int, len(a.starts))
	first := make([]string, len(a.starts))
	a.eachRow(func(_ int, cells []string) bool {
		if a.rows == 0 {
			copy(first, cells)
		}
		a.rows++
		a.cells += len(cells)
		if filledCount(cells) > 1 {
			full++
		}
		for c, cell := range cells {
			if cell != "" {
				filled[c]++
			}
		}
		return true
	})
	a.merged, a.width = make([]bool, len(a.starts)), len(a.starts)
	for c := 1; c < len(a.starts); c++ {
		if a.merged[c] = filled[c] < 2 && first[c] != "" && first[c-1] != ""; a.merged[c] {
			a.width--
		}
	}
	return full
}

// eachMerged is eachRow with the cells of the columns that are left. In the first row the merged names are joined.
func (a *alignedCut) eachMerged(do func(i int, cells []string) bool) {
	names := true
	a.eachRow(func(i int, cells []string) bool {
		kept := cells[:0]
		for c, cell := range cells {
			switch {
			case !a.merged[c]:
				kept = append(kept, cell)
			case names:
				kept[len(kept)-1] += " " + cell
			}
		}
		names = false
		return do(i, kept)
	})
}

// alignedTables makes tables of aligned lines.
func (c *csvText) alignedTables(a *alignedCut, report table.LoadReport) ([]table.Named, error) {
	switch {
	case a.width > c.lim.Columns:
		return nil, table.TooManyColumns(report.Source, c.lim)
	case a.rows > c.lim.Rows+MaxExtraRows:
		return nil, table.TooManyRows(report.Source, c.lim)
	case content.TooSparse(a.rows, a.width, a.cells):
		return nil, content.SparseError(report.Source)
	}
	report.Comma = "  "
	if named, ok := c.alignedPlain(a, report); ok {
		return []table.Named{named}, nil
	}
	g, err := NewGrid(a.rows, a.width, c.lim, nil)
	if err != nil {
		return nil, err
	}
	a.eachMerged(func(i int, cells []string) bool {
		copy(g.Row(i+1), cells)
		return true
	})
	found, err := g.Sections(report, c.lim)
	if err == nil {
		err = c.lim.Ended()
	}
	if err != nil {
		return nil, err
	}
	out := make([]table.Named, len(found))
	for i := range found {
		if out[i], err = found[i].Load(c.lim); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// alignedPlain reads a large table as delimited text, which takes less memory than a grid of its cells; false where
// there is more in the text than one table.
func (c *csvText) alignedPlain(a *alignedCut, report table.LoadReport) (table.Named, bool) {
	p := plainWriter{width: a.width}
	if !p.fits(c.text) {
		return table.Named{}, false
	}
	last := -1
	a.eachMerged(func(i int, cells []string) bool {
		gap := last >= 0 && i > last+1 && !(a.rule == i-1 && last == i-2)
		last = i
		return !gap && p.add(cells)
	})
	return p.read(c, report)
}

// plainWriter writes a printed table as tabbed text.
type plainWriter struct {
	width int
	text  []byte
	bad   bool // a row has other cells
}

// fits reports whether a text is long enough to be worth it, and has no quotes, which would mean something else.
func (p *plainWriter) fits(text string) bool {
	if p.bad = len(text) < plainBytes || strings.IndexByte(text, '"') >= 0; !p.bad {
		p.text = make([]byte, 0, len(text)) // what parts cells takes one byte, and took one or more
	}
	return !p.bad
}

// add writes a row, which may have cells too few; false when it cannot be written.
func (p *plainWriter) add(cells []string) bool {
	for c := range p.width {
		if c > 0 {
			p.text = append(p.text, '\t')
		}
		if c < len(cells) {
			if p.bad = strings.ContainsAny(cells[c], "\t\r"); p.bad {
				return false
			}
			p.text = append(p.text, cells[c]...)
		}
	}
	p.text = append(p.text, '\n')
	return true
}

// read reads what was written, with a report begun for the text that it comes from; false where that is not one table
// with one row of names.
func (p *plainWriter) read(c *csvText, report table.LoadReport) (table.Named, bool) {
	if p.bad || len(p.text) < plainBytes {
		return table.Named{}, false
	}
	text := slices.Clip(p.text)
	dropped := len(report.Dropped)
	tabbed := &csvText{
		text:   buffer.String(text),
		facts:  content.Scan(text),
		found:  guess{dialect: dialect{comma: "\t", quote: '"'}, width: p.width},
		report: report,
		lim:    c.lim,
	}
	named, ok := tabbed.readPlain()
	got := &named.Report
	return named, ok && got.HeaderRows == 1 && len(got.Dropped) == dropped && len(got.Repaired)+got.Blank == 0 &&
		named.Table.NumCols() == p.width
}
