package run

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/query"
	"catena/table"
)

// set puts the rows of another relation to those of l, by the columns' places.
func (r *runner) set(ctx context.Context, l *table.Table, s query.Set) (*table.Table, error) {
	right, err := r.query(ctx, s.With)
	if err != nil {
		return nil, at("with", err)
	}
	if right, err = withoutRow(right); err != nil {
		return nil, err
	}
	if l, err = withoutRow(l); err != nil {
		return nil, err
	}
	if l.NumCols() != right.NumCols() {
		return nil, faultf("one side has %d columns, the other %d; project both to the same", l.NumCols(), right.NumCols())
	}
	both, err := r.below(ctx, l, right)
	if err != nil {
		return nil, err
	}
	if s.Op == query.Union {
		if s.All {
			return both, nil
		}
		return both.Distinct()
	}
	group, first, err := both.Groups(identity(both.NumCols())...)
	if err != nil {
		return nil, err
	}
	n := l.NumRows()
	there := make([]int, len(first)) // how often the right has a row
	for _, g := range group[n:] {
		there[g]++
	}
	return both.Take(kept(group[:n], there, s))
}

// kept are the left rows that stay. A row that is there k times on the right stays, or goes, k times with All, else
// once.
func kept(group []int32, there []int, s query.Set) []int {
	var rows []int
	done := make([]bool, len(there))
	for row, g := range group {
		has := there[g] > 0
		if s.All {
			there[g]--
		} else if done[g] {
			continue
		}
		done[g] = true
		if has == (s.Op == query.Intersect) {
			rows = append(rows, row)
		}
	}
	return rows
}

// below puts two relations of as many columns below each other. Names and units are those of the first.
func (r *runner) below(ctx context.Context, l, right *table.Table) (*table.Table, error) {
	if rows := l.NumRows() + right.NumRows(); int64(rows) > r.limits.Rows && right.NumRows() > 0 {
		return nil, &BoundError{
			What:  "rows",
			Limit: r.limits.Rows,
			Text:  "the union has too many rows; filter or group first",
		}
	}
	cols, arrays := l.Columns(), make([]arrow.Array, l.NumCols())
	for i := range cols {
		a, b := shapeOf(l.Column(i)), shapeOf(right.Column(i))
		s, ok := wider2(a, b)
		if !ok {
			s = of(table.Text)
		}
		x, err := r.castColumn(ctx, l, i, s)
		if err != nil {
			return nil, err
		}
		y, err := r.castColumn(ctx, right, i, s)
		if err != nil {
			return nil, err
		}
		n := l.NumRows() + right.NumRows()
		if err := r.draw(s.width() * int64(n)); err != nil {
			return nil, err
		}
		v := vec{shape: s, nulls: make([]bool, n)}
		v.grow(n)
		v.put(0, l.NumRows(), &x)
		v.put(l.NumRows(), right.NumRows(), &y)
		v.dropNulls()
		col, arr, err := r.stored(&v, n)
		if err != nil {
			return nil, err
		}
		cols[i].Type, cols[i].Scale, cols[i].Zone, arrays[i] = col.Type, col.Scale, col.Zone, arr
	}
	return r.made(cols, arrays)
}

func shapeOf(c table.Column) shape { return shape{typ: c.Type, scale: c.Scale, zone: c.Zone} }

// castColumn is a column's values in another shape.
func (r *runner) castColumn(ctx context.Context, t *table.Table, i int, s shape) (vec, error) {
	e := query.Col(t.Column(i).Name)
	if from := shapeOf(t.Column(i)); from.typ != s.typ || from.scale != s.scale {
		e = query.Cast{Expr: e, Type: s.typ, Scale: s.scale}
	}
	vs, err := r.evaluate(ctx, t, []query.Expr{e})
	if err != nil {
		return vec{}, err
	}
	return vs[0], nil
}
