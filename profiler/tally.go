package profiler

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"catena/table"
)

// tally counts the distinct cells of one column. Entries stand in the order in which the cells were first seen; slots
// find them by open addressing with linear probing. A slot holds the upper half of a cell's hash and, in its lower
// half, the entry's index plus one; 0 is free.
//
// Up to limit distinct cells, counts are exact. Beyond, the tally goes on as two sketches: distinct cells are estimated
// by registers, and counts become lower bounds, too low by lost at most.
type tally struct {
	slots   []uint64
	entries []counted
	rows    int // cells to come, at most
	seen    int // cells so far
	limit   int
	sketch  *registers // nil while exact
	lost    int32
}

// counted is one distinct cell of a tally.
type counted struct {
	key, tail uint64 // its ordinal and 0, the halves of a wide decimal, or what table.Buffers.TextKey gives
	entry
}

// entry is one distinct cell.
type entry struct {
	row   int32 // where it was seen first, for what is told by its row
	count int32
}

const (
	tagBits   = ^uint64(1<<32 - 1) // of a slot
	minSlots  = 64
	wideLimit = 1 << 22 // distinct cells that are counted exactly unless Options say otherwise: 160 MiB
)

// newTally makes a tally of up to rows cells; slots is memory that it may use, for as long as it counts.
func newTally(rows, limit int, slots []uint64) *tally {
	t := &tally{rows: rows, limit: limit}
	t.slots = grown(slots, minSlots)
	clear(t.slots)
	t.entries = make([]counted, 0, min(rows, minSlots/2))
	return t
}

// addOrdinals counts cells by their ordinals.
func (t *tally) addOrdinals(ords []int64) {
	mask := uint64(len(t.slots) - 1)
next:
	for i, o := range ords {
		key := uint64(o)
		hash := mix(key, 0)
		at := hash & mask
		for ; t.slots[at] != 0; at = (at + 1) & mask {
			if slot := t.slots[at]; (slot^hash)&tagBits == 0 {
				if e := &t.entries[uint32(slot)-1]; e.key == key {
					e.count++
					continue next
				}
			}
		}
		t.insert(hash, counted{key: key, entry: entry{0, 1}}, at, t.seen+i)
		mask = uint64(len(t.slots) - 1)
	}
	t.seen += len(ords)
}

// add counts one cell by its key and tail, which are equal where cells are.
func (t *tally) add(key, tail uint64, row int) {
	mask := uint64(len(t.slots) - 1)
	hash := mix(key, tail)
	at := hash & mask
	for ; t.slots[at] != 0; at = (at + 1) & mask {
		if slot := t.slots[at]; (slot^hash)&tagBits == 0 {
			if e := &t.entries[uint32(slot)-1]; e.key == key && e.tail == tail {
				e.count++
				t.seen++
				return
			}
		}
	}
	t.insert(hash, counted{key, tail, entry{int32(row), 1}}, at, t.seen)
	t.seen++
}

// addTexts counts the texts of the rows from from up to to that are not null.
func (t *tally) addTexts(buf *table.Buffers, from, to int) {
	mask, nulls := uint64(len(t.slots)-1), buf.HasNulls()
next:
	for row := from; row < to; row++ {
		if nulls && buf.IsNull(row) {
			continue
		}
		key, tail := buf.TextKey(row)
		hash := mix(key, tail)
		at := hash & mask
		for ; t.slots[at] != 0; at = (at + 1) & mask {
			if slot := t.slots[at]; (slot^hash)&tagBits == 0 {
				if e := &t.entries[uint32(slot)-1]; e.key == key && e.tail == tail &&
					(tail < table.LongText || buf.Text(int(e.row)) == buf.Text(row)) {
					e.count++
					t.seen++
					continue next
				}
			}
		}
		t.insert(hash, counted{key, tail, entry{int32(row), 1}}, at, t.seen)
		t.seen++
		mask = uint64(len(t.slots) - 1)
	}
}

