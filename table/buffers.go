package table

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"catena/internal/buffer"
)

// Buffers is the memory of one column, for code that reads every cell: the slices are the table's own, one element a
// row, and must not be changed. Which one is set follows from the column's type; the elements of null cells are
// undefined.
type Buffers struct {
	Ints     []int64          // Int, and the microseconds of DateTime (since 1970-01-01 UTC), Time and Duration
	Days     []arrow.Date32   // Date, days since 1970-01-01
	Floats   []float64        // Float
	Decimals []decimal128.Num // Decimal, without the column's scale

	// Text and JSON: the cell of row i is Bytes[Offsets[i]:Offsets[i+1]]. There is one offset more than there are rows.
	Offsets []int64
	Bytes   []byte

	cells *cells
}

// Buffers gives the memory of column i; it panics when i is out of range.
func (t *Table) Buffers(i int) Buffers {
	c := &t.cells[i]
	b := Buffers{Ints: c.ints, Days: c.days, Floats: c.floats, Decimals: c.decs, cells: c}
	if c.text != nil {
		x := textsOf(c)
		b.Offsets, b.Bytes = x.offsets, x.data
	}
	return b
}

// HasNulls reports whether any cell of the column is null.
func (b *Buffers) HasNulls() bool { return b.cells.nulls != nil || b.cells.typ == Null }

// IsNull reports whether the cell of a row is null.
func (b *Buffers) IsNull(row int) bool { return b.cells.isNull(row) }

// Text is the cell of a Text or JSON column; it shares the table's memory.
func (b *Buffers) Text(row int) string {
	return buffer.String(b.Bytes[b.Offsets[row]:b.Offsets[row+1]])
}

// Bool is the cell of a Bool column.
func (b *Buffers) Bool(row int) bool { return b.cells.bools.Value(row) }

// LongText is where the tails begin of keys that TextKey gives for texts of more than fifteen bytes.
const LongText = longText

// TextKey is 128 bits that tell the cells of a Text or JSON column apart: equal texts have equal keys, the same for as
// long as the process runs, and texts of equal keys are equal unless the tail is LongText or more, where they have one
// length and one hash and are to be compared. No tail is 0.
func (b *Buffers) TextKey(row int) (head, tail uint64) {
	k := keyOfText(b.Bytes[b.Offsets[row]:b.Offsets[row+1]])
	return k.head, k.tail
}
