package table

import (
	"fmt"
	"math"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
)

// foreignColumn converts arrays of types that tables do not store, cell by cell and without loss but for times below a microsecond, which are
// an error.
func foreignColumn(col Column, arr arrow.Array) (Column, arrow.Array, error) {
	read, typ, scale := foreignReader(arr, col)
	if read == nil {
		return col, nil, fmt.Errorf("the Arrow type %s is not supported", arr.DataType())
	}
	col.Type, col.Scale = typ, scale
	b := newColumnBuilder(col, arr.Len())
	for i := range arr.Len() {
		if arr.IsNull(i) {
			b.appendNull()
			continue
		}
		v, ok := read(i)
		if !ok {
			return col, nil, fmt.Errorf("row %d does not fit the type %s", i+1, typ)
		}
		b.append(v)
	}
	return col, b.finish(), nil
}

type cellReader func(i int) (Value, bool)

func intReader[T int8 | int16 | int32 | uint8 | uint16 | uint32](values []T) cellReader {
	return func(i int) (Value, bool) { return IntValue(int64(values[i])), true }
}

func foreignReader(arr arrow.Array, col Column) (read cellReader, typ Type, scale int32) {
	switch a := arr.(type) {
	case *array.Int8:
		return intReader(a.Int8Values()), Int, 0
	case *array.Int16:
		return intReader(a.Int16Values()), Int, 0
	case *array.Int32:
		return intReader(a.Int32Values()), Int, 0
	case *array.Uint8:
		return intReader(a.Uint8Values()), Int, 0
	case *array.Uint16:
		return intReader(a.Uint16Values()), Int, 0
	case *array.Uint32:
		return intReader(a.Uint32Values()), Int, 0
	case *array.Uint64:
		return func(i int) (Value, bool) { return decimalOf(decimal128.FromU64(a.Value(i)), 0), true }, Decimal, 0
	case *array.Float32:
		return func(i int) (Value, bool) { return FloatValue(float64(a.Value(i))), true }, Float, 0
	case *array.Date64:
		return func(i int) (Value, bool) {
			return Value{typ: Date, i: floorDiv(int64(a.Value(i)), 86400*1000)}, true
		}, Date, 0
	case *array.Timestamp:
		unit := a.DataType().(*arrow.TimestampType).Unit
		return func(i int) (Value, bool) {
			us, ok := toMicros(int64(a.Value(i)), unit)
			return Value{typ: DateTime, i: us, s: col.Zone}, ok
		}, DateTime, 0
	case *array.Time32:
		unit := a.DataType().(*arrow.Time32Type).Unit
		return timeReader(func(i int) int64 { return int64(a.Value(i)) }, unit, Time), Time, 0
	case *array.Time64:
		return timeReader(func(i int) int64 { return int64(a.Value(i)) }, arrow.Nanosecond, Time), Time, 0
	case *array.Duration:
		unit := a.DataType().(*arrow.DurationType).Unit
		return timeReader(func(i int) int64 { return int64(a.Value(i)) }, unit, Duration), Duration, 0
	case *array.Dictionary:
		words, ok := a.Dictionary().(interface{ Value(int) string })
		if !ok {
			return nil, Null, 0
		}
		return func(i int) (Value, bool) { return TextValue(words.Value(a.GetValueIndex(i))), true }, Text, 0
	}
	return nil, Null, 0
}

func timeReader(at func(int) int64, unit arrow.TimeUnit, typ Type) cellReader {
	return func(i int) (Value, bool) {
		us, ok := toMicros(at(i), unit)
		return Value{typ: typ, i: us}, ok
	}
}

// toMicros converts a count of units; false when digits would be lost or the range exceeded.
func toMicros(n int64, unit arrow.TimeUnit) (int64, bool) {
	nanos := int64(unit.Multiplier())
	if nanos < int64(time.Microsecond) {
		per := int64(time.Microsecond) / nanos
		return n / per, n%per == 0
	}
	per := nanos / int64(time.Microsecond)
	return n * per, n <= math.MaxInt64/per && n >= math.MinInt64/per
}
