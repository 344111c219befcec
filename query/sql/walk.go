package sql

import "catena/query"

// replace copies an expression with some of its parts replaced: see query.Rewriter.
func replace(e query.Expr, f func(e query.Expr, depth int) (query.Expr, bool)) query.Expr {
	return query.Rewriter{Part: f}.Expr(e, 0)
}

// raised is an expression as a subquery around it sees it: its columns are one query further out.
func raised(e query.Expr) query.Expr {
	return query.OfColumns(func(c query.Column, depth int) query.Expr {
		if c.Out >= depth {
			c.Out++
		}
		return c
	}).Expr(e, 0)
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
