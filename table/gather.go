package table

import (
	"runtime"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"catena/internal/parallel"
)

// Take is the given rows in the given order; a row may repeat, and one of -1 gives nulls. It panics when one is out of
// range. An error is that of the table's Work.
func (t *Table) Take(rows []int) (*Table, error) {
	return t.bounded().run(func() (*Table, error) { return t.take(rows), nil })
}

// bounded is the table's work.
func (t *Table) bounded() *Work {
	if t == nil {
		return nil
	}
	return t.work
}

// take is Take; a row of -1 gives nulls.
func (t *Table) take(rows []int) *Table {
	arrays, order := make([]arrow.Array, t.NumCols()), t.textsFirst()
	parallel.Columns(len(arrays), len(rows), func(i int) {
		c := order[i]
		arrays[c] = takeColumn(t.cols[c], &t.cells[c], rows)
	})
	return must(t.Columns(), arrays)
}

// textsFirst orders the columns by what they cost to copy, so that no worker begins with long texts when the others
// have finished.
func (t *Table) textsFirst() []int {
	order, cost := make([]int, t.NumCols()), make([]int, t.NumCols())
	for c := range order { // a nil table has none
		order[c] = c
		for _, b := range t.arrays[c].Data().Buffers() {
			if b != nil {
				cost[c] += b.Len()
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cost[b] - cost[a] })
	return order
}

// takeColumn is take for one column.
func takeColumn(col Column, src *cells, rows []int) arrow.Array {
	if src.typ == Null {
		return array.NewNull(len(rows))
	}
	src.work.block(0, len(rows)) // asks whether it goes on
	src.work.drawColumn(src.typ, len(rows))
	valid, nulls := takeValid(src, rows)
	buffers := make([]*memory.Buffer, 1, 3)
	if nulls > 0 {
		buffers[0] = memory.NewBufferBytes(valid)
	}
	plain := func(b []byte) { buffers = append(buffers, memory.NewBufferBytes(b)) }
	switch src.typ {
	case Int, DateTime, Time, Duration:
		plain(arrow.Int64Traits.CastToBytes(pick(src.ints, rows)))
	case Date:
		plain(arrow.Date32Traits.CastToBytes(pick(src.days, rows)))
	case Float:
		plain(arrow.Float64Traits.CastToBytes(pick(src.floats, rows)))
	case Decimal:
		plain(arrow.Decimal128Traits.CastToBytes(pick(src.decs, rows)))
	case Bool:
		plain(pickBools(src.bools, rows))
	case Text, JSON:
		offsets, text := pickTexts(textsOf(src), rows, valid, src.work)
		plain(arrow.Int64Traits.CastToBytes(offsets))
		plain(text)
	}
	return array.MakeFromData(array.NewData(ArrowType(col), len(rows), buffers, nil, nulls, 0))
}

// takeValid is the bitmap of the rows that are not null, nil when none is.
func takeValid(src *cells, rows []int) (valid []byte, nulls int) {
	if src.nulls == nil {
		missing := false
		for _, r := range rows {
			missing = missing || r < 0
		}
		if !missing {
			return nil, 0
		}
	}
	valid = make([]byte, (len(rows)+7)/8)
	for i, r := range rows {
		if r < 0 || src.isNull(r) {
			nulls++
		} else {
			valid[i>>3] |= 1 << (i & 7)
		}
	}
	return valid, nulls
}

func pick[T any](from []T, rows []int) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		if r >= 0 {
			out[i] = from[r]
		}
	}
	return out
}

func pickBools(from *array.Boolean, rows []int) []byte {
	out := make([]byte, (len(rows)+7)/8)
	for i, r := range rows {
		if r >= 0 && from.Value(r) {
			out[i>>3] |= 1 << (i & 7)
		}
	}
	return out
}

// pickTexts copies the texts of the rows that are valid; a nil bitmap says that all are.
func pickTexts(from texts, rows []int, valid []byte, w *Work) (offsets []int64, text []byte) {
	offsets = make([]int64, len(rows)+1)
	size := int64(0)
	for i, r := range rows {
		if valid == nil || valid[i>>3]&(1<<(i&7)) != 0 {
			size += from.offsets[r+1] - from.offsets[r]
		}
		offsets[i+1] = size
	}
	w.draw(size)
	text = make([]byte, size)
	for done := 0; done < len(rows); done += pickedAtOnce {
		Block := rows[done:min(len(rows), done+pickedAtOnce)]
		pickBlock(from, Block, offsets[done:], text)
	}
	return offsets, text
}

// pickedAtOnce is how many texts are looked up before they are copied.
const pickedAtOnce = 128

// pickBlock copies the texts of the rows to where offsets says. It reads the first byte of each before it copies any:
// the processor waits for many places in memory at once then, and not for one after the other.
func pickBlock(from texts, rows []int, offsets []int64, text []byte) {
	var starts [pickedAtOnce]int64
	for i, r := range rows {
		if offsets[i] < offsets[i+1] {
			starts[i] = from.offsets[r]
		}
	}
	touched := byte(0)
	for i := range rows {
		if offsets[i] < offsets[i+1] {
			touched |= from.data[starts[i]]
		}
	}
	for i := range rows {
		at, n := offsets[i], offsets[i+1]-offsets[i]
		copyText(text[at:], from.data[starts[i]:], n)
	}
	runtime.KeepAlive(touched)
}

// copyText copies the n bytes that a text has. Short ones are copied as 16 or 32 bytes where there is room: what is
// written too much is written again by the texts that follow.
func copyText(to, from []byte, n int64) {
	switch {
	case n == 0:
	case n <= 16 && len(to) >= 16 && len(from) >= 16:
		copy(to[:16], from[:16])
	case n <= 32 && len(to) >= 32 && len(from) >= 32:
		copy(to[:16], from[:16])
		copy(to[16:32], from[16:32])
	default:
		copy(to, from[:n])
	}
}
