package run

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/query"
	"catena/table"
)

func keysOf[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

// evaluate gives the values of expressions for each row, as whole vectors. Plain columns come without a copy.
func (r *runner) evaluate(ctx context.Context, t *table.Table, exprs []query.Expr) ([]vec, error) {
	out := make([]vec, len(exprs))
	var rest []query.Expr
	var places []int
	for i, e := range exprs {
		c, ok := e.(query.Column)
		if !ok || c.Out != 0 {
			rest, places = append(rest, e), append(places, i)
			continue
		}
		k, err := lookup(t, c.Name)
		if err != nil {
			return nil, err
		}
		b, col := t.Buffers(k), t.Column(k)
		if err := r.draw((shape{typ: col.Type}).width() * int64(t.NumRows())); err != nil {
			return nil, err
		}
		out[i] = read(&b, col, 0, t.NumRows())
	}
	if len(rest) == 0 {
		return out, nil
	}
	vs, err := r.computed(ctx, t, rest)
	for i := range vs {
		out[places[i]] = vs[i]
	}
	return out, err
}

// computed is evaluate for any expressions.
func (r *runner) computed(ctx context.Context, t *table.Table, exprs []query.Expr) (vs []vec, err error) {
	err = r.widening(func(level int) error {
		c, err := r.compile(ctx, t, level, func(c *compiler) ([]*node, error) { return c.exprs(exprs) })
		if err == nil {
			vs, err = r.columns(ctx, c)
		}
		return err
	})
	return vs, err
}

// keyed is a table of expressions' values, in their order: what groups, orders and matches. Plain columns are those
// of t.
func (r *runner) keyed(ctx context.Context, t *table.Table, exprs []query.Expr) (*table.Table, error) {
	cols, arrays := make([]table.Column, len(exprs)), make([]arrow.Array, len(exprs))
	var rest []query.Expr
	var places []int
	for i, e := range exprs {
		if c, ok := e.(query.Column); ok && c.Out == 0 {
			k, err := lookup(t, c.Name)
			if err != nil {
				return nil, err
			}
			cols[i], arrays[i] = t.Column(k), t.Array(k)
			continue
		}
		rest, places = append(rest, e), append(places, i)
	}
	if len(rest) > 0 {
		vs, err := r.computed(ctx, t, rest)
		if err != nil {
			return nil, err
		}
		for i := range vs {
			if cols[places[i]], arrays[places[i]], err = r.stored(&vs[i], t.NumRows()); err != nil {
				return nil, err
			}
		}
	}
	for i := range cols {
		cols[i].Name = placeName(i)
	}
	return r.made(cols, arrays)
}

func placeName(i int) string { return string(rune('a'+i%26)) + string(rune('0'+i/26)) }

// stored makes the array of a whole vector.
func (r *runner) stored(v *vec, rows int) (table.Column, arrow.Array, error) {
	if v.texts != nil {
		if err := r.draw(v.textSize() + 8*int64(rows)); err != nil {
			return table.Column{}, nil, err
		}
	}
	return v.column(""), v.array(rows), nil
}

// filter keeps the rows for which the condition is true. Conditions with subqueries see only the rows that the others
// leave.
func (r *runner) filter(ctx context.Context, t *table.Table, s query.Filter) (*table.Table, error) {
	var cheap, dear []query.Expr
	for _, e := range query.Conjuncts(s.Where) {
		if hasSubquery(e) && !r.plain {
			dear = append(dear, e)
		} else {
			cheap = append(cheap, e)
		}
	}
	parts := [][]query.Expr{cheap}
	for _, e := range dear {
		parts = append(parts, []query.Expr{e})
	}
	for _, list := range parts {
		where := query.Conjunction(list)
		if where == nil {
			continue
		}
		rows, err := r.selected(ctx, t, where)
		if err != nil {
			return nil, at("where", err)
		}
		if len(rows) == t.NumRows() {
			continue
		}
		if t, err = t.Take(rows); err != nil {
			return nil, err
		}
		r.release(8 * int64(len(rows)))
	}
	return t, nil
}

// selected are the rows for which a condition is true.
func (r *runner) selected(ctx context.Context, t *table.Table, where query.Expr) (rows []int, err error) {
	err = r.widening(func(level int) error {
		c, err := r.compile(ctx, t, level, func(c *compiler) ([]*node, error) {
			n, err := c.expr(where)
			if err == nil {
				n, err = c.truth(n)
			}
			return []*node{n}, err
		})
		if err != nil {
			return err
		}
		found := make([][]int32, (t.NumRows()+blockRows-1)/blockRows)
		err = r.eachBlock(ctx, c, func(b *block, vs []vec) error {
			found[b.lo/blockRows] = truths(&vs[0], b)
			return nil
		})
		if err != nil {
			return err
		}
		n := 0
		for _, f := range found {
			n += len(f)
		}
		if err := r.draw(8 * int64(n)); err != nil {
			return err
		}
		rows = make([]int, 0, n)
		for _, f := range found {
			for _, row := range f {
				rows = append(rows, int(row))
			}
		}
		return nil
	})
	return rows, err
}

// truths are the rows of a block for which a vector is true.
func truths(v *vec, b *block) []int32 {
	if v.typ != table.Bool {
		return nil
	}
	out := make([]int32, 0, b.n)
	step := v.step()
	for i := range b.n {
		if v.bools[i*step] && (v.nulls == nil || !v.nulls[i*step]) {
			out = append(out, int32(b.lo+i))
		}
	}
	return out
}

// derive adds columns, or replaces those of the same name.
func (r *runner) derive(ctx context.Context, t *table.Table, s query.Derive) (*table.Table, error) {
	fresh, err := r.namedColumns(ctx, t, s.Columns)
	if err != nil {
		return nil, err
	}
	cols, arrays := t.Columns(), arraysOf(t)
	for i, col := range fresh.Columns() {
		if at := slices.IndexFunc(cols, func(c table.Column) bool { return c.Name == col.Name }); at >= 0 {
			cols[at], arrays[at] = col, fresh.Array(i)
			continue
		}
		cols, arrays = append(cols, col), append(arrays, fresh.Array(i))
	}
	return r.made(cols, arrays)
}

func arraysOf(t *table.Table) []arrow.Array {
	out := make([]arrow.Array, t.NumCols())
	for i := range out {
		out[i] = t.Array(i)
	}
	return out
}

func (r *runner) project(ctx context.Context, t *table.Table, s query.Project) (*table.Table, error) {
	if len(s.Columns) == 0 {
		return nil, faultf("a projection needs a column")
	}
	return r.namedColumns(ctx, t, s.Columns)
}

// namedColumns is a table of named expressions.
func (r *runner) namedColumns(ctx context.Context, t *table.Table, list []query.Named) (*table.Table, error) {
	exprs := make([]query.Expr, len(list))
	for i, n := range list {
		exprs[i] = n.Expr
	}
	k, err := r.keyed(ctx, t, exprs)
	if err != nil {
		return nil, err
	}
	cols := k.Columns()
	for i, n := range list {
		cols[i].Name = n.As
	}
	return r.made(cols, arraysOf(k))
}

// sorted is how many rows a sort must order: those that a Take behind it keeps.
func (r *runner) sorted(t *table.Table, behind []query.Stage) int {
	n := t.NumRows()
	if r.plain || len(behind) == 0 {
		return n
	}
	s, ok := behind[0].(query.Take)
	if !ok || s.Rows < 0 || len(s.Per) > 0 || len(s.Ties) > 0 {
		return n
	}
	if s.Rows > int64(n) || s.Offset > int64(n) {
		return n
	}
	return min(n, int(s.Rows+s.Offset))
}

func (r *runner) sort(ctx context.Context, t *table.Table, keys []query.SortKey, n int) (*table.Table, error) {
	order, err := r.order(ctx, t, nil, keys, n)
	if err != nil {
		return nil, at("keys", err)
	}
	return t.Take(order)
}

// order gives the first n rows in the order of the keys, after the values of first; equal rows keep theirs. Where
// nulls come first, a key before says what is null.
func (r *runner) order(
	ctx context.Context,
	t *table.Table,
	first []query.Expr,
	keys []query.SortKey,
	n int,
) ([]int, error) {
	exprs := slices.Clone(first)
	desc := make([]bool, len(first), len(first)+len(keys))
	for _, k := range keys {
		if k.NullsFirst {
			exprs, desc = append(exprs, query.Do("is_null", k.Expr)), append(desc, true)
		}
		exprs, desc = append(exprs, k.Expr), append(desc, k.Desc)
	}
	k, err := r.keyed(ctx, t, exprs)
	if err != nil {
		return nil, err
	}
	by := make([]table.SortKey, len(desc))
	for i := range by {
		by[i] = table.SortKey{Column: k.Column(i).Name, Desc: desc[i]}
	}
	if len(by) == 0 {
		return identity(t.NumRows()), nil
	}
	return k.Order(n, by...)
}

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// take keeps some rows; of each combination of Per, and with those that are equal to the last one by Ties.
func (r *runner) take(ctx context.Context, t *table.Table, s query.Take) (*table.Table, error) {
	if s.Offset < 0 {
		return nil, faultf("the offset is %d; ask for 0 or more", s.Offset)
	}
	rows := int64(t.NumRows())
	if s.Rows < 0 || s.Rows > rows {
		s.Rows = rows
	}
	if len(s.Per) == 0 && len(s.Ties) == 0 {
		return t.Slice(int(min(s.Offset, rows)), int(s.Rows)), nil
	}
	per := make([]int, len(s.Per))
	for i, name := range s.Per {
		var err error
		if per[i], err = lookup(t, name); err != nil {
			return nil, at("per", err)
		}
	}
	group, first, err := t.Groups(per...)
	if err != nil {
		return nil, err
	}
	tie, err := r.ties(ctx, t, s.Ties)
	if err != nil {
		return nil, at("ties", err)
	}
	k := taker{Take: s, tie: tie, seen: make([]int64, len(first)), last: make([]int32, len(first))}
	var kept []int
	for row := range t.Rows() {
		if k.keeps(row, group[row]) {
			kept = append(kept, row)
		}
	}
	return t.Take(kept)
}

// taker decides which rows of each group stay.
type taker struct {
	query.Take
	tie  []int32 // nil without Ties
	seen []int64 // rows of each group
	last []int32 // the tie of each group's last row that stayed, -1 behind those that are equal to it
}

func (k *taker) keeps(row int, g int32) bool {
	i := k.seen[g] - k.Offset
	k.seen[g]++
	if i < 0 || k.Rows == 0 {
		return false
	}
	stays := i < k.Rows
	if k.tie == nil {
		return stays
	}
	if stays || k.last[g] == k.tie[row] {
		k.last[g] = k.tie[row]
		return true
	}
	k.last[g] = -1
	return false
}

// ties numbers the combinations of keys; nil where there are none.
func (r *runner) ties(ctx context.Context, t *table.Table, keys []query.SortKey) ([]int32, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	exprs := make([]query.Expr, len(keys))
	for i, k := range keys {
		exprs[i] = k.Expr
	}
	group, _, err := r.grouped(ctx, t, exprs)
	return group, err
}

// grouped gives the group of each row by expressions, and the first row of each group.
func (r *runner) grouped(ctx context.Context, t *table.Table, exprs []query.Expr) ([]int32, []int, error) {
	if len(exprs) == 0 {
		return t.Groups()
	}
	k, err := r.keyed(ctx, t, exprs)
	if err != nil {
		return nil, nil, err
	}
	all := identity(len(exprs))
	return k.Groups(all...)
}
