package table

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Take is the given rows in the given order; a row may repeat. It panics when one is out of range.
func (t *Table) Take(rows []int) *Table { return t.take(rows) }

// take is Take; a row of -1 gives nulls.
func (t *Table) take(rows []int) *Table {
	arrays := make([]arrow.Array, t.NumCols())
	eachColumn(len(arrays), len(rows), func(c int) {
		arrays[c] = takeColumn(t.cols[c], &t.cells[c], rows)
	})
	return must(t.Columns(), arrays)
}

// takeColumn is take for one column.
func takeColumn(col Column, src *cells, rows []int) arrow.Array {
	if src.typ == Null {
		return array.NewNull(len(rows))
	}
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
		offsets, text := pickTexts(textsOf(src), rows, valid)
		plain(arrow.Int64Traits.CastToBytes(offsets))
		plain(text)
	}
	return array.MakeFromData(array.NewData(arrowType(col), len(rows), buffers, nil, nulls, 0))
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
func pickTexts(from texts, rows []int, valid []byte) (offsets []int64, text []byte) {
	offsets = make([]int64, len(rows)+1)
	size := int64(0)
	for i, r := range rows {
		if valid == nil || valid[i>>3]&(1<<(i&7)) != 0 {
			size += from.offsets[r+1] - from.offsets[r]
		}
		offsets[i+1] = size
	}
	text = make([]byte, size)
	for i, r := range rows {
		if at := offsets[i]; at < offsets[i+1] {
			copy(text[at:], from.at(r))
		}
	}
	return offsets, text
}
