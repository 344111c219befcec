package run

import (
	"context"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/query"
	"catena/table"
)

// subquery is a node of what a query inside an expression gives for each row. One that does not refer to the relation runs once;
// others become a match of keys where they compare their rows by equality alone, else they run for each combination of the columns
// that they refer to.
func (c *compiler) subquery(e query.Expr) (*node, error) {
	s := subqueryOf(e)
	refs := references(s.query)
	if len(refs) == 0 {
		return c.once(s)
	}
	if !c.r.plain {
		if d, ok := decorrelate(s); ok {
			n, ok, err := c.matched(s, d)
			if ok || err != nil {
				return n, err
			}
		}
	}
	return c.repeated(s, refs)
}

// sub is a subquery of one of the three kinds.
type sub struct {
	query  query.Query
	exists bool
	value  query.Expr // of In, else nil
}

func subqueryOf(e query.Expr) sub {
	switch x := e.(type) {
	case query.Exists:
		return sub{query: x.Query, exists: true}
	case query.In:
		return sub{query: x.Query, value: x.Expr}
	case query.Scalar:
		return sub{query: x.Query}
	}
	return sub{}
}

// references are the columns of the relation around that a query refers to, sorted.
func references(q query.Query) []string {
	seen := map[string]bool{}
	rewriteQuery(q, 1, func(c query.Column, depth int) query.Expr {
		if c.Out == depth {
			seen[c.Name] = true
		}
		return c
	})
	return slices.Sorted(keysOf(seen))
}

// once runs a subquery that does not refer to the relation.
func (c *compiler) once(s sub) (*node, error) {
	if s.exists {
		s.query = s.query.With(query.Take{Rows: 1})
	}
	t, err := c.r.query(c.ctx, s.query)
	switch {
	case err != nil:
		return nil, at("query", err)
	case s.exists:
		return constant(table.BoolValue(t.NumRows() > 0)), nil
	}
	col, err := valueColumn(t)
	if err != nil {
		return nil, err
	}
	if s.value != nil {
		return c.member(s.value, nil, t)
	}
	v, err := onlyValue(t, col)
	if err != nil {
		return nil, err
	}
	if v.IsNull() {
		return typedNull(shapeOf(t.Column(col))), nil
	}
	return constant(v), nil
}

// valueColumn is the one column of a subquery that is used as a value.
func valueColumn(t *table.Table) (int, error) {
	if t.NumCols() == 1 {
		return 0, nil
	}
	return 0, faultf("a subquery that is a value has one column, and this has %d; project it to one", t.NumCols())
}

func onlyValue(t *table.Table, col int) (table.Value, error) {
	switch t.NumRows() {
	case 0:
		return table.NullValue, nil
	case 1:
		return t.Value(0, col), nil
	}
	return table.NullValue, severalRows()
}

func severalRows() error {
	return faultf("a subquery that is a value gave more than one row; aggregate it, or take one row")
}

// repeated runs a subquery once for each combination of the columns that it refers to, and of the value that it looks for.
func (c *compiler) repeated(s sub, refs []string) (*node, error) {
	exprs := make([]query.Expr, len(refs), len(refs)+1)
	for i, name := range refs {
		exprs[i] = query.Col(name)
	}
	if s.value != nil {
		exprs = append(exprs, s.value)
	}
	k, err := c.r.keyed(c.ctx, c.rel, exprs)
	if err != nil {
		return nil, err
	}
	group, first, err := k.Groups(identity(len(exprs))...)
	if err != nil {
		return nil, err
	}
	text := "a subquery would run %d times; write it as a join, or compare by equality alone"
	if err := c.r.count(&c.r.subqueries, int64(len(first)), c.r.limits.Subqueries, "subqueries", text); err != nil {
		return nil, err
	}
	values := make([]table.Value, len(first))
	for i, row := range first {
		if values[i], err = c.bound(s, refs, k, row); err != nil {
			return nil, err
		}
	}
	col, arr := table.ColumnOf("a", values)
	if col.Type == table.Null && (s.exists || s.value != nil) {
		return typedNull(of(table.Bool)), nil
	}
	t, err := table.New([]table.Column{col}, []arrow.Array{arr})
	if err != nil {
		return nil, err
	}
	b := t.Buffers(0)
	v := read(&b, col, 0, len(first))
	rows := make([]int, len(group))
	for i, g := range group {
		rows[i] = int(g)
	}
	return vector(v.gather(rows)), nil
}

