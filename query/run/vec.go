package run

import (
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"catena/table"
)

// num is the digits of a decimal, without its point.
type num = decimal128.Num

// shape is what a vector's values are.
type shape struct {
	typ   table.Type
	scale int32  // of Decimal
	zone  string // of DateTime
}

// vec is a run of values of one type. One of the slices is set, by the type; values where nulls is true are undefined.
type vec struct {
	shape
	one    bool   // the slices have one element, which is the value of every row
	nulls  []bool // nil where nothing is null
	shared bool   // nulls belongs to another vector, too
	bools  []bool
	ints   []int64 // Int, days of Date, microseconds of DateTime, Time and Duration
	floats []float64
	decs   []num
	texts  []string
}

// lane is the slice of a vector that holds values of a Go type: kernels are written once for all types by it.
type lane[T any] func(v *vec) *[]T

func boolLane(v *vec) *[]bool     { return &v.bools }
func intLane(v *vec) *[]int64     { return &v.ints }
func floatLane(v *vec) *[]float64 { return &v.floats }
func decLane(v *vec) *[]num       { return &v.decs }
func textLane(v *vec) *[]string   { return &v.texts }

func (v *vec) isNull(i int) bool {
	if v.typ == table.Null {
		return true
	}
	if v.nulls == nil {
		return false
	}
	if v.one {
		i = 0
	}
	return v.nulls[i]
}

// setNull makes a value of n null.
func (v *vec) setNull(i, n int) {
	switch {
	case v.nulls == nil:
		v.nulls = make([]bool, n)
	case v.shared:
		v.nulls = append([]bool(nil), v.nulls...)
	}
	v.shared = false
	v.nulls[i] = true
}

// grow makes room for n values.
func (v *vec) grow(n int) {
	switch v.typ {
	case table.Bool:
		v.bools = make([]bool, n)
	case table.Int, table.Date, table.DateTime, table.Time, table.Duration:
		v.ints = make([]int64, n)
	case table.Float:
		v.floats = make([]float64, n)
	case table.Decimal:
		v.decs = make([]num, n)
	case table.Text, table.JSON:
		v.texts = make([]string, n)
	}
}

// width is the bytes of a value in a vector, without those of texts.
func (s shape) width() int64 {
	switch s.typ {
	case table.Null:
		return 0
	case table.Bool:
		return 1 + 1
	case table.Decimal, table.Text, table.JSON:
		return 16 + 1
	}
	return 8 + 1
}

// value is one value as a cell.
func (v *vec) value(i int) table.Value {
	if v.isNull(i) {
		return table.NullValue
	}
	if v.one {
		i = 0
	}
	switch v.typ {
	case table.Bool:
		return table.BoolValue(v.bools[i])
	case table.Int:
		return table.IntValue(v.ints[i])
	case table.Date:
		return table.DateOfDays(v.ints[i])
	case table.Float:
		return table.FloatValue(v.floats[i])
	case table.Decimal:
		return table.DecimalValue(v.decs[i].HighBits(), v.decs[i].LowBits(), v.scale)
	case table.Text:
		return table.TextValue(v.texts[i])
	case table.JSON:
		return table.JsonValue(v.texts[i])
	}
	return table.MicrosValue(v.typ, v.ints[i], v.zone)
}

// set stores a cell of the vector's type; false where it is of another.
func (v *vec) set(i, n int, x table.Value) bool {
	if x.IsNull() {
		v.setNull(i, n)
		return true
	}
	if x.Type() != v.typ {
		return false
	}
	switch v.typ {
	case table.Bool:
		v.bools[i] = x.Bool()
	case table.Int:
		v.ints[i], _ = x.Int()
	case table.Float:
		v.floats[i], _ = x.Float()
	case table.Decimal:
		d, ok := decOf(x, v.scale)
		v.decs[i] = d
		return ok
	case table.Text, table.JSON:
		v.texts[i] = x.Text()
	case table.Time, table.Duration:
		v.ints[i], _ = x.Micros()
	default:
		t, _ := x.Time()
		if v.ints[i] = t.UnixMicro(); v.typ == table.Date {
			v.ints[i] = table.FloorDiv(t.Unix(), 86400)
		}
	}
	return true
}

// literal is a vector of one cell for every row.
func literal(x table.Value) vec {
	v := vec{shape: shape{typ: x.Type(), scale: x.Scale(), zone: x.Zone()}, one: true}
	v.grow(1)
	if v.typ != table.Null {
		v.set(0, 1, x)
	}
	return v
}

// nullOf is null for every row.
func nullOf(s shape) vec {
	v := vec{shape: s, one: true, nulls: []bool{true}}
	v.grow(1)
	return v
}

// put copies the n values of a block to where they belong in a whole column of so many rows. Blocks may be put at
// once: nulls must have been made where there may be any.
func (v *vec) put(lo, n int, from *vec) {
	copyLane(v.bools, from.bools, lo, n)
	copyLane(v.ints, from.ints, lo, n)
	copyLane(v.floats, from.floats, lo, n)
	copyLane(v.decs, from.decs, lo, n)
	copyLane(v.texts, from.texts, lo, n)
	copyLane(v.nulls, from.nulls, lo, n)
}

