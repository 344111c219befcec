package csv

import (
	"slices"
	"strings"
)

const (
	rereadLine   = 16 << 10 // the longest line that is read anew
	rereadQuotes = 64       // and the most quotes in it
	rereadCells  = 256      // and the most delimiters
	rereadWork   = 2 << 20  // steps for a whole text, so that no text takes long
)

// reread reads the first line of a record anew when its quotes do not follow the rules: each quote at the start of a
// cell may open it or be text, each quote before a delimiter may close it or be text, as long as the line has the usual
// number of cells; among such readings the one that takes the fewest quotes for text wins. The record's cells are
// replaced; false leaves them.
func (p *csvParser) reread(g *grid, row *csvRow, clean bool) (next int, ok bool) {
	end := p.lineAt(row.at)
	first := p.text[row.at:end]
	if len(first) >= rereadLine || strings.Count(first, string(rune(p.quote))) > rereadQuotes ||
		strings.Count(first, p.comma) > rereadCells || p.work > rereadWork {
		return 0, false
	}
	oneLine := row.end == end
	if p.want == 0 && (oneLine || row.end < len(p.text)) {
		return 0, false // nothing to go by, and it does end
	}
	p.line.begin(p, row.at, end)
	cells, cost, found := p.line.read(p.want)
	was := row.to - row.from
	closed := row.end < len(p.text)
	switch {
	case oneLine:
		if !found || slices.Equal(cells, g.of(*row)) {
			return 0, false
		}
	case p.want > 0 && closed && (!found || was == p.want && cost > 0 || clean):
		// the record goes on over lines; these are its own unless the next one is a record by itself
		if !p.wholeLine(end) {
			return 0, false
		}
		if !found {
			if cells, _, found = p.line.read(0); !found {
				return 0, false
			}
		}
	case !found:
		return 0, false
	}
	if !oneLine {
		p.scanned += row.end - end
	}
	for n := len(g.spaced); n > 0 && g.spaced[n-1] >= row.from; n-- {
		g.spaced = g.spaced[:n-1]
	}
	g.Cells = append(g.Cells[:row.from], cells...)
	row.to, row.end = len(g.Cells), end
	g.fixed = append(g.fixed, row.line)
	if end < len(p.text) {
		end = p.blankLine(end)
	}
	return end, true
}

// lineAt gives the end of the line at pos.
func (p *csvParser) lineAt(pos int) int {
	limit := min(len(p.text), pos+rereadLine)
	for pos < limit && !p.atEnd(pos) {
		pos++
	}
	return pos
}

// wholeLine reports whether the line behind the one that ends at end is a record of the usual number of cells by
// itself.
func (p *csvParser) wholeLine(end int) bool {
	if end >= len(p.text) {
		return false
	}
	next := p.blankLine(end)
	stop := p.lineAt(next)
	if stop == next {
		return false
	}
	one := p.ofLine(p.text[next:stop])
	g := &grid{}
	var row csvRow
	pos, _, err := one.record(g, &row, 0, 0)
	return err == nil && pos >= stop-next && len(g.loose)+len(g.fixed) == 0 && row.to-row.from == p.want
}

// ofLine is a parser of a line by itself. It is the same one for all lines, one after another.
func (p *csvParser) ofLine(line string) *csvParser {
	if p.single == nil {
		p.single = newParser("", p.dialect, p.lim, p.source)
	}
	one := p.single
	one.text, one.formulas = line, p.formulas && strings.Contains(line, "="+string(rune(p.quote)))
	one.work, one.scanned = 0, 0
	return one
}

// lineChoice is the best reading of the rest of a line in a number of cells: its first cell, and where the next begins.
// Places are counted from the line's beginning, and the cell is made a text only where its reading is taken: a line has
// thousands of choices.
type lineChoice struct {
	cost, next int32 // next is -1 at the end
	from, to   int32
	quoted     bool // the cell's quotes are to be undoubled
	ok         bool // there is one
}

// lineState are the choices from one place on: those for 1, 2, ... cells are the n of lineReader.choices from base on.
type lineState struct{ base, n int }

// lineReader finds the readings of lines, one after another, in the same memory.
type lineReader struct {
	p          *csvParser
	start, end int
	known      []int32 // by where a cell begins in the line: 1 and the number of its state; 0 where there is none yet
	states     []lineState
	choices    []lineChoice
}

// begin makes it the reader of the line from start to end.
func (l *lineReader) begin(p *csvParser, start, end int) {
	n := end - start + len(p.comma) + 1
	l.p, l.start, l.end = p, start, end
	l.known = slices.Grow(l.known[:0], n)[:n]
	clear(l.known)
	l.states, l.choices = l.states[:0], l.choices[:0]
}

