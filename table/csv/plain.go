package csv

import (
	"slices"

	"catena/internal/lane"
	"catena/internal/parallel"
	"catena/table"
	"catena/table/infer"
)

// A plain text is read without a grid of all its cells. Its first rows and its last ones go the careful way, which
// finds out what each row is for; between them every record must be a row like the others, which is checked as it is
// read straight into columns. At the first one that is not, or where a decision would need to see all rows, the whole
// text goes the careful way.

const (
	plainBytes = 128 << 10 // a text that is shorter goes the careful way
	plainHead  = 320       // rows at the beginning; no rule looks at more than headReach below the header
	headReach  = 280
	plainTail  = 48 << 10 // bytes at the end
	tailReach  = 8        // rows of the end that must remain when the footer is cut
	pieceBytes = 64 << 10
)

// plain is a text of which the middle has not been cut into a grid.
type plain struct {
	ends    Section // the first rows and the last ones
	text    string
	lines   int   // of the text
	quotes  bool  // whether it has any
	cuts    []int // where the pieces of the middle begin, and where the last one ends
	cutter  cutter
	columns []*infer.Column
	rows    int          // of the middle
	passed  func(string) // is told of the parts of the text that were read, one after the other; nil where nobody asks
}

// ReadPlainly reads a text that can be read without a grid of its cells; false where it cannot. passed is told of each
// part of data that was read and is not looked at again, one after the other.
func ReadPlainly(data []byte, source string, lim table.Limits, passed func(string)) (table.Named, bool) {
	c, err := openCSV(data, source, lim)
	if err != nil {
		return table.Named{}, false
	}
	if found, err := c.printed(); len(found) > 0 || err != nil {
		return table.Named{}, false
	}
	c.passed = passed
	return c.readPlain()
}

// readPlain reads a plain text; false when it is not.
func (c *csvText) readPlain() (table.Named, bool) {
	d := c.found.dialect
	if len(c.text) < plainBytes || len(c.text) >= undoneSpan || c.found.width < 2 || len(d.comma) != 1 ||
		d.quote != '"' ||
		d.escape != 0 ||
		d.ends != anyEnd {
		return table.Named{}, false
	}
	p, ok := c.openPlain()
	if !ok {
		return table.Named{}, false
	}
	t, ok := p.table(c.lim)
	return table.Named{Name: p.ends.name, Table: t, Report: p.ends.report}, ok
}

// openPlain reads both ends of the text.
func (c *csvText) openPlain() (*plain, bool) {
	parser := c.parser()
	g := &grid{text: c.text}
	pos, line, err := parser.rows(g, 0, 1, plainHead)
	if err != nil || len(c.text)-pos < plainTail {
		return nil, false
	}
	cuts := c.facts.CutPoints(c.text, pos, len(c.text)-plainTail, pieceBytes)
	tail := cuts[len(cuts)-1]
	g.seen = []string{c.text[:pos], c.text[tail:]}
	if g.bands() != nil { // perhaps
		return nil, false
	}
	if _, _, err := parser.rows(
		g,
		tail,
		line+c.facts.LinesBetween(c.text, pos, tail),
		0,
	); err != nil || g.tidy() != (tidied{}) ||
		len(g.loose)+len(g.fixed) > 0 {
		return nil, false
	}
	l := &layout{g: g, d: c.found.dialect, lim: c.lim, middle: tail}
	parts := l.arrange(c.found.width)
	if c.lim.Ended() != nil || len(parts) != 1 || l.needsAll || len(l.footnotes()) > 0 || !plainPart(&parts[0], tail) {
		return nil, false
	}
	p := &plain{
		text:   c.text,
		passed: c.passed,
		lines:  c.facts.Lines() + 1,
		quotes: c.facts.QuotesBetween(c.text, 0, len(c.text)) > 0,
		cuts:   cuts,
		cutter: cutter{comma: c.found.comma[0], width: c.found.width, lim: c.lim},
	}
	if head := parts[0].head; len(head) > 0 {
		p.cutter.headed, p.cutter.first = true, g.Cells[head[len(head)-1].from]
	}
	report := c.report
	l.report(&report)
	report.Blank = g.blank
	found, err := l.sections(parts, report)
	if err != nil {
		return nil, false
	}
	p.ends = found[0]
	return p, p.ends.left == 0
}

// plainPart reports whether the rows at both ends, as far as they are the table's, are all alike, and as many as the
// rules look at.
func plainPart(p *part, tail int) bool {
	seam := slices.IndexFunc(p.body, func(r csvRow) bool { return r.at >= tail })
	return seam >= headReach && len(p.body)-seam >= tailReach && !slices.ContainsFunc(p.body, func(r csvRow) bool {
		return r.gap || r.stray || r.to-r.from != p.width
	})
}

