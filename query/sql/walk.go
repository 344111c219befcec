package sql

import (
	"slices"

	"catena/query"
)

// replace copies an expression with some of its parts replaced. f gets each part and how many subqueries it stands
// in inside the
// expression, and gives what takes its place; false is to look inside it.
func replace(e query.Expr, f func(e query.Expr, depth int) (query.Expr, bool)) query.Expr {
	return replacer(f).expr(e, 0)
}

type replacer func(e query.Expr, depth int) (query.Expr, bool)

func (r replacer) expr(e query.Expr, depth int) query.Expr {
	if e == nil {
		return nil
	}
	if other, is := r(e, depth); is {
		return other
	}
	switch x := e.(type) {
	case query.Call:
		x.Args = r.exprs(x.Args, depth)
		return x
	case query.Case:
		x.Branches = slices.Clone(x.Branches)
		for i, b := range x.Branches {
			x.Branches[i] = query.Branch{When: r.expr(b.When, depth), Then: r.expr(b.Then, depth)}
		}
		x.Else = r.expr(x.Else, depth)
		return x
	case query.Cast:
		x.Expr = r.expr(x.Expr, depth)
		return x
	case query.Scalar:
		return query.Scalar{Query: r.query(x.Query, depth+1)}
	case query.Exists:
		return query.Exists{Query: r.query(x.Query, depth+1)}
	case query.In:
		return query.In{Expr: r.expr(x.Expr, depth), Query: r.query(x.Query, depth+1)}
	}
	return e
}

func (r replacer) exprs(list []query.Expr, depth int) []query.Expr {
	out := slices.Clone(list)
	for i, e := range out {
		out[i] = r.expr(e, depth)
	}
	return out
}

func (r replacer) named(list []query.Named, depth int) []query.Named {
	out := slices.Clone(list)
	for i, c := range out {
		out[i].Expr = r.expr(c.Expr, depth)
	}
	return out
}

func (r replacer) keys(list []query.SortKey, depth int) []query.SortKey {
	out := slices.Clone(list)
	for i, k := range out {
		out[i].Expr = r.expr(k.Expr, depth)
	}
	return out
}

func (r replacer) query(q query.Query, depth int) query.Query {
	if q.Of != nil {
		of := r.query(*q.Of, depth)
		q.Of = &of
	}
	q.Stages = slices.Clone(q.Stages)
	for i, s := range q.Stages {
		q.Stages[i] = r.stage(s, depth)
	}
	return q
}

func (r replacer) stage(s query.Stage, depth int) query.Stage {
	switch x := s.(type) {
	case query.Filter:
		return query.Filter{Where: r.expr(x.Where, depth)}
	case query.Derive:
		return query.Derive{Columns: r.named(x.Columns, depth)}
	case query.Project:
		return query.Project{Columns: r.named(x.Columns, depth)}
	case query.Group:
		x.Keys = r.named(x.Keys, depth)
		x.Aggregates = slices.Clone(x.Aggregates)
		for i, a := range x.Aggregates {
			x.Aggregates[i] = r.aggregate(a, depth)
		}
		return x
	case query.Window:
		x.Columns = slices.Clone(x.Columns)
		for i, w := range x.Columns {
			x.Columns[i] = r.window(w, depth)
		}
		return x
	case query.Join:
		x.With, x.On = r.query(x.With, depth), r.expr(x.On, depth)
		return x
	case query.Set:
		x.With = r.query(x.With, depth)
		return x
	case query.Sort:
		return query.Sort{Keys: r.keys(x.Keys, depth)}
	case query.Take:
		x.Ties = r.keys(x.Ties, depth)
		return x
	}
	return s
}

func (r replacer) aggregate(a query.Aggregate, depth int) query.Aggregate {
	a.Args, a.Where, a.Order = r.exprs(a.Args, depth), r.expr(a.Where, depth), r.keys(a.Order, depth)
	return a
}

func (r replacer) window(w query.WindowColumn, depth int) query.WindowColumn {
	w.Args, w.Where = r.exprs(w.Args, depth), r.expr(w.Where, depth)
	w.Partition, w.Order = r.exprs(w.Partition, depth), r.keys(w.Order, depth)
	return w
}

// raised is an expression as a subquery around it sees it: its columns are one query further out.
func raised(e query.Expr) query.Expr {
	return replace(e, func(e query.Expr, depth int) (query.Expr, bool) {
		c, is := e.(query.Column)
		if is && c.Out >= depth {
			c.Out++
		}
		return c, is
	})
}

// reads says which columns an expression reads of the relation that it stands in, and whether it has a subquery.
func reads(e query.Expr) (columns []string, subquery bool) {
	replace(e, func(e query.Expr, depth int) (query.Expr, bool) {
		subquery = subquery || depth > 0
		switch x := e.(type) {
		case query.Column:
			if x.Out == depth {
				columns = append(columns, x.Name)
			}
		case query.Scalar, query.Exists, query.In:
			subquery = true
		}
		return nil, false
	})
	return columns, subquery
}
