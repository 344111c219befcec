package csv

import (
	"slices"
	"strings"

	"catena/internal/text"
	"catena/table"
)

const (
	repairLine = 4 << 10  // the longest line that is repaired
	repairMost = 200      // rows that are repaired in one text
	repairWork = 16 << 20 // bytes that are looked at for all repairs of a text, so that no text takes long
	clearly    = 4.0      // by how much a repair must fit better than leaving the row as it is
)

// repair mends the rows of a part that have not the usual number of cells, as far as its regular rows say how.
func (l *layout) repair(p *part) {
	var odd []int
	for i, r := range p.body {
		if r.to-r.from != p.width || r.stray {
			if odd = append(odd, i); len(odd) > repairMost {
				return
			}
		}
	}
	if len(odd) == 0 || p.width < 2 {
		return
	}
	s := l.g.shapesOf(p.body, p.width)
	if s == nil {
		return
	}
	for _, i := range odd {
		r := p.body[i]
		cells, what := l.repairRow(r, s)
		if cells == nil {
			continue
		}
		p.body[i].from, p.body[i].to = len(l.g.Cells), len(l.g.Cells)+len(cells)
		l.g.Cells = append(l.g.Cells, cells...)
		l.repairs = append(
			l.repairs,
			table.RepairedRow{Line: r.line, Was: strings.Clone(text.Clip(l.g.text[r.at:r.end], 200)), What: what},
		)
	}
}

// repairRow finds out what is wrong with a row that has not the usual number of cells and gives the cells it should
// have: a delimiter that is missing or one too many, or another delimiter than the other rows have. what says so in a
// clause. Of several ways the one wins whose cells look most like their columns' other cells; it must look clearly
// better than the row padded or cut, and no worse than the regular rows do.
func (l *layout) repairRow(r csvRow, s *shapes) (cells []string, what string) {
	d, lim := l.d, l.lim
	width, row := len(s.cols), l.g.of(r)
	raw := l.g.text[r.at:r.end]
	if len(raw) > repairLine || len(row) == 0 || l.work > repairWork {
		return nil, ""
	}
	best := s.floor
	if blankFrom(row, min(width, len(row))) {
		best = max(best, s.fit(row[:min(width, len(row))])+clearly)
	}
	try := func(cand []string, why string) {
		if len(cand) == width {
			if fit := s.fit(cand); fit > best {
				best, cells, what = fit, cand, why
			}
		}
	}
	if len(row) > width {
		for i, c := range row {
			if c == "" && len(row) == width+1 {
				try(slices.Concat(row[:i], row[i+1:]), "a delimiter too many was left out")
			}
		}
	}
	if len(row) == width-1 || r.stray {
		for i := 1; i < len(raw); i++ {
			if mayBreak(raw, i, d.quote, len(row) == width-1) {
				l.work += len(raw) + 64
				cand, _ := splitQuoted(raw[:i]+d.comma+raw[i:], d, lim)
				if len(cand) == width && (raw[i-1] == d.quote || raw[i] == d.quote || s.knows(cand, row)) {
					try(cand, "a missing delimiter was put in")
				}
			}
		}
	}
	for _, other := range commas {
		if other != d.comma && strings.Count(raw, other) >= width-1 {
			od := d
			od.comma = other
			cand, quoted := splitQuoted(raw, od, lim)
			l.work += len(cand) * width * 400 // about what it takes to look at the joins
			try(mergeCells(cand, quoted, other, s), "it is delimited by "+nameOf(other))
		}
	}
	return cells, what
}

// knows reports whether the cells that a repair makes, other than those the row had, look in every detail like cells of
// their columns: so that no number is cut in two where both halves could be anything. Cells without digits may look
// new.
func (s *shapes) knows(cells, row []string) bool {
	for c, cell := range cells {
		if strings.ContainsAny(cell, "0123456789") && !slices.Contains(row, cell) &&
			s.cols[c].seen[0][features(cell)[0]] == 0 {
			return false
		}
	}
	return true
}

// mayBreak reports whether a delimiter may be missing before raw[i]: beside a quote, and, if plain, where the kind of
// character changes, or between digits. In the middle of a word none is.
func mayBreak(raw string, i int, quote byte, plain bool) bool {
	a, b := raw[i-1], raw[i]
	if !plain {
		return a == quote || b == quote
	}
	if b >= 0x80 && b < 0xc0 { // inside a character
		return false
	}
	return classOf(rune(a)) != classOf(rune(b)) || a >= '0' && a <= '9' || a == '"' || a == '\''
}

// splitLine cuts one line; nil when its quotes do not follow the rules.
func splitLine(line string, d dialect, lim table.Limits) []string {
	cells, _ := splitQuoted(line, d, lim)
	return cells
}

// splitQuoted cuts one line and tells which cells were quoted; nil when its quotes do not follow the rules.
func splitQuoted(line string, d dialect, lim table.Limits) (cells []string, quoted []bool) {
	p := newParser(line, d, lim, "")
	g := &grid{text: line}
	for pos := 0; ; {
		cell, end, _, clean := p.cell(pos)
		if !clean || p.stray {
			return nil, nil
		}
		start := strings.TrimLeft(line[pos:], " ")
		g.Cells, quoted = append(g.Cells, cell), append(quoted, start != "" && start[0] == d.quote)
		if end >= len(line) {
			break
		}
		if !p.atComma(end) {
			return nil, nil
		}
		pos = end + len(d.comma)
	}
	g.tidy()
	return g.Cells, quoted
}

// blankFrom reports whether all cells from c on are empty.
func blankFrom(row []string, c int) bool {
	for ; c < len(row); c++ {
		if row[c] != "" {
			return false
		}
	}
	return true
}

// mergeCells joins neighbouring cells that the delimiter cut wrongly, as a space cuts texts, so that there is one for
// each column and the whole fits best; nil when there are too few. The time is that of columns times cells times the
// longest join.
func mergeCells(cells []string, quoted []bool, comma string, s *shapes) []string {
	const most, longest = 96, 16
	n, width := len(cells), len(s.cols)
	if n < width || n > most {
		return nil
	}
	if n == width {
		return cells
	}
	type step struct {
		fit  float64
		from int
		ok   bool
	}
	best := make([][]step, width+1)
	for c := range best {
		best[c] = make([]step, n+1)
	}
	best[0][0].ok = true
	for c := 1; c <= width; c++ {
		for end := c; end <= n; end++ {
			for from := end - 1; from >= max(c-1, end-longest); from-- {
				if from < end-1 && (quoted[from] || quoted[end-1]) {
					break // a quoted cell is whole
				}
				before := best[c-1][from]
				if !before.ok {
					continue
				}
				fit := before.fit + s.cols[c-1].fit(strings.TrimSpace(strings.Join(cells[from:end], comma)))
				if now := &best[c][end]; !now.ok || fit > now.fit {
					*now = step{fit, from, true}
				}
			}
		}
	}
	if !best[width][n].ok {
		return nil
	}
	out := make([]string, width)
	for c, end := width, n; c > 0; c-- {
		from := best[c][end].from
		out[c-1] = strings.TrimSpace(strings.Join(cells[from:end], comma))
		end = from
	}
	return out
}

// nameOf names a delimiter in a sentence.
func nameOf(comma string) string {
	switch comma {
	case " ":
		return "spaces"
	case "\t":
		return "tabs"
	}
	return comma
}