// copyLane copies n values, or one value n times.
func copyLane[T any](to, from []T, lo, n int) {
	if len(from) == 0 || len(to) == 0 {
		return
	}
	if len(from) >= n {
		copy(to[lo:lo+n], from)
		return
	}
	for i := range to[lo : lo+n] {
		to[lo+i] = from[0]
	}
}

// read gives rows of a column as a vector, without a copy where the types have one form in both.
func read(b *table.Buffers, col table.Column, lo, hi int) vec {
	v := vec{shape: shape{typ: col.Type, scale: col.Scale, zone: col.Zone}}
	n := hi - lo
	switch col.Type {
	case table.Null:
		return nullOf(v.shape)
	case table.Bool:
		v.bools = make([]bool, n)
		for i := range n {
			v.bools[i] = b.Bool(lo + i)
		}
	case table.Date:
		v.ints = make([]int64, n)
		for i, d := range b.Days[lo:hi] {
			v.ints[i] = int64(d)
		}
	case table.Float:
		v.floats = b.Floats[lo:hi]
	case table.Decimal:
		v.decs = b.Decimals[lo:hi]
	case table.Text, table.JSON:
		v.texts = make([]string, n)
		for i := range n {
			at, end := b.Offsets[lo+i], b.Offsets[lo+i+1]
			if at < end {
				v.texts[i] = unsafe.String(&b.Bytes[at], end-at)
			}
		}
	default:
		v.ints = b.Ints[lo:hi]
	}
	if b.HasNulls() {
		v.nulls = make([]bool, n)
		for i := range n {
			v.nulls[i] = b.IsNull(lo + i)
		}
	}
	return v
}

// column describes the vector as a column of a table.
func (s shape) column(name string) table.Column {
	return table.Column{Name: name, Type: s.typ, Scale: s.scale, Zone: s.zone}
}

// array stores a vector of n values; texts are drawn by the caller.
func (v *vec) array(n int) arrow.Array {
	if v.typ == table.Null {
		return array.NewNull(n)
	}
	if v.one {
		whole := vec{shape: v.shape}
		whole.grow(n)
		if v.nulls != nil {
			whole.nulls = make([]bool, n)
		}
		whole.put(0, n, v)
		v = &whole
	}
	buffers := make([]*memory.Buffer, 1, 3)
	valid, nulls := validity(v.nulls, n)
	if nulls > 0 {
		buffers[0] = memory.NewBufferBytes(valid)
	}
	for _, b := range v.bytes(n) {
		buffers = append(buffers, memory.NewBufferBytes(b))
	}
	return array.MakeFromData(array.NewData(table.ArrowType(v.column("")), n, buffers, nil, nulls, 0))
}

// bytes are the buffers of values as Arrow lays them out.
func (v *vec) bytes(n int) [][]byte {
	switch v.typ {
	case table.Bool:
		bits, _ := validity(v.bools, n)
		for i := range bits {
			bits[i] = ^bits[i] // validity has a 1 where its argument is false
		}
		return [][]byte{bits}
	case table.Date:
		days := make([]arrow.Date32, n)
		for i, d := range v.ints[:n] {
			days[i] = arrow.Date32(d)
		}
		return [][]byte{arrow.Date32Traits.CastToBytes(days)}
	case table.Float:
		return [][]byte{arrow.Float64Traits.CastToBytes(v.floats[:n])}
	case table.Decimal:
		return [][]byte{arrow.Decimal128Traits.CastToBytes(v.decs[:n])}
	case table.Text, table.JSON:
		offsets, size := make([]int64, n+1), int64(0)
		for i, s := range v.texts[:n] {
			if v.nulls == nil || !v.nulls[i] {
				size += int64(len(s))
			}
			offsets[i+1] = size
		}
		data := make([]byte, size)
		for i, s := range v.texts[:n] {
			copy(data[offsets[i]:offsets[i+1]], s)
		}
		return [][]byte{arrow.Int64Traits.CastToBytes(offsets), data}
	}
	return [][]byte{arrow.Int64Traits.CastToBytes(v.ints[:n])}
}

// validity is Arrow's bitmap of what is not null, nil where all is valid, and how much is null.
func validity(nulls []bool, n int) ([]byte, int) {
	if nulls == nil {
		return nil, 0
	}
	bits, count := make([]byte, (n+7)/8), 0
	for i, null := range nulls[:n] {
		if null {
			count++
		} else {
			bits[i>>3] |= 1 << (i & 7)
		}
	}
	return bits, count
}

// textSize is the bytes of the texts of a vector.
func (v *vec) textSize() int64 {
	size := int64(0)
	for _, s := range v.texts {
		size += int64(len(s))
	}
	return size
}
