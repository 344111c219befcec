package table

import (
	"cmp"
	"math"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
)

// sortColumn is one key of an ordering.
type sortColumn struct {
	cells *cells
	desc  bool
	texts texts
	wide  bool // decimals that need more than 64 bits
}

// keyed is a row and a word of its key. The order of the words is that of the keys.
type keyed struct {
	word uint64
	row  int32
}

// sorter orders rows by words of 64 bits: each key is one word, or several one after the other. Rows that a word leaves
// equal are ordered by the next word, then by the next key. All steps are stable.
type sorter struct {
	cols  []sortColumn
	rows  []int32
	pairs []keyed // scratch of the same length; a step uses the places of its rows only
	spare []keyed
	radix radix
	work  *Work
	steps int // rows looked at since the work was asked
}

// fewRows are ordered by comparing them.
const fewRows = 16

func sortedRows(cols []sortColumn, rows int) []int32 {
	s := newSorter(cols, rows)
	for i := range s.rows {
		s.rows[i] = int32(i)
	}
	s.sort(0, rows, 0, 0)
	return s.rows
}

// newSorter makes a sorter of which the caller fills in the rows.
func newSorter(cols []sortColumn, rows int) *sorter {
	w := workOfKeys(cols)
	w.scratch(int64(rows) * (shortNumber + 2*keyedRow))
	for i := range cols {
		switch c := cols[i].cells; c.typ {
		case Text, JSON:
			cols[i].texts = textsOf(c)
		case Decimal:
			cols[i].wide = !narrow(c, rows)
		}
	}
	return &sorter{cols: cols, rows: make([]int32, rows), pairs: make([]keyed, rows),
		spare: make([]keyed, rows), work: w}
}

// workOfKeys is the work of the table that the keys are of.
func workOfKeys(cols []sortColumn) *Work {
	if len(cols) == 0 {
		return nil
	}
	return cols[0].cells.work
}

// sort orders the rows from lo to hi, which are equal in the keys before k and in the first words of key k.
func (s *sorter) sort(lo, hi, k, word int) {
	for hi-lo > 1 && k < len(s.cols) {
		if s.steps += hi - lo; s.steps > askedRows {
			s.steps = 0
			s.work.block(lo, hi)
		}
		if hi-lo <= fewRows {
			s.insert(lo, hi, k)
			return
		}
		key := &s.cols[k]
		if word == 0 {
			nulls := s.nullsLast(lo, hi, key.cells)
			s.sort(nulls, hi, k+1, 0)
			hi = nulls
		}
		low, high := s.fill(lo, hi, key, word)
		if low == high { // the word decides nothing
			k, word = s.after(key, k, word, low)
			continue
		}
		s.radix.sort(s.pairs[lo:hi], s.spare[lo:hi], low, high)
		for i, p := range s.pairs[lo:hi] {
			s.rows[lo+i] = p.row
		}
		for from := lo; from < hi; {
			w, to := s.pairs[from].word, from+1
			for to < hi && s.pairs[to].word == w {
				to++
			}
			if to-from > 1 {
				nextKey, nextWord := s.after(key, k, word, w)
				s.sort(from, to, nextKey, nextWord)
			}
			from = to
		}
		return
	}
}

// after says which word decides between rows that are equal in this one. Texts have words in pairs: eight bytes, then
// how many of the eight were there, 9 for a text that goes on.
func (s *sorter) after(key *sortColumn, k, word int, w uint64) (int, int) {
	if key.desc {
		w = ^w
	}
	text := key.cells.text != nil
	more := text && (word&1 == 0 || w > 8)
	if more || key.wide && word == 0 {
		return k, word + 1
	}
	return k + 1, 0
}