// state makes room for the choices from pos on, of which the rest of the line has at most one for each delimiter, and
// one.
func (l *lineReader) state(pos int) lineState {
	s := lineState{base: len(l.choices), n: 1 + strings.Count(l.p.text[pos:l.end], l.p.comma)}
	l.choices = slices.Grow(l.choices, s.n)[:s.base+s.n]
	clear(l.choices[s.base:])
	l.states = append(l.states, s)
	l.known[pos-l.start] = int32(len(l.states)) //nolint:gosec // no more than the bytes of a line
	return s
}

// of is the choice of a state for so many cells.
func (l *lineReader) of(s lineState, cells int) lineChoice {
	if cells < 1 || cells > s.n {
		return lineChoice{}
	}
	return l.choices[s.base+cells-1]
}

// read gives the cells of the reading that has want cells, or of the cheapest one when want is 0.
func (l *lineReader) read(want int) (cells []string, cost int, ok bool) {
	s := l.from(l.start, 0)
	if want == 0 {
		cost = 1 << 30
		for n := 1; n <= s.n; n++ {
			if c := l.of(s, n); c.ok && int(c.cost) < cost {
				want, cost = n, int(c.cost)
			}
		}
	}
	choice := l.of(s, want)
	if !choice.ok {
		return nil, 0, false
	}
	cost = int(choice.cost)
	cells = make([]string, 0, want)
	for n := want; ; n-- {
		cells = append(cells, l.text(choice))
		if choice.next < 0 {
			return cells, cost, true
		}
		choice = l.of(l.states[l.known[choice.next]-1], n-1)
	}
}

// text is the cell of a choice.
func (l *lineReader) text(c lineChoice) string {
	cell := l.p.text[l.start+int(c.from) : l.start+int(c.to)]
	if c.quoted {
		q := string(rune(l.p.quote))
		cell = strings.ReplaceAll(cell, q+q, q)
	}
	return l.p.unescape(cell)
}

// from fills in the readings of the rest of the line.
func (l *lineReader) from(pos, depth int) lineState {
	if known := l.known[pos-l.start]; known > 0 {
		return l.states[known-1]
	}
	s := l.state(pos)
	if depth > l.p.lim.Columns {
		return s
	}
	text, quote := l.p.text[:l.end], l.p.quote
	at := pos
	for at < l.end && text[at] == ' ' && l.p.comma[0] != ' ' {
		at++
	}
	if at < l.end && text[at] == quote {
		inner := 0
		for i := at + 1; i < l.end; i++ {
			switch {
			case text[i] != quote:
			case l.p.escape != 0 && oddEscapes(text[at+1:i], l.p.escape):
			default:
				if end, closed := l.p.closes(i + 1); closed {
					l.add(s, l.cell(at+1, i, 4*inner, true), min(end, l.end), depth)
				}
				if i+1 < l.end && text[i+1] == quote {
					i++
					continue
				}
				inner++
			}
		}
	}
	end := l.p.bareEnd(pos, l.end)
	cost := 2 * strings.Count(text[pos:end], string(rune(quote)))
	if at < end && text[at] == quote {
		cost++
	}
	l.add(s, l.cell(pos, end, cost, false), end, depth)
	return s
}

// cell is a choice of the bytes of the text from one place to another as the first cell.
func (l *lineReader) cell(from, to, cost int, quoted bool) lineChoice {
	//nolint:gosec // a line that is read anew is shorter than rereadLine, and so are costs
	return lineChoice{cost: int32(cost), from: int32(from - l.start), to: int32(to - l.start), quoted: quoted, ok: true}
}

// add adds to a state the readings that have a cell first, which ends at end, and go on behind it.
func (l *lineReader) add(s lineState, cell lineChoice, end, depth int) {
	if end >= l.end {
		cell.next = -1
		l.keep(s, 1, cell)
		return
	}
	next := end + len(l.p.comma)
	rest := l.from(next, depth+1)
	cost := cell.cost
	cell.next = int32(next - l.start) //nolint:gosec // as above
	for n := 1; n <= rest.n; n++ {
		c := l.of(rest, n)
		if !c.ok {
			continue
		}
		cell.cost = c.cost + cost
		l.keep(s, n+1, cell)
		l.p.work++
	}
}

// keep keeps a choice for so many cells where it is the cheapest.
func (l *lineReader) keep(s lineState, cells int, c lineChoice) {
	if old := &l.choices[s.base+cells-1]; !old.ok || c.cost < old.cost {
		*old = c
	}
}

// bareEnd gives where an unquoted cell ends.
func (p *csvParser) bareEnd(pos, end int) int {
	for pos < end {
		switch {
		case p.escape != 0 && p.text[pos] == p.escape:
			pos += p.escaped(pos)
		case p.atComma(pos):
			return pos
		default:
			pos++
		}
	}
	return min(pos, end)
}
