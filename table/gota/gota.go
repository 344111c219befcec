package gota

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"catena/table"
	"catena/table/infer"
)

// FromTable gives the table as a gota frame. Int becomes series.Int, Float series.Float, Bool series.Bool; every other
// type becomes series.String of its canonical text, which FromGota with the table's own Columns as hints turns back
// exactly. Nulls are gota's NaN. What gota cannot hold is an error that names the column: the text "NaN", which gota
// takes for a null, and a table without columns.
func FromTable(t *table.Table) (dataframe.DataFrame, error) {
	if t.NumCols() == 0 {
		return dataframe.DataFrame{}, fmt.Errorf("table: a gota frame needs at least one column")
	}
	all := make([]series.Series, t.NumCols())
	for c := range all {
		s, err := gotaSeries(t, c)
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
		if name != t.Column(c).Name {
			return df, &table.TypeError{
				Column: t.Column(c).Name,
				Type:   t.Column(c).Type,
				Reason: "gota renamed it to " + name,
			}
		}
	}
	return df, nil
}

// gotaSeries fills a series from values of exactly the Go types that gota keeps; nil is its null.
func gotaSeries(t *table.Table, c int) (series.Series, error) {
	col := t.Column(c)
	values := make([]any, t.NumRows())
	kind := series.String
	switch col.Type {
	case table.Int:
		kind = series.Int
	case table.Float:
		kind = series.Float
	case table.Bool:
		kind = series.Bool
	}
	for r := range values {
		v := t.Value(r, c)
		switch v.Type() {
		case table.Null:
		case table.Int:
			i, _ := v.Int()
			if int64(int(i)) != i {
				return series.Series{}, &table.TypeError{
					Column: col.Name,
					Type:   col.Type,
					Reason: "gota's integers are too small on this machine",
				}
			}
			values[r] = int(i)
		case table.Float:
			values[r], _ = v.Float()
		case table.Bool:
			values[r] = v.Bool()
		default:
			text := v.Text()
			if text == "NaN" {
				return series.Series{}, &table.TypeError{
					Column: col.Name,
					Type:   col.Type,
					Reason: `gota takes the text "NaN" for a null`,
				}
			}
			values[r] = text
		}
	}
	return series.New(values, kind, col.Name), nil
}

// ToTable makes a table of a gota frame: series.Int gives Int, series.Float Float, series.Bool Bool, series.String
// Text, NaN null. Strings stay Text unless a hint names their column: then each is read as the hint's type, exactly, or
// the error is a *TypeError. Hints give units and zones too; one of type Null says nothing of the type of cells that
// there are. A hint for a column that the frame does not have is an *UnknownColumnError.
//
// What gota has lost before, nobody sees here: it formats doubles that it makes strings of with six digits, and a
// series made of []int64, []float32 or json.Number is all NaN. Give it []int, []float64, []bool and []string.
func ToTable(df dataframe.DataFrame, hints ...table.Column) (*table.Table, error) {
	if df.Err != nil {
		return nil, fmt.Errorf("table: the gota frame holds an error: %w", df.Err)
	}
	names := df.Names()
	cols, arrays := make([]table.Column, len(names)), make([]arrow.Array, len(names))
	wanted := make(map[string]table.Column, len(hints))
	for _, h := range hints {
		wanted[h.Name] = h
	}
	for i, name := range names {
		var hint *table.Column
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
			return nil, &table.UnknownColumnError{Name: h.Name, Nearest: table.Nearest(h.Name, names), Have: names}
		}
	}
	return table.New(cols, arrays)
}

// gotaColumn reads a series element by element.
func gotaColumn(s series.Series, hint *table.Column) (*table.ColumnBuilder, error) {
	native := table.Text
	switch s.Type() {
	case series.Int:
		native = table.Int
	case series.Float:
		native = table.Float
	case series.Bool:
		native = table.Bool
	}
	col := table.Column{Name: s.Name, Type: native}
	if hint != nil {
		col = *hint
		if col.Name = s.Name; col.Type == table.Null && hasCells(s) {
			col.Type = native
		}
	}
	b := table.NewColumnBuilder(col, s.Len())
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

func gotaValue(e series.Element, native table.Type, col table.Column) (table.Value, error) {
	var v table.Value
	switch native {
	case table.Int:
		i, err := e.Int()
		if err != nil {
			return v, &table.TypeError{Column: col.Name, Type: table.Int, Reason: err.Error()}
		}
		v = table.IntValue(int64(i))
	case table.Float:
		if v = table.FloatValue(e.Float()); v.IsNull() {
			return v, &table.TypeError{
				Column: col.Name,
				Type:   table.Float,
				Reason: "tables do not hold infinite numbers",
			}
		}
	case table.Bool:
		b, err := e.Bool()
		if err != nil {
			return v, &table.TypeError{Column: col.Name, Type: table.Bool, Reason: err.Error()}
		}
		v = table.BoolValue(b)
	default:
		return infer.Parse(e.String(), col)
	}
	conv, ok := v.Convert(col)
	if !ok {
		return v, &table.TypeError{
			Column: col.Name,
			Type:   col.Type,
			Reason: fmt.Sprintf("the %s %s does not fit", v.Type(), v.Text()),
		}
	}
	return conv, nil
}