// table reads the middle and makes the table.
func (p *plain) table(lim table.Limits) (*table.Table, bool) {
	cols, body, err := p.ends.columns(&p.ends.report, lim)
	if err != nil {
		return nil, false
	}
	p.columns = make([]*infer.Column, p.cutter.width)
	seam := slices.IndexFunc(body, func(r csvRow) bool { return r.at >= p.cuts[len(p.cuts)-1] })
	for c := range p.columns {
		kind := p.ends.kind(c, body)
		if c >= len(cols) {
			kind = infer.RawCells // it is empty, unless there is something in the middle
		}
		p.columns[c] = p.start(cols, c, kind, body)
	}
	p.sampleTexts()
	if !p.readAll(body, seam) || p.rows+len(body) > lim.Rows {
		return nil, false
	}
	for _, c := range p.columns[len(cols):] {
		if c.Built.NullCount() < c.Built.Len() {
			return nil, false
		}
	}
	if !p.readAgain(cols, body, seam) {
		return nil, false
	}
	p.ends.report.Rows = p.rows + len(body)
	out := make([]infer.Result, len(cols))
	parallel.Columns(len(cols), p.ends.report.Rows, func(c int) { out[c] = p.columns[c].Finish().Instants() })
	t, err := tableOf(out, &p.ends.report, lim, func(which []int) []*infer.Texts {
		for _, c := range which {
			p.columns[c].Failed = true
		}
		if !p.readAgain(cols, body, seam) {
			return nil
		}
		texts := make([]*infer.Texts, len(which))
		for k, c := range which {
			texts[k] = p.columns[c].Texts()
		}
		return texts
	})
	return t, err == nil
}

// Start makes an empty column for as many rows as there will be, or a few more.
func (p *plain) start(cols []table.Column, c int, kind infer.Kind, body []csvRow) *infer.Column {
	name := ""
	if c < len(cols) {
		name = cols[c].Name
	}
	last := body[headReach-1]
	perRow := float64(last.end-body[0].at) / headReach
	rows := int(1.02*float64(len(p.text))/perRow) + 64
	if !p.quotes || p.lines < rows*5/4 { // no line ends stand in cells, or few: there are about as many rows as lines
		rows = p.lines
	}
	return infer.NewColumn(
		name,
		kind,
		min(rows, p.cutter.lim.Rows+1, len(p.text)/p.cutter.width+1),
	) // a cell has at least what ends it
}

// sampleTexts looks at some rows all over the middle, so that texts get as much memory as they need at once: what has
// to be moved later takes twice as much.
func (p *plain) sampleTexts() {
	const places, each = 64, 32
	sample := p.cutter
	pieces := len(p.cuts) - 1
	for i := range min(places, pieces) {
		piece := i * pieces / min(places, pieces)
		for n, pos := 0, p.cuts[piece]; n < each && pos < p.cuts[piece+1]; n++ {
			next, ok := sample.record(p.text, pos)
			if !ok {
				return // readMiddle will find that out
			}
			pos = next
		}
		if len(sample.spans)%sample.width != 0 {
			return
		}
	}
	all := 0.0
	for c, column := range p.columns {
		for i := c; i < len(sample.spans); i += sample.width {
			column.Expect.Bytes += float64(sample.spans[i].to - sample.spans[i].from&^undoneSpan)
		}
		column.Expect.Bytes /= float64(max(1, len(sample.spans)/sample.width))
		all += column.Expect.Bytes
	}
	if most := float64(
		len(p.text),
	) / float64(
		p.lines,
	); all > most { // by chance, or because someone knows the places: cells are no longer than the text
		for _, column := range p.columns {
			column.Expect.Bytes *= most / all
		}
	}
}

// readAgain collects the columns that the guess failed for.
func (p *plain) readAgain(cols []table.Column, body []csvRow, seam int) bool {
	failed := false
	again := make([]*infer.Column, len(p.columns))
	for c, column := range p.columns {
		if again[c] = infer.NewColumn("", infer.NoCells, 0); column.Failed {
			again[c], failed = p.start(cols, c, infer.RawCells, body), true
			again[c].Expect.Bytes = column.Expect.Bytes
		}
	}
	if !failed {
		return true
	}
	first := p.columns
	p.columns = again
	if !p.readAll(body, seam) {
		return false
	}
	for c, column := range first {
		if !column.Failed {
			p.columns[c] = column
		}
	}
	return true
}

// ReadAll reads all rows into the columns.
func (p *plain) readAll(body []csvRow, seam int) bool {
	p.addRows(body[:seam])
	if !p.readMiddle(lane.Processors()) {
		return false
	}
	p.addRows(body[seam:])
	return true
}

func (p *plain) addRows(rows []csvRow) {
	parallel.Columns(len(p.columns), p.lines, func(c int) { // the first ones take memory for all
		for _, r := range rows {
			p.columns[c].Add(p.ends.cell(r, c))
		}
		p.columns[c].Flush()
	})
}
