package verbs

import (
	"fmt"
	"strings"

	"catena/internal/text"
	"catena/profiler"
	"catena/query"
	"catena/table"
)

func groups(n int) string { return text.Count(n, "group") }

func have(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

func compareGroups() Verb {
	return Verb{
		Name:  "compare_groups",
		Title: "Compare groups",
		Description: "Compares a number between the groups of a column, side by side: rows, values that are " +
			"missing, sum where it adds up, mean, median, standard deviation, least and greatest, and how far " +
			"each mean is from that of a baseline group, or of all rows. Use it to compare segments, regions, " +
			"variants, teams, A against B, before and after.",
		Tables: []string{"data"},
		Properties: schema{
			"data":     data("What to compare."),
			"group":    oneKey("The groups are the values of this column."),
			"value":    column("The column of numbers that is compared."),
			"groups":   texts("Only these groups; all without it."),
			"baseline": column("The group that the others are measured against; all rows without it."),
		},
		Required: []string{"data", "group", "value"},
		Columns: []table.Column{
			{Name: "rows", Type: table.Int},
			{Name: "missing", Type: table.Int},
			{Name: "mean", Type: table.Float},
			{Name: "median", Type: table.Float},
			{Name: "difference", Type: table.Float},
		},
		Example: map[string]any{"data": "clients", "group": "segment", "value": "contracts"},
		build:   (*ask).compare,
	}
}

func (a *ask) compare() (*Answer, error) {
	r, err := a.relation("data")
	if err != nil {
		return nil, err
	}
	key, err := a.key(r, "group", a.Args["group"])
	if err != nil {
		return nil, err
	}
	c, err := a.number(r, "value")
	if err != nil {
		return nil, err
	}
	if err := a.comparable(r, c, key); err != nil {
		return nil, err
	}
	values := []query.Expr{query.Col(c.Name)}
	aggregates := []query.Aggregate{
		{As: "rows", Func: "count"},
		{As: "missing", Func: "count", Where: query.Do("is_null", query.Col(c.Name))},
	}
	if c.Adds != query.AddsRate && c.NoSum == "" && !c.Level {
		aggregates = append(aggregates, query.Aggregate{As: "sum", Func: "sum", Args: values})
	}
	for _, f := range []string{"mean", "median", "stddev", "min", "max"} {
		aggregates = append(aggregates, query.Aggregate{As: f, Func: f, Args: values})
	}
	base, mean, err := a.baseline(r, key, c)
	if err != nil {
		return nil, err
	}
	q := r.With(query.Group{Keys: []query.Named{key}, Aggregates: aggregates})
	if q, err = a.chosen(q, key); err != nil {
		return nil, err
	}
	difference, units := query.Do(
		"sub",
		query.Col("mean"),
		mean,
	), map[string]string{
		"difference_ratio": query.UnitRatio,
	}
	ratio := query.Do("div", difference, query.Do("nullif", query.Do("abs", mean), whole(0)))
	switch c.Unit { // between percentages lie points
	case query.UnitRatio:
		difference, units["difference"] = query.Do("mul", difference, whole(100)), profiler.UnitPoints
	case "%":
		units["difference"] = profiler.UnitPoints
	}
	q = q.With(
		query.Derive{
			Columns: []query.Named{{As: "difference", Expr: difference}, {As: "difference_ratio", Expr: ratio}},
		},
		query.Sort{Keys: ascending(key.As)},
	)
	a.note("difference is the mean of the group less that of %s.", base)
	return &Answer{
		Name:   "comparison",
		Title:  fmt.Sprintf("%s by %s, compared with %s", c.label(), labels([]query.Named{key}), base),
		Notes:  a.notes,
		Query:  q,
		Signed: []string{"difference", "difference_ratio"},
		Units:  units,
	}, nil
}

// comparable refuses a column whose values have no mean, or none in common.
func (a *ask) comparable(r relation, c Column, key query.Named) error {
	if c.Adds == query.AddsIdentifier {
		return wrong("value", "%s names something, so means of it say nothing%s", c.Name, numbersAre(r))
	}
	if err := a.addable(c, "mean", []query.Named{key}); err != nil {
		return err
	}
	if c.UnitBy != "" && a.Text("baseline") == "" {
		return wrong(
			"baseline",
			"%s is in several units, so the groups have no mean in common; give the rows of one unit",
			c.Name,
		)
	}
	return nil
}

// chosen keeps the groups that are asked for, which must be there.
func (a *ask) chosen(q query.Query, key query.Named) (query.Query, error) {
	names := a.Texts("groups")
	if len(names) == 0 {
		return q, a.small(q)
	}
	in := []query.Expr{asText(ref(key))}
	for _, name := range names {
		if err := a.there(q, key, "groups", name); err != nil {
			return q, err
		}
		in = append(in, word(name))
	}
	q = q.With(query.Filter{Where: query.Do("in", in...)})
	return q, a.small(q)
}

// small tells of groups of so few rows that their means say little.
func (a *ask) small(q query.Query) error {
	const few = 5
	n, err := a.counts(q.With(query.Group{Aggregates: []query.Aggregate{
		{
			As:    "n",
			Func:  "count",
			Where: query.Do("lt", query.Do("sub", query.Col("rows"), query.Col("missing")), whole(few)),
		},
	}}))
	if err == nil && n[0] > 0 {
		a.note("%s %s fewer than %d values, of which means say little.", groups(n[0]), have(n[0]), few)
	}
	return err
}

// baseline is what means are measured against: its name, and its mean as an expression.
func (a *ask) baseline(r relation, key query.Named, c Column) (string, query.Expr, error) {
	name := a.Text("baseline")
	q, called := r.Query, "all rows"
	if name != "" {
		grouped := r.With(query.Group{Keys: []query.Named{key}})
		if err := a.there(grouped, key, "baseline", name); err != nil {
			return "", nil, err
		}
		q = q.With(query.Filter{Where: query.Do("eq", asText(key.Expr), word(name))})
		called = name
	}
	q = q.With(
		query.Group{Aggregates: []query.Aggregate{{As: "mean", Func: "mean", Args: []query.Expr{query.Col(c.Name)}}}},
	)
	return called, query.Scalar{Query: q}, nil
}

// there asks that a relation has a row of a key.
func (a *ask) there(q query.Query, key query.Named, argument, name string) error {
	found, err := a.tables.Run(a.ctx, q.With(query.Project{Columns: []query.Named{{As: "v", Expr: asText(ref(key))}}},
		query.Distinct{}, query.Sort{Keys: ascending("v")}))
	if err != nil {
		return err
	}
	var all []string
	for row := range found.NumRows() {
		v := found.Value(row, 0).Text()
		if v == name {
			return nil
		}
		all = append(all, v)
	}
	near := table.Nearest(name, all)
	said := "; there are " + listed(all)
	if len(near) > 0 {
		said = "; did you mean " + strings.Join(near, ", ") + "?"
	}
	return wrong(argument, "no row has %s %q%s", key.As, name, said)
}

// asText is a value as its text, by which an argument names it.
func asText(e query.Expr) query.Expr { return query.Cast{Expr: e, Type: table.Text} }
