package verbs

import (
	"slices"

	"catena/query"
	"catena/table"
)

func shareOfTotal() Verb {
	return Verb{
		Name:  "share_of_total",
		Title: "Shares of a total",
		Description: "Computes what share of a total each group has, the largest first, with the running share " +
			"(Pareto): of amounts, or of the number of rows; of the whole table, or within each value of " +
			"another column. Use it for shares, percent of total, contribution, concentration, composition, 80/20.",
		Tables: []string{"data"},
		Properties: schema{
			"data":      data("What to take shares of."),
			"aggregate": sumSchema(),
			"by":        keyList("One share for each value, or combination of values, of these columns."),
			"value":     column("The column of amounts; rows are counted without it."),
			"within":    keyList("The whole is that of each value of these columns, in place of the table's."),
		},
		Required: []string{"data", "by"},
		Columns:  []table.Column{{Name: "share", Type: table.Float}, {Name: "running_share", Type: table.Float}},
		Example:  map[string]any{"data": "revenue", "by": []any{"region"}, "value": "revenue_usd"},
		build:    (*ask).share,
	}
}

func (a *ask) share() (*Answer, error) {
	r, err := a.relation("data")
	if err != nil {
		return nil, err
	}
	within, err := a.keys(r, "within")
	if err != nil {
		return nil, err
	}
	by, err := a.keys(r, "by")
	if err != nil {
		return nil, err
	}
	for _, k := range within {
		if slices.Contains(asNames(by), k.As) {
			return nil, wrong("within", "%s is in by already", k.As)
		}
	}
	keys := slices.Concat(within, by)
	m, err := a.measure(r, within) // one unit in each whole
	if err != nil {
		return nil, err
	}
	if err := a.additive(m, "a share"); err != nil {
		return nil, err
	}
	q := r.With(query.Group{Keys: keys, Aggregates: []query.Aggregate{m.Aggregate}})
	if err := a.oneSign(q, m); err != nil {
		return nil, err
	}
	parts := exprs(within)
	order := append(slices.Clone(ascending(asNames(within)...)), query.SortKey{Expr: query.Col(m.As), Desc: true})
	order = append(order, ascending(asNames(by)...)...)
	title := "Share of " + m.title() + " by " + labels(by)
	if len(within) > 0 {
		title += ", within each " + labels(within)
	}
	return &Answer{
		Name:  "shares",
		Title: title,
		Notes: a.notes,
		Units: map[string]string{"running_share": query.UnitRatio},
		Query: q.With(
			query.Window{Columns: []query.WindowColumn{
				{As: "share", Func: "share", Args: []query.Expr{query.Col(m.As)}, Partition: parts},
				{As: "running", Func: "sum", Args: []query.Expr{query.Col(m.As)}, Partition: parts, Order: order,
					Frame: query.Frame{Unit: query.Rows, Start: query.Bound{Unbounded: true}}},
				{As: "whole", Func: "sum", Args: []query.Expr{query.Col(m.As)}, Partition: parts},
			}},
			query.Sort{Keys: order},
			query.Project{Columns: append(
				refs(append(asNames(keys), m.As, "share")...),
				query.Named{
					As:   "running_share",
					Expr: query.Do("div", query.Col("running"), query.Do("nullif", query.Col("whole"), whole(0))),
				},
			)},
		),
	}, nil
}

func exprs(list []query.Named) (out []query.Expr) {
	for _, n := range list {
		out = append(out, ref(n))
	}
	return out
}

// oneSign tells where parts are of both signs: shares of them may lie below 0 and above 1.
func (a *ask) oneSign(q query.Query, m measure) error {
	if m.counts {
		return nil
	}
	zero := query.Lit(table.IntValue(0))
	n, err := a.counts(q.With(query.Group{Aggregates: []query.Aggregate{
		{As: "below", Func: "count", Where: query.Do("lt", query.Col(m.As), zero)},
		{As: "above", Func: "count", Where: query.Do("gt", query.Col(m.As), zero)},
		{As: "none", Func: "count", Where: query.Do("is_null", query.Col(m.As))},
	}}))
	if err != nil {
		return err
	}
	if n[0] > 0 && n[1] > 0 {
		a.note("Some parts are negative, so shares may lie below 0 and above 100 percent.")
	}
	if n[2] > 0 {
		a.note("%s without any value of %s %s no share.", groups(n[2]), m.of.Name, have(n[2]))
	}
	return nil
}
