package table

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
)

// foreignColumn converts arrays of types that tables do not store, cell by cell and without loss, but for times below a microsecond, which are cut and said to be.
func foreignColumn(col Column, arr arrow.Array, lim Limits) (Column, arrow.Array, []string, error) {
	f := &foreign{zone: col.Zone}
	read, typ, scale := f.reader(arr)
	if read == nil {
		return col, nil, nil, fmt.Errorf("the Arrow type %s is not supported", arr.DataType())
	}
	if col.Type == JSON && typ == Text { // declared as JSON, but not all of it is
		f.notes = append(f.notes, "not all cells are valid JSON, so it is text")
	}
	col.Type, col.Scale = typ, scale
	b, err := f.build(col, arr, read, lim)
	if err != nil {
		return col, nil, nil, err
	}
	if f.cut > 0 {
		f.notes = append(f.notes, fmt.Sprintf("%s cut to microseconds", counted(f.cut, "time was", "times were")))
	}
	return col, b.finish(), append(f.notes, notFiniteNotes(f.loose)...), nil
}

// build reads all cells into a column. What they take is reserved before; of texts that become longer by it, as they come.
func (f *foreign) build(col Column, arr arrow.Array, read cellReader, lim Limits) (*columnBuilder, error) {
	u := &unfolding{lim: &lim}
	defer u.end()
	sizes := each(0)
	var err error
	if col.Type == Text || col.Type == JSON {
		if sizes, err = u.of(arr); err != nil {
			return nil, err
		}
	}
	rows := arr.Len()
	room := sizes(0, rows)
	if err := lim.reserve(plus(room, product(int64(rows), bytesOfCell))); err != nil {
		return nil, err
	}
	b := &columnBuilder{col: col}
	b.reserve(rows, int(room))
	for i := range rows {
		if i%blockRows == 0 {
			if err := lim.ended(); err != nil {
				return nil, err
			}
		}
		if arr.IsNull(i) {
			b.appendNull()
			continue
		}
		if sizes(i, i+1) > product(2, int64(lim.CellSize)) {
			return nil, largeCell(lim)
		}
		v, ok := read(i)
		if !ok {
			return nil, fmt.Errorf("row %d does not fit the type %s", i+1, col.Type)
		}
		if b.offsets != nil && v.typ != Null {
			if room, err = b.roomFor(v.s, room, lim); err != nil {
				return nil, err
			}
		}
		b.append(v)
	}
	return b, nil
}

// roomFor reserves what a text takes beyond the room that was reserved, and gives the room that there is then.
func (b *columnBuilder) roomFor(text string, room int64, lim Limits) (int64, error) {
	if len(text) > lim.CellSize {
		return room, largeCell(lim)
	}
	more := int64(len(b.text)+len(text)) - room
	if more <= 0 {
		return room, nil
	}
	more = max(more, room/4, 1<<16)
	return room + more, lim.reserve(2 * more) // the old and the new, while it grows
}

// bytesOfCell is what a cell takes in a column that is built, beside its text.
const bytesOfCell = 17

func largeCell(lim Limits) *LimitError {
	return &LimitError{What: limitCell, Limit: int64(lim.CellSize), Text: "a cell is larger than " + byteCount(int64(lim.CellSize))}
}

type cellReader func(i int) (Value, bool)

// foreign makes readers of arrays and counts what they lose.
type foreign struct {
	zone  string
	cut   int // times with digits below a microsecond
	loose int // numbers that are not finite
	notes []string
}

// float is a number, or null for what no table holds.
func (f *foreign) float(v float64) Value {
	if notFinite(v) {
		f.loose++
	}
	return FloatValue(v)
}

func intReader[T int8 | int16 | int32 | uint8 | uint16 | uint32](values []T) cellReader {
	return func(i int) (Value, bool) { return IntValue(int64(values[i])), true }
}

