package table

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

func (l *layout) newSummer(body []csvRow, width int) *summer {
	s := &summer{l: l, strong: map[string]bool{}}
	for c := range width {
		if point, ok := l.pointOf(body, c); ok {
			s.cols, s.points = append(s.cols, c), append(s.points, point)
		}
	}
	s.now = mark{sums: make([]*big.Int, len(s.cols)), cells: make([]int, len(s.cols))}
	for i := range s.now.sums {
		s.now.sums[i] = new(big.Int)
	}
	s.marks = []mark{s.now.copy()}
	return s
}

func (m mark) copy() mark {
	m.sums, m.cells = slices.Clone(m.sums), slices.Clone(m.cells)
	for i, n := range m.sums {
		m.sums[i] = new(big.Int).Set(n)
	}
	return m
}

// add counts ordinary rows.
func (s *summer) add(rows []csvRow) {
	for _, r := range rows {
		cells := s.l.g.of(r)
		for i, c := range s.cols {
			if c >= len(cells) || cells[c] == "" {
				continue
			}
			if n, _, ok := sumNumber(cells[c], s.points[i]); ok {
				s.now.sums[i].Add(s.now.sums[i], n)
				s.now.cells[i]++
			}
		}
		s.rows++
		s.last = r
	}
	s.now.rows = s.rows
}

// proves tries the places where the rows of a total may begin, the nearest first, and says what the row is; "" when it fits none.
func (s *summer) proves(r csvRow, t *totalRow) string {
	const most = 256 // places that are tried
	cells := s.l.g.of(r)
	for k := len(s.marks) - 1; k >= 0; k-- {
		if k > 0 && len(s.marks)-k > most {
			k = 0
		}
		from := &s.marks[k]
		n := s.rows - from.rows
		if s.work += len(s.cols) + 1; s.work > mostWork {
			return ""
		}
		if n == 0 || n == 1 && t.of == "" && !s.strong[t.name] || !s.l.g.sums[r.line] && !s.fits(cells, t, from) {
			continue
		}
		t.from = from.at
		if s.strong[t.name] = s.strong[t.name] || n > 1; from.rows < s.rows {
			s.marks = append(s.marks[:k+1], s.now.copy())
			s.marks[k+1].at = t.at + 1
		} else {
			s.marks = s.marks[:k+1]
		}
		if len(s.marks) > most+1 {
			s.marks = slices.Delete(s.marks, 1, 2)
		}
		switch {
		case t.mean:
			return dropMean
		case k > 0 || t.part:
			return dropSubtotal
		}
		return dropTotal
	}
	return ""
}

// fits holds the cells of a row against the rows since a mark. In a total one cell at least is a sum, or the number of rows; others may be means, shares and what names the group.
func (s *summer) fits(cells []string, t *totalRow, from *mark) bool {
	sums, means := 0, 0
	last := s.l.g.of(s.last)
	for c, cell := range cells {
		if c == t.label || cell == "" || isNullWord(cell) || c < len(last) && last[c] == cell && c < t.label {
			continue
		}
		i, typed := slices.BinarySearch(s.cols, c)
		if !typed { // a number below texts counts them
			if cell != strconv.Itoa(s.rows-from.rows) {
				return false
			}
			sums++
			continue
		}
		n, places, ok := sumNumber(cell, s.points[i])
		count := s.now.cells[i] - from.cells[i]
		switch sum := new(big.Int).Sub(s.now.sums[i], from.sums[i]); {
		case !ok || count == 0:
			return false
		case !t.mean && isSum(n, sum, cell):
			sums += sum.CmpAbs(new(big.Int)) // nothing is proved by zeros
		case isMean(n, places, sum, count):
			means += sum.CmpAbs(new(big.Int))
		case cell[len(cell)-1] != '%': // shares are not added up
			return false
		}
	}
	t.sums = sums
	if t.mean {
		return means > 0
	}
	return sums > 0
}

// isSum compares exactly; a double with all its digits may be off in the last ones.
func isSum(n, sum *big.Int, cell string) bool {
	if n.Cmp(sum) == 0 {
		return true
	}
	const long, off = 16, 1_000_000_000_000 // digits; the share of the sum that it may be off
	if significant(cell) < long {
		return false
	}
	diff := new(big.Int).Sub(n, sum)
	return diff.Mul(diff, big.NewInt(off)).CmpAbs(sum) <= 0
}

// isMean allows for the digits that a mean was rounded to.
func isMean(n *big.Int, places int, sum *big.Int, count int) bool {
	of := big.NewInt(int64(count))
	diff := new(big.Int).Mul(n, of)
	diff.Sub(diff, sum).Lsh(diff, 1)
	return diff.CmpAbs(of.Mul(of, tenTo(sumPlaces-places))) <= 0
}

// tenTo is 10^n for 0 to sumPlaces.
func tenTo(n int) *big.Int { return big.NewInt(intPowers[n]) }

// sumNumber reads a number with its separators, currency and percent signs in units of 10^-sumPlaces, and how many digits it has behind the point.
func sumNumber(s string, point byte) (n *big.Int, places int, ok bool) {
	const longest = 60
	if len(s) > longest {
		return nil, 0, false
	}
	if plain, _, ok := undress(s, point); ok {
		s = plain
	} else if point == ',' {
		return nil, 0, false
	}
	if small, scale, ok := plainNumber(s); ok {
		n = big.NewInt(small)
		return n.Mul(n, tenTo(sumPlaces-int(scale))), int(scale), true
	}
	kind, _, scale := scanNumber(s)
	if kind != whole && kind != fraction || scale > sumPlaces {
		return nil, 0, false
	}
	n, ok = new(big.Int).SetString(strings.TrimPrefix(strings.Replace(s, ".", "", 1), "+"), 10)
	if !ok {
		return nil, 0, false
	}
	return n.Mul(n, tenTo(sumPlaces-int(scale))), int(scale), true
}
