package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
)

// Table is named, typed columns of equal length. Make one with New, a Builder or a loader; a nil or zero Table has no
// rows and no columns. It is immutable and safe for concurrent use.
type Table struct {
	cols    []Column
	arrays  []arrow.Array
	cells   []cells
	rows    int
	exact   map[string]int
	folded  map[string]int // by lower case; the first of several wins
	fingers func() string  // Fingerprint, computed once
	work    *Work          // that its verbs belong to; nil for none
}

// New makes a table of arrays that store what cols say: int64 for Int, float64 for Float, decimal128 of the same scale
// for Decimal, (large) utf8 for Text and JSON, date32 for Date, timestamp, time64 and duration in microseconds for the
// others, null for Null. NaN and the infinities become null. The arrays must have one length and the names be distinct;
// the table keeps the arrays.
func New(cols []Column, arrays []arrow.Array) (*Table, error) {
	if len(cols) != len(arrays) {
		return nil, fmt.Errorf("table: %d columns but %d arrays", len(cols), len(arrays))
	}
	t := &Table{cols: slices.Clone(cols), arrays: slices.Clone(arrays), cells: make([]cells, len(cols)),
		exact: make(map[string]int, len(cols)), folded: make(map[string]int, len(cols))}
	for i, col := range cols {
		if _, dup := t.exact[col.Name]; dup {
			return nil, fmt.Errorf("table: two columns are named %q", col.Name)
		}
		t.exact[col.Name] = i
		if low := strings.ToLower(col.Name); !has(t.folded, low) {
			t.folded[low] = i
		}
		if i == 0 {
			t.rows = arrays[i].Len()
		} else if arrays[i].Len() != t.rows {
			return nil, fmt.Errorf("table: column %q has %d rows, the first has %d", col.Name, arrays[i].Len(), t.rows)
		}
		var err error
		if t.cells[i], err = cellsOf(col, arrays[i]); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(t.cells[i].floats, notFinite) {
			if t.arrays[i], t.cells[i], err = finiteColumn(col, &t.cells[i], t.rows); err != nil {
				return nil, err
			}
		}
	}
	t.fingers = sync.OnceValue(t.fingerprint)
	return t, nil
}

func notFinite(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }

// finiteColumn copies a Float column with null for NaN and the infinities.
func finiteColumn(col Column, from *cells, rows int) (arrow.Array, cells, error) {
	b := NewColumnBuilder(col, rows)
	for r := range rows {
		b.Append(from.value(r))
	}
	arr := b.Finish()
	c, err := cellsOf(col, arr)
	return arr, c, err
}

func has(m map[string]int, key string) bool { _, ok := m[key]; return ok }

// must is New for columns that this package has built itself; a failure is a bug here.
func must(cols []Column, arrays []arrow.Array) *Table {
	t, err := New(cols, arrays)
	if err != nil {
		panic(err)
	}
	return t
}

// NumRows is the number of rows.
func (t *Table) NumRows() int {
	if t == nil {
		return 0
	}
	return t.rows
}

// NumCols is the number of columns.
func (t *Table) NumCols() int {
	if t == nil {
		return 0
	}
	return len(t.cols)
}

// Columns is a copy of the column descriptions, in order.
func (t *Table) Columns() []Column {
	if t == nil {
		return nil
	}
	return append([]Column(nil), t.cols...)
}

// Column describes column i; it panics when i is out of range.
func (t *Table) Column(i int) Column { return t.cols[i] }

// Names are the column names, in order.
func (t *Table) Names() []string {
	names := make([]string, t.NumCols())
	for i := range names {
		names[i] = t.cols[i].Name
	}
	return names
}

// Array is the Arrow array of column i; it panics when i is out of range. It must not be changed or released.
func (t *Table) Array(i int) arrow.Array { return t.arrays[i] }

// Index is the position of the named column: by exact name, else by name without regard to case; -1 when there is none.
func (t *Table) Index(name string) int {
	if t == nil {
		return -1
	}
	if i, ok := t.exact[name]; ok {
		return i
	}
	if i, ok := t.folded[strings.ToLower(name)]; ok {
		return i
	}
	return -1
}

// Lookup is Index with an *UnknownColumnError, which has the nearest names, for a column that does not exist.
func (t *Table) Lookup(name string) (int, error) {
	if i := t.Index(name); i >= 0 {
		return i, nil
	}
	names := t.Names()
	return -1, &UnknownColumnError{Name: name, Nearest: Nearest(name, names), Have: names}
}

// Value is one cell. It panics when row or col is out of range. Numbers, dates and texts cost no allocation.
func (t *Table) Value(row, col int) Value { return t.cells[col].value(row) }

// Text is the cell of a Text or JSON column, "" where it is null: Value(row, col).Text() in fewer steps. It shares the
// table's memory, and panics for a column of another type.
func (t *Table) Text(row, col int) string {
	c := &t.cells[col]
	if c.isNull(row) {
		return ""
	}
	return c.text.Value(row)
}

// IsNull reports whether a cell is null. It panics when row or col is out of range.
func (t *Table) IsNull(row, col int) bool { return t.cells[col].isNull(row) }

// Row is a fresh slice of the cells of row i; it panics when i is out of range.
func (t *Table) Row(i int) []Value {
	row := make([]Value, len(t.cells))
	for c := range t.cells {
		row[c] = t.cells[c].value(i)
	}
	return row
}

// Fingerprint is a hash of the columns (name, type, scale, zone, unit) and all cells, as 32 hexadecimal digits. Equal
// tables have equal fingerprints, in this process and in any other; it is computed once.
func (t *Table) Fingerprint() string {
	if t == nil || t.fingers == nil {
		return (&Table{}).fingerprint()
	}
	return t.fingers()
}
