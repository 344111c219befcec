package table

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"catena/internal/buffer"
)

// ColumnBuilder collects one column in plain slices and hands them to Arrow without a copy. The value given to append
// must already have the column's type and scale, or be null.
type ColumnBuilder struct {
	Col     Column
	n       int
	nulls   int
	valid   []byte // bitmap; it begins with the first null
	ints    []int64
	days    []arrow.Date32
	floats  []float64
	decs    []decimal128.Num
	bits    []byte
	offsets []int64
	text    []byte
}

// NewColumnBuilder starts a column with memory for so many cells.
func NewColumnBuilder(col Column, capacity int) *ColumnBuilder {
	b := &ColumnBuilder{Col: col}
	b.Reserve(capacity, 0)
	return b
}

// Reserve takes memory for an empty builder: for so many cells and, in columns of texts, bytes.
func (b *ColumnBuilder) Reserve(capacity, bytes int) {
	switch b.Col.Type {
	case Int, DateTime, Time, Duration:
		b.ints = make([]int64, 0, capacity)
	case Date:
		b.days = make([]arrow.Date32, 0, capacity)
	case Float:
		b.floats = make([]float64, 0, capacity)
	case Decimal:
		b.decs = make([]decimal128.Num, 0, capacity)
	case Bool:
		b.bits = make([]byte, 0, capacity/8+1)
	case Text, JSON:
		b.offsets = make([]int64, 1, capacity+1)
		if bytes > 0 {
			b.text = make([]byte, 0, bytes)
		}
	}
}

// mark counts a cell, whose value has been appended, and says whether it is one.
func (b *ColumnBuilder) mark(valid bool) {
	if valid && b.nulls == 0 {
		b.n++
		return
	}
	b.markBit(valid)
}

func (b *ColumnBuilder) markBit(valid bool) {
	if b.nulls == 0 {
		b.startBitmap()
	}
	if b.n&7 == 0 {
		b.valid = append(b.valid, 0)
	}
	if valid {
		b.valid[b.n>>3] |= 1 << (b.n & 7)
	} else {
		b.nulls++
	}
	b.n++
}

// startBitmap says of the cells so far that they are not null.
func (b *ColumnBuilder) startBitmap() {
	b.valid = make([]byte, (b.n+7)/8, cap(b.ints)/8+b.n/8+16)
	for i := range b.valid {
		b.valid[i] = 0xff
	}
	if over := b.n & 7; over > 0 {
		b.valid[len(b.valid)-1] = 1<<over - 1
	}
}

// AppendInt appends an integer, or the microseconds of a DateTime, Time or Duration.
func (b *ColumnBuilder) AppendInt(i int64) {
	b.ints = append(b.ints, i)
	b.mark(true)
}

// AppendDay appends a Date: days since 1970-01-01.
func (b *ColumnBuilder) AppendDay(days int64) {
	b.days = append(b.days, arrow.Date32(days))
	b.mark(true)
}

// AppendFloat appends a number that is finite.
func (b *ColumnBuilder) AppendFloat(f float64) {
	b.floats = append(b.floats, f)
	b.mark(true)
}

// AppendDecimal appends a number without its point, which stands where the column's scale says.
func (b *ColumnBuilder) AppendDecimal(n decimal128.Num) {
	b.decs = append(b.decs, n)
	b.mark(true)
}

// AppendText appends a text, or JSON.
func (b *ColumnBuilder) AppendText(s string) {
	b.text = append(b.text, s...)
	b.offsets = append(b.offsets, int64(len(b.text)))
	b.mark(true)
}

// AppendBool appends true or false.
func (b *ColumnBuilder) AppendBool(v bool) {
	b.putBool(b.n, v)
	b.mark(true)
}

func (b *ColumnBuilder) putBool(i int, v bool) {
	if i&7 == 0 {
		b.bits = append(b.bits, 0)
	}
	if v {
		b.bits[i>>3] |= 1 << (i & 7)
	}
}

// AppendNull appends a cell without a value.
func (b *ColumnBuilder) AppendNull() {
	switch b.Col.Type {
	case Int, DateTime, Time, Duration:
		b.ints = append(b.ints, 0)
	case Date:
		b.days = append(b.days, 0)
	case Float:
		b.floats = append(b.floats, 0)
	case Decimal:
		b.decs = append(b.decs, decimal128.Num{})
	case Bool:
		b.putBool(b.n, false)
	case Text, JSON:
		b.offsets = append(b.offsets, int64(len(b.text)))
	}
	b.mark(false)
}

// Append appends a value, which must have the column's type and scale or be null.
func (b *ColumnBuilder) Append(v Value) {
	if v.typ == Null {
		b.AppendNull()
		return
	}
	switch b.Col.Type {
	case Int, DateTime, Time, Duration:
		b.AppendInt(v.i)
	case Date:
		b.AppendDay(v.i)
	case Float:
		b.AppendFloat(v.f)
	case Decimal:
		b.AppendDecimal(v.num())
	case Bool:
		b.AppendBool(v.i != 0)
	case Text, JSON:
		b.AppendText(v.s)
	}
}

// Reset empties the builder for another column; what it has built must be used no more.
func (b *ColumnBuilder) Reset(col Column) {
	*b = ColumnBuilder{Col: col, valid: b.valid[:0], ints: b.ints[:0], floats: b.floats[:0], decs: b.decs[:0]}
}

// Last gives the number that was appended last, to a column of integers, doubles or decimals.
func (b *ColumnBuilder) Last() Value {
	switch b.Col.Type {
	case Int:
		return IntValue(b.ints[b.n-1])
	case Float:
		return FloatValue(b.floats[b.n-1])
	}
	return decimalOf(b.decs[b.n-1], b.Col.Scale)
}

// Len is how many cells have been appended.
func (b *ColumnBuilder) Len() int { return b.n }

// NullCount is how many of the cells are null.
func (b *ColumnBuilder) NullCount() int { return b.nulls }

// Texts gives the cells of a column of texts, as parts of its memory.
func (b *ColumnBuilder) Texts() []string {
	out := make([]string, b.n)
	for i := range out {
		out[i] = buffer.String(b.text[b.offsets[i]:b.offsets[i+1]])
	}
	return out
}

// TextSize is how many bytes the texts have that were appended.
func (b *ColumnBuilder) TextSize() int { return len(b.text) }

// Finish gives the array; the builder must not be used afterwards.
func (b *ColumnBuilder) Finish() arrow.Array {
	if b.Col.Type == Null {
		return array.NewNull(b.n)
	}
	buffers := make([]*memory.Buffer, 1, 3)
	plain := func(bytes []byte) { buffers = append(buffers, memory.NewBufferBytes(bytes)) }
	if b.nulls > 0 {
		buffers[0] = memory.NewBufferBytes(b.valid)
	}
	switch b.Col.Type {
	case Int, DateTime, Time, Duration:
		plain(arrow.Int64Traits.CastToBytes(b.ints))
	case Date:
		plain(arrow.Date32Traits.CastToBytes(b.days))
	case Float:
		plain(arrow.Float64Traits.CastToBytes(b.floats))
	case Decimal:
		plain(arrow.Decimal128Traits.CastToBytes(b.decs))
	case Bool:
		plain(b.bits)
	case Text, JSON:
		plain(arrow.Int64Traits.CastToBytes(b.offsets))
		plain(b.text)
	}
	return array.MakeFromData(array.NewData(ArrowType(b.Col), b.n, buffers, nil, b.nulls, 0))
}

// Nulls is a column of nothing but nulls.
func Nulls(rows int) arrow.Array { return array.NewNull(rows) }
