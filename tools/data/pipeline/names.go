package pipeline

import (
	"slices"

	"catena/planner/plan"
	"catena/table"
)

// ofNothing is what can be asked of a table that has no columns, as results have that hold no rows: how many there are.
func ofNothing(q plan.Query) plan.Query {
	out := plan.Query{Table: q.Table, Data: q.Data}
	if len(q.GroupBy) > 0 {
		return out
	}
	for _, s := range q.Select {
		if s.Expr == "count" {
			out.Select = append(out.Select, plan.Select{Expr: s.Expr, Column: "*", As: s.As})
		}
	}
	return out
}

// completed is a query over one table in which a name that no column has stands for the one column whose name holds all
// its words: price, for price_eur. known says so to who reads.
func completed(q plan.Query, t *table.Table, known func(format string, args ...any)) plan.Query {
	if len(q.Join)+len(q.Union)+len(q.Derive) > 0 {
		return q
	}
	name := func(s *string) {
		if full := fullName(*s, t); full != *s {
			known("%s is read as %s", *s, full)
			*s = full
		}
	}
	q.Filter, q.GroupBy, q.Select = slices.Clone(q.Filter), slices.Clone(q.GroupBy), slices.Clone(q.Select)
	q.OrderBy = slices.Clone(q.OrderBy)
	made := map[string]bool{}
	for i := range q.Select {
		made[q.Select[i].Name()] = true
		name(&q.Select[i].Column)
	}
	for i := range q.Filter {
		name(&q.Filter[i].Column)
	}
	for i := range q.GroupBy {
		name(&q.GroupBy[i].Column)
	}
	for i := range q.OrderBy {
		if !made[q.OrderBy[i].Column] {
			name(&q.OrderBy[i].Column)
		}
	}
	return q
}

// fullName is the one column of a table whose name holds all words of another; the other itself where there is none, or
// several, or it is a column.
func fullName(name string, t *table.Table) string {
	words := plan.NameWords(name)
	if len(words) == 0 || t.Index(name) >= 0 {
		return name
	}
	found := ""
	for i := range t.NumCols() {
		col := t.Column(i).Name
		have := plan.NameWords(col)
		if slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) }) {
			continue
		}
		if found != "" {
			return name
		}
		found = col
	}
	if found == "" {
		return name
	}
	return found
}
