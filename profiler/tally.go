package profiler

import (
	"hash/maphash"
	"math"
	"math/bits"

	"catena/table"
)

// tally counts the distinct cells of one column in an open-addressing table with linear probing.
type tally struct {
	table   *table.Table
	col     int
	seed    maphash.Seed
	entries []entry // len is a power of two; an entry with count 0 is free
	n       int
	exact   bool // equal keys mean equal cells
}

// entry is one distinct cell.
type entry struct {
	key   uint64
	row   int32 // where it was seen first
	count int32
}

func newTally(t *table.Table, col int) *tally {
	typ := t.Column(col).Type
	return &tally{table: t, col: col, seed: maphash.MakeSeed(), entries: make([]entry, 64), exact: typ != table.Text && typ != table.JSON && typ != table.Decimal}
}

// add counts the cell v of a row, which is not null, and reports whether it is the first of its value.
func (t *tally) add(row int, v table.Value) bool {
	if 4*t.n >= 3*len(t.entries) {
		t.grow()
	}
	key := t.key(v)
	mask := uint64(len(t.entries) - 1)
	for i := mix(key) & mask; ; i = (i + 1) & mask {
		e := &t.entries[i]
		if e.count == 0 {
			*e = entry{key, int32(row), 1}
			t.n++
			return true
		}
		if e.key == key && (t.exact || table.Equal(t.table.Value(int(e.row), t.col), v)) {
			e.count++
			return false
		}
	}
}

func (t *tally) grow() {
	old := t.entries
	t.entries = make([]entry, 4*len(old))
	mask := uint64(len(t.entries) - 1)
	for _, e := range old {
		if e.count == 0 {
			continue
		}
		i := mix(e.key) & mask
		for t.entries[i].count != 0 {
			i = (i + 1) & mask
		}
		t.entries[i] = e
	}
}

// key is a number that equal cells share.
func (t *tally) key(v table.Value) uint64 {
	switch v.Type() {
	case table.Text, table.JSON:
		return maphash.String(t.seed, v.Text())
	case table.Int:
		i, _ := v.Int()
		return uint64(i)
	case table.Float, table.Decimal:
		f, _ := v.Float()
		return math.Float64bits(f + 0) // -0 + 0 is 0
	case table.Date, table.DateTime:
		at, _ := v.Time()
		return uint64(at.UnixMicro())
	case table.Time, table.Duration:
		us, _ := v.Micros()
		return uint64(us)
	}
	if v.Bool() {
		return 1
	}
	return 0
}

// mix spreads keys that differ in few bits, such as whole numbers stored as doubles.
func mix(key uint64) uint64 {
	hi, lo := bits.Mul64(key^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}
