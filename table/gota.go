package table

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/apache/arrow-go/v18/arrow"
)

// Gota gives the table as a gota frame. Int becomes series.Int, Float series.Float, Bool series.Bool; every other type becomes series.String of its
// canonical text, which FromGota with the table's own Columns as hints turns back exactly. Nulls are gota's NaN. What gota cannot hold is an error
// that names the column: the text "NaN", which gota takes for a null, and a table without columns.
func (t *Table) Gota() (dataframe.DataFrame, error) {
	if t.NumCols() == 0 {
		return dataframe.DataFrame{}, fmt.Errorf("table: a gota frame needs at least one column")
	}
	all := make([]series.Series, t.NumCols())
	for c := range all {
		s, err := t.gotaSeries(c)
		if err != nil {
			return dataframe.DataFrame{}, err
		}
		all[c] = s
	}
	df := dataframe.New(all...)
	if df.Err != nil {
		return df, fmt.Errorf("table: making a gota frame: %w", df.Err)
	}
	for c, name := range df.Names() {
		if name != t.cols[c].Name {
			return df, &TypeError{Column: t.cols[c].Name, Type: t.cols[c].Type, Reason: "gota renamed it to " + name}
		}
	}
	return df, nil
}

// gotaSeries fills a series from values of exactly the Go types that gota keeps; nil is its null.
func (t *Table) gotaSeries(c int) (series.Series, error) {
	col := t.cols[c]
	values := make([]any, t.rows)
	kind := series.String
	switch col.Type {
	case Int:
		kind = series.Int
	case Float:
		kind = series.Float
	case Bool:
		kind = series.Bool
	}
	for r := range values {
		v := t.cells[c].value(r)
		switch v.typ {
		case Null:
		case Int:
			if int64(int(v.i)) != v.i {
				return series.Series{}, &TypeError{Column: col.Name, Type: col.Type, Reason: "gota's integers are too small on this machine"}
			}
			values[r] = int(v.i)
		case Float:
			values[r] = v.f
		case Bool:
			values[r] = v.Bool()
		default:
			text := v.Text()
			if text == "NaN" {
				return series.Series{}, &TypeError{Column: col.Name, Type: col.Type, Reason: `gota takes the text "NaN" for a null`}
			}
			values[r] = text
		}
	}
	return series.New(values, kind, col.Name), nil
}

// FromGota makes a table of a gota frame: series.Int gives Int, series.Float Float, series.Bool Bool, series.String Text, NaN null. Strings stay Text unless a hint names
// their column: then each is read as the hint's type, exactly, or the error is a *TypeError. Hints give units and zones too; one of type Null says nothing of the type of cells
// that there are. A hint for a column that the frame does not have is an *UnknownColumnError.
//
// What gota has lost before, nobody sees here: it formats doubles that it makes strings of with six digits, and a series made of []int64, []float32 or
// json.Number is all NaN. Give it []int, []float64, []bool and []string.
func FromGota(df dataframe.DataFrame, hints ...Column) (*Table, error) {
	if df.Err != nil {
		return nil, fmt.Errorf("table: the gota frame holds an error: %w", df.Err)
	}
	names := df.Names()
	cols, arrays := make([]Column, len(names)), make([]arrow.Array, len(names))
	wanted := make(map[string]Column, len(hints))
	for _, h := range hints {
		wanted[h.Name] = h
	}
	for i, name := range names {
		var hint *Column
		if h, ok := wanted[name]; ok {
			hint = &h
		}
		col, err := gotaColumn(df.Col(name), hint)
		if err != nil {
			return nil, err
		}
		cols[i], arrays[i] = col.Col, col.Finish()
		delete(wanted, name)
	}
	for _, h := range hints {
		if _, left := wanted[h.Name]; left {
			return nil, &UnknownColumnError{Name: h.Name, Nearest: Nearest(h.Name, names), Have: names}
		}
	}
	return New(cols, arrays)
}

// gotaColumn reads a series element by element.
func gotaColumn(s series.Series, hint *Column) (*ColumnBuilder, error) {
	native := Text
	switch s.Type() {
	case series.Int:
		native = Int
	case series.Float:
		native = Float
	case series.Bool:
		native = Bool
	}
	col := Column{Name: s.Name, Type: native}
	if hint != nil {
		col = *hint
		if col.Name = s.Name; col.Type == Null && hasCells(s) {
			col.Type = native
		}
	}
	b := NewColumnBuilder(col, s.Len())
	for i := range s.Len() {
		e := s.Elem(i)
		if e.IsNA() {
			b.AppendNull()
			continue
		}
		v, err := gotaValue(e, native, col)
		if err != nil {
			return nil, err
		}
		b.Append(v)
	}
	return b, nil
}

func hasCells(s series.Series) bool {
	for i := range s.Len() {
		if !s.Elem(i).IsNA() {
			return true
		}
	}
	return false
}

func gotaValue(e series.Element, native Type, col Column) (Value, error) {
	var v Value
	switch native {
	case Int:
		i, err := e.Int()
		if err != nil {
			return v, &TypeError{Column: col.Name, Type: Int, Reason: err.Error()}
		}
		v = IntValue(int64(i))
	case Float:
		if v = FloatValue(e.Float()); v.typ == Null {
			return v, &TypeError{Column: col.Name, Type: Float, Reason: "tables do not hold infinite numbers"}
		}
	case Bool:
		b, err := e.Bool()
		if err != nil {
			return v, &TypeError{Column: col.Name, Type: Bool, Reason: err.Error()}
		}
		v = BoolValue(b)
	default:
		return Parse(e.String(), col)
	}
	conv, ok := convert(v, col)
	if !ok {
		return v, &TypeError{Column: col.Name, Type: col.Type, Reason: fmt.Sprintf("the %s %s does not fit", v.typ, v.Text())}
	}
	return conv, nil
}
