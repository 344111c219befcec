package run

import (
	"slices"
	"strings"

	"catena/query"
	"catena/table"
)

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

// member is whether a value is among those of a table's one column that is no key, in the rows whose keys are equal
// to the outer ones.
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

// unknown makes what is not true null where the value is null and there is a row with its keys, or there is one with
// a null.
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
