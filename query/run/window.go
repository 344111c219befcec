package run

import (
	"context"
	"fmt"
	"reflect"

	"catena/query"
	"catena/table"
)

// window adds columns that are computed over rows around each row. Columns of one partition and order share their
// sorting.
func (r *runner) window(ctx context.Context, t *table.Table, s query.Window) (*table.Table, error) {
	cols, arrays := t.Columns(), arraysOf(t)
	var p *partitions
	for i, w := range s.Columns {
		if p == nil || !reflect.DeepEqual(w.Partition, s.Columns[i-1].Partition) ||
			!reflect.DeepEqual(w.Order, s.Columns[i-1].Order) {
			var err error
			if p, err = r.partitions(ctx, t, w); err != nil {
				return nil, at(fmt.Sprintf("columns[%d]", i), err)
			}
		}
		col, arr, err := p.column(ctx, w)
		if err != nil {
			return nil, at(fmt.Sprintf("columns[%d]", i), err)
		}
		cols, arrays = append(cols, col), append(arrays, arr)
	}
	return r.made(cols, arrays)
}

// partitions is the rows of a relation in the order of a window. Places are those in that order.
type partitions struct {
	r      *runner
	rel    *table.Table
	order  []int   // the row at each place
	starts []int32 // where the partition of each place begins
	ends   []int32 // and where it ends
	peers  []int32 // the number of each place's group of rows that are equal by the order, counted from the first place on
	groups []int32 // where each of these begins, and the end of all
	keys   []query.SortKey
}

// partitions orders rows by partition and then by the keys.
func (r *runner) partitions(ctx context.Context, t *table.Table, w query.WindowColumn) (*partitions, error) {
	n := t.NumRows()
	if err := r.draw(int64(n) * (4*4 + 8 + 16)); err != nil {
		return nil, err
	}
	part, _, err := r.grouped(ctx, t, w.Partition)
	if err != nil {
		return nil, at("partition", err)
	}
	p := &partitions{r: r, rel: t, keys: w.Order}
	if p.order, err = r.orderWithin(ctx, t, part, w.Order); err != nil {
		return nil, at("order", err)
	}
	differs, err := p.different(ctx)
	if err != nil {
		return nil, at("order", err)
	}
	p.starts, p.ends, p.peers = make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range n {
		row := p.order[i]
		begins := i == 0 || part[p.order[i-1]] != part[row]
		if begins {
			p.starts[i] = int32(i)
		} else {
			p.starts[i] = p.starts[i-1]
		}
		if begins || differs(p.order[i-1], row) {
			p.groups = append(p.groups, int32(i))
		}
		p.peers[i] = int32(len(p.groups) - 1)
	}
	p.groups = append(p.groups, int32(n))
	for i := n - 1; i >= 0; i-- {
		if p.ends[i] = int32(i + 1); i+1 < n && p.starts[i+1] == p.starts[i] {
			p.ends[i] = p.ends[i+1]
		}
	}
	return p, ctx.Err()
}

// different says whether two rows differ in a key of the order; nulls do not.
func (p *partitions) different(ctx context.Context) (func(a, b int) bool, error) {
	exprs := make([]query.Expr, len(p.keys))
	for i, k := range p.keys {
		exprs[i] = k.Expr
	}
	vs, err := p.r.evaluate(ctx, p.rel, exprs)
	if err != nil {
		return nil, err
	}
	compares := make([]func(x *vec, i int, y *vec, j int) int, len(vs))
	for i := range vs {
		compares[i] = compareFunc(vs[i].shape, vs[i].shape)
	}
	return func(a, b int) bool {
		for i, compare := range compares {
			v := &vs[i]
			x, y := v.isNull(a), v.isNull(b)
			if x != y || !x && compare(v, a, v, b) != 0 {
				return true
			}
		}
		return false
	}, nil
}

// orderWithin orders rows by the number of their group and then by keys. Without keys one pass counts.
func (r *runner) orderWithin(ctx context.Context, t *table.Table, part []int32, keys []query.SortKey) ([]int, error) {
	order := identity(t.NumRows())
	if len(keys) > 0 {
		var err error
		if order, err = r.order(ctx, t, nil, keys, t.NumRows()); err != nil {
			return nil, err
		}
	}
	count := make([]int, 1)
	for _, g := range part {
		for int(g)+1 >= len(count) {
			count = append(count, 0)
		}
		count[g+1]++
	}
	for i := 1; i < len(count); i++ {
		count[i] += count[i-1]
	}
	out := make([]int, len(order))
	for _, row := range order { // stable: the order of keys stays within a group
		out[count[part[row]]] = row
		count[part[row]]++
	}
	return out, nil
}

// ofOrder are the window functions that go by the order alone. They set value i, at its place.
var ofOrder = map[string]struct {
	typ table.Type
	set func(p *partitions, place int, out *vec, i int)
}{
	"row_number": {table.Int, func(p *partitions, k int, out *vec, i int) { out.ints[i] = int64(k-int(p.starts[k])) + 1 }},
	"rank":       {table.Int, func(p *partitions, k int, out *vec, i int) { out.ints[i] = p.rank(k) }},
	"dense_rank": {
		table.Int,
		func(p *partitions, k int, out *vec, i int) { out.ints[i] = int64(p.peers[k]-p.peers[p.starts[k]]) + 1 },
	},
	"percent_rank": {table.Float, func(p *partitions, k int, out *vec, i int) {
		if n := p.ends[k] - p.starts[k]; n > 1 {
			out.floats[i] = float64(p.rank(k)-1) / float64(n-1)
		}
	}},
	"cume_dist": {table.Float, func(p *partitions, k int, out *vec, i int) {
		out.floats[i] = float64(p.groups[p.peers[k]+1]-p.starts[k]) / float64(p.ends[k]-p.starts[k])
	}},
}

func (p *partitions) rank(k int) int64 { return int64(p.groups[p.peers[k]]-p.starts[k]) + 1 }

// column computes one window column.
func (p *partitions) column(ctx context.Context, w query.WindowColumn) (col table.Column, arr tableArray, err error) {
	var v vec
	unit := ""
	f, isOrder := ofOrder[w.Func]
	_, isAggregate := aggregates[w.Func]
	switch {
	case isOrder:
		v = vec{shape: of(f.typ)}
		v.grow(len(p.order))
		for k, row := range p.order {
			f.set(p, k, &v, row)
		}
	case isAggregate:
		v, unit, err = p.aggregate(ctx, w)
	default:
		v, unit, err = p.offset(ctx, w)
	}
	if err != nil {
		return col, nil, err
	}
	if err := p.r.draw(v.width() * int64(len(p.order))); err != nil {
		return col, nil, err
	}
	col, arr, err = p.r.stored(&v, len(p.order))
	col.Name, col.Unit = w.As, unit
	return col, arr, err
}
