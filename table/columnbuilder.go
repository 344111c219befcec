package table

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// columnBuilder collects one column in plain slices and hands them to Arrow without a copy. The value given to append must
// already have the column's type and scale, or be null.
type columnBuilder struct {
	col     Column
	n       int
	nulls   int
	valid   []byte // bitmap
	ints    []int64
	days    []arrow.Date32
	floats  []float64
	decs    []decimal128.Num
	bits    []byte
	offsets []int64
	text    []byte
}

func newColumnBuilder(col Column, capacity int) *columnBuilder {
	b := &columnBuilder{col: col, valid: make([]byte, 0, capacity/8+1)}
	switch col.Type {
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
	}
	return b
}

func (b *columnBuilder) mark(valid bool) {
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

func (b *columnBuilder) appendInt(i int64) {
	b.ints = append(b.ints, i)
	b.mark(true)
}

func (b *columnBuilder) appendFloat(f float64) {
	b.floats = append(b.floats, f)
	b.mark(true)
}

func (b *columnBuilder) appendDecimal(n decimal128.Num) {
	b.decs = append(b.decs, n)
	b.mark(true)
}

func (b *columnBuilder) appendText(s string) {
	b.text = append(b.text, s...)
	b.offsets = append(b.offsets, int64(len(b.text)))
	b.mark(true)
}

func (b *columnBuilder) appendBool(v bool) {
	if b.n&7 == 0 {
		b.bits = append(b.bits, 0)
	}
	if v {
		b.bits[b.n>>3] |= 1 << (b.n & 7)
	}
	b.mark(true)
}

func (b *columnBuilder) appendNull() {
	switch b.col.Type {
	case Int, DateTime, Time, Duration:
		b.ints = append(b.ints, 0)
	case Date:
		b.days = append(b.days, 0)
	case Float:
		b.floats = append(b.floats, 0)
	case Decimal:
		b.decs = append(b.decs, decimal128.Num{})
	case Bool:
		if b.n&7 == 0 {
			b.bits = append(b.bits, 0)
		}
	case Text, JSON:
		b.offsets = append(b.offsets, int64(len(b.text)))
	}
	b.mark(false)
}

func (b *columnBuilder) append(v Value) {
	if v.typ == Null {
		b.appendNull()
		return
	}
	switch b.col.Type {
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
		b.appendBool(v.i != 0)
	case Text, JSON:
		b.appendText(v.s)
	}
}

// finish gives the array; the builder must not be used afterwards.
func (b *columnBuilder) finish() arrow.Array {
	var buffers []*memory.Buffer
	plain := func(bytes []byte) { buffers = append(buffers, memory.NewBufferBytes(bytes)) }
	if b.col.Type == Null {
		return array.NewNull(b.n)
	}
	if b.nulls > 0 {
		plain(b.valid)
	} else {
		buffers = append(buffers, nil)
	}
	switch b.col.Type {
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
	return array.MakeFromData(array.NewData(arrowType(b.col), b.n, buffers, nil, b.nulls, 0))
}
