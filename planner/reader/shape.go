package reader

import (
	"context"

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
	shapeRepeated = "shape:repeated" // the first column says the same of several rows
	shapeHoles    = "shape:holes"    // some cells are empty
)

// manyRows is from when on nobody reads an answer to its end.
const manyRows = 50

// addShape adds what a result looks like: by itself, and with what kind of question was asked.
func (r *Reading) addShape(s plan.ResultShape) {
	names := shapeNames(s)
	for _, n := range names {
		r.Features = append(r.Features, Feature{Name: n, Value: 1})
	}
	if asks := r.asks(); asks != "" && len(names) > 0 {
		r.Features = append(r.Features, Feature{Name: names[0] + "&" + asks, Value: 1})
	}
}

// shapeNames are the features of a shape; the first is about its rows.
func shapeNames(s plan.ResultShape) []string {
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
	default:
		names = append(names, shapeMany)
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
