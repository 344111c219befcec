package main

import (
	"strings"

	"catena/query"
)

// pairs are columns that are joined, each as table.column in lower case.
type pairs map[[2]string]bool

func (p pairs) add(a, b string) {
	if a == "" || b == "" || a == b {
		return
	}
	p[[2]string{min(a, b), max(a, b)}] = true
}

// scope is where the columns of a relation are from: table.column, or "" where they are computed.
type scope map[string]string

// walker collects the pairs of columns that a query joins, or compares by IN.
type walker struct {
	catalog query.Catalog
	found   pairs
}

// query collects the pairs of a query and says where its columns are from.
func (w *walker) query(q query.Query, outer []scope) scope {
	s := scope{}
	switch {
	case q.Of != nil:
		s = w.query(*q.Of, outer)
	case q.From != "":
		schema, _ := w.catalog.Schema(q.From)
		for _, f := range schema {
			s[f.Name] = strings.ToLower(q.From + "." + f.Name)
		}
	}
	for _, st := range q.Stages {
		s = w.stage(st, s, outer)
	}
	return s
}

func (w *walker) stage(st query.Stage, s scope, outer []scope) scope {
	in := append([]scope{s}, outer...)
	switch x := st.(type) {
	case query.Filter:
		w.expr(x.Where, in)
	case query.Derive:
		return w.named(x.Columns, s, in, true)
	case query.Project:
		return w.named(x.Columns, s, in, false)
	case query.Group:
		out := w.named(x.Keys, s, in, false)
		for _, a := range x.Aggregates {
			w.exprs(a.Args, in)
			w.expr(a.Where, in)
		}
		return out
	case query.Join:
		both := scope{}
		for _, side := range []scope{s, w.query(x.With, outer)} {
			for name, from := range side {
				both[name] = from
			}
		}
		w.expr(x.On, append([]scope{both}, outer...))
		if x.Kind != query.Semi && x.Kind != query.Anti {
			return both
		}
	case query.Set:
		w.query(x.With, outer)
	}
	return s
}

// named are the columns of a projection, beside those that were there before where they stay.
func (w *walker) named(columns []query.Named, s scope, in []scope, stay bool) scope {
	out := scope{}
	if stay {
		for name, from := range s {
			out[name] = from
		}
	}
	for _, c := range columns {
		w.expr(c.Expr, in)
		out[c.As] = origin(c.Expr, in)
	}
	return out
}

// origin is where a column is from; "" for other expressions. Lower case and trimmed texts are what they were made of.
func origin(e query.Expr, in []scope) string {
	if call, ok := e.(query.Call); ok && len(call.Args) == 1 && (call.Func == "lower" || call.Func == "trim") {
		e = call.Args[0]
	}
	if c, ok := e.(query.Column); ok && c.Out < len(in) {
		return in[c.Out][c.Name]
	}
	return ""
}

func (w *walker) exprs(list []query.Expr, in []scope) {
	for _, e := range list {
		w.expr(e, in)
	}
}

func (w *walker) expr(e query.Expr, in []scope) {
	switch x := e.(type) {
	case query.Call:
		if x.Func == "eq" && len(x.Args) == 2 {
			w.found.add(origin(x.Args[0], in), origin(x.Args[1], in))
		}
		w.exprs(x.Args, in)
	case query.Cast:
		w.expr(x.Expr, in)
	case query.Case:
		for _, b := range x.Branches {
			w.exprs([]query.Expr{b.When, b.Then}, in)
		}
		w.expr(x.Else, in)
	case query.Exists:
		w.query(x.Query, in)
	case query.Scalar:
		w.query(x.Query, in)
	case query.In:
		w.expr(x.Expr, in)
		for _, from := range w.query(x.Query, in) {
			w.found.add(origin(x.Expr, in), from)
		}
	}
}

// classes are columns that are joined with each other, over others too: two references to one key may be joined.
type classes map[string]string

func (c classes) root(a string) string {
	for c[a] != "" && c[a] != a {
		a = c[a]
	}
	return a
}

func classesOf(p pairs) classes {
	c := classes{}
	for pair := range p {
		a, b := c.root(pair[0]), c.root(pair[1])
		c[max(a, b)] = min(a, b)
	}
	return c
}

func (c classes) together(pair [2]string) bool { return c.root(pair[0]) == c.root(pair[1]) }
