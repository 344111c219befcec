package run

import (
	"context"
	"errors"
	"sync"

	"catena/internal/parallel"
	"catena/query"
	"catena/table"
)

// blockRows is how many rows an expression is evaluated for at a time: their values stay in the processor's cache,
// and the context is asked in between.
const blockRows = 4096

// How exact arithmetic is. What a level cannot hold is computed again at the next one.
const (
	ints   = iota // integers are of 64 bits
	decs          // integers are decimals of 38 digits
	floats        // decimals are doubles
)

// errWiden says that a level does not hold a result.
var errWiden = errors.New("a result has more digits than its type holds")

// block is the rows that an expression is evaluated for now.
type block struct {
	lo, n int
	cols  []table.Buffers // of the relation; only those that are read are filled in
}

// node is a compiled expression.
type node struct {
	shape
	eval    func(b *block) (vec, error)
	literal *table.Value // of a constant; nil where it is none
	column  int          // of a plain column, its place; else -1
}

// compiler turns expressions into nodes for one relation.
type compiler struct {
	r     *runner
	ctx   context.Context
	rel   *table.Table
	level int
	used  map[int]bool // columns that are read
}

func (c *compiler) expr(e query.Expr) (*node, error) {
	switch x := e.(type) {
	case query.Column:
		return c.columnOf(x)
	case query.Literal:
		return constant(x.Value), nil
	case query.Call:
		return c.call(x)
	case query.Case:
		return c.caseOf(x)
	case query.Cast:
		a, err := c.expr(x.Expr)
		if err != nil {
			return nil, err
		}
		return c.cast(a, x.Type, x.Scale, x.Strict)
	case query.Scalar, query.Exists, query.In:
		return c.subquery(e)
	}
	return nil, faultf("an expression is missing; write one, such as a column")
}

