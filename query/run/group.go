package run

import (
	"context"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/internal/parallel"
	"catena/query"
	"catena/table"
)

// group makes one row of each combination of the keys.
func (r *runner) group(ctx context.Context, t *table.Table, s query.Group) (*table.Table, error) {
	keys := make([]query.Expr, len(s.Keys))
	for i, k := range s.Keys {
		keys[i] = k.Expr
	}
	var cols []table.Column
	var arrays []arrow.Array
	var ids []int32
	groups := 1
	if len(keys) > 0 {
		k, err := r.keyed(ctx, t, keys)
		if err != nil {
			return nil, at("keys", err)
		}
		group, first, err := k.Groups(identity(len(keys))...)
		if err != nil {
			return nil, err
		}
		if k, err = k.Take(first); err != nil {
			return nil, err
		}
		ids, groups = group, len(first)
		cols, arrays = k.Columns(), arraysOf(k)
		for i := range cols {
			cols[i].Name = s.Keys[i].As
		}
	} else {
		if err := r.draw(4 * int64(t.NumRows())); err != nil {
			return nil, err
		}
		ids = make([]int32, t.NumRows())
	}
	g := &grouping{r: r, rel: t, ids: ids, groups: groups}
	made, err := g.all(ctx, s.Aggregates)
	if err != nil {
		return nil, err
	}
	for i := range made {
		cols, arrays = append(cols, made[i].col), append(arrays, made[i].array)
	}
	if len(cols) == 0 {
		return nil, faultf("a group needs a key or an aggregate")
	}
	return r.made(cols, arrays)
}

// grouping is the group of each row of a relation.
type grouping struct {
	r      *runner
	rel    *table.Table
	ids    []int32
	groups int
}

// computedColumn is an aggregate's column.
type computedColumn struct {
	col   table.Column
	array arrow.Array
	err   error
}

// all computes aggregates, on all processors.
func (g *grouping) all(ctx context.Context, list []query.Aggregate) ([]computedColumn, error) {
	out := make([]computedColumn, len(list))
	g.r.busy.Add(1)
	defer g.r.busy.Add(-1)
	parallel.Columns(len(list), g.rel.NumRows(), func(i int) {
		out[i].err = g.one(ctx, list[i], &out[i])
	})
	for i := range out {
		if out[i].err != nil {
			return nil, at(fmt.Sprintf("aggregates[%d]", i), out[i].err)
		}
	}
	return out, nil
}

func (g *grouping) one(ctx context.Context, a query.Aggregate, out *computedColumn) error {
	call, err := g.prepare(ctx, a)
	if err != nil {
		return err
	}
	v, err := call.compute(ctx, g)
	if err != nil {
		return err
	}
	out.col, out.array, err = g.r.stored(&v, g.groups)
	out.col.Name, out.col.Unit = a.As, call.unit
	return err
}

// aggregateCall is an aggregate with its arguments computed.
type aggregateCall struct {
	aggregate
	name string
	args []vec
	ids  []int32 // the group of each row, negative for those that do not count
	unit string
}

// prepare computes the arguments of an aggregate and says which rows count.
func (g *grouping) prepare(ctx context.Context, a query.Aggregate) (*aggregateCall, error) {
	f, ok := aggregates[a.Func]
	if !ok {
		return nil, faultf("there is no aggregate %q", a.Func)
	}
	if len(a.Args) < f.least || len(a.Args) > f.most {
		return nil, faultf("%s does not take %d arguments", a.Func, len(a.Args))
	}
	call := &aggregateCall{aggregate: f, name: a.Func, ids: g.ids}
	var err error
	if call.args, err = g.r.evaluate(ctx, g.rel, a.Args); err != nil {
		return nil, at("args", err)
	}
	if c, plain := firstColumn(a.Args); plain && f.units {
		if i := g.rel.Index(c); i >= 0 {
			call.unit = g.rel.Column(i).Unit
		}
	}
	if a.Where != nil {
		if err := call.where(ctx, g, a.Where); err != nil {
			return nil, at("where", err)
		}
	}
	if !f.nulls {
		call.withoutNulls(g)
	}
	if a.Distinct && len(call.args) > 0 {
		if err := call.distinct(g); err != nil {
			return nil, err
		}
	}
	if len(a.Order) > 0 {
		return call, call.ordered(ctx, g, a.Order)
	}
	return call, nil
}

func firstColumn(args []query.Expr) (string, bool) {
	if len(args) == 0 {
		return "", false
	}
	c, ok := args[0].(query.Column)
	return c.Name, ok
}

// own makes the groups the call's own, so that rows can be left out.
func (c *aggregateCall) own(g *grouping) {
	if len(c.ids) > 0 && len(g.ids) > 0 && &c.ids[0] == &g.ids[0] {
		c.ids = append([]int32(nil), c.ids...)
	}
}

