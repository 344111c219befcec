package table

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/internal/lane"
	"catena/internal/parallel"
)

// grouping assigns each row to a group of rows that are equal in the key columns.
type grouping struct {
	group []int32 // of each row
	first []int   // the first row of each group, in order of appearance
	work  *Work
}

// groupRows groups by the raw cells of the given columns; nulls equal each other. Without columns all rows are one
// group.
func (t *Table) groupRows(cols []int) grouping {
	keys := make([]*cells, len(cols))
	for i, c := range cols {
		keys[i] = &t.cells[c]
	}
	return groupCells(keys, t.NumRows(), t.bounded())
}

// groupCells groups by the first key, then splits the groups by each further one, until no two rows are equal.
func groupCells(keys []*cells, rows int, w *Work) grouping {
	if len(keys) == 0 {
		g := newGrouping(rows, w)
		if rows > 0 {
			g.first = []int{0}
		}
		return g
	}
	g := groupColumn(keys[0], rows)
	for _, key := range keys[1:] {
		if len(g.first) == rows {
			return g
		}
		g = g.split(groupColumn(key, rows))
	}
	return g
}

func newGrouping(rows int, w *Work) grouping {
	w.scratch(int64(rows) * shortNumber)
	return grouping{group: make([]int32, rows), work: w}
}

func (g *grouping) add(row int) int32 {
	g.first = append(g.first, row)
	return int32(len(g.first) - 1)
}

// split gives the groups of rows that are equal in both groupings.
func (g *grouping) split(by grouping) grouping {
	switch {
	case len(by.first) <= 1:
		return *g
	case len(g.first) <= 1:
		return by
	}
	width := len(by.first)
	return groupWords(len(g.group), len(g.first)*width, nil, by.work, func(r int) uint64 {
		return uint64(g.group[r])*uint64(width) + uint64(by.group[r])
	})
}

func groupColumn(key *cells, rows int) grouping {
	switch key.typ {
	case Int, DateTime, Time, Duration:
		return groupInts(key, key.ints, rows)
	case Date:
		return groupInts(key, key.days, rows)
	case Bool:
		return groupWords(rows, 2, key, key.work, func(r int) uint64 {
			if key.bools.Value(r) {
				return 1
			}
			return 0
		})
	case Float:
		// -0 + 0 is 0
		return groupWords(rows, math.MaxInt, key, key.work, func(r int) uint64 {
			return math.Float64bits(key.floats[r] + 0)
		})
	case Decimal:
		g := groupWords(rows, math.MaxInt, key, key.work, func(r int) uint64 { return key.decs[r].LowBits() })
		if narrow(key, rows) {
			return g
		}
		return g.split(groupWords(rows, math.MaxInt, key, key.work, func(r int) uint64 {
			return uint64(key.decs[r].HighBits())
		}))
	case Text, JSON:
		return groupTexts(key, rows)
	}
	return groupCells(nil, rows, key.work)
}

// narrow reports whether all decimals fit 64 bits.
func narrow(key *cells, rows int) bool {
	for r := range rows {
		if !FitsInt64(key.decs[r]) && !key.isNull(r) {
			return false
		}
	}
	return true
}

func groupInts[T int64 | arrow.Date32](key *cells, ints []T, rows int) grouping {
	low, high, any := T(0), T(0), false
	for r, x := range ints[:rows] {
		if key.isNull(r) {
			continue
		}
		if !any {
			low, high, any = x, x, true
		}
		low, high = min(low, x), max(high, x)
	}
	span := math.MaxInt
	if d := uint64(int64(high)) - uint64(int64(low)); d < math.MaxInt32 {
		span = int(d) + 1
	}
	base := uint64(int64(low))
	return groupWords(rows, span, key, key.work, func(r int) uint64 { return uint64(int64(ints[r])) - base })
}

