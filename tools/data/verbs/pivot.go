package verbs

import (
	"cmp"
	"fmt"
	"slices"

	"catena/query"
	"catena/table"
	"catena/tools"
)

// mostColumns bounds a pivot's columns; more is no table that a person reads.
const mostColumns = 60

// missing is the heading of the column of rows without a value.
const missing = "(missing)"

func pivotTable() Verb {
	return Verb{
		Name:  "pivot_table",
		Title: "Make a pivot table",
		Description: "Makes a pivot table (cross tabulation): one row for each combination of some columns, a " +
			"column for each value of another, and in the cells the sum, mean, count or another aggregate of a " +
			"third. Use it for cross tabs, a matrix of two dimensions, values side by side by month or category.",
		Tables: []string{"data"},
		Properties: schema{
			"data":      data("What to pivot."),
			"rows":      keyList("What stands down the side."),
			"columns":   oneKey("Whose values become columns."),
			"value":     column("The column that the cells are made of; rows are counted without it."),
			"aggregate": aggregateSchema(),
			"totals": schema{
				"type":        "boolean",
				"default":     false,
				"description": "Adds a column with the aggregate of the whole row.",
			},
		},
		Required: []string{"data", "rows", "columns"},
		Example: map[string]any{"data": "revenue", "rows": []any{"region"}, "value": "revenue_usd",
			"columns": map[string]any{"column": "month", "period": "year"}, "totals": true},
		build: (*ask).pivot,
	}
}

func (a *ask) pivot() (*Answer, error) {
	r, err := a.relation("data")
	if err != nil {
		return nil, err
	}
	keys, err := a.keys(r, "rows")
	if err != nil {
		return nil, err
	}
	on, err := a.key(r, "columns", a.Args["columns"])
	if err != nil {
		return nil, err
	}
	if slices.Contains(asNames(keys), on.As) {
		return nil, wrong("columns", "%s stands down the side already", on.As)
	}
	m, err := a.measure(r, append(slices.Clone(keys), on))
	if err != nil {
		return nil, err
	}
	values, err := a.headings(r, on, asNames(keys))
	if err != nil {
		return nil, err
	}
	pivot := query.Pivot{On: on.Expr, Values: values, Keys: keys, Cell: m.Aggregate}
	if a.Flag("totals") {
		pivot.Total = fresh("total", append(asNames(keys), asNames(values)...))
		if err := a.addable(m.of, m.Func, keys); err != nil { // what the columns keep apart meets here
			return nil, err
		}
	}
	return &Answer{Name: "pivot", Notes: a.notes,
		Query: r.With(pivot, query.Sort{Keys: ascending(asNames(keys)...)})}, nil
}

// headings are the values of the column that becomes columns, in their order, with names that no key has.
func (a *ask) headings(r relation, on query.Named, taken []string) ([]query.Named, error) {
	found, err := a.tables.Run(a.ctx, r.With(query.Group{Keys: []query.Named{on}},
		query.Sort{Keys: ascending(on.As)}, query.Take{Rows: mostColumns + 1}))
	if err != nil {
		return nil, err
	}
	if found.NumRows() > mostColumns {
		return nil, &tools.ArgumentError{
			Argument: "columns",
			Code:     tools.CodeTooLarge,
			Reason: fmt.Sprintf(
				"%s has more than %d different values: take another column, a longer period, or fewer rows",
				on.As,
				mostColumns,
			),
		}
	}
	if found.NumRows() == 0 {
		return nil, wrong("data", "there are no rows")
	}
	var values []query.Named
	for row := range found.NumRows() {
		v := found.Value(row, 0)
		name := fresh(heading(v, found.Column(0), a.period("columns")), taken)
		taken = append(taken, name)
		values = append(values, query.Named{As: name, Expr: query.Lit(v)})
	}
	return values, nil
}

// heading is a value as the name of a column.
func heading(v table.Value, of table.Column, period string) string {
	if v.IsNull() {
		return missing
	}
	return cmp.Or(shownPeriod(v.Text(), period), "(empty "+of.Type.String()+")")
}
