package csv

import (
	"math"
	"slices"
	"strconv"

	"catena/table/infer"
)

// SumDigits reports whether a number is the sum of count others, and how many of its digits say so: those down to unit,
// that of the last digit which is written. It may be off by what rounding each number to the unit allows, by a
// thousandth at most. Nothing is proved by 0 digits. Readers and what looks at finished tables find totals by it.
func SumDigits(n, sum, unit float64, count int) (digits float64, ok bool) {
	const (
		rounding = 1e-9  // of doubles that were added up
		most     = 0.001 // of a total that numbers rounded one by one may be off
	)
	off := math.Abs(n - sum)
	if off > max(rounding*math.Abs(n), min(unit*float64(count)/2, most*math.Abs(n))) {
		return 0, false
	}
	if n == 0 {
		return 0, true
	}
	return max(math.Log10(math.Abs(n)/max(off, unit)), 0), true
}

// isMean allows for the digits that a mean was rounded to.
func isMean(n float64, places int, sum float64, count int) bool {
	const rounding = 1e-9
	return math.Abs(n-sum/float64(count)) <= math.Pow10(-places)/2+rounding*math.Abs(n)
}

func (l *layout) newSummer(body []csvRow, width int) *summer {
	s := &summer{l: l, strong: map[string]bool{}}
	for c := range width {
		if point, ok := l.pointOf(body, c); ok {
			s.cols, s.points = append(s.cols, c), append(s.points, point)
		}
	}
	s.now, s.places = mark{
		sums:  make([]float64, len(s.cols)),
		cells: make([]int, len(s.cols)),
	}, make(
		[]int,
		len(s.cols),
	)
	s.marks = []mark{s.now.copy()}
	return s
}

func (m mark) copy() mark {
	m.sums, m.cells = slices.Clone(m.sums), slices.Clone(m.cells)
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
			if n, places, ok := sumNumber(cells[c], s.points[i]); ok {
				s.now.sums[i] += n
				s.now.cells[i]++
				s.places[i] = max(s.places[i], places)
			}
		}
		s.rows++
		s.last = r
	}
	s.now.rows = s.rows
}

// proves tries the places where the rows of a total may begin, the nearest first, and says what the row is; "" when it
// fits none.
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
		if n == 0 || n < totalSources && t.of == "" && !s.strong[t.name] ||
			!s.l.g.Sums[r.line] && !s.fits(cells, t, from) {
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
			return DropMean
		case k > 0 || t.part:
			return DropSubtotal
		}
		return DropTotal
	}
	return ""
}

// fits holds the cells of a row against the rows since a mark. In a total one cell at least is a sum, or the number of
// rows; others may be means, shares and what names the group. A row without a name has sums alone: of several columns,
// or of three rows.
func (s *summer) fits(cells []string, t *totalRow, from *mark) bool {
	sums, means := 0, 0
	last := s.l.g.of(s.last)
	for c, cell := range cells {
		if c == t.label || cell == "" || infer.IsNullWord(cell) || c < len(last) && last[c] == cell && c < t.label {
			continue
		}
		i, typed := slices.BinarySearch(s.cols, c)
		if !typed { // a number below texts counts them
			if t.unnamed() || cell != strconv.Itoa(s.rows-from.rows) {
				return false
			}
			sums++
			continue
		}
		n, places, ok := sumNumber(cell, s.points[i])
		count, sum := s.now.cells[i]-from.cells[i], s.now.sums[i]-from.sums[i]
		if !ok || count == 0 {
			return false
		}
		proves := 1
		if n == 0 { // nothing is proved by zeros
			proves = 0
		}
		_, adds := SumDigits(n, sum, math.Pow10(-max(places, s.places[i])), count)
		switch {
		case adds && !t.mean:
			sums += proves
		case t.unnamed():
			return false
		case isMean(n, places, sum, count):
			means += proves
		case cell[len(cell)-1] != '%': // shares are not added up
			return false
		}
	}
	t.sums = sums
	switch {
	case t.mean:
		return means > 0
	case t.unnamed():
		return sums > 1 || sums > 0 && s.rows-from.rows > totalSources
	}
	return sums > 0
}

// sumNumber reads a number with its separators, currency and percent signs, and how many digits it has behind the
// point.
func sumNumber(s string, point byte) (n float64, places int, ok bool) {
	const longest = 60
	if len(s) > longest {
		return 0, 0, false
	}
	if plain, _, ok := infer.Undress(s, point); ok {
		s = plain
	} else if point == ',' {
		return 0, 0, false
	}
	kind, _, scale := infer.ScanNumber(s)
	if kind != infer.Whole && kind != infer.Fraction {
		return 0, 0, false
	}
	n, _, ok = infer.ReadFloat(s)
	return n, int(scale), ok
}