// bound runs a subquery for one row of k and gives its value. What it draws is given back.
func (c *compiler) bound(s sub, refs []string, k *table.Table, row int) (table.Value, error) {
	q := rewriteQuery(s.query, 1, func(col query.Column, depth int) query.Expr {
		if i := slices.Index(refs, col.Name); col.Out == depth && i >= 0 {
			return query.Lit(k.Value(row, i))
		}
		return col
	})
	t, done, err := c.r.temporary(c.ctx, q)
	if err != nil {
		return table.NullValue, at("query", err)
	}
	defer done()
	if s.exists {
		return table.BoolValue(t.NumRows() > 0), nil
	}
	col, err := valueColumn(t)
	if err != nil {
		return table.NullValue, err
	}
	if s.value == nil {
		return onlyValue(t, col)
	}
	return among(k.Value(row, len(refs)), t, col), nil
}

// among is whether a value is among those of a column, by three-valued logic.
func among(x table.Value, t *table.Table, col int) table.Value {
	if x.IsNull() && t.NumRows() > 0 {
		return table.NullValue
	}
	out := table.BoolValue(false)
	for row := range t.Rows() {
		y := t.Value(row, col)
		if y.IsNull() {
			out = table.NullValue
		} else if table.Equal(x, y) {
			return table.BoolValue(true)
		}
	}
	return out
}

// temporary runs a query whose result is let go by done, with all that was drawn for it.
func (r *runner) temporary(ctx context.Context, q query.Query) (t *table.Table, done func(), err error) {
	r.mu.Lock()
	own := r.drawn
	r.mu.Unlock()
	before := r.work.Drawn()
	done = func() {
		if r.busy.Load() > 0 {
			return // others draw at the same time: it is given back when the query has run
		}
		r.work.Release(r.work.Drawn() - before)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.drawn = own
	}
	if t, err = r.query(ctx, q); err != nil {
		done()
	}
	return t, done, err
}

// keyPrefix begins the names of the columns by which a decorrelated subquery is matched.
const keyPrefix = "\x00key"

// matched computes a subquery as a match of its keys with the relation's; false where their types do not match.
func (c *compiler) matched(s sub, d decorrelated) (*node, bool, error) {
	t, err := c.r.query(c.ctx, d.query)
	if err != nil {
		return nil, false, at("query", err)
	}
	keys := make([]query.Expr, len(d.outer))
	for i := range keys {
		keys[i] = query.Col(keyName(i))
	}
	lk, rk, ok, err := c.r.keysOfBoth(c.ctx, c.rel, t, d.outer, keys)
	if !ok || err != nil {
		return nil, false, err
	}
	switch {
	case s.exists:
		n, err := c.existing(lk, rk)
		return n, true, err
	case s.value != nil:
		if t.NumCols() != len(keys)+1 {
			return nil, false, nil // repeated says what is wrong
		}
		n, err := c.member(s.value, d.outer, t)
		return n, true, err
	}
	if t.NumCols() != len(keys)+1 {
		return nil, false, nil
	}
	return c.single(lk, rk, t, d)
}

func keyName(i int) string { return keyPrefix + string(rune('a'+i)) }

// existing is whether a row has a match.
func (c *compiler) existing(lk, rk *table.Table) (*node, error) {
	rows, err := matchedRows(lk, rk)
	if err != nil {
		return nil, err
	}
	out := vec{shape: of(table.Bool), bools: make([]bool, lk.NumRows())}
	for _, row := range rows {
		out.bools[row] = true
	}
	return vector(out), nil
}

// matchedRows are the left rows that have a match, once each.
func matchedRows(lk, rk *table.Table) ([]int, error) {
	rk, err := rk.Distinct()
	if err != nil {
		return nil, err
	}
	all := identity(lk.NumCols())
	rows, _, err := table.Matches(lk, rk, all, all)
	return rows, err
}

