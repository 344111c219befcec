package table

import (
	"math"
	"slices"
	"strings"
)

// Sort orders the rows by the keys, the first key weighing most; equal rows keep their order. Nulls come last in either
// direction. Text and JSON sort by bytes.
func (t *Table) Sort(keys ...SortKey) (*Table, error) {
	cols := make([]int, len(keys))
	for i, key := range keys {
		c, err := t.Lookup(key.Column)
		if err != nil {
			return nil, err
		}
		cols[i] = c
	}
	rows := make([]int, t.NumRows())
	for i := range rows {
		rows[i] = i
	}
	for i := len(keys) - 1; i >= 0; i-- { // stable passes from the least key to the greatest
		rows = sortRows(rows, &t.cells[cols[i]], keys[i].Desc)
	}
	return t.take(rows), nil
}

// sortRows sorts stably by one column; rows is overwritten.
func sortRows(rows []int, key *cells, desc bool) []int {
	valid, nulls := rows[:0], []int(nil)
	for _, r := range rows {
		if key.isNull(r) {
			nulls = append(nulls, r)
		} else {
			valid = append(valid, r)
		}
	}
	if bits, ok := sortBits(valid, key); ok {
		if desc {
			for i := range bits {
				bits[i] = ^bits[i]
			}
		}
		radixSort(valid, bits)
	} else {
		slices.SortStableFunc(valid, func(a, b int) int {
			if desc {
				a, b = b, a
			}
			return key.compare(a, b)
		})
	}
	return append(valid, nulls...)
}

// compare orders two cells that are not null.
func (c *cells) compare(a, b int) int {
	switch {
	case c.text != nil:
		return strings.Compare(c.text.Value(a), c.text.Value(b))
	case c.decs != nil:
		return c.decs[a].Cmp(c.decs[b])
	}
	return Compare(c.value(a), c.value(b))
}

// sortBits maps cells to integers of the same order; false where 64 bits do not suffice.
func sortBits(rows []int, key *cells) ([]uint64, bool) {
	const sign = 1 << 63
	bits := make([]uint64, len(rows))
	switch key.typ {
	case Int, DateTime, Time, Duration:
		for i, r := range rows {
			bits[i] = uint64(key.ints[r]) ^ sign
		}
	case Date:
		for i, r := range rows {
			bits[i] = uint64(int64(key.days[r])) ^ sign
		}
	case Float:
		for i, r := range rows {
			f := key.floats[r] + 0 // -0 + 0 is 0
			b := math.Float64bits(f)
			if b&sign != 0 {
				b = ^b
			} else {
				b |= sign
			}
			bits[i] = b
		}
	case Decimal:
		for i, r := range rows {
			if !fitsInt64(key.decs[r]) {
				return nil, false
			}
			bits[i] = key.decs[r].LowBits() ^ sign
		}
	case Bool:
		for i, r := range rows {
			if key.bools.Value(r) {
				bits[i] = 1
			}
		}
	default:
		return nil, false
	}
	return bits, true
}

// radixSort sorts rows by bits, stably, a byte at a time from the lowest; bytes that are the same everywhere cost nothing.
func radixSort(rows []int, bits []uint64) {
	type pair struct {
		key uint64
		row int
	}
	from, to := make([]pair, len(rows)), make([]pair, len(rows))
	for i, r := range rows {
		from[i] = pair{bits[i], r}
	}
	for shift := 0; shift < 64; shift += 8 {
		var count [256]int
		for _, p := range from {
			count[byte(p.key>>shift)]++
		}
		if len(from) > 0 && count[byte(from[0].key>>shift)] == len(from) {
			continue
		}
		at := 0
		for i, n := range count {
			count[i] = at
			at += n
		}
		for _, p := range from {
			b := byte(p.key >> shift)
			to[count[b]] = p
			count[b]++
		}
		from, to = to, from
	}
	for i, p := range from {
		rows[i] = p.row
	}
}
