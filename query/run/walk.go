package run

import "catena/query"

// hasSubquery reports whether an expression has a query in it.
func hasSubquery(e query.Expr) bool {
	found := false
	query.Rewriter{Inner: func(q query.Query, _ int) (query.Query, bool) {
		found = true
		return q, true
	}}.Expr(e, 0)
	return found
}

func anyOf[T any](list []T, is func(T) bool) bool {
	for _, x := range list {
		if is(x) {
			return true
		}
	}
	return false
}
