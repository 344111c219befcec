package table

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

// Join combines each row of l with the rows of r whose cells are equal in all pairs of on (a column of l, a column of r), in the
// order of l and then of r. Left keeps rows of l without a match, with nulls on the right; a null matches nothing. The columns
// are those of l, then those of r without its join columns; names that would repeat get a suffix _2. Numbers match across Int, Float and
// Decimal by exact value; other types must be the same on both sides, else the error is a *TypeError.
func Join(l, r *Table, on [][2]string, how JoinKind) (*Table, error) {
	if how != Inner && how != Left {
		return nil, fmt.Errorf("table: there is no join %q; the joins are inner and left", how)
	}
	if len(on) == 0 {
		return nil, fmt.Errorf("table: a join needs at least one pair of columns in on")
	}
	left, right := make([]int, len(on)), make([]int, len(on))
	skip := map[int]bool{}
	for i, pair := range on {
		var err error
		if left[i], err = l.Lookup(pair[0]); err != nil {
			return nil, err
		}
		if right[i], err = r.Lookup(pair[1]); err != nil {
			return nil, err
		}
		if a, b := l.cols[left[i]], r.cols[right[i]]; !joinable(a.Type, b.Type) {
			return nil, &TypeError{Column: a.Name, Type: a.Type, Reason: fmt.Sprintf("cannot be joined to %q (%s)", b.Name, b.Type)}
		}
		skip[right[i]] = true
	}
	lrows, rrows := matchRows(l, r, left, right, how)
	cols := l.Columns()
	arrays := make([]arrow.Array, 0, l.NumCols()+r.NumCols())
	for c := range l.cols {
		arrays = append(arrays, takeColumn(l.cols[c], &l.cells[c], lrows))
	}
	for c := range r.cols {
		if !skip[c] {
			cols = append(cols, r.cols[c])
			arrays = append(arrays, takeColumn(r.cols[c], &r.cells[c], rrows))
		}
	}
	uniqueNames(cols)
	return New(cols, arrays)
}

func joinable(a, b Type) bool {
	return a == b || a == Null || b == Null || a.Numeric() && b.Numeric() || a.Temporal() && b.Temporal()
}

// matchRows gives the pairs of rows of a join; a right row of -1 stands for nulls.
func matchRows(l, r *Table, left, right []int, how JoinKind) (lrows, rrows []int) {
	byKey := map[string][]int{}
	var buf []byte
	for row := range r.NumRows() {
		var ok bool
		if buf, ok = r.joinKey(buf[:0], row, right); ok {
			byKey[string(buf)] = append(byKey[string(buf)], row)
		}
	}
	for row := range l.NumRows() {
		var ok bool
		var hits []int
		if buf, ok = l.joinKey(buf[:0], row, left); ok {
			hits = byKey[string(buf)]
		}
		for _, hit := range hits {
			lrows, rrows = append(lrows, row), append(rrows, hit)
		}
		if len(hits) == 0 && how == Left {
			lrows, rrows = append(lrows, row), append(rrows, -1)
		}
	}
	return lrows, rrows
}

// joinKey encodes the key of a row; false when a part of it is null.
func (t *Table) joinKey(b []byte, row int, cols []int) ([]byte, bool) {
	for _, c := range cols {
		v := t.cells[c].value(row)
		if v.typ == Null {
			return b, false
		}
		b = appendRaw(b, canonical(v))
	}
	return b, true
}

// canonical gives cells that Compare holds equal the same form: whole numbers as Int, other numbers as a reduced decimal's text,
// dates as the instant they begin.
func canonical(v Value) Value {
	switch v.typ {
	case Float, Decimal:
		if i, ok := v.Int(); ok {
			return IntValue(i)
		}
		d := v.Apd()
		d.Reduce(d)
		return TextValue(d.Text('E'))
	case Date, DateTime:
		return Value{typ: DateTime, i: v.micros()}
	}
	return v
}