// reader gives a reader of the cells that are not null, their type and scale; nil where the type is not known.
func (f *foreign) reader(arr arrow.Array) (read cellReader, typ Type, scale int32) {
	switch a := arr.(type) {
	case *array.Int8:
		return intReader(a.Int8Values()), Int, 0
	case *array.Int16:
		return intReader(a.Int16Values()), Int, 0
	case *array.Int32:
		return intReader(a.Int32Values()), Int, 0
	case *array.Int64:
		return func(i int) (Value, bool) { return IntValue(a.Value(i)), true }, Int, 0
	case *array.Uint8:
		return intReader(a.Uint8Values()), Int, 0
	case *array.Uint16:
		return intReader(a.Uint16Values()), Int, 0
	case *array.Uint32:
		return intReader(a.Uint32Values()), Int, 0
	case *array.Uint64:
		return func(i int) (Value, bool) { return decimalOf(decimal128.FromU64(a.Value(i)), 0), true }, Decimal, 0
	case *array.Float16:
		return func(i int) (Value, bool) { return f.float(float64(a.Value(i).Float32())), true }, Float, 0
	case *array.Float32:
		return func(i int) (Value, bool) { return f.float(shortFloat(a.Value(i))), true }, Float, 0
	case *array.Float64:
		return func(i int) (Value, bool) { return f.float(a.Value(i)), true }, Float, 0
	case *array.Boolean:
		return func(i int) (Value, bool) { return BoolValue(a.Value(i)), true }, Bool, 0
	case *array.Dictionary:
		return f.placed(a.Dictionary(), a.GetValueIndex)
	case *array.RunEndEncoded:
		return f.placed(a.Values(), a.GetPhysicalIndex)
	case array.ExtensionArray:
		if _, ok := a.(interface{ Value(int) string }); !ok {
			return f.reader(a.Storage())
		}
	}
	if read, typ := f.timeReader(arr); read != nil {
		return read, typ, 0
	}
	if read, typ, scale := decimalReader(arr); read != nil {
		return read, typ, scale
	}
	return f.textReader(arr)
}

// placed reads cells that stand once in words, at the places that place gives.
func (f *foreign) placed(words arrow.Array, place func(i int) int) (cellReader, Type, int32) {
	read, typ, scale := f.reader(words)
	if read == nil {
		return nil, Null, 0
	}
	return func(i int) (Value, bool) {
		if k := place(i); words.IsValid(k) {
			return read(k)
		}
		return NullValue, true
	}, typ, scale
}

// shortFloat is the double that a single-precision number is written as: 0.1, not 0.10000000149011612.
func shortFloat(f float32) float64 {
	if d := float64(f); notFinite(d) || d == math.Trunc(d) {
		return d
	}
	var d float64
	if _, err := fmt.Sscan(fmt.Sprint(f), &d); err != nil {
		return float64(f)
	}
	return d
}

func (f *foreign) timeReader(arr arrow.Array) (cellReader, Type) {
	switch a := arr.(type) {
	case *array.Date32:
		return func(i int) (Value, bool) { return Value{typ: Date, i: int64(a.Value(i))}, true }, Date
	case *array.Date64:
		return func(i int) (Value, bool) {
			days := floorDiv(int64(a.Value(i)), 86400*1000)
			return Value{typ: Date, i: days}, days == int64(int32(days))
		}, Date
	case *array.Timestamp:
		return f.micros(func(i int) int64 { return int64(a.Value(i)) }, a.DataType().(*arrow.TimestampType).Unit, DateTime), DateTime
	case *array.Time32:
		return f.micros(func(i int) int64 { return int64(a.Value(i)) }, a.DataType().(*arrow.Time32Type).Unit, Time), Time
	case *array.Time64:
		return f.micros(func(i int) int64 { return int64(a.Value(i)) }, a.DataType().(*arrow.Time64Type).Unit, Time), Time
	case *array.Duration:
		return f.micros(func(i int) int64 { return int64(a.Value(i)) }, a.DataType().(*arrow.DurationType).Unit, Duration), Duration
	}
	return nil, Null
}

func (f *foreign) micros(at func(int) int64, unit arrow.TimeUnit, typ Type) cellReader {
	zone := ""
	if typ == DateTime {
		zone = f.zone
	}
	return func(i int) (Value, bool) {
		us, exact, ok := toMicros(at(i), unit)
		if !exact {
			f.cut++
		}
		return Value{typ: typ, i: us, s: zone}, ok && (typ != Time || us >= 0 && us < dayMicros)
	}
}