func (c *compiler) exprs(list []query.Expr) ([]*node, error) {
	out := make([]*node, len(list))
	for i, e := range list {
		var err error
		if out[i], err = c.expr(e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *compiler) columnOf(x query.Column) (*node, error) {
	if x.Out != 0 {
		return nil, faultf("column %q is %d queries further out, and there is none", x.Name, x.Out)
	}
	i, err := lookup(c.rel, x.Name)
	if err != nil {
		return nil, err
	}
	c.used[i] = true
	return columnNode(c.rel.Column(i), i), nil
}

func columnNode(col table.Column, i int) *node {
	return &node{
		shape:  shape{typ: col.Type, scale: col.Scale, zone: col.Zone},
		column: i,
		eval: func(b *block) (vec, error) {
			return read(&b.cols[i], col, b.lo, b.lo+b.n), nil
		},
	}
}

// vector is a node of values that are computed already, one for each row of the relation.
func vector(v vec) *node {
	return &node{shape: v.shape, column: -1, eval: func(b *block) (vec, error) {
		if v.one {
			return v, nil
		}
		return v.cut(b.lo, b.lo+b.n), nil
	}}
}

// cut is part of a vector.
func (v *vec) cut(lo, hi int) vec {
	out := *v
	out.shared = true
	out.bools, out.ints, out.floats = part(v.bools, lo, hi), part(v.ints, lo, hi), part(v.floats, lo, hi)
	out.decs, out.texts, out.nulls = part(v.decs, lo, hi), part(v.texts, lo, hi), part(v.nulls, lo, hi)
	return out
}

func part[T any](s []T, lo, hi int) []T {
	if len(s) == 0 {
		return nil
	}
	return s[lo:hi]
}

func constant(x table.Value) *node {
	v := literal(x)
	return &node{shape: v.shape, literal: &x, column: -1, eval: func(*block) (vec, error) { return v, nil }}
}

// kernel computes n values of out, whose nulls are those of the arguments; it may add some.
type kernel func(n int, args []vec, out *vec) error

// apply is a node that calls a kernel; null in an argument gives null. Constant arguments give a constant.
func apply(s shape, k kernel, args ...*node) *node {
	return &node{shape: s, column: -1, eval: func(b *block) (vec, error) {
		vs := make([]vec, len(args))
		n := 1
		for i, a := range args {
			var err error
			if vs[i], err = a.eval(b); err != nil {
				return vec{}, err
			}
			switch {
			case !vs[i].one:
				n = b.n
			case vs[i].isNull(0):
				return nullOf(s), nil
			}
		}
		out := vec{shape: s}
		out.one = len(args) == 0 || allOne(vs)
		out.grow(n)
		out.nulls, out.shared = mergeNulls(vs, n)
		return out, k(n, vs, &out)
	}}
}

func allOne(vs []vec) bool {
	for i := range vs {
		if !vs[i].one {
			return false
		}
	}
	return true
}

// mergeNulls is where any of the vectors is null; shared where it is the mask of one of them. Constants are not null
// here.
func mergeNulls(vs []vec, n int) (nulls []bool, shared bool) {
	for i := range vs {
		if vs[i].one || vs[i].nulls == nil {
			continue
		}
		if nulls == nil {
			nulls, shared = vs[i].nulls, true
			continue
		}
		if shared {
			nulls, shared = append(make([]bool, 0, n), nulls...), false
		}
		for j, null := range vs[i].nulls {
			nulls[j] = nulls[j] || null
		}
	}
	return nulls, shared
}

// step is 0 for a constant and 1 else: what its index moves by for each row.
func (v *vec) step() int {
	if v.one {
		return 0
	}
	return 1
}

// lift1, lift2 and lift3 make kernels of functions of values; false gives null.
func lift1[A, R any](a lane[A], r lane[R], f func(A) (R, bool)) kernel {
	return func(n int, args []vec, out *vec) error {
		x, y := *a(&args[0]), *r(out)
		for i := range n {
			if out.nulls != nil && out.nulls[i] {
				continue
			}
			v, ok := f(x[i])
			if y[i] = v; !ok {
				out.setNull(i, n)
			}
		}
		return nil
	}
}

func lift2[A, B, R any](a lane[A], b lane[B], r lane[R], f func(A, B) (R, bool)) kernel {
	return func(n int, args []vec, out *vec) error {
		x, y, z := *a(&args[0]), *b(&args[1]), *r(out)
		sx, sy := args[0].step(), args[1].step()
		for i := range n {
			if out.nulls != nil && out.nulls[i] {
				continue
			}
			v, ok := f(x[i*sx], y[i*sy])
			if z[i] = v; !ok {
				out.setNull(i, n)
			}
		}
		return nil
	}
}

func lift3[A, B, C, R any](a lane[A], b lane[B], c lane[C], r lane[R], f func(A, B, C) (R, bool)) kernel {
	return func(n int, args []vec, out *vec) error {
		w, x, y, z := *a(&args[0]), *b(&args[1]), *c(&args[2]), *r(out)
		sw, sx, sy := args[0].step(), args[1].step(), args[2].step()
		for i := range n {
			if out.nulls != nil && out.nulls[i] {
				continue
			}
			v, ok := f(w[i*sw], x[i*sx], y[i*sy])
			if z[i] = v; !ok {
				out.setNull(i, n)
			}
		}
		return nil
	}
}

// wider is lift2 where false says that the type does not hold the result: the expression is computed again at the
// next level.
func wider[A, R any](a lane[A], r lane[R], f func(A, A) (R, bool)) kernel {
	return func(n int, args []vec, out *vec) error {
		x, y, z := *a(&args[0]), *a(&args[1]), *r(out)
		sx, sy := args[0].step(), args[1].step()
		for i := range n {
			v, ok := f(x[i*sx], y[i*sy])
			if z[i] = v; !ok && (out.nulls == nil || !out.nulls[i]) {
				return errWiden
			}
		}
		return nil
	}
}

// compiled is expressions with the relation that they are compiled for.
type compiled struct {
	rel   *table.Table
	cols  []table.Buffers
	nodes []*node
}

// compile compiles expressions at a level.
func (r *runner) compile(
	ctx context.Context,
	rel *table.Table,
	level int,
	build func(c *compiler) ([]*node, error),
) (*compiled, error) {
	c := &compiler{r: r, ctx: ctx, rel: rel, level: level, used: map[int]bool{}}
	nodes, err := build(c)
	if err != nil {
		return nil, err
	}
	out := &compiled{rel: rel, nodes: nodes, cols: make([]table.Buffers, rel.NumCols())}
	for i := range c.used {
		out.cols[i] = rel.Buffers(i)
	}
	return out, nil
}

// widening does what compiles and evaluates expressions, at the first level that holds all results.
func (r *runner) widening(do func(level int) error) error {
	for level := ints; ; level++ {
		err := do(level)
		if !errors.Is(err, errWiden) {
			return err
		}
		if level == floats {
			return faultf("a result has more digits than any type holds; cast to a float before")
		}
		if level == decs {
			r.note("a result has more than 38 digits, so it was computed in floating point")
		}
	}
}

// eachBlock evaluates all nodes for each block of rows, on all processors. The error is that of the first block that
// has one.
func (r *runner) eachBlock(ctx context.Context, c *compiled, do func(b *block, vs []vec) error) error {
	rows := c.rel.NumRows()
	blocks := (rows + blockRows - 1) / blockRows
	var mu sync.Mutex
	failed, where := error(nil), blocks
	parallel.Columns(blocks, blockRows, func(i int) {
		b := &block{lo: i * blockRows, n: min(blockRows, rows-i*blockRows), cols: c.cols}
		err := ctx.Err()
		vs := make([]vec, len(c.nodes))
		for k := 0; err == nil && k < len(vs); k++ {
			vs[k], err = c.nodes[k].eval(b)
		}
		if err == nil {
			err = do(b, vs)
		}
		if err != nil {
			mu.Lock()
			defer mu.Unlock()
			if i < where {
				failed, where = err, i
			}
		}
	})
	return failed
}

// columns evaluates nodes to whole columns, whose memory it draws.
func (r *runner) columns(ctx context.Context, c *compiled) ([]vec, error) {
	rows := c.rel.NumRows()
	out := make([]vec, len(c.nodes))
	for i, n := range c.nodes {
		if err := r.draw(n.width() * int64(rows)); err != nil {
			return nil, err
		}
		out[i] = vec{shape: n.shape, nulls: make([]bool, rows)}
		out[i].grow(rows)
	}
	err := r.eachBlock(ctx, c, func(b *block, vs []vec) error {
		for i := range vs {
			if vs[i].typ == table.Null {
				continue
			}
			if size := vs[i].textSize(); size > 0 && !vs[i].one {
				if err := r.draw(size); err != nil {
					return err
				}
			}
			out[i].put(b.lo, b.n, &vs[i])
		}
		return nil
	})
	for i := range out {
		out[i].dropNulls()
	}
	return out, err
}

// dropNulls forgets a mask in which nothing is null.
func (v *vec) dropNulls() {
	for _, null := range v.nulls {
		if null {
			return
		}
	}
	v.nulls = nil
}
