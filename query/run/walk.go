package run

import "catena/query"

// visitor is asked for what stands for each column of an expression. depth is how many subqueries the column stands
// in, so that one whose Out is depth is of the relation that the walk began in, and one whose Out is greater is
// further out.
type visitor func(c query.Column, depth int) query.Expr

// rewrite gives an expression with its columns replaced.
func rewrite(e query.Expr, depth int, f visitor) query.Expr {
	switch x := e.(type) {
	case query.Column:
		return f(x, depth)
	case query.Call:
		x.Args = rewriteAll(x.Args, depth, f)
		return x
	case query.Case:
		branches := make([]query.Branch, len(x.Branches))
		for i, b := range x.Branches {
			branches[i] = query.Branch{When: rewrite(b.When, depth, f), Then: rewrite(b.Then, depth, f)}
		}
		return query.Case{Branches: branches, Else: rewrite(x.Else, depth, f)}
	case query.Cast:
		x.Expr = rewrite(x.Expr, depth, f)
		return x
	case query.Scalar:
		return query.Scalar{Query: rewriteQuery(x.Query, depth+1, f)}
	case query.Exists:
		return query.Exists{Query: rewriteQuery(x.Query, depth+1, f)}
	case query.In:
		return query.In{Expr: rewrite(x.Expr, depth, f), Query: rewriteQuery(x.Query, depth+1, f)}
	}
	return e
}

func rewriteAll(list []query.Expr, depth int, f visitor) []query.Expr {
	return mapped(list, func(e query.Expr) query.Expr { return rewrite(e, depth, f) })
}

// mapped is a new slice of what f makes of each element; nil stays nil.
func mapped[T any](list []T, f func(T) T) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

// rewriteQuery rewrites all stages of a query, and the queries that they read.
func rewriteQuery(q query.Query, depth int, f visitor) query.Query {
	if q.Of != nil {
		of := rewriteQuery(*q.Of, depth, f)
		q.Of = &of
	}
	q.Stages = mapped(q.Stages, func(s query.Stage) query.Stage { return rewriteStage(s, depth, f) })
	return q
}

func rewriteStage(stage query.Stage, depth int, f visitor) query.Stage {
	expr := func(e query.Expr) query.Expr { return rewrite(e, depth, f) }
	keys := func(list []query.SortKey) []query.SortKey {
		return mapped(list, func(k query.SortKey) query.SortKey { k.Expr = expr(k.Expr); return k })
	}
	named := func(list []query.Named) []query.Named {
		return mapped(list, func(n query.Named) query.Named { n.Expr = expr(n.Expr); return n })
	}
	switch s := stage.(type) {
	case query.Filter:
		return query.Filter{Where: expr(s.Where)}
	case query.Derive:
		return query.Derive{Columns: named(s.Columns)}
	case query.Project:
		return query.Project{Columns: named(s.Columns)}
	case query.Group:
		return query.Group{Keys: named(s.Keys), Aggregates: mapped(s.Aggregates, func(a query.Aggregate) query.Aggregate {
			a.Args, a.Where, a.Order = mapped(a.Args, expr), expr(a.Where), keys(a.Order)
			return a
		})}
	case query.Window:
		return query.Window{Columns: mapped(s.Columns, func(w query.WindowColumn) query.WindowColumn {
			w.Args, w.Where, w.Partition, w.Order = mapped(w.Args, expr), expr(w.Where), mapped(w.Partition, expr), keys(w.Order)
			return w
		})}
	case query.Join:
		s.On, s.With = expr(s.On), rewriteQuery(s.With, depth, f)
		return s
	case query.Set:
		s.With = rewriteQuery(s.With, depth, f)
		return s
	case query.Sort:
		return query.Sort{Keys: keys(s.Keys)}
	case query.Take:
		s.Ties = keys(s.Ties)
		return s
	}
	return stage
}

// conjuncts are the conditions that must all be true.
func conjuncts(e query.Expr) []query.Expr {
	if call, ok := e.(query.Call); ok && call.Func == "and" {
		var out []query.Expr
		for _, a := range call.Args {
			out = append(out, conjuncts(a)...)
		}
		return out
	}
	if e == nil {
		return nil
	}
	return []query.Expr{e}
}

// conjunction is the opposite of conjuncts; nil where there are none.
func conjunction(list []query.Expr) query.Expr {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return query.Do("and", list...)
}

// hasSubquery reports whether an expression has a query in it.
func hasSubquery(e query.Expr) bool {
	switch x := e.(type) {
	case query.Scalar, query.Exists, query.In:
		return true
	case query.Call:
		return anyOf(x.Args, hasSubquery)
	case query.Cast:
		return hasSubquery(x.Expr)
	case query.Case:
		for _, b := range x.Branches {
			if hasSubquery(b.When) || hasSubquery(b.Then) {
				return true
			}
		}
		return hasSubquery(x.Else)
	}
	return false
}

func anyOf[T any](list []T, is func(T) bool) bool {
	for _, x := range list {
		if is(x) {
			return true
		}
	}
	return false
}