// nullsLast moves the nulls behind the others and says where they begin.
func (s *sorter) nullsLast(lo, hi int, c *cells) int {
	if c.typ == Null {
		return lo
	}
	if c.nulls == nil {
		return hi
	}
	at, nulls := lo, s.pairs[lo:lo]
	for _, r := range s.rows[lo:hi] {
		if c.isNull(int(r)) {
			nulls = append(nulls, keyed{row: r})
		} else {
			s.rows[at] = r
			at++
		}
	}
	for i, p := range nulls {
		s.rows[at+i] = p.row
	}
	return at
}

// insert orders few rows.
func (s *sorter) insert(lo, hi, k int) {
	rows, cols := s.rows[lo:hi], s.cols[k:]
	for i := 1; i < len(rows); i++ {
		r, at := rows[i], i
		for ; at > 0 && compareRows(cols, r, rows[at-1]) < 0; at-- {
			rows[at] = rows[at-1]
		}
		rows[at] = r
	}
}

// fill writes the given word of the key for the rows from lo to hi and gives the least and greatest.
func (s *sorter) fill(lo, hi int, key *sortColumn, word int) (low, high uint64) {
	const sign = 1 << 63
	c, rows, pairs := key.cells, s.rows[lo:hi], s.pairs[lo:hi]
	each := func(word func(r int32) uint64) {
		flip := uint64(0)
		if key.desc {
			flip = math.MaxUint64
		}
		low = math.MaxUint64
		for i, r := range rows {
			w := word(r) ^ flip
			pairs[i] = keyed{w, r}
			low, high = min(low, w), max(high, w)
		}
	}
	switch c.typ {
	case Int, DateTime, Time, Duration:
		each(func(r int32) uint64 { return uint64(c.ints[r]) ^ sign })
	case Date:
		each(func(r int32) uint64 { return uint64(int64(c.days[r])) ^ sign })
	case Float:
		each(func(r int32) uint64 { return floatWord(c.floats[r]) })
	case Decimal:
		switch {
		case !key.wide:
			each(func(r int32) uint64 { return c.decs[r].LowBits() ^ sign })
		case word == 0:
			each(func(r int32) uint64 { return uint64(c.decs[r].HighBits()) ^ sign })
		default:
			each(func(r int32) uint64 { return c.decs[r].LowBits() })
		}
	case Bool:
		each(func(r int32) uint64 {
			if c.bools.Value(int(r)) {
				return 1
			}
			return 0
		})
	default:
		x, from := &key.texts, word/2*8
		if word&1 == 0 {
			each(func(r int32) uint64 { return x.word(int(r), from) })
		} else {
			each(func(r int32) uint64 { return uint64(min(x.size(int(r))-from, 9)) })
		}
	}
	return low, high
}

// floatWord maps doubles to words of the same order; -0 and 0 are one.
func floatWord(f float64) uint64 {
	const sign = 1 << 63
	b := math.Float64bits(f + 0) // -0 + 0 is 0
	if b&sign != 0 {
		return ^b
	}
	return b | sign
}

// compareRows orders two rows by the keys.
func compareRows(cols []sortColumn, a, b int32) int {
	for i := range cols {
		c := cols[i].cells
		x, y := c.isNull(int(a)), c.isNull(int(b))
		switch {
		case x && y:
			continue
		case x:
			return 1
		case y:
			return -1
		}
		if sign := c.compare(int(a), int(b)); sign != 0 {
			if cols[i].desc {
				return -sign
			}
			return sign
		}
	}
	return 0
}

// compare orders two cells that are not null.
func (c *cells) compare(a, b int) int {
	switch c.typ {
	case Int, DateTime, Time, Duration:
		return cmp.Compare(c.ints[a], c.ints[b])
	case Date:
		return cmp.Compare(c.days[a], c.days[b])
	case Float:
		return cmp.Compare(c.floats[a], c.floats[b])
	case Decimal:
		return decimal128.Num.Cmp(c.decs[a], c.decs[b])
	case Text, JSON:
		return cmp.Compare(c.text.Value(a), c.text.Value(b))
	}
	return Compare(c.value(a), c.value(b))
}
