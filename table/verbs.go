package table

import (
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"catena/internal/text"
)

// Slice is the rows from offset, at most n of them, cut to what is there. It shares the storage.
func (t *Table) Slice(offset, n int) *Table {
	offset = min(max(offset, 0), t.NumRows())
	n = min(max(n, 0), t.NumRows()-offset)
	arrays := make([]arrow.Array, t.NumCols())
	for i := range arrays {
		arrays[i] = array.NewSlice(t.arrays[i], int64(offset), int64(offset+n))
	}
	return must(t.Columns(), arrays).of(t.bounded())
}

// Select is the named columns in the given order. A name may not repeat.
func (t *Table) Select(names ...string) (*Table, error) {
	cols, arrays := make([]Column, len(names)), make([]arrow.Array, len(names))
	for i, name := range names {
		c, err := t.Lookup(name)
		if err != nil {
			return nil, err
		}
		cols[i], arrays[i] = t.cols[c], t.arrays[c]
	}
	return t.sharing(cols, arrays)
}

// Rename gives a column another name, which must be free.
func (t *Table) Rename(from, to string) (*Table, error) {
	c, err := t.Lookup(from)
	if err != nil {
		return nil, err
	}
	cols := t.Columns()
	cols[c].Name = to
	return t.sharing(cols, t.arrays)
}

// sharing is a table of arrays that the table has, under the same Work.
func (t *Table) sharing(cols []Column, arrays []arrow.Array) (*Table, error) {
	out, err := New(cols, arrays)
	return out.of(t.bounded()), err
}

// WithUnits gives columns, by their names, a unit. Those that the table does not have are passed over.
func (t *Table) WithUnits(units map[string]string) *Table {
	if len(units) == 0 || t.NumCols() == 0 {
		return t
	}
	cols := t.Columns()
	for i := range cols {
		if unit, ok := units[cols[i].Name]; ok {
			cols[i].Unit = unit
		}
	}
	out, err := t.sharing(cols, t.arrays)
	if err != nil {
		return t // it cannot be: only units differ
	}
	return out
}

// WithColumn adds a column, or replaces the one of that exact name in its place. There must be one value for each row,
// each of col's type or become one without loss, as an Int does a Decimal or a Float and anything a Text; Ints with a
// whole number beyond 64 bits become Decimals. A col of type Null takes its type from the values.
func (t *Table) WithColumn(col Column, values []Value) (*Table, error) {
	if len(values) != t.NumRows() && t.NumCols() > 0 {
		if t.work.Err() != nil { // which NewValues gave none for
			return nil, t.work.Err()
		}
		return nil, fmt.Errorf("table: %d values for column %q of a table with %d rows", len(values),
			col.Name, t.NumRows())
	}
	return t.bounded().run(func() (*Table, error) { return t.withColumn(col, values) })
}

func (t *Table) withColumn(col Column, values []Value) (*Table, error) {
	var arr arrow.Array
	if col.Type == Null {
		b, typed := fromValues(col.Name, values, t.bounded())
		typed.Unit = col.Unit
		col, arr = typed, b.Finish()
	} else {
		if slices.ContainsFunc(values, func(v Value) bool { return beyondInt(v, col) }) {
			col = wholeNumbers(col)
		}
		w := t.bounded()
		b := w.newColumn(col, values)
		for i, v := range values {
			if i%askedRows == 0 {
				w.block(i, len(values))
			}
			conv, ok := convert(v, col)
			if !ok {
				return nil, &TypeError{Column: col.Name, Type: col.Type,
					Reason: fmt.Sprintf("the %s %q does not fit", v.typ, text.Clip(v.Text(), 40))}
			}
			w.append(b, conv)
		}
		arr = b.Finish()
	}
	cols, arrays := t.Columns(), []arrow.Array(nil)
	if t != nil {
		arrays = slices.Clone(t.arrays)
	}
	if i := slices.IndexFunc(cols, func(c Column) bool { return c.Name == col.Name }); i >= 0 {
		cols[i], arrays[i] = col, arr
		return New(cols, arrays)
	}
	return New(append(cols, col), append(arrays, arr))
}

// Filter keeps the rows for which keep is true. keep is called once for each row, in order. An error is that of the
// table's Work.
func (t *Table) Filter(keep func(row int) bool) (*Table, error) {
	w, n := t.bounded(), t.NumRows()
	return w.run(func() (*Table, error) {
		w.scratch(int64(n) * rowNumber)
		rows := make([]int, 0, n)
		for lo, hi := w.block(0, n); lo < hi; lo, hi = w.block(hi, n) {
			for r := lo; r < hi; r++ {
				if keep(r) {
					rows = append(rows, r)
				}
			}
		}
		if len(rows) == n {
			return t, nil
		}
		return t.take(rows), nil
	})
}

// Distinct keeps the first of the rows that are equal in all columns; nulls equal each other. An error is that of the
// table's Work.
func (t *Table) Distinct() (*Table, error) {
	all := make([]int, t.NumCols())
	for i := range all {
		all[i] = i
	}
	return t.bounded().run(func() (*Table, error) { return t.take(t.groupRows(all).first), nil })
}

// Concat puts tables below each other, matching columns by name (exactly) in order of first appearance. Columns that a
// table does not have are null in its rows. Types are unified: integers and decimals to a decimal, any float to a
// float, a date and a datetime to a datetime, other mixes to text. A unit survives only where all agree.
func Concat(tables ...*Table) (*Table, error) {
	w := firstWork(tables...)
	return w.run(func() (*Table, error) { return concat(tables, w) })
}

func concat(tables []*Table, w *Work) (*Table, error) {
	var cols []Column
	at := map[string]int{}
	rows := 0
	for _, t := range tables {
		for i := range t.NumCols() {
			col := t.cols[i]
			if p, ok := at[col.Name]; ok {
				cols[p] = unify(cols[p], col)
			} else {
				at[col.Name] = len(cols)
				cols = append(cols, col)
			}
		}
		rows += t.NumRows()
	}
	arrays := make([]arrow.Array, len(cols))
	w.scratch(int64(rows) * valueMemory)
	values := make([]Value, 0, rows) // of one column after the other
	for i := range cols {
		values = values[:0]
		for _, t := range tables {
			c, ok := -1, false
			if t != nil {
				c, ok = t.exact[cols[i].Name]
			}
			for r := range t.NumRows() {
				if r%askedRows == 0 {
					w.block(r, t.rows)
				}
				if ok {
					values = append(values, t.cells[c].value(r))
				} else {
					values = append(values, NullValue)
				}
			}
		}
		b, col := castValues(cols[i], values, w)
		cols[i], arrays[i] = col, b.Finish()
	}
	return New(cols, arrays)
}
