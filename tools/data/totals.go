package data

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// totals are the rows of a table that sum up others. Results of steps are not searched: they come and go, and were asked for as they are.
func (k *Toolkit) totals(t SourceTable) []plan.TotalRows {
	if t.Source == inlineSource || t.Source == "result" || t.Table == nil {
		return nil
	}
	return k.facts.of(t).Totals
}

// totalsCounted says which rows of totals a query added up with the others, so that its figures count twice. A query with a condition on the
// column of their labels has chosen among them.
func (k *Toolkit) totalsCounted(src SourceTable, q plan.Query) (notes []string) {
	folds := len(q.GroupBy) > 0 || slices.ContainsFunc(q.Select, func(s plan.Select) bool { return s.Expr != "" })
	if !folds || len(q.Join) > 0 {
		return nil
	}
	for _, t := range k.totals(src) {
		labels := func(column string) bool { return strings.EqualFold(column, t.Column) }
		chosen := slices.ContainsFunc(q.Filter, func(c plan.Condition) bool {
			return labels(c.Column) || slices.ContainsFunc(c.Any, func(c plan.Condition) bool { return labels(c.Column) })
		})
		grouped := slices.ContainsFunc(q.GroupBy, func(g plan.GroupKey) bool { return labels(g.Column) })
		if !chosen && !grouped {
			notes = append(notes, "Counted too: "+t.String()+".")
		}
	}
	return notes
}
