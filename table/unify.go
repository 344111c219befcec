package table

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
)

func numOf(i int64) decimal128.Num { return decimal128.FromI64(i) }

// unify gives the narrowest column that holds the cells of both. Ints and Decimals give a Decimal, where 38 digits
// suffice (wide says whether they do), anything with a Float a Float, Date and DateTime a DateTime, other mixes Text.
func unify(a, b Column) Column {
	out := a
	if a.Unit != b.Unit {
		out.Unit = ""
	}
	switch {
	case a.Type == Null:
		return Column{Name: a.Name, Type: b.Type, Scale: b.Scale, Zone: b.Zone, Unit: b.Unit}
	case b.Type == Null:
		out.Unit = a.Unit
	case a.Type == b.Type:
		out.Scale = max(a.Scale, b.Scale)
		if a.Zone != b.Zone {
			out.Zone = "UTC"
			if a.Zone == "" || b.Zone == "" {
				out.Zone = ""
			}
		}
	case a.Type.Numeric() && b.Type.Numeric():
		if a.Type == Float || b.Type == Float {
			out.Type, out.Scale = Float, 0
		} else {
			out.Type, out.Scale = Decimal, max(a.Scale, b.Scale)
		}
	case a.Type.Temporal() && b.Type.Temporal():
		out.Type = DateTime
		if b.Type == DateTime {
			out.Zone = b.Zone
		}
	default:
		out.Type, out.Scale, out.Zone = Text, 0, ""
	}
	return out
}

// cast gives v as the column's type where unify chose it: as convert, but a Float column takes every number, rounded
// once.
func cast(v Value, col Column) (Value, bool) {
	if v.typ == Null {
		return v, true
	}
	if col.Type == Float {
		f, ok := v.Float()
		return FloatValue(f), ok
	}
	return convert(v, col)
}

// fromValues builds a column of values of mixed types by unifying them. Where decimals need more than 38 digits
// together, doubles are used.
func fromValues(name string, values []Value, w *Work) (*ColumnBuilder, Column) {
	col := Column{Name: name}
	for _, v := range values {
		if v.typ != Null {
			col = unify(col, Column{Name: name, Type: v.typ, Scale: v.sc, Zone: v.Zone()})
		}
	}
	return castValues(col, values, w)
}

// ColumnOf makes the column, and the array that stores it, of values of mixed types: the narrowest type that holds them
// all. Decimals that need more than 38 digits together become doubles; what has no type in common becomes text.
func ColumnOf(name string, values []Value) (Column, arrow.Array) {
	b, col := fromValues(name, values, nil)
	return col, b.Finish()
}

// castValues builds a column of values that unify chose it for, or of texts or doubles where they do not fit.
func castValues(col Column, values []Value, w *Work) (*ColumnBuilder, Column) {
	b := w.newColumn(col, values)
	for i, v := range values {
		if i%askedRows == 0 {
			w.block(i, len(values))
		}
		c, ok := cast(v, col)
		if !ok {
			switch col.Type {
			case Decimal:
				col.Type, col.Scale = Float, 0
			default:
				col.Type, col.Scale, col.Zone = Text, 0, ""
			}
			return castValues(col, values, w)
		}
		w.append(b, c)
	}
	return b, col
}

// newColumn begins a column of the values, which append adds to.
func (w *Work) newColumn(col Column, values []Value) *ColumnBuilder {
	w.drawColumn(col.Type, len(values))
	b := &ColumnBuilder{Col: col}
	b.Reserve(len(values), w.drawTexts(col, values))
	return b
}

// drawTexts takes memory for the texts among values, where the column is one of texts, and says how much.
func (w *Work) drawTexts(col Column, values []Value) int {
	if col.Type != Text && col.Type != JSON {
		return 0
	}
	bytes := 0
	for _, v := range values {
		bytes += len(v.s)
	}
	w.draw(int64(bytes))
	return bytes
}

// Append adds a value. Texts that newColumn did not know, as those of numbers, are drawn for as the column grows.
func (w *Work) append(b *ColumnBuilder, v Value) {
	if w != nil && len(b.text)+len(v.s) > cap(b.text) {
		w.draw(int64(2*cap(b.text) + len(v.s)))
	}
	b.Append(v)
}
