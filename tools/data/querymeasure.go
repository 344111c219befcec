package data

import (
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/table"
)

// measureNames are what the column is called that says how many or how much, where several columns hold numbers.
var measureNames = plan.WordSet("quantity qty amount total value count stock balance sum units")

// measure puts the table's one measure in place of * in aggregates of numbers and in orders: a plan may be made before anybody
// knows what the columns of a tool's result are called.
func (r *queryRun) measure() error {
	open := func(s plan.Select) bool { return s.Column == "*" && s.Expr != "" && s.Expr != "count" }
	if !slices.ContainsFunc(r.q.Select, open) && !slices.ContainsFunc(r.q.OrderBy, func(o plan.Order) bool { return o.Column == "*" }) {
		return nil
	}
	name, err := measureOf(r.t)
	if err != nil {
		return err
	}
	r.q.Select, r.q.OrderBy = slices.Clone(r.q.Select), slices.Clone(r.q.OrderBy)
	for i, s := range r.q.Select {
		if open(s) {
			r.q.Select[i].Column = name
		}
	}
	for i, o := range r.q.OrderBy {
		if o.Column == "*" {
			r.q.OrderBy[i].Column = name
		}
	}
	return nil
}

// measureOf is the one column of a table that says how many or how much. Where several may, the error names them.
func measureOf(t *table.Table) (string, error) {
	var all, named []string
	for c := range t.NumCols() {
		col := t.Column(c)
		words := plan.NameWords(col.Name)
		if !col.Type.Numeric() || len(words) == 0 {
			continue
		}
		switch last := words[len(words)-1]; {
		case last == "id" || last == "number" || last == "year" || last == "index":
			continue
		case measureNames[last] || measureNames[words[0]]:
			named = append(named, col.Name)
		}
		all = append(all, col.Name)
	}
	switch {
	case len(all) == 1:
		return all[0], nil
	case len(named) == 1:
		return named[0], nil
	case len(all) == 0:
		return "", queryErrorf("there is no column of numbers")
	}
	return "", queryErrorf("which column is meant: %s?", strings.Join(all, ", "))
}