// toMicros converts a count of units; exact is false when digits are cut, ok when the range is exceeded.
func toMicros(n int64, unit arrow.TimeUnit) (us int64, exact, ok bool) {
	nanos := int64(unit.Multiplier())
	if nanos < int64(time.Microsecond) {
		per := int64(time.Microsecond) / nanos
		return floorDiv(n, per), n%per == 0, true
	}
	per := nanos / int64(time.Microsecond)
	return n * per, true, n <= math.MaxInt64/per && n >= math.MinInt64/per
}

// decimalReader reads decimals of any width. Those that 38 digits do not hold are text, all of their column.
func decimalReader(arr arrow.Array) (cellReader, Type, int32) {
	var at func(i int) *big.Int
	var scale int32
	switch a := arr.(type) {
	case *array.Decimal32:
		at, scale = func(i int) *big.Int { return big.NewInt(int64(a.Value(i))) }, a.DataType().(arrow.DecimalType).GetScale()
	case *array.Decimal64:
		at, scale = func(i int) *big.Int { return big.NewInt(int64(a.Value(i))) }, a.DataType().(arrow.DecimalType).GetScale()
	case *array.Decimal128:
		at, scale = func(i int) *big.Int { return a.Value(i).BigInt() }, a.DataType().(arrow.DecimalType).GetScale()
	case *array.Decimal256:
		at, scale = func(i int) *big.Int { return a.Value(i).BigInt() }, a.DataType().(arrow.DecimalType).GetScale()
	default:
		return nil, Null, 0
	}
	if scale < -1000 || scale > 1000 { // no type has such a scale
		return nil, Null, 0
	}
	shift := big.NewInt(1)
	if scale < 0 {
		shift.Exp(big.NewInt(10), big.NewInt(int64(-scale)), nil)
	}
	most := new(big.Int).Exp(big.NewInt(10), big.NewInt(maxDigits), nil)
	fits := scale <= maxDigits
	for i := 0; i < arr.Len() && fits; i++ {
		fits = arr.IsNull(i) || new(big.Int).Mul(at(i), shift).CmpAbs(most) < 0
	}
	if !fits {
		return func(i int) (Value, bool) { return TextValue(pointed(at(i), scale)), true }, Text, 0
	}
	kept := max(scale, 0)
	return func(i int) (Value, bool) {
		return decimalOf(decimal128.FromBigInt(new(big.Int).Mul(at(i), shift)), kept), true
	}, Decimal, kept
}

// pointed writes n / 10^scale.
func pointed(n *big.Int, scale int32) string {
	if scale <= 0 {
		return new(big.Int).Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-scale)), nil)).String()
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)).FloatString(int(scale))
}

// textReader reads texts and bytes as text, nested values as JSON, and the rest as Arrow writes it.
func (f *foreign) textReader(arr arrow.Array) (cellReader, Type, int32) {
	switch a := arr.(type) {
	case interface{ Value(int) string }:
		return func(i int) (Value, bool) { return TextValue(strings.ToValidUTF8(a.Value(i), "\ufffd")), true }, Text, 0
	case interface{ Value(int) []byte }:
		return func(i int) (Value, bool) { return blobText(a.Value(i)), true }, Text, 0
	case *array.Null:
		return func(int) (Value, bool) { return NullValue, true }, Null, 0
	case *array.MonthInterval, *array.DayTimeInterval, *array.MonthDayNanoInterval:
		return func(i int) (Value, bool) { return TextValue(arr.ValueStr(i)), true }, Text, 0
	}
	if _, ok := arr.DataType().(arrow.NestedType); !ok {
		return nil, Null, 0
	}
	return func(i int) (Value, bool) {
		text, err := json.Marshal(arr.GetOneForMarshal(i))
		if err != nil {
			return NullValue, false
		}
		return jsonValue(string(text)), true
	}, JSON, 0
}
