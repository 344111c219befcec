package table

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// ColumnBuilder collects one column in plain slices and hands them to Arrow without a copy. The value given to append must
// already have the column's type and scale, or be null.
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

func (b *ColumnBuilder) appendInt(i int64) {
	b.ints = append(b.ints, i)
	b.mark(true)
}

func (b *ColumnBuilder) appendFloat(f float64) {
	b.floats = append(b.floats, f)
	b.mark(true)
}

func (b *ColumnBuilder) appendDecimal(n decimal128.Num) {
	b.decs = append(b.decs, n)
	b.mark(true)
}

func (b *ColumnBuilder) appendText(s string) {
	b.text = append(b.text, s...)
	b.offsets = append(b.offsets, int64(len(b.text)))
	b.mark(true)
}

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

func (b *ColumnBuilder) Append(v Value) {
	if v.typ == Null {
		b.AppendNull()
		return
	}
	switch b.Col.Type {
	case Int, DateTime, Time, Duration:
		b.appendInt(v.i)
	case Date:
		b.days = append(b.days, arrow.Date32(v.i))
		b.mark(true)
	case Float:
		b.appendFloat(v.f)
	case Decimal:
		b.appendDecimal(v.num())
	case Bool:
		b.AppendBool(v.i != 0)
	case Text, JSON:
		b.appendText(v.s)
	}
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
