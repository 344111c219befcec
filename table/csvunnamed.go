package table

import (
	"math/big"
	"slices"
)

// cutUnnamed leaves out a last row that has nothing but the sums of all rows above it: below each column of numbers its sum or nothing, below others nothing. The first cell of other rows is
// filled. Several columns must agree, or three rows be added up.
func (l *layout) cutUnnamed(body []csvRow, width int) []csvRow {
	const least = 3
	end := len(body) - 1
	if end < 2 || !l.mayBeSums(body, width) {
		return body
	}
	if l.middle > 0 { // the rows between are needed
		l.needsAll = true
		return body
	}
	s := l.newSummer(body[:end], width)
	s.add(body[:end])
	proved := 0
	for c, cell := range l.g.of(body[end]) {
		if cell == "" {
			continue
		}
		i, typed := slices.BinarySearch(s.cols, c)
		if !typed {
			return body
		}
		n, _, ok := sumNumber(cell, s.points[i])
		if sum := s.now.sums[i]; !ok || s.now.cells[i] < 2 || !isSum(n, sum, cell) {
			return body
		} else if sum.CmpAbs(new(big.Int)) > 0 {
			proved++
		}
	}
	if proved == 0 || proved < 2 && end < least {
		return body
	}
	l.drop(body[end], dropTotal)
	return body[:end]
}

// mayBeSums reports whether the last row begins with an empty cell, unlike the others, and has numbers behind it.
func (l *layout) mayBeSums(body []csvRow, width int) bool {
	cells := l.g.of(body[len(body)-1])
	if len(cells) > width || cells[0] != "" {
		return false
	}
	if slices.ContainsFunc(cells, func(c string) bool { return c != "" && !isTypedCell(c) }) {
		return false
	}
	return !slices.ContainsFunc(body[:len(body)-1], func(r csvRow) bool { return l.g.cells[r.from] == "" })
}
