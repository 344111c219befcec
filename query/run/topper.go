package run

import (
	"context"

	"catena/query"
	"catena/table"
)

// fewPerGroup is how many rows of each group are found without sorting all.
const fewPerGroup = 64

// candidates leaves out rows that a sort and the Take behind it would drop: all but the first few of each group by
// the order. The rows that stay keep their order, so that both stages give the same as before.
func (r *runner) candidates(
	ctx context.Context,
	t *table.Table,
	s query.Sort,
	behind []query.Stage,
) (*table.Table, error) {
	n, per := r.firstOfEach(s, behind)
	if n == 0 {
		return t, nil
	}
	group, first, err := r.grouped(ctx, t, per)
	if err != nil {
		return nil, err
	}
	if len(first)*n > t.NumRows()/2 { // too few would go
		return t, nil
	}
	compare, err := r.comparer(ctx, t, s.Keys)
	if err != nil {
		return nil, at("keys", err)
	}
	best := make([][]int, len(first)) // the best rows of each group so far, in order
	for row := range t.Rows() {
		g := group[row]
		best[g] = insertBest(best[g], row, n, compare)
	}
	keeps := make([]bool, t.NumRows())
	for _, rows := range best {
		for _, row := range rows {
			keeps[row] = true
		}
	}
	return t.Filter(func(row int) bool { return keeps[row] })
}

// firstOfEach says how many rows of each combination of which columns are looked at behind a sort; 0 where it is
// better to sort all.
func (r *runner) firstOfEach(s query.Sort, behind []query.Stage) (int, []query.Expr) {
	if r.plain || len(behind) == 0 || len(s.Keys) == 0 {
		return 0, nil
	}
	k, ok := behind[0].(query.Take)
	if !ok || len(k.Per) == 0 || len(k.Ties) > 0 {
		return 0, nil
	}
	isFew := func(n int64) bool { return n >= 0 && n <= fewPerGroup/2 }
	if !isFew(k.Rows) || !isFew(k.Offset) {
		return 0, nil
	}
	per := make([]query.Expr, len(k.Per))
	for i, name := range k.Per {
		per[i] = query.Col(name)
	}
	return int(k.Rows + k.Offset), per
}

// insertBest puts a row among the n first ones, behind those that are equal to it.
func insertBest(rows []int, row, n int, compare func(a, b int) int) []int {
	if len(rows) == n {
		if compare(row, rows[n-1]) >= 0 {
			return rows
		}
		rows = rows[:n-1]
	}
	at := len(rows)
	for at > 0 && compare(row, rows[at-1]) < 0 {
		at--
	}
	rows = append(rows, 0)
	copy(rows[at+1:], rows[at:])
	rows[at] = row
	return rows
}

// comparer compares two rows by the keys of an order.
func (r *runner) comparer(ctx context.Context, t *table.Table, keys []query.SortKey) (func(a, b int) int, error) {
	exprs := make([]query.Expr, len(keys))
	for i, k := range keys {
		exprs[i] = k.Expr
	}
	vs, err := r.evaluate(ctx, t, exprs)
	if err != nil {
		return nil, err
	}
	compares := make([]func(x *vec, i int, y *vec, j int) int, len(vs))
	for i := range vs {
		compares[i] = compareFunc(vs[i].shape, vs[i].shape)
	}
	return func(a, b int) int {
		for i, compare := range compares {
			if sign := compareNullable(&vs[i], a, b, keys[i].NullsFirst, compare); sign != 0 {
				if keys[i].Desc && !vs[i].isNull(a) && !vs[i].isNull(b) {
					return -sign
				}
				return sign
			}
		}
		return 0
	}, nil
}

// compareNullable compares two values of a vector; nulls equal each other and come last, or first.
func compareNullable(v *vec, a, b int, first bool, compare func(x *vec, i int, y *vec, j int) int) int {
	x, y := v.isNull(a), v.isNull(b)
	switch {
	case !x && !y:
		return compare(v, a, v, b)
	case x == y:
		return 0
	case x == first:
		return -1
	}
	return 1
}
