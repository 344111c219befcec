package push

import (
	"context"
	"strings"

	"catena/query"
)

// eachTable calls f for each table that a query names, also in the queries inside it.
func eachTable(q query.Query, f func(name string)) {
	query.Rewriter{Inner: func(q query.Query, _ int) (query.Query, bool) {
		if q.Of == nil {
			f(q.From)
		}
		return q, false
	}}.Query(q, 0)
}

// named are the columns that stages name, in lower case, up to the one that leaves all others out; all says that none
// does.
func named(stages []query.Stage) (names map[string]bool, all bool) {
	names = map[string]bool{}
	naming := query.OfColumns(func(c query.Column, _ int) query.Expr {
		names[strings.ToLower(c.Name)] = true
		return c
	})
	for _, st := range stages {
		naming.Stage(st, 0)
		switch s := st.(type) {
		case query.Project, query.Group:
			return names, false
		case query.Distinct, query.Set:
			return names, true
		case query.Take:
			for _, name := range s.Per {
				names[strings.ToLower(name)] = true
			}
		}
	}
	return names, true
}

// here replaces subqueries by such as read only what is here. What kept one from it is in fault.
func (p *pusher) here(ctx context.Context) (r query.Rewriter, fault *error) {
	fault = new(error)
	r.Inner = func(q query.Query, _ int) (query.Query, bool) {
		if *fault == nil && p.remote(q) {
			q, *fault = p.local(ctx, q)
		}
		return q, true
	}
	return r, fault
}

// expressions gives a stage that is no join and no set, whose subqueries read only what is here.
func (p *pusher) expressions(ctx context.Context, st query.Stage) (query.Stage, error) {
	r, fault := p.here(ctx)
	out := r.Stage(st, 0)
	return out, *fault
}
