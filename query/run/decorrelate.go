package run

import (
	"catena/query"
	"catena/table"
	"slices"
)

// decorrelated is a subquery that no longer refers to the relation around it: its rows are those for any outer row,
// and belong to one where its key columns equal the outer expressions.
type decorrelated struct {
	query query.Query
	outer []query.Expr
	empty *query.Query // the query over no rows, where an aggregate makes a row of them; else nil
}

// decorrelate takes the equalities with outer columns out of the one filter that refers to them and carries their
// inner sides along as key columns. False where the query refers to the relation in another way, or has a stage
// behind the filter that would compute another thing for all outer rows at once.
func decorrelate(s sub) (decorrelated, bool) {
	q, f := s.query, -1
	if q.Of != nil && len(references(query.Query{Of: q.Of})) > 0 {
		return decorrelated{}, false
	}
	for i, stage := range q.Stages {
		if len(references(query.Query{Stages: []query.Stage{stage}})) == 0 {
			continue
		}
		if _, ok := stage.(query.Filter); !ok || f >= 0 {
			return decorrelated{}, false
		}
		f = i
	}
	outer, keys, rest, ok := equalities(q.Stages[f].(query.Filter).Where)
	if !ok {
		return decorrelated{}, false
	}
	c := carrier{sub: s, keys: make([]query.Named, len(keys))}
	derive := query.Derive{}
	for i, k := range keys {
		derive.Columns = append(derive.Columns, query.Named{As: keyName(i), Expr: k})
		c.keys[i] = query.Named{As: keyName(i), Expr: query.Col(keyName(i))}
	}
	stages := q.Stages[:f:f]
	if where := query.Conjunction(rest); where != nil {
		stages = append(stages, query.Filter{Where: where})
	}
	stages = append(stages, derive)
	for _, stage := range q.Stages[f+1:] {
		if stages, ok = c.carry(stages, stage); !ok {
			return decorrelated{}, false
		}
	}
	out := decorrelated{outer: outer, query: query.Query{From: q.From, Of: q.Of, Stages: stages}}
	if s.exists {
		out.query = out.query.With(query.Project{Columns: c.keys})
	}
	if c.whole {
		none := query.Filter{Where: query.Lit(table.BoolValue(false))}
		empty := query.Query{From: q.From, Of: q.Of, Stages: append(append(q.Stages[:f:f], none), q.Stages[f+1:]...)}
		out.empty = &empty
	}
	return out, true
}

// equalities takes a condition apart: outer[i] equals keys[i], and the rest does not refer to the relation around.
func equalities(where query.Expr) (outer, keys, rest []query.Expr, ok bool) {
	for _, e := range query.Conjuncts(where) {
		a, b, isEqual := outerEquality(e)
		switch {
		case isEqual:
			outer, keys = append(outer, a), append(keys, b)
		case levels(e)&outerLevel != 0:
			return nil, nil, nil, false
		default:
			rest = append(rest, e)
		}
	}
	return outer, keys, rest, len(keys) > 0 && len(keys) <= 20
}

// outerEquality is an equality of an outer expression, as the relation around sees it, and an inner one.
func outerEquality(e query.Expr) (outer, inner query.Expr, ok bool) {
	call, ok := e.(query.Call)
	if !ok || call.Func != "eq" || len(call.Args) != 2 || hasSubquery(e) {
		return nil, nil, false
	}
	a, b := call.Args[0], call.Args[1]
	if levels(a) == innerLevel {
		a, b = b, a
	}
	if levels(a) != outerLevel || levels(b) != innerLevel {
		return nil, nil, false
	}
	return query.OfColumns(func(c query.Column, _ int) query.Expr { c.Out--; return c }).Expr(a, 0), b, true
}

// Which relations an expression of a subquery reads: its own, and those around it. Bits.
const (
	innerLevel = 1 << iota
	outerLevel
)

func levels(e query.Expr) int {
	out := 0
	query.OfColumns(func(c query.Column, depth int) query.Expr {
		switch {
		case c.Out == depth:
			out |= innerLevel
		case c.Out > depth:
			out |= outerLevel
		}
		return c
	}).Expr(e, 0)
	return out
}

// carrier puts the key columns through the stages behind the filter.
type carrier struct {
	sub   sub
	keys  []query.Named
	whole bool // a group without keys was met, so that there is a row for no rows, too
}

// carry adds a stage; false where it cannot be computed for all outer rows at once.
func (c *carrier) carry(to []query.Stage, stage query.Stage) ([]query.Stage, bool) {
	isValue := !c.sub.exists && c.sub.value == nil
	switch s := stage.(type) {
	case query.Filter, query.Derive:
		return append(to, stage), true
	case query.Project:
		return append(to, query.Project{Columns: c.with(s.Columns)}), true
	case query.Distinct:
		return append(to, stage), true
	case query.Sort:
		return append(to, stage), true
	case query.Take: // so many for each outer row
		for _, k := range c.keys {
			s.Per = append(s.Per[:len(s.Per):len(s.Per)], k.As)
		}
		return append(to, s), true
	case query.Window:
		s.Columns = slices.Clone(s.Columns)
		for i, w := range s.Columns {
			for _, k := range c.keys {
				w.Partition = append(w.Partition[:len(w.Partition):len(w.Partition)], k.Expr)
			}
			s.Columns[i] = w
		}
		return append(to, s), true
	case query.Group:
		if len(s.Keys) == 0 {
			if !isValue || c.whole {
				return nil, false
			}
			c.whole = true
		}
		return append(to, query.Group{Keys: c.with(s.Keys), Aggregates: s.Aggregates}), true
	}
	return nil, false
}

func (c *carrier) with(columns []query.Named) []query.Named {
	return append(c.keys[:len(c.keys):len(c.keys)], columns...)
}
