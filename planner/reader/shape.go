package reader

import (
	"context"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/query"
	"catena/query/semantic"
)

// Tables is what a plan.Values may be, too: what the tables mean that it looks through, and what a query over them
// would give. It is safe for concurrent use.
type Tables interface {
	// Model says what the tables mean.
	Model(ctx context.Context) (*semantic.Model, error)
	// Shape runs a query, within bounds of rows and time, and tells no cell of what it gives.
	Shape(ctx context.Context, q query.Query) plan.ResultShape
}

// shapePrefix is what features of a result's shape begin with.
const shapePrefix = "shape:"

// Features of a result's shape.
const (
	shapeUnknown  = "shape:unknown"
	shapeEmpty    = "shape:empty"
	shapeNothing  = "shape:nothing" // rows, and no number in them
	shapeOneCell  = "shape:cell"
	shapeOneRow   = "shape:row"
	shapeSeveral  = "shape:several"
	shapeMany     = "shape:many"
	shapeList     = "shape:list"     // many rows of a table as they are, which says nothing for or against it
	shapeRepeated = "shape:repeated" // the first column says the same of several rows
	shapeHoles    = "shape:holes"    // some cells are empty
	shapeEcho     = "shape:echo"     // it shows nothing but what the message said
	shapeBare     = "shape:bare"     // several numbers, and nothing that says of what
)

// manyRows is from when on nobody reads an answer to its end. A list of a table's own rows is as long as it is.
const manyRows = 50

// fewColumns is from how many columns on rows are shown, and not what some of them say.
const fewColumns = 3

// addShape adds what a result looks like: by itself, and with what kind of question was asked.
func (r *Reading) addShape(s plan.ResultShape) {
	r.digest, r.content = s.Digest, s.Content
	names := shapeNames(s, lists(r.ranked) && r.usesAll(), showsRows(r.ranked))
	if echoes(r.ranked) {
		names = append(names, shapeEcho)
	}
	if s.Rows > 1 && r.bare {
		names = append(names, shapeBare)
	}
	for _, n := range names {
		r.Features = append(r.Features, Feature{Name: n, Value: 1})
	}
	if asks := r.asks(); asks != "" && len(names) > 0 {
		r.Features = append(r.Features, Feature{Name: names[0] + "&" + asks, Value: 1})
	}
}

// shapeNames are the features of a shape; the first is about its rows. list says that it lists rows of a table as they
// are, rows that it shows such rows, of all or the first ones.
func shapeNames(s plan.ResultShape, list, rows bool) []string {
	if !s.Known {
		return []string{shapeUnknown}
	}
	var names []string
	switch {
	case s.Rows == 0:
		return []string{shapeEmpty}
	case s.NoNumber:
		return []string{shapeNothing}
	case s.Rows == 1 && s.Columns == 1:
		names = append(names, shapeOneCell)
	case s.Rows == 1:
		names = append(names, shapeOneRow)
	case s.Rows < manyRows:
		names = append(names, shapeSeveral)
	case list:
		names = append(names, shapeList)
	default:
		names = append(names, shapeMany)
	}
	if rows && s.Columns >= fewColumns { // cells repeat, or are empty, as the table has them
		return names
	}
	if s.First < s.Rows {
		names = append(names, shapeRepeated)
	}
	if s.Nulls > 0 {
		names = append(names, shapeHoles)
	}
	return names
}

// asks is the feature that says how the question begins, "" where none does.
func (r *Reading) asks() string {
	const prefix = "asks:"
	for _, f := range r.Features {
		if len(f.Name) > len(prefix) && f.Name[:len(prefix)] == prefix {
			return f.Name
		}
	}
	return ""
}

// echoes reports whether a query shows nothing but columns whose one value it names itself.
func echoes(q query.Query) bool {
	fixed := map[string]bool{}
	var shown []query.Named
	for _, st := range q.Stages {
		switch s := st.(type) {
		case query.Filter:
			fixedBy(s.Where, fixed)
		case query.Project:
			shown = s.Columns
		case query.Group:
			return false
		}
	}
	for _, n := range shown {
		if c, ok := n.Expr.(query.Column); !ok || !fixed[c.Name] {
			return false
		}
	}
	return len(shown) > 0
}

// usesAll reports whether nothing of the message is passed over that would make the list another one.
func (r *Reading) usesAll() bool {
	return !slices.ContainsFunc(r.Features, func(f Feature) bool {
		kind, skips := strings.CutPrefix(f.Name, featSkip)
		return skips && !unmissed[kind] && kind != opBetween // from Norway
	})
}

// showsRows reports whether a query shows rows of one table, the first ones by their own cells, as they are.
func showsRows(q query.Query) bool {
	var rest []query.Stage
	for _, st := range q.Stages {
		if _, first := st.(query.Take); !first {
			rest = append(rest, st)
		}
	}
	q.Stages = rest
	return lists(q)
}

// lists reports whether a query lists rows of one table as they are, all or those that meet conditions on their own
// cells.
func lists(q query.Query) bool {
	for _, st := range q.Stages {
		switch s := st.(type) {
		case query.Filter:
			if !ofOwnCells(s.Where) {
				return false
			}
		case query.Project:
			if slices.ContainsFunc(s.Columns, func(n query.Named) bool { return !ofOwnCells(n.Expr) }) {
				return false
			}
		case query.Sort:
		default:
			return false
		}
	}
	return q.From != ""
}

// ofOwnCells reports whether an expression is made of a row's own cells and of values.
func ofOwnCells(e query.Expr) bool {
	switch x := e.(type) {
	case query.Column, query.Literal:
		return true
	case query.Call:
		return !slices.ContainsFunc(x.Args, func(a query.Expr) bool { return !ofOwnCells(a) })
	}
	return false
}

// fixedBy adds the columns that a condition lets have one value.
func fixedBy(e query.Expr, to map[string]bool) {
	call, ok := e.(query.Call)
	if !ok {
		return
	}
	if call.Func == opAnd {
		for _, a := range call.Args {
			fixedBy(a, to)
		}
		return
	}
	if call.Func != "eq" || len(call.Args) != 2 {
		return
	}
	c, isColumn := call.Args[0].(query.Column)
	_, isLiteral := call.Args[1].(query.Literal)
	if isColumn && isLiteral {
		to[c.Name] = true
	}
}
