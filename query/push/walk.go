package push

import (
	"context"
	"strings"

	"catena/query"
)

// eachTable calls f for each table that a query names, also in the queries inside it.
func eachTable(q query.Query, f func(name string)) {
	w := walker{table: f}
	w.query(q)
}

// named are the columns that stages name, in lower case, up to the one that leaves all others out; all says that none
// does.
func named(stages []query.Stage) (names map[string]bool, all bool) {
	names = map[string]bool{}
	w := walker{column: func(c string) { names[strings.ToLower(c)] = true }}
	for _, st := range stages {
		w.stage(st)
		switch st.(type) {
		case query.Project, query.Group:
			return names, false
		case query.Distinct, query.Set:
			return names, true
		}
	}
	return names, true
}

// walker visits the parts of queries.
type walker struct {
	table  func(name string)
	column func(name string)
}

func (w walker) query(q query.Query) {
	if q.Of != nil {
		w.query(*q.Of)
	} else if w.table != nil {
		w.table(q.From)
	}
	for _, st := range q.Stages {
		w.stage(st)
	}
}

func (w walker) stage(st query.Stage) {
	switch s := st.(type) {
	case query.Filter:
		w.expr(s.Where)
	case query.Derive:
		w.named(s.Columns)
	case query.Project:
		w.named(s.Columns)
	case query.Group:
		w.named(s.Keys)
		for _, a := range s.Aggregates {
			w.exprs(a.Args)
			w.expr(a.Where)
			w.keys(a.Order)
		}
	case query.Window:
		for _, c := range s.Columns {
			w.exprs(c.Args)
			w.expr(c.Where)
			w.exprs(c.Partition)
			w.keys(c.Order)
		}
	case query.Join:
		w.query(s.With)
		w.expr(s.On)
	case query.Set:
		w.query(s.With)
	case query.Sort:
		w.keys(s.Keys)
	case query.Take:
		for _, name := range s.Per {
			w.expr(query.Col(name))
		}
		w.keys(s.Ties)
	}
}

func (w walker) named(list []query.Named) {
	for _, n := range list {
		w.expr(n.Expr)
	}
}

func (w walker) keys(list []query.SortKey) {
	for _, k := range list {
		w.expr(k.Expr)
	}
}

func (w walker) exprs(list []query.Expr) {
	for _, e := range list {
		w.expr(e)
	}
}

func (w walker) expr(e query.Expr) {
	switch x := e.(type) {
	case query.Column:
		if w.column != nil {
			w.column(x.Name)
		}
	case query.Call:
		w.exprs(x.Args)
	case query.Cast:
		w.expr(x.Expr)
	case query.Case:
		for _, b := range x.Branches {
			w.expr(b.When)
			w.expr(b.Then)
		}
		w.expr(x.Else)
	case query.Scalar:
		w.query(x.Query)
	case query.Exists:
		w.query(x.Query)
	case query.In:
		w.expr(x.Expr)
		w.query(x.Query)
	}
}

// expressions gives a stage whose subqueries read only what is here.
func (p *pusher) expressions(ctx context.Context, st query.Stage) (query.Stage, error) {
	r := &rewriter{p: p, ctx: ctx}
	switch s := st.(type) {
	case query.Filter:
		s.Where = r.expr(s.Where)
		st = s
	case query.Derive:
		s.Columns = r.named(s.Columns)
		st = s
	case query.Project:
		s.Columns = r.named(s.Columns)
		st = s
	case query.Group:
		s.Keys = r.named(s.Keys)
		s.Aggregates = each(s.Aggregates, func(a query.Aggregate) query.Aggregate {
			a.Args, a.Where, a.Order = each(a.Args, r.expr), r.expr(a.Where), each(a.Order, r.key)
			return a
		})
		st = s
	case query.Window:
		s.Columns = each(s.Columns, func(c query.WindowColumn) query.WindowColumn {
			c.Args, c.Where, c.Order = each(c.Args, r.expr), r.expr(c.Where), each(c.Order, r.key)
			c.Partition = each(c.Partition, r.expr)
			return c
		})
		st = s
	case query.Sort:
		s.Keys = each(s.Keys, r.key)
		st = s
	case query.Take:
		s.Ties = each(s.Ties, r.key)
		st = s
	}
	return st, r.err
}

// rewriter makes expressions whose queries read only what is here.
type rewriter struct {
	p   *pusher
	ctx context.Context
	err error
}

func each[T any](list []T, f func(T) T) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

func (r *rewriter) named(list []query.Named) []query.Named {
	return each(list, func(n query.Named) query.Named { return query.Named{As: n.As, Expr: r.expr(n.Expr)} })
}

func (r *rewriter) key(k query.SortKey) query.SortKey {
	k.Expr = r.expr(k.Expr)
	return k
}

func (r *rewriter) query(q query.Query) query.Query {
	if r.err != nil || !r.p.remote(q) {
		return q
	}
	out, err := r.p.local(r.ctx, q)
	if err != nil {
		r.err = err
	}
	return out
}

func (r *rewriter) expr(e query.Expr) query.Expr {
	switch x := e.(type) {
	case query.Call:
		x.Args = each(x.Args, r.expr)
		return x
	case query.Cast:
		x.Expr = r.expr(x.Expr)
		return x
	case query.Case:
		x.Branches = each(x.Branches, func(b query.Branch) query.Branch {
			return query.Branch{When: r.expr(b.When), Then: r.expr(b.Then)}
		})
		x.Else = r.expr(x.Else)
		return x
	case query.Scalar:
		return query.Scalar{Query: r.query(x.Query)}
	case query.Exists:
		return query.Exists{Query: r.query(x.Query)}
	case query.In:
		return query.In{Expr: r.expr(x.Expr), Query: r.query(x.Query)}
	}
	return e
}
