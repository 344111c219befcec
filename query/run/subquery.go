package run

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/query"
	"catena/table"
)

// subquery is a node of what a query inside an expression gives for each row. One that does not refer to the relation
// runs once; others become a match of keys where they compare their rows by equality alone, else they run for each
// combination of the columns that they refer to.
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
	query.OfColumns(func(c query.Column, depth int) query.Expr {
		if c.Out == depth {
			seen[c.Name] = true
		}
		return c
	}).Query(q, 1)
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

// repeated runs a subquery once for each combination of the columns that it refers to, and of the value that it looks
// for.
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
	result := shape{} // of the values, which may all be null
	for i, row := range first {
		var one shape
		if values[i], one, err = c.bound(s, refs, k, row); err != nil {
			return nil, err
		}
		if wide, ok := wider2(result, one); ok {
			result = wide
		}
	}
	if len(first) == 0 { // nothing ran, and the column has a type all the same
		if _, result, err = c.bound(s, refs, k, -1); err != nil {
			return nil, err
		}
	}
	col, arr := table.ColumnOf("a", values)
	if col.Type == table.Null {
		return typedNull(result), nil
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

// valueOf is a cell as a constant of its column's type; null in a row of -1.
func valueOf(t *table.Table, row, i int) query.Expr {
	if row >= 0 && !t.IsNull(row, i) {
		return query.Lit(t.Value(row, i))
	}
	return query.Cast{Expr: query.Lit(table.NullValue), Type: t.Column(i).Type, Scale: t.Column(i).Scale}
}

// bound runs a subquery for one row of k, or for nulls where it is -1, and gives its value. What it draws is given
// back.
func (c *compiler) bound(s sub, refs []string, k *table.Table, row int) (table.Value, shape, error) {
	q := query.OfColumns(func(col query.Column, depth int) query.Expr {
		if i := slices.Index(refs, col.Name); col.Out == depth && i >= 0 {
			return valueOf(k, row, i)
		}
		return col
	}).Query(s.query, 1)
	before := c.r.mark()
	defer c.r.settle(before, nil)
	t, err := c.r.query(c.ctx, q)
	if err != nil {
		return table.NullValue, shape{}, at("query", err)
	}
	if s.exists {
		return table.BoolValue(t.NumRows() > 0), of(table.Bool), nil
	}
	col, err := valueColumn(t)
	if err != nil {
		return table.NullValue, shape{}, err
	}
	if s.value == nil {
		v, err := onlyValue(t, col)
		return v, shapeOf(t.Column(col)), err
	}
	if row < 0 {
		return table.NullValue, of(table.Bool), nil
	}
	return among(k.Value(row, len(refs)), t, col), of(table.Bool), nil
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
