package columnar

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

	"catena/internal/text"
	"catena/table"
	"catena/table/infer"
)

// foreignColumn converts arrays of types that tables do not store, cell by cell and without loss, but for times below a
// microsecond, which are cut and said to be.
func foreignColumn(col table.Column, arr arrow.Array, lim table.Limits) (table.Column, arrow.Array, []string, error) {
	f := &foreign{zone: col.Zone}
	read, typ, scale := f.reader(arr)
	if read == nil {
		return col, nil, nil, fmt.Errorf("the Arrow type %s is not supported", arr.DataType())
	}
	if col.Type == table.JSON && typ == table.Text { // declared as JSON, but not all of it is
		f.notes = append(f.notes, "not all cells are valid JSON, so it is text")
	}
	col.Type, col.Scale = typ, scale
	b, err := f.build(col, arr, read, lim)
	if err != nil {
		return col, nil, nil, err
	}
	if f.cut > 0 {
		f.notes = append(f.notes, fmt.Sprintf("%s cut to microseconds", text.CountOf(f.cut, "time was", "times were")))
	}
	return col, b.Finish(), append(f.notes, notFiniteNotes(f.loose)...), nil
}

// build reads all cells into a column. What they take is reserved before; of texts that become longer by it, as they
// come.
func (f *foreign) build(
	col table.Column, arr arrow.Array, read cellReader, lim table.Limits,
) (*table.ColumnBuilder, error) {
	u := &unfolding{lim: &lim}
	defer u.end()
	sizes := each(0)
	var err error
	if col.Type == table.Text || col.Type == table.JSON {
		if sizes, err = u.of(arr); err != nil {
			return nil, err
		}
	}
	rows := arr.Len()
	room := sizes(0, rows)
	if err := lim.Reserve(plus(room, product(int64(rows), bytesOfCell))); err != nil {
		return nil, err
	}
	b := table.NewColumnBuilder(col, 0)
	b.Reserve(rows, int(room))
	for i := range rows {
		if i%infer.BlockRows == 0 {
			if err := lim.Ended(); err != nil {
				return nil, err
			}
		}
		if arr.IsNull(i) {
			b.AppendNull()
			continue
		}
		if sizes(i, i+1) > product(2, int64(lim.CellSize)) {
			return nil, table.LargeCell(lim)
		}
		v, ok := read(i)
		if !ok {
			return nil, fmt.Errorf("row %d does not fit the type %s", i+1, col.Type)
		}
		if (col.Type == table.Text || col.Type == table.JSON) && !v.IsNull() {
			if room, err = roomForText(b, v.Text(), room, lim); err != nil {
				return nil, err
			}
		}
		b.Append(v)
	}
	return b, nil
}

// roomForText reserves what a text takes beyond the room that was reserved, and gives the room that there is then.
func roomForText(b *table.ColumnBuilder, text string, room int64, lim table.Limits) (int64, error) {
	if len(text) > lim.CellSize {
		return room, table.LargeCell(lim)
	}
	more := int64(b.TextSize()+len(text)) - room
	if more <= 0 {
		return room, nil
	}
	more = max(more, room/4, 1<<16)
	return room + more, lim.Reserve(2 * more) // the old and the new, while it grows
}

// bytesOfCell is what a cell takes in a column that is built, beside its text.
const bytesOfCell = 17

type cellReader func(i int) (table.Value, bool)

// foreign makes readers of arrays and counts what they lose.
type foreign struct {
	zone  string
	cut   int // times with digits below a microsecond
	loose int // numbers that are not finite
	notes []string
}

// float is a number, or null for what no table holds.
func (f *foreign) float(v float64) table.Value {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		f.loose++
	}
	return table.FloatValue(v)
}

func intReader[T int8 | int16 | int32 | uint8 | uint16 | uint32](values []T) cellReader {
	return func(i int) (table.Value, bool) { return table.IntValue(int64(values[i])), true }
}

