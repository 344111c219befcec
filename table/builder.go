package table

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/internal/text"
)

// Builder collects rows into a table. It is for one goroutine.
type Builder struct {
	cols []*ColumnBuilder
	err  error
}

// NewBuilder starts a table with the given columns. A column of type Null takes the type of its first value that is not
// null.
func NewBuilder(cols ...Column) *Builder {
	b := &Builder{cols: make([]*ColumnBuilder, len(cols))}
	seen := make(map[string]bool, len(cols))
	for i, col := range cols {
		if seen[col.Name] {
			b.err = fmt.Errorf("table: two columns are named %q", col.Name)
		}
		seen[col.Name] = true
		if col.Type == Decimal && (col.Scale < 0 || col.Scale > MaxDigits) {
			b.err = &TypeError{Column: col.Name, Type: Decimal, Reason: "the scale must be from 0 to 38"}
		}
		b.cols[i] = NewColumnBuilder(col, 0)
	}
	return b
}

// Append adds one row. A value must have its column's type, be null, or convert without loss: an Int to a Decimal or a
// Float, a Decimal to a greater scale, a Date to a DateTime. A column of Ints becomes one of Decimals by a whole number
// that 64 bits do not hold. Otherwise a *TypeError is returned and nothing is added.
func (b *Builder) Append(values ...Value) error {
	if b.err != nil {
		return b.err
	}
	if len(values) != len(b.cols) {
		return fmt.Errorf("table: a row of %d values for %d columns", len(values), len(b.cols))
	}
	var few [16]Value
	row := append(few[:0], values...)
	for i, v := range row {
		col := b.cols[i].Col
		same := v.typ == col.Type && v.typ != Decimal
		if col.Type == Null || v.typ == Null || same {
			continue
		}
		conv, ok := convert(v, col)
		if ok = ok || beyondInt(v, col); !ok {
			return &TypeError{Column: col.Name, Type: col.Type,
				Reason: fmt.Sprintf("the %s %q does not fit", v.typ, text.Clip(v.Text(), 40))}
		}
		if row[i] = conv; beyondInt(v, col) {
			row[i], _ = convert(v, wholeNumbers(col))
		}
	}
	for i, v := range row {
		if b.cols[i].Col.Type == Null && v.typ != Null {
			b.cols[i] = b.cols[i].typed(v)
		}
		if beyondInt(v, b.cols[i].Col) {
			b.cols[i] = b.cols[i].widened()
		}
		b.cols[i].Append(v)
	}
	return nil
}

// beyondInt reports whether a value is a whole number that a column of Ints cannot hold, but one of Decimals can.
func beyondInt(v Value, col Column) bool {
	if col.Type != Int || v.typ != Decimal {
		return false
	}
	if _, fits := convert(v, col); fits {
		return false
	}
	_, whole := convert(v, wholeNumbers(col))
	return whole
}

// wholeNumbers is a column of Ints with room for more digits.
func wholeNumbers(col Column) Column {
	col.Type, col.Scale = Decimal, 0
	return col
}

// widened is a builder of Ints as one of Decimals.
func (b *ColumnBuilder) widened() *ColumnBuilder {
	out := NewColumnBuilder(wholeNumbers(b.Col), b.n+1)
	for i, n := range b.ints {
		if b.nulls > 0 && b.valid[i>>3]&(1<<(i&7)) == 0 {
			out.AppendNull()
			continue
		}
		out.Append(decimalOf(numOf(n), 0))
	}
	return out
}

// typed replaces a builder that holds only nulls by one of v's type.
func (b *ColumnBuilder) typed(v Value) *ColumnBuilder {
	col := b.Col
	col.Type, col.Scale = v.typ, v.sc
	if v.typ == DateTime && col.Zone == "" {
		col.Zone = v.s
	}
	n := NewColumnBuilder(col, b.n+1)
	for range b.n {
		n.AppendNull()
	}
	return n
}

// Table ends the building and gives the table. Columns that never had a value are of type Null unless they were
// declared. The error of NewBuilder, if there was one, has been returned by Append; Table then gives an empty table.
func (b *Builder) Table() *Table {
	if b.err != nil {
		return must(nil, nil)
	}
	cols, arrays := make([]Column, len(b.cols)), make([]arrow.Array, len(b.cols))
	for i, c := range b.cols {
		cols[i], arrays[i] = c.Col, c.Finish()
	}
	b.cols = nil
	return must(cols, arrays)
}

// Convert is v as a value of the column's type (and scale); false where that would lose something. See convert.
func (v Value) Convert(col Column) (Value, bool) { return convert(v, col) }

// convert gives v as a value of the column's type (and scale), where that loses nothing: Int to Decimal or Float,
// Decimal to another scale or to Int, a whole Float to Int, Date to DateTime, a DateTime at midnight to Date; anything
// to Text by its canonical text. Null stays null.
func convert(v Value, col Column) (Value, bool) {
	if v.typ == Null {
		return v, true
	}
	switch col.Type {
	case Int:
		i, ok := v.Int()
		return IntValue(i), ok
	case Float:
		f, ok := v.Float()
		return FloatValue(f), ok && (v.typ == Float || compareNumbers(v, FloatValue(f)) == 0)
	case Decimal:
		return toDecimal(v, col.Scale)
	case DateTime:
		if v.typ == Date {
			return Value{typ: DateTime, i: v.InMicros(), s: col.Zone}, true
		}
	case Date:
		if v.typ == DateTime && v.i%DayMicros == 0 {
			return Value{typ: Date, i: v.i / DayMicros}, true
		}
	case Text:
		return TextValue(v.Text()), true
	}
	return v, v.typ == col.Type
}

func toDecimal(v Value, scale int32) (Value, bool) {
	switch v.typ {
	case Int:
		v = decimalOf(numOf(v.i), 0)
	case Float:
		if math.Abs(v.f) >= 1e38 {
			return v, false
		}
		d, err := DecimalFromApd(floatApd(v.f))
		if err != nil {
			return v, false
		}
		v = d
	case Decimal:
	default:
		return v, false
	}
	n, ok := Rescale(v.num(), v.sc, scale)
	return decimalOf(n, scale), ok
}