func (c *aggregateCall) where(ctx context.Context, g *grouping, where query.Expr) error {
	rows, err := g.r.selected(ctx, g.rel, where)
	if err != nil {
		return err
	}
	c.ids = make([]int32, len(g.ids))
	for i := range c.ids {
		c.ids[i] = -1
	}
	for _, row := range rows {
		c.ids[row] = g.ids[row]
	}
	return nil
}

func (c *aggregateCall) withoutNulls(g *grouping) {
	for k := range c.args {
		v := &c.args[k]
		if v.nulls == nil && v.typ != table.Null {
			continue
		}
		c.own(g)
		for i := range c.ids {
			if v.isNull(i) {
				c.ids[i] = -1
			}
		}
	}
}

// distinct leaves out all but the first of the rows of a group whose arguments are equal.
func (c *aggregateCall) distinct(g *grouping) error {
	rows := len(c.ids)
	group := vec{shape: of(table.Int), ints: make([]int64, rows)}
	for i, id := range c.ids {
		group.ints[i] = int64(id)
	}
	cols, arrays := []table.Column{{Name: placeName(0), Type: table.Int}}, []arrow.Array{group.array(rows)}
	for k := range c.args {
		col, arr, err := g.r.stored(&c.args[k], rows)
		if err != nil {
			return err
		}
		col.Name = placeName(k + 1)
		cols, arrays = append(cols, col), append(arrays, arr)
	}
	t, err := g.r.made(cols, arrays)
	if err != nil {
		return err
	}
	_, first, err := t.Groups(identity(len(cols))...)
	if err != nil {
		return err
	}
	ids := make([]int32, rows)
	for i := range ids {
		ids[i] = -1
	}
	for _, row := range first {
		ids[row] = c.ids[row]
	}
	c.ids = ids
	return nil
}

// ordered brings groups and arguments into an order.
func (c *aggregateCall) ordered(ctx context.Context, g *grouping, keys []query.SortKey) error {
	order, err := g.r.order(ctx, g.rel, nil, keys, g.rel.NumRows())
	if err != nil {
		return at("order", err)
	}
	ids := make([]int32, len(order))
	for i, row := range order {
		ids[i] = c.ids[row]
	}
	c.ids = ids
	for k := range c.args {
		c.args[k] = c.args[k].gather(order)
	}
	return nil
}

// gather is the values of rows in another order; a row of -1 gives null.
func (v *vec) gather(rows []int) vec {
	if v.one {
		return *v
	}
	out := vec{shape: v.shape}
	out.grow(len(rows))
	gatherLane(out.bools, v.bools, rows)
	gatherLane(out.ints, v.ints, rows)
	gatherLane(out.floats, v.floats, rows)
	gatherLane(out.decs, v.decs, rows)
	gatherLane(out.texts, v.texts, rows)
	for i, row := range rows {
		if row < 0 || v.nulls != nil && v.nulls[row] {
			out.setNull(i, len(rows))
		}
	}
	return out
}

func gatherLane[T any](to, from []T, rows []int) {
	if len(from) == 0 {
		return
	}
	for i, row := range rows {
		if row >= 0 {
			to[i] = from[row]
		}
	}
}

// groupMemory is about what an accumulator takes for a group.
const groupMemory = 64

// nothing reports whether an argument has no type, for it is null in every row: so is the aggregate, but for a count.
func (c *aggregateCall) nothing() bool {
	return c.name != "count" && anyOf(c.args, func(v vec) bool { return v.typ == table.Null })
}

// compute accumulates all rows and gives the aggregate of each group.
func (c *aggregateCall) compute(ctx context.Context, g *grouping) (out vec, err error) {
	if c.nothing() {
		return vec{}, nil
	}
	if err := g.r.draw(groupMemory*int64(g.groups) + 4*int64(len(c.ids))); err != nil {
		return vec{}, err
	}
	err = g.r.widening(func(level int) error {
		s, acc, err := c.build(c.args, level)
		if err != nil {
			return faultOf(c.name, err)
		}
		acc.grow(g.groups)
		for lo := 0; lo < len(c.ids); lo += blockRows {
			if err := ctx.Err(); err != nil {
				return err
			}
			acc.add(c.ids[lo:min(len(c.ids), lo+blockRows)], lo)
		}
		out = vec{shape: s}
		out.grow(g.groups)
		for id := range g.groups {
			if err := acc.put(id, &out, id, g.groups); err != nil {
				return faultOf(c.name, err)
			}
		}
		if out.typ == table.Float {
			out.scale = 0
		}
		return nil
	})
	return out, err
}