// single is the value of the one row that matches; where none does, what the query gives over no rows.
func (c *compiler) single(lk, rk, t *table.Table, d decorrelated) (*node, bool, error) {
	all := identity(lk.NumCols())
	lrows, rrows, err := table.Matches(lk, rk, all, all)
	if err != nil {
		return nil, false, err
	}
	rows := make([]int, lk.NumRows())
	for i := range rows {
		rows[i] = -1
	}
	for i, row := range lrows {
		if rows[row] >= 0 {
			return nil, false, severalRows()
		}
		rows[row] = rrows[i]
	}
	value := slices.IndexFunc(t.Names(), func(name string) bool { return !strings.HasPrefix(name, keyPrefix) })
	b, col := t.Buffers(value), t.Column(value)
	v := read(&b, col, 0, t.NumRows())
	if v.one {
		return vector(v), d.empty == nil, nil
	}
	v = v.gather(rows)
	if d.empty == nil {
		return vector(v), true, nil
	}
	none, err := c.r.query(c.ctx, *d.empty)
	if err != nil {
		return nil, false, err
	}
	x, err := onlyValue(none, 0)
	if err != nil || x.IsNull() {
		return vector(v), true, err
	}
	for i, row := range rows {
		if row < 0 {
			v.unsetNull(i)
			if !v.set(i, len(rows), x) {
				return nil, false, nil
			}
		}
	}
	return vector(v), true, nil
}

func (v *vec) unsetNull(i int) {
	if v.nulls != nil {
		v.nulls[i] = false
	}
}

// member is whether a value is among those of a table's one column that is no key, in the rows whose keys are equal to the outer ones.
func (c *compiler) member(value query.Expr, outer []query.Expr, t *table.Table) (*node, error) {
	place := slices.IndexFunc(t.Names(), func(name string) bool { return !strings.HasPrefix(name, keyPrefix) })
	keys := make([]query.Expr, len(outer), len(outer)+1)
	for i := range outer {
		keys[i] = query.Col(keyName(i))
	}
	y := query.Col(t.Column(place).Name)
	lk, rk, ok, err := c.r.keysOfBoth(c.ctx, c.rel, t, append(slices.Clone(outer), value), append(keys, y))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, faultf("the value does not compare with the %s of the subquery; cast one of them", t.Column(place).Type)
	}
	rows, err := matchedRows(lk, rk)
	if err != nil {
		return nil, err
	}
	out := vec{shape: of(table.Bool), bools: make([]bool, lk.NumRows())}
	for _, row := range rows {
		out.bools[row] = true
	}
	err = c.unknown(&out, lk, rk, len(outer))
	return vector(out), err
}

// unknown makes what is not true null where the value is null and there is a row with its keys, or there is one with a null.
func (c *compiler) unknown(out *vec, lk, rk *table.Table, keys int) error {
	n := lk.NumRows()
	some, err := c.withKeys(lk, rk, keys)
	if err != nil {
		return err
	}
	nulls, err := rk.Filter(func(row int) bool { return rk.IsNull(row, keys) })
	if err != nil {
		return err
	}
	someNull, err := c.withKeys(lk, nulls, keys)
	if err != nil {
		return err
	}
	for row := range n {
		if !out.bools[row] && (someNull[row] || some[row] && lk.IsNull(row, keys)) {
			out.setNull(row, n)
		}
	}
	return nil
}

// withKeys says for each left row whether there is a right one with its keys, which are the first columns.
func (c *compiler) withKeys(lk, rk *table.Table, keys int) ([]bool, error) {
	out := make([]bool, lk.NumRows())
	if keys == 0 {
		for i := range out {
			out[i] = rk.NumRows() > 0
		}
		return out, nil
	}
	l, err := lk.Select(lk.Names()[:keys]...)
	if err != nil {
		return nil, err
	}
	r, err := rk.Select(rk.Names()[:keys]...)
	if err != nil {
		return nil, err
	}
	rows, err := matchedRows(l, r)
	for _, row := range rows {
		out[row] = true
	}
	return out, err
}
