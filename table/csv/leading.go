package csv

import (
	"catena/table/infer"
)

// leadingWidth is the usual width, or that of a table that stands above the rows of it: a header without values, two
// rows or more with numbers or dates in one column all the way, and a gap. Pairs of names and values above a table look
// the same, so one of two columns must not be much smaller than what follows.
func (l *layout) leadingWidth(rows []csvRow, usual int) int {
	const most, times = 60, 5
	from := 0
	for from < min(len(rows), most) && filledCount(l.g.of(rows[from])) < 2 {
		from++
	}
	if from >= min(len(rows), most) {
		return usual
	}
	width := rows[from].to - rows[from].from
	end := from + 1
	for end < len(rows) && !rows[end].gap && rows[end].to-rows[end].from == width {
		end++
	}
	if width == usual || width < 2 || end-from < 3 || end == len(rows) || !rows[end].gap ||
		!l.typedBelow(rows[from:end], width) {
		return usual
	}
	if width == 2 && (len(rows)-end) > times*(end-from) {
		return usual
	}
	return width
}

// typedBelow reports whether a full row of texts stands above rows that have numbers or dates in one of their columns
// all the way.
func (l *layout) typedBelow(rows []csvRow, width int) bool {
	if filledCount(l.g.of(rows[0])) < width || l.hasTyped(rows[0]) {
		return false
	}
	for c := range width {
		all := true
		for _, r := range rows[1:] {
			cells := l.g.of(r)
			all = all && cells[c] != "" && infer.IsTypedCell(cells[c])
		}
		if all {
			return true
		}
	}
	return false
}

// isPair reports whether a row is a name with a value, as stand above a table: two cells at its beginning and several
// empty ones behind them.
func (l *layout) isPair(cells []string) bool {
	return len(cells) > 3 && cells[0] != "" && cells[1] != "" && blankFrom(cells, 2)
}

// headerBelow reports whether one of the next rows is a full header with values below it, and all above it are pairs or
// single cells.
func (l *layout) headerBelow(rows []csvRow, usual int) bool {
	const most = 20
	for i := 0; i < min(len(rows)-1, most); i++ {
		cells := l.g.of(rows[i])
		switch n := filledCount(cells); {
		case n == usual && len(cells) == usual:
			return !l.hasTyped(rows[i]) && l.hasTyped(rows[i+1]) && filledCount(l.g.of(rows[i+1])) > 2
		case n > 1 && !l.isPair(cells):
			return false
		}
	}
	return false
}
