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
	line := &lineReader{p: p, end: end, best: map[int]lineState{}}
	cells, cost, found := line.read(row.at, p.want)
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
			if cells, _, found = line.read(row.at, 0); !found {
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
	one := newParser(p.text[next:stop], p.dialect, p.lim, p.source)
	g := &grid{}
	var row csvRow
	pos, _, err := one.record(g, &row, 0, 0)
	return err == nil && pos >= stop-next && len(g.loose)+len(g.fixed) == 0 && row.to-row.from == p.want
}

// lineState is the best reading of the rest of a line for each number of cells.
type lineState map[int]lineChoice

type lineChoice struct {
	cost int
	cell string
	next int // where the next cell begins; -1 at the end
}

// lineReader finds the reading of one line.
type lineReader struct {
	p    *csvParser
	end  int
	best map[int]lineState // by where a cell begins
}

// read gives the cells of the reading that has want cells, or of the cheapest one when want is 0.
func (l *lineReader) read(pos, want int) (cells []string, cost int, ok bool) {
	state := l.from(pos, 0)
	if want == 0 {
		cost = 1 << 30
		for n, c := range state {
			if c.cost < cost || c.cost == cost && n < want {
				want, cost = n, c.cost
			}
		}
	}
	choice, ok := state[want]
	if !ok {
		return nil, 0, false
	}
	cost = choice.cost
	for n := want; ; n-- {
		cells = append(cells, choice.cell)
		if choice.next < 0 {
			return cells, cost, true
		}
		choice = l.best[choice.next][n-1]
	}
}

// from fills in the readings of the rest of the line.
func (l *lineReader) from(pos, depth int) lineState {
	if s, ok := l.best[pos]; ok {
		return s
	}
	s := lineState{}
	l.best[pos] = s
	if depth > l.p.lim.Columns {
		return s
	}
	add := func(cell string, end, cost int) {
		if end >= l.end {
			s.keep(1, lineChoice{cost, cell, -1})
			return
		}
		next := end + len(l.p.comma)
		for n, c := range l.from(next, depth+1) {
			s.keep(n+1, lineChoice{c.cost + cost, cell, next})
			l.p.work++
		}
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
					add(l.unquote(text[at+1:i]), min(end, l.end), 4*inner)
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
	add(l.p.unescape(text[pos:end]), end, cost)
	return s
}

// unquote undoubles the quotes of a cell.
func (l *lineReader) unquote(s string) string {
	q := string(rune(l.p.quote))
	return l.p.unescape(strings.ReplaceAll(s, q+q, q))
}

func (s lineState) keep(n int, c lineChoice) {
	if old, ok := s[n]; !ok || c.cost < old.cost {
		s[n] = c
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