// reader gives a reader of the cells that are not null, their type and scale; nil where the type is not known.
func (f *foreign) reader(arr arrow.Array) (read cellReader, typ table.Type, scale int32) {
	switch a := arr.(type) {
	case *array.Int8:
		return intReader(a.Int8Values()), table.Int, 0
	case *array.Int16:
		return intReader(a.Int16Values()), table.Int, 0
	case *array.Int32:
		return intReader(a.Int32Values()), table.Int, 0
	case *array.Int64:
		return func(i int) (table.Value, bool) { return table.IntValue(a.Value(i)), true }, table.Int, 0
	case *array.Uint8:
		return intReader(a.Uint8Values()), table.Int, 0
	case *array.Uint16:
		return intReader(a.Uint16Values()), table.Int, 0
	case *array.Uint32:
		return intReader(a.Uint32Values()), table.Int, 0
	case *array.Uint64:
		return func(i int) (table.Value, bool) { return table.DecimalValue(0, a.Value(i), 0), true }, table.Decimal, 0
	case *array.Float16:
		return func(i int) (table.Value, bool) { return f.float(float64(a.Value(i).Float32())), true }, table.Float, 0
	case *array.Float32:
		return func(i int) (table.Value, bool) { return f.float(shortFloat(a.Value(i))), true }, table.Float, 0
	case *array.Float64:
		return func(i int) (table.Value, bool) { return f.float(a.Value(i)), true }, table.Float, 0
	case *array.Boolean:
		return func(i int) (table.Value, bool) { return table.BoolValue(a.Value(i)), true }, table.Bool, 0
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
func (f *foreign) placed(words arrow.Array, place func(i int) int) (cellReader, table.Type, int32) {
	read, typ, scale := f.reader(words)
	if read == nil {
		return nil, table.Null, 0
	}
	return func(i int) (table.Value, bool) {
		if k := place(i); words.IsValid(k) {
			return read(k)
		}
		return table.NullValue, true
	}, typ, scale
}

// shortFloat is the double that a single-precision number is written as: 0.1, not 0.10000000149011612.
func shortFloat(f float32) float64 {
	if d := float64(f); math.IsNaN(d) || math.IsInf(d, 0) || d == math.Trunc(d) {
		return d
	}
	var d float64
	if _, err := fmt.Sscan(fmt.Sprint(f), &d); err != nil {
		return float64(f)
	}
	return d
}

func (f *foreign) timeReader(arr arrow.Array) (cellReader, table.Type) {
	switch a := arr.(type) {
	case *array.Date32:
		return func(i int) (table.Value, bool) { return table.DateOfDays(int64(a.Value(i))), true }, table.Date
	case *array.Date64:
		return func(i int) (table.Value, bool) {
			days := table.FloorDiv(int64(a.Value(i)), 86400*1000)
			return table.DateOfDays(days), days == int64(int32(days))
		}, table.Date
	case *array.Timestamp:
		return f.micros(func(i int) int64 {
			return int64(a.Value(i))
		}, a.DataType().(*arrow.TimestampType).Unit, table.DateTime), table.DateTime
	case *array.Time32:
		return f.micros(func(i int) int64 {
			return int64(a.Value(i))
		}, a.DataType().(*arrow.Time32Type).Unit, table.Time), table.Time
	case *array.Time64:
		return f.micros(func(i int) int64 {
			return int64(a.Value(i))
		}, a.DataType().(*arrow.Time64Type).Unit, table.Time), table.Time
	case *array.Duration:
		return f.micros(func(i int) int64 {
			return int64(a.Value(i))
		}, a.DataType().(*arrow.DurationType).Unit, table.Duration), table.Duration
	}
	return nil, table.Null
}

func (f *foreign) micros(at func(int) int64, unit arrow.TimeUnit, typ table.Type) cellReader {
	zone := ""
	if typ == table.DateTime {
		zone = f.zone
	}
	return func(i int) (table.Value, bool) {
		us, exact, ok := toMicros(at(i), unit)
		if !exact {
			f.cut++
		}
		return table.MicrosValue(typ, us, zone), ok && (typ != table.Time || us >= 0 && us < table.DayMicros)
	}
}

// toMicros converts a count of units; exact is false when digits are cut, ok when the range is exceeded.
func toMicros(n int64, unit arrow.TimeUnit) (us int64, exact, ok bool) {
	nanos := int64(unit.Multiplier())
	if nanos < int64(time.Microsecond) {
		per := int64(time.Microsecond) / nanos
		return table.FloorDiv(n, per), n%per == 0, true
	}
	per := nanos / int64(time.Microsecond)
	return n * per, true, n <= math.MaxInt64/per && n >= math.MinInt64/per
}

// decimalReader reads decimals of any width. Those that 38 digits do not hold are text, all of their column.
func decimalReader(arr arrow.Array) (cellReader, table.Type, int32) {
	var at func(i int) *big.Int
	var scale int32
	switch a := arr.(type) {
	case *array.Decimal32:
		at, scale = func(i int) *big.Int {
			return big.NewInt(int64(a.Value(i)))
		}, a.DataType().(arrow.DecimalType).GetScale()
	case *array.Decimal64:
		at, scale = func(i int) *big.Int {
			return big.NewInt(int64(a.Value(i)))
		}, a.DataType().(arrow.DecimalType).GetScale()
	case *array.Decimal128:
		at, scale = func(i int) *big.Int { return a.Value(i).BigInt() }, a.DataType().(arrow.DecimalType).GetScale()
	case *array.Decimal256:
		at, scale = func(i int) *big.Int { return a.Value(i).BigInt() }, a.DataType().(arrow.DecimalType).GetScale()
	default:
		return nil, table.Null, 0
	}
	if scale < -1000 || scale > 1000 { // no type has such a scale
		return nil, table.Null, 0
	}
	shift := big.NewInt(1)
	if scale < 0 {
		shift.Exp(big.NewInt(10), big.NewInt(int64(-scale)), nil)
	}
	most := new(big.Int).Exp(big.NewInt(10), big.NewInt(table.MaxDigits), nil)
	fits := scale <= table.MaxDigits
	for i := 0; i < arr.Len() && fits; i++ {
		fits = arr.IsNull(i) || new(big.Int).Mul(at(i), shift).CmpAbs(most) < 0
	}
	if !fits {
		return func(i int) (table.Value, bool) { return table.TextValue(pointed(at(i), scale)), true }, table.Text, 0
	}
	kept := max(scale, 0)
	return func(i int) (table.Value, bool) {
		n := decimal128.FromBigInt(new(big.Int).Mul(at(i), shift))
		return table.DecimalValue(n.HighBits(), n.LowBits(), kept), true
	}, table.Decimal, kept
}

// pointed writes n / 10^scale.
func pointed(n *big.Int, scale int32) string {
	if scale <= 0 {
		return new(big.Int).Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-scale)), nil)).String()
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)),
		nil)).FloatString(int(scale))
}

// textReader reads texts and bytes as text, nested values as JSON, and the rest as Arrow writes it.
func (f *foreign) textReader(arr arrow.Array) (cellReader, table.Type, int32) {
	switch a := arr.(type) {
	case interface{ Value(int) string }:
		return func(i int) (table.Value, bool) {
			return table.TextValue(strings.ToValidUTF8(a.Value(i), "\ufffd")), true
		}, table.Text, 0
	case interface{ Value(int) []byte }:
		return func(i int) (table.Value, bool) { return blobText(a.Value(i)), true }, table.Text, 0
	case *array.Null:
		return func(int) (table.Value, bool) { return table.NullValue, true }, table.Null, 0
	case *array.MonthInterval, *array.DayTimeInterval, *array.MonthDayNanoInterval:
		return func(i int) (table.Value, bool) { return table.TextValue(arr.ValueStr(i)), true }, table.Text, 0
	}
	if _, ok := arr.DataType().(arrow.NestedType); !ok {
		return nil, table.Null, 0
	}
	return func(i int) (table.Value, bool) {
		text, err := json.Marshal(arr.GetOneForMarshal(i))
		if err != nil {
			return table.NullValue, false
		}
		return table.JsonValue(string(text)), true
	}, table.JSON, 0
}
