package csv

import (
	"math"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// columnShape is what the cells of a column look like, counted.
type columnShape struct {
	n     int
	seen  [shapeFeatures]map[string]int
	total [shapeFeatures]int // distinct ones
}

const shapeFeatures = 6

// shapeRows is how many rows a column's look is taken from.
const shapeRows = 500

// features describes a cell from fine to coarse: its pattern (digits 9, letters A and a), the pattern with runs
// shortened, its first and last characters' classes, its length and the characters it has.
func features(cell string) [shapeFeatures]string {
	if cell == "" {
		return [shapeFeatures]string{}
	}
	var fine, coarse strings.Builder
	var last byte
	set, letters := uint16(0), 0
	for i, r := range cell {
		c := classOf(r)
		if i < 32 {
			fine.WriteByte(c)
		}
		if c != last && coarse.Len() < 24 {
			coarse.WriteByte(c)
		}
		last = c
		switch c {
		case '9':
			set |= 1
		case 'A', 'a':
			letters++
			set |= 2
		case ' ':
			set |= 4
		case '"':
			set |= 8
		default:
			set |= 16 << (c % 8)
		}
	}
	r, _ := utf8.DecodeRuneInString(cell)
	short := fine.String()
	if letters > 8 {
		short = "text"
	}
	return [shapeFeatures]string{short, coarse.String(), string(rune(classOf(r))), string(rune(last)),
		string(rune('0' + bits.Len(uint(len(cell))))), string(rune(set + 1))}
}

// classOf is 9 for digits, A and a for letters, and the character itself for the rest of ASCII.
func classOf(r rune) byte {
	switch {
	case r >= '0' && r <= '9':
		return '9'
	case r >= 'A' && r <= 'Z':
		return 'A'
	case r >= 'a' && r <= 'z':
		return 'a'
	case r < 0x80:
		return byte(r)
	case unicode.IsUpper(r):
		return 'A'
	case unicode.IsLetter(r):
		return 'a'
	}
	return '?'
}

func (s *columnShape) add(cell string) {
	s.n++
	for i, f := range features(cell) {
		if s.seen[i] == nil {
			s.seen[i] = map[string]int{}
		}
		if s.seen[i][f] == 0 {
			s.total[i]++
		}
		s.seen[i][f]++
	}
}

// fit is how likely a cell is in the column: the logarithms of its features' shares, smoothed, added up. It is at most
// 0.
func (s *columnShape) fit(cell string) float64 {
	sum := 0.0
	for i, f := range features(cell) {
		count := float64(s.seen[i][f])
		sum += math.Log((count + 0.05) / (float64(s.n) + 0.05*float64(s.total[i]+1)))
	}
	return sum
}

// shapes are the columns of a table as its regular rows show them.
type shapes struct {
	cols  []columnShape
	floor float64 // what all but a few of the regular rows reach
}

// shapesOf looks at the regular rows of a table; nil when there are too few to go by.
func (g *grid) shapesOf(rows []csvRow, width int) *shapes {
	const few = 8
	s := &shapes{cols: make([]columnShape, width)}
	var regular []csvRow
	step := max(1, len(rows)/shapeRows)
	for i := 0; i < len(rows); i += step {
		if r := rows[i]; r.to-r.from == width && !r.stray {
			regular = append(regular, r)
		}
	}
	if len(regular) < few || len(regular)*5 < (len(rows)+step-1)/step*3 {
		return nil
	}
	for _, r := range regular {
		for c, cell := range g.of(r) {
			s.cols[c].add(cell)
		}
	}
	s.floor = math.Inf(1)
	for _, r := range regular {
		s.floor = min(s.floor, s.fit(g.of(r)))
	}
	s.floor -= 3*float64(width) + 10
	return s
}

// fit adds up the cells' fits; cells that a short row lacks at its end cost little: that rows are cut short is common.
func (s *shapes) fit(row []string) float64 {
	const missing = -6
	sum := 0.0
	for c := range s.cols {
		if c < len(row) {
			sum += s.cols[c].fit(row[c])
		} else {
			sum += max(missing, s.cols[c].fit(""))
		}
	}
	return sum
}
