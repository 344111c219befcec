package table

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
)

// Cells is cheap typed access to one array: the slices point into it, already cut to its offset.
type cells struct {
	typ    Type
	scale  int32
	zone   string
	nulls  []byte // validity bitmap; nil when nothing is null
	offset int    // of the bitmap
	ints   []int64
	days   []arrow.Date32
	floats []float64
	decs   []decimal128.Num
	bools  *array.Boolean
	text   interface{ Value(int) string }
	work   *Work // of the table; nil for none
}

func (c *cells) isNull(i int) bool {
	if c.typ == Null {
		return true
	}
	if c.nulls == nil {
		return false
	}
	i += c.offset
	return c.nulls[i>>3]&(1<<(i&7)) == 0
}

func (c *cells) value(i int) Value {
	if c.isNull(i) {
		return NullValue
	}
	switch c.typ {
	case Int, Time, Duration:
		return Value{typ: c.typ, i: c.ints[i]}
	case DateTime:
		return Value{typ: DateTime, i: c.ints[i], s: c.zone}
	case Float:
		return FloatValue(c.floats[i])
	case Decimal:
		return decimalOf(c.decs[i], c.scale)
	case Text, JSON:
		return Value{typ: c.typ, s: c.text.Value(i)}
	case Date:
		return Value{typ: Date, i: int64(c.days[i])}
	case Bool:
		return BoolValue(c.bools.Value(i))
	}
	return NullValue
}

// ArrowType is how a column is stored.
func ArrowType(col Column) arrow.DataType {
	switch col.Type {
	case Bool:
		return arrow.FixedWidthTypes.Boolean
	case Int:
		return arrow.PrimitiveTypes.Int64
	case Float:
		return arrow.PrimitiveTypes.Float64
	case Decimal:
		return &arrow.Decimal128Type{Precision: MaxDigits, Scale: col.Scale}
	case Text, JSON:
		return arrow.BinaryTypes.LargeString
	case Date:
		return arrow.FixedWidthTypes.Date32
	case DateTime:
		return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: col.Zone}
	case Time:
		return arrow.FixedWidthTypes.Time64us
	case Duration:
		return arrow.FixedWidthTypes.Duration_us
	}
	return arrow.Null
}

// cellsOf checks that the array stores what the column says and gives typed access to it.
func cellsOf(col Column, arr arrow.Array) (cells, error) {
	c := cells{typ: col.Type, scale: col.Scale, zone: col.Zone}
	if arr.NullN() > 0 {
		c.nulls, c.offset = arr.NullBitmapBytes(), arr.Data().Offset()
	}
	var ok bool
	switch a := arr.(type) {
	case *array.Null:
		ok = col.Type == Null
	case *array.Boolean:
		c.bools, ok = a, col.Type == Bool
	case *array.Int64:
		c.ints, ok = a.Int64Values(), col.Type == Int
	case *array.Float64:
		c.floats, ok = a.Float64Values(), col.Type == Float
	case *array.Decimal128:
		c.decs, ok = a.Values(), col.Type == Decimal && a.DataType().(*arrow.Decimal128Type).Scale == col.Scale
	case *array.String:
		c.text, ok = a, col.Type == Text || col.Type == JSON
	case *array.LargeString:
		c.text, ok = a, col.Type == Text || col.Type == JSON
	case *array.Date32:
		c.days, ok = a.Date32Values(), col.Type == Date
	case *array.Timestamp:
		c.ints = arrow.Int64Traits.CastFromBytes(arrow.TimestampTraits.CastToBytes(a.TimestampValues()))
		ok = col.Type == DateTime && a.DataType().(*arrow.TimestampType).Unit == arrow.Microsecond
	case *array.Time64:
		c.ints = arrow.Int64Traits.CastFromBytes(arrow.Time64Traits.CastToBytes(a.Time64Values()))
		ok = col.Type == Time && a.DataType().(*arrow.Time64Type).Unit == arrow.Microsecond
	case *array.Duration:
		c.ints = arrow.Int64Traits.CastFromBytes(arrow.DurationTraits.CastToBytes(a.DurationValues()))
		ok = col.Type == Duration && a.DataType().(*arrow.DurationType).Unit == arrow.Microsecond
	default:
		ok = false
	}
	if !ok {
		return c, &TypeError{Column: col.Name, Type: col.Type,
			Reason: fmt.Sprintf("an Arrow array of %s does not store it", arr.DataType())}
	}
	return c, nil
}
