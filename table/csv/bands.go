package csv

import (
	"slices"

	"catena/table/infer"
)

// band is the columns from..to-1 of a grid: a table that stands beside another one, from which empty columns part it.
type band struct {
	from, to int
	head     int // the row that names its columns
	bottom   int // its last row
	titled   bool
}

// bands finds tables that stand side by side; nil where there is one table, which may have empty columns. Tables are
// known by the same names, by a title above each, or by where they begin and end; one that only ends above the others
// must have texts or dates in its first column, as what names rows does: figures that are not there yet end early, too.
func (g *grid) bands() []band {
	bands := g.filledColumns()
	if len(bands) < 2 {
		return nil
	}
	same, titled, level, ends, named := true, true, true, true, true
	first := &bands[0]
	for i := range bands {
		b := &bands[i]
		if !g.measure(b) {
			return nil
		}
		same = same && slices.Equal(g.part(b.head, *b), g.part(first.head, *first))
		titled = titled && b.titled
		level = level && b.head == first.head
		ends = ends && b.bottom == first.bottom
		named = named && g.named(*b)
	}
	if same || titled || !level || !ends && named {
		return bands
	}
	return nil
}

// filledColumns divides the columns where some are empty in all rows; nil where one of the divisions is a single
// column.
func (g *grid) filledColumns() []band {
	const near, least = 60, 5 // rows that are looked at first; columns of two tables
	width := 0
	for _, r := range g.Rows[:min(len(g.Rows), near)] {
		width = max(width, r.to-r.from)
	}
	if width < least {
		return nil
	}
	filled := make([]bool, width)
	var bands []band
	for i, r := range g.Rows {
		for c, cell := range g.of(r) {
			if c < width && cell != "" {
				filled[c] = true
			}
		}
		if i == near || i == len(g.Rows)-1 {
			if bands = runsOf(filled); len(bands) < 2 {
				return nil
			}
		}
	}
	if slices.ContainsFunc(bands, func(b band) bool { return b.to-b.from < 2 }) {
		return nil
	}
	return bands
}

// runsOf gives where neighbours are true.
func runsOf(filled []bool) []band {
	var out []band
	for c, f := range filled {
		switch {
		case !f:
		case c > 0 && filled[c-1]:
			out[len(out)-1].to = c + 1
		default:
			out = append(out, band{from: c, to: c + 1})
		}
	}
	return out
}

// part is a band's cells of row i.
func (g *grid) part(i int, b band) []string {
	cells := g.row(i)
	return cells[min(b.from, len(cells)):min(b.to, len(cells))]
}

// measure finds the header of a band, a row of texts in all its columns, and its last row; false where it does not look
// like a table.
func (g *grid) measure(b *band) bool {
	const most = 60
	b.head = -1
	rows := 0
	for i := range g.Rows {
		cells := g.part(i, *b)
		n := filledCount(cells)
		switch {
		case n == 0:
			continue
		case b.head < 0 && n == 1 && cells[0] != "":
			b.titled = true
			continue
		case b.head < 0:
			if i > most || n < b.to-b.from ||
				slices.ContainsFunc(cells, func(c string) bool { return infer.IsTypedCell(c) && !isYear(c) }) {
				return false
			}
			b.head = i
		default:
			rows++
		}
		b.bottom = i
	}
	return rows > 1 && rows*5 >= (b.bottom-b.head)*4
}

// named reports whether the first column of a band holds no numbers.
func (g *grid) named(b band) bool {
	for i := b.head + 1; i <= b.bottom; i++ {
		if cells := g.part(i, b); len(cells) > 0 && cells[0] != "" {
			if _, _, number := sumNumber(cells[0], '.'); number {
				return false
			}
		}
	}
	return true
}

// stack puts bands below each other, so that each is found as a table of its own. The rows have no text any more: what
// stands beside them is not theirs.
func (g *grid) stack(bands []band) *grid {
	out := &grid{Typist: g.Typist, loose: g.loose, fixed: g.fixed, Sums: g.Sums, blank: g.blank}
	for i, b := range bands {
		starts, gap := i > 0, false
		out.Rows = slices.Grow(out.Rows, len(g.Rows))
		out.Cells = slices.Grow(out.Cells, len(g.Rows)*(b.to-b.from))
		for n, r := range g.Rows {
			cells := g.part(n, b)
			if filledCount(cells) == 0 {
				gap = true
				continue
			}
			from := len(out.Cells)
			out.Cells = append(append(out.Cells, cells...), make([]string, b.to-b.from-len(cells))...)
			if g.Typed != nil {
				at := r.from + b.from
				out.Typed = append(
					append(out.Typed, g.Typed[at:at+len(cells)]...),
					make([]int32, b.to-b.from-len(cells))...)
			}
			out.Rows = append(
				out.Rows,
				csvRow{from: from, to: len(out.Cells), line: r.line, gap: r.gap || gap, starts: starts},
			)
			starts, gap = false, false
		}
	}
	return out
}

// noteBands is what a report says of tables side by side.
const noteBands = "tables stand side by side, with empty columns between them; they were read one after the other"
