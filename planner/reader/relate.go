package reader

import (
	"catena/query"
	"catena/table"
)

// counted is that so many rows of a set belong to a row.
func (r *relation) counted(c *condition) (query.Expr, error) {
	path, err := r.s.path(r.base, c.set.table)
	if err != nil || len(path) == 0 || len(path[0].LeftColumns) != 1 || !path[0].Back {
		return nil, errUnrelated
	}
	step := path[0]
	next, ok := r.s.index(step.To())
	if !ok {
		return nil, errUnrelated
	}
	inner := r.s.over(c.set.table)
	if err := inner.filter(c.set.where); err != nil {
		return nil, err
	}
	if err := inner.reach(next, true); err != nil {
		return nil, err
	}
	key := inner.name(step.To(), step.LeftColumns[0])
	count := query.Aggregate{As: placeNamed, Func: aggCount}
	if inner.fans {
		own, ok := r.s.keyOf(c.set.table)
		if !ok {
			return nil, errUnrelated
		}
		count.Args, count.Distinct = []query.Expr{query.Col(r.s.Field(own).Name)}, true
	}
	q := inner.query().With(
		query.Group{Keys: []query.Named{{As: key, Expr: query.Col(key)}}, Aggregates: []query.Aggregate{count}},
		query.Filter{Where: query.Do(c.compare, query.Col(placeNamed), query.Lit(c.low.Value))},
		query.Project{Columns: []query.Named{{As: key, Expr: query.Col(key)}}})
	return query.In{Expr: query.Col(step.RightColumns[0]), Query: q}, nil
}

// alike is that a column has a value that it has in a set of rows.
func (r *relation) alike(c *condition) (query.Expr, error) {
	e, err := r.col(c.of, false)
	if err != nil {
		return nil, err
	}
	_, q, err := r.s.rowsQuery(c.set)
	if err != nil {
		return nil, err
	}
	name := r.s.Field(c.of.FieldRef).Name
	return query.In{Expr: e, Query: q.With(query.Project{Columns: []query.Named{{As: name, Expr: query.Col(name)}}})}, nil
}

// next is that a row stands a step away from one of others.
func (r *relation) next(c *condition) (query.Expr, error) {
	if c.of.Table != r.base {
		return nil, errUnrelated
	}
	other := r.s.over(r.base)
	if err := other.filter(c.parts); err != nil {
		return nil, err
	}
	other.numbered, r.numbered = true, true
	place := query.Do("add", query.Col(placeNamed), query.Lit(table.IntValue(c.step)))
	q := other.query().With(query.Project{Columns: []query.Named{{As: placeNamed, Expr: place}}})
	return query.In{Expr: query.Col(placeNamed), Query: q}, nil
}
