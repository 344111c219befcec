package run

import (
	"slices"
	"strings"

	"catena/query"
	"catena/table"
)

// needed is the columns that later stages need, by lower case; nil is all of them.
type needed map[string]bool

// needs gives what is needed before each stage, and of the result: columns that nothing reads are not copied.
func (r *runner) needs(stages []query.Stage) []needed {
	out := make([]needed, len(stages)+1)
	for i := len(stages) - 1; i >= 0 && !r.plain; i-- {
		out[i] = needsBefore(stages[i], out[i+1])
	}
	return out
}

func needsBefore(stage query.Stage, after needed) needed {
	switch s := stage.(type) {
	case query.Project, query.Group:
		return needed{}.with(stage)
	case query.Set, query.Distinct:
		return nil
	case query.Derive:
		if after == nil {
			return nil
		}
		before := needed{}
		for name := range after {
			if !slices.ContainsFunc(s.Columns, func(c query.Named) bool { return strings.ToLower(c.As) == name }) {
				before[name] = true
			}
		}
		return before.with(stage)
	}
	if after == nil {
		return nil
	}
	return needed{}.and(after).with(stage)
}

func (n needed) and(more needed) needed {
	for name := range more {
		n[name] = true
	}
	return n
}

// with adds the columns that a stage reads of its relation, those that its subqueries refer to included.
func (n needed) with(stage query.Stage) needed {
	if t, ok := stage.(query.Take); ok {
		for _, name := range t.Per {
			n[strings.ToLower(name)] = true
		}
	}
	query.OfColumns(func(c query.Column, depth int) query.Expr {
		if c.Out == depth {
			n[strings.ToLower(c.Name)] = true
		}
		return c
	}).Stage(stage, 0)
	return n
}

// pruned leaves out what is not needed; one column stays, so that rows are counted.
func (r *runner) pruned(t *table.Table, n needed) (*table.Table, error) {
	if n == nil || t.NumCols() < 2 {
		return t, nil
	}
	var names []string
	for _, name := range t.Names() {
		if n[strings.ToLower(name)] {
			names = append(names, name)
		}
	}
	switch {
	case len(names) == t.NumCols():
		return t, nil
	case len(names) == 0:
		names = []string{narrowest(t)}
	}
	return t.Select(names...)
}

// narrowest is the column that costs least to copy.
func narrowest(t *table.Table) string {
	best, cost := 0, int64(1<<62)
	for i, col := range t.Columns() {
		c := shape{typ: col.Type}.width()
		if col.Type == table.Text || col.Type == table.JSON {
			c *= 4
		}
		if c < cost {
			best, cost = i, c
		}
	}
	return t.Column(best).Name
}