// insert adds an entry at a free slot, after seen cells.
func (t *tally) insert(hash uint64, e counted, at uint64, seen int) {
	if t.sketch != nil {
		t.sketch.add(hash)
	}
	if len(t.entries) >= t.limit {
		t.shed()
		t.sketch.add(hash)
		at = t.free(hash)
	} else if 2*(len(t.entries)+1) > len(t.slots) {
		t.grow(seen)
		at = t.free(hash)
	}
	t.entries = append(t.entries, e)
	t.slots[at] = hash&tagBits | uint64(len(t.entries))
}

// free is the slot where the probing for a hash ends.
func (t *tally) free(hash uint64) uint64 {
	mask := uint64(len(t.slots) - 1)
	at := hash & mask
	for t.slots[at] != 0 {
		at = (at + 1) & mask
	}
	return at
}

// grow makes room: for all cells to come where most so far were new, else for four times as many.
func (t *tally) grow(seen int) {
	want := 4 * len(t.slots)
	if len(t.entries) >= 1024 && 4*len(t.entries) > 3*seen {
		want = max(want, 1<<bits.Len(uint(2*min(t.rows, t.limit))))
		t.entries = slices.Grow(t.entries, min(t.rows, t.limit)-len(t.entries))
	}
	t.slots = grown(t.slots, min(want, 1<<bits.Len(uint(2*t.limit))))
	t.rehash()
}

func (t *tally) rehash() {
	clear(t.slots)
	for i := range t.entries {
		e := &t.entries[i]
		hash := e.hash()
		t.slots[t.free(hash)] = hash&tagBits | uint64(i+1)
	}
}

// shed drops the rarer half of the entries and lowers the counts of the others by as much as the dropped ones had, so
// that no count is too high and none is too low by more than lost (Anderson et al., A High-Performance Algorithm for
// Identifying Frequent Items in Data Streams, 2017). From then on the sketch counts what is distinct.
func (t *tally) shed() {
	if t.sketch == nil {
		t.sketch = new(registers)
		for i := range t.entries {
			e := &t.entries[i]
			t.sketch.add(e.hash())
		}
	}
	step := max(1, len(t.entries)/1024)
	var sample []int32
	for i := 0; i < len(t.entries); i += step {
		sample = append(sample, t.entries[i].count)
	}
	slices.Sort(sample)
	least := sample[len(sample)/2]
	t.lost += least
	t.entries = slices.DeleteFunc(t.entries, func(e counted) bool { return e.count <= least })
	for i := range t.entries {
		t.entries[i].count -= least
	}
	t.rehash()
}

// distinct is how many distinct cells there were, and the relative standard error of that number, 0 when it is exact.
func (t *tally) distinct() (int, float64) {
	if t.sketch == nil {
		return len(t.entries), 0
	}
	return min(t.sketch.estimate(), t.seen), registerError
}

// list is the entries without their keys.
func (t *tally) list() []entry {
	out := make([]entry, len(t.entries))
	for i := range t.entries {
		out[i] = t.entries[i].entry
	}
	return out
}

func (e *counted) hash() uint64 { return mix(e.key, e.tail) }

// mixSeed is drawn once for the process, so that nobody can choose cells that fall into the same slots.
var mixSeed = [2]uint64{rand.Uint64(), rand.Uint64() | 1}

// mix is the hash of a key and its tail: two wide multiplications, as in wyhash. It spreads keys that differ in few
// bits, such as whole numbers stored as doubles, whatever was drawn: with one multiplication, one draw in a hundred put
// more than ten of 16,384 such keys into one of 32,768 slots (own measurement, 20,000 draws; with two, nine at most).
func mix(key, tail uint64) uint64 {
	const golden = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio, odd
	hi, lo := bits.Mul64(key^mixSeed[0], tail^mixSeed[1])
	hi, lo = bits.Mul64(hi^lo^mixSeed[0], golden)
	return hi ^ lo
}
