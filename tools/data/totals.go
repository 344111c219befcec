package data

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
)

// totals are the rows of a table that sum up others. Of what steps give, that of other servers is searched, and what
// only passed through us: our own results were asked for as they are.
func (k *Toolkit) totals(ctx context.Context, t SourceTable) []plan.TotalRows {
	switch {
	case t.Table == nil:
		return nil
	case t.Source == inlineSource, t.Source == "result" && (t.outside() || t.Passed):
		return totalRows(t.Table, k.describe(ctx, t)) // it comes and goes: nothing is kept of it
	case t.Source == "result":
		return nil
	}
	return k.facts.of(t).Totals
}

// totalRows are the totals of a table, by what its columns mean.
func totalRows(t *table.Table, meta []profiler.ColumnMetadata) (out []plan.TotalRows) {
	for _, f := range profiler.TotalsOf(t, meta) {
		out = append(out, plan.TotalRows{Column: t.Column(f.Column).Name, Rows: f.Rows, Value: f.Value})
	}
	return out
}

// totalsCounted says which rows of totals a query added up with the others, so that its figures count twice. A query with a condition on the
// column of their labels has chosen among them.
func (k *Toolkit) totalsCounted(ctx context.Context, src SourceTable, q plan.Query) (notes []string) {
	folds := len(q.GroupBy) > 0 || slices.ContainsFunc(q.Select, func(s plan.Select) bool { return s.Expr != "" })
	if !folds || len(q.Join) > 0 {
		return nil
	}
	for _, t := range k.totals(ctx, src) {
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

// allCounted is totalsCounted for figures over all rows.
func (k *Toolkit) allCounted(ctx context.Context, src SourceTable) []string {
	return k.totalsCounted(ctx, src, plan.Query{Select: []plan.Select{{Expr: "sum"}}})
}

// standsIn reports whether a statement has a column's name as a word of its own: not within a table's, as region is in regions.
func standsIn(statement, column string) bool {
	statement, column = strings.ToLower(statement), strings.ToLower(column)
	inName := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for at := 0; column != ""; {
		i := strings.Index(statement[at:], column)
		if i < 0 {
			break
		}
		before, _ := utf8.DecodeLastRuneInString(statement[:at+i])
		at += i + len(column)
		after, _ := utf8.DecodeRuneInString(statement[at:])
		if !inName(before) && !inName(after) {
			return true
		}
	}
	return false
}
