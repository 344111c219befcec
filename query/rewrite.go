package query

import "slices"

// Rewriter copies queries and expressions with some of their parts replaced; what it is given stays as it is. A
// function that only looks gives false, and what is copied is dropped.
type Rewriter struct {
	// Part is asked of each expression, from the outside in: what takes its place, or false to look inside it. depth
	// is how many subqueries it stands in beyond where the walk began: a column whose Out is depth is of the relation
	// there. nil replaces none.
	Part func(e Expr, depth int) (Expr, bool)
	// Inner is the same for each query: of a subquery, a join or a set, and where a query is in place of a table. nil
	// looks inside all.
	Inner func(q Query, depth int) (Query, bool)
}

// OfColumns replaces columns alone.
func OfColumns(f func(c Column, depth int) Expr) Rewriter {
	return Rewriter{Part: func(e Expr, depth int) (Expr, bool) {
		if c, is := e.(Column); is {
			return f(c, depth), true
		}
		return nil, false
	}}
}

// Expr is e with its parts replaced; nil for nil.
func (r Rewriter) Expr(e Expr, depth int) Expr {
	if e == nil {
		return nil
	}
	if r.Part != nil {
		if other, is := r.Part(e, depth); is {
			return other
		}
	}
	switch x := e.(type) {
	case Call:
		x.Args = r.exprs(x.Args, depth)
		return x
	case Case:
		x.Branches = slices.Clone(x.Branches)
		for i, b := range x.Branches {
			x.Branches[i] = Branch{When: r.Expr(b.When, depth), Then: r.Expr(b.Then, depth)}
		}
		x.Else = r.Expr(x.Else, depth)
		return x
	case Cast:
		x.Expr = r.Expr(x.Expr, depth)
		return x
	case Scalar:
		return Scalar{Query: r.Query(x.Query, depth+1)}
	case Exists:
		return Exists{Query: r.Query(x.Query, depth+1)}
	case In:
		return In{Expr: r.Expr(x.Expr, depth), Query: r.Query(x.Query, depth+1)}
	}
	return e
}

// Query is q with its parts replaced.
func (r Rewriter) Query(q Query, depth int) Query {
	if r.Inner != nil {
		if other, is := r.Inner(q, depth); is {
			return other
		}
	}
	if q.Of != nil {
		of := r.Query(*q.Of, depth)
		q.Of = &of
	}
	q.Stages = slices.Clone(q.Stages)
	for i, s := range q.Stages {
		q.Stages[i] = r.Stage(s, depth)
	}
	return q
}

// Stage is a stage with its parts replaced. The names of a Take stay.
func (r Rewriter) Stage(stage Stage, depth int) Stage {
	switch s := stage.(type) {
	case Filter:
		return Filter{Where: r.Expr(s.Where, depth)}
	case Derive:
		return Derive{Columns: r.named(s.Columns, depth)}
	case Project:
		return Project{Columns: r.named(s.Columns, depth)}
	case Group:
		s.Keys = r.named(s.Keys, depth)
		s.Aggregates = slices.Clone(s.Aggregates)
		for i, a := range s.Aggregates {
			s.Aggregates[i] = r.aggregate(a, depth)
		}
		return s
	case Pivot:
		s.On, s.Keys, s.Values = r.Expr(s.On, depth), r.named(s.Keys, depth), r.named(s.Values, depth)
		s.Cell = r.aggregate(s.Cell, depth)
		return s
	case Unpivot:
		s.Keep, s.Rows = r.named(s.Keep, depth), slices.Clone(s.Rows)
		for i, row := range s.Rows {
			s.Rows[i] = r.exprs(row, depth)
		}
		return s
	case Window:
		s.Columns = slices.Clone(s.Columns)
		for i, w := range s.Columns {
			w.Args, w.Where = r.exprs(w.Args, depth), r.Expr(w.Where, depth)
			w.Partition, w.Order = r.exprs(w.Partition, depth), r.keys(w.Order, depth)
			s.Columns[i] = w
		}
		return s
	case Join:
		s.With, s.On = r.Query(s.With, depth), r.Expr(s.On, depth)
		return s
	case Set:
		s.With = r.Query(s.With, depth)
		return s
	case Sort:
		return Sort{Keys: r.keys(s.Keys, depth)}
	case Take:
		s.Ties = r.keys(s.Ties, depth)
		return s
	}
	return stage
}

func (r Rewriter) aggregate(a Aggregate, depth int) Aggregate {
	a.Args, a.Where, a.Order = r.exprs(a.Args, depth), r.Expr(a.Where, depth), r.keys(a.Order, depth)
	return a
}

func (r Rewriter) exprs(list []Expr, depth int) []Expr {
	out := slices.Clone(list)
	for i, e := range out {
		out[i] = r.Expr(e, depth)
	}
	return out
}

func (r Rewriter) named(list []Named, depth int) []Named {
	out := slices.Clone(list)
	for i, c := range out {
		out[i].Expr = r.Expr(c.Expr, depth)
	}
	return out
}

func (r Rewriter) keys(list []SortKey, depth int) []SortKey {
	out := slices.Clone(list)
	for i, k := range out {
		out[i].Expr = r.Expr(k.Expr, depth)
	}
	return out
}

// Conjuncts are the conditions that must all be true for e to be; none for nil.
func Conjuncts(e Expr) []Expr {
	if call, ok := e.(Call); ok && call.Func == "and" {
		var out []Expr
		for _, a := range call.Args {
			out = append(out, Conjuncts(a)...)
		}
		return out
	}
	if e == nil {
		return nil
	}
	return []Expr{e}
}

// Conjunction is that all conditions are true, the opposite of Conjuncts; nil for none.
func Conjunction(list []Expr) Expr {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return Do("and", list...)
}
