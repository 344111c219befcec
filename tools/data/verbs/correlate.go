package verbs

import (
	"slices"

	"catena/query"
	"catena/table"
)

// mostCorrelated bounds the columns whose pairs are looked at.
const mostCorrelated = 24

func correlate() Verb {
	return Verb{
		Name:  "correlate",
		Title: "Correlations",
		Description: "Computes how strongly columns of numbers go together: Pearson's correlation of each pair, " +
			"the strongest first, with how many rows have both values. Use it for correlations, relationships " +
			"between numbers, which columns move together. It says nothing about causes.",
		Tables: []string{"data"},
		Properties: schema{
			"data":    data("What to look at."),
			"columns": texts("The columns of numbers; all without it."),
			"with":    column("Only the pairs with this column."),
		},
		Required: []string{"data"},
		Columns: []table.Column{{Name: "column", Type: table.Text}, {Name: "with", Type: table.Text},
			{Name: "correlation", Type: table.Float}, {Name: "rows", Type: table.Int}},
		Example: map[string]any{"data": "revenue", "columns": []any{"revenue_usd", "cost_usd", "orders"}},
		build:   (*ask).correlate,
	}
}

func (a *ask) correlate() (*Answer, error) {
	r, err := a.relation("data")
	if err != nil {
		return nil, err
	}
	columns, err := a.correlated(r)
	if err != nil {
		return nil, err
	}
	var aggregates []query.Aggregate
	var list [][]query.Expr
	for i, c := range columns {
		for _, d := range columns[i+1:] {
			if with := a.Text("with"); with != "" && c.Name != columns[0].Name {
				continue
			}
			x, y := query.Col(c.Name), query.Col(d.Name)
			both := query.Do("not", query.Do("or", query.Do("is_null", x), query.Do("is_null", y)))
			corr, n := fresh("corr "+c.Name+" "+d.Name, nil), "rows "+c.Name+" "+d.Name
			aggregates = append(aggregates,
				query.Aggregate{As: corr, Func: "corr", Args: []query.Expr{x, y}, Where: both},
				query.Aggregate{As: n, Func: "count", Where: both})
			list = append(list, []query.Expr{word(c.Name), word(d.Name), query.Col(corr), query.Col(n)})
		}
	}
	q := r.With(query.Group{Aggregates: aggregates},
		query.Unpivot{As: []string{"column", "with", "correlation", "rows"}, Rows: list},
		query.Sort{Keys: []query.SortKey{{Expr: query.Do("abs", query.Col("correlation")), Desc: true}}})
	a.note("A pair without a correlation has fewer than two rows with both values, or a column that does not vary.")
	return &Answer{Name: "correlations", Title: "Correlations in " + a.names["data"], Notes: a.notes, Query: q}, nil
}

// correlated are the columns whose pairs are asked for; the one of with is the first.
func (a *ask) correlated(r relation) ([]Column, error) {
	columns := r.numbers()
	if names := a.Texts("columns"); len(names) > 0 {
		columns = nil
		for _, name := range names {
			c, err := r.column("columns", name)
			switch {
			case err != nil:
				return nil, err
			case !c.Type.Numeric():
				return nil, wrong("columns", "%s holds %s, and numbers are needed%s", c.Name, kind(c), numbersAre(r))
			case !slices.ContainsFunc(columns, func(d Column) bool { return d.Name == c.Name }):
				columns = append(columns, c)
			}
		}
	}
	if name := a.Text("with"); name != "" {
		c, err := r.column("with", name)
		if err != nil {
			return nil, err
		}
		if !c.Type.Numeric() {
			return nil, wrong("with", "%s holds %s, and numbers are needed%s", c.Name, kind(c), numbersAre(r))
		}
		columns = slices.DeleteFunc(columns, func(d Column) bool { return d.Name == c.Name })
		columns = append([]Column{c}, columns...)
	}
	for _, c := range columns {
		if c.UnitBy != "" && len(a.Texts("columns")) > 0 {
			return nil, wrong(
				"columns",
				"%s is in several units or currencies, named by %s: give the rows of one of them",
				c.Name,
				c.UnitBy,
			)
		}
	}
	columns = slices.DeleteFunc(columns, func(c Column) bool { return c.UnitBy != "" })
	if len(columns) < 2 {
		return nil, wrong("columns", "two columns of numbers are needed%s", numbersAre(r))
	}
	if len(columns) > mostCorrelated {
		return nil, wrong("columns", "there are %d columns of numbers: name at most %d", len(columns), mostCorrelated)
	}
	return columns, nil
}