// groupWords groups rows by a word of each. Words below span are looked up in an array where that is no larger than the
// rows are worth, others in a dictionary. Cells that are null are a group of their own; a nil key has none.
func groupWords(rows, span int, key *cells, work *Work, word func(int) uint64) grouping {
	g := newGrouping(rows, work)
	null := int32(-1)
	isNull := func(r int) bool {
		if key == nil || !key.isNull(r) {
			return false
		}
		if null < 0 {
			null = g.add(r)
		}
		g.group[r] = null
		return true
	}
	if span <= 4*rows+1024 {
		work.scratch(int64(span)*shortNumber + 2*rowNumber*int64(min(span, rows)))
		ids := make([]int32, span) // number of the group plus one
		for lo, hi := work.block(0, rows); lo < hi; lo, hi = work.block(hi, rows) {
			for r := lo; r < hi; r++ {
				if isNull(r) {
					continue
				}
				w := word(r)
				if ids[w] == 0 {
					ids[w] = g.add(r) + 1
				}
				g.group[r] = ids[w] - 1
			}
		}
		return g
	}
	seen := newWordDict(work)
	numbers := make([]int32, 0, 64) // group of each word: the group of nulls stands between
	for lo, hi := work.block(0, rows); lo < hi; lo, hi = work.block(hi, rows) {
		for r := lo; r < hi; r++ {
			if isNull(r) {
				continue
			}
			id, fresh := seen.put(word(r))
			if fresh {
				numbers = append(numbers, g.add(r))
			}
			g.group[r] = numbers[id]
		}
	}
	return g
}

// groupTexts groups the parts of a long column each for itself, and brings their groups together.
func groupTexts(key *cells, rows int) grouping {
	const worth, tried = 50_000, 8192 // rows of a part, and of those that are grouped first
	g, x := newGrouping(rows, key.work), textsOf(key)
	parts := make([]textGroups, max(1, min(lane.Processors(), rows/worth)))
	all := &parts[0]
	first := min(tried, rows)
	all.read(key, &x, g.group, 0, first)
	if 4*len(all.first) > first { // where so many differ, to bring them together costs what it saves
		parts = parts[:1]
	}
	cut := func(i int) int { return first + int(int64(rows-first)*int64(i)/int64(len(parts))) }
	parallel.Columns(len(parts), rows, func(i int) { parts[i].read(key, &x, g.group, cut(i), cut(i+1)) })
	eachNumber := make([][]int32, len(parts))
	for i := range parts[1:] {
		for _, r := range parts[i+1].first {
			eachNumber[i+1] = append(eachNumber[i+1], all.number(key, &x, r))
		}
	}
	parallel.Columns(len(parts)-1, rows, func(i int) {
		numbers, part := eachNumber[i+1], g.group[cut(i+1):cut(i+2)]
		for r, id := range part {
			part[r] = numbers[id]
		}
	})
	g.first = all.first
	return g
}

// textGroups are groups of texts.
type textGroups struct {
	seen    *textDict
	numbers []int32 // group of each text: the group of nulls stands between
	null    int32   // the group of nulls plus one
	first   []int   // row of each group
}

// read groups the rows from from up to to.
func (t *textGroups) read(key *cells, x *texts, group []int32, from, to int) {
	if t.seen == nil {
		t.seen, t.numbers = newTextDict(key.work), make([]int32, 0, 64)
	}
	for lo, hi := key.work.block(from, to); lo < hi; lo, hi = key.work.block(hi, to) {
		for r := lo; r < hi; r++ {
			group[r] = t.number(key, x, r)
		}
	}
}

// number is the group of a row.
func (t *textGroups) number(key *cells, x *texts, r int) int32 {
	if key.isNull(r) {
		if t.null == 0 {
			t.first = append(t.first, r)
			t.null = int32(len(t.first))
		}
		return t.null - 1
	}
	id, fresh := t.seen.put(x.at(r))
	if fresh {
		t.numbers = append(t.numbers, int32(len(t.first)))
		t.first = append(t.first, r)
	}
	return t.numbers[id]
}
