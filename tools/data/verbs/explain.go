package verbs

import (
	"fmt"

	"catena/query"
	"catena/table"
)

func explainChange() Verb {
	return Verb{
		Name:  "explain_change",
		Title: "Explain a change",
		Description: "Says what a change between two periods, or two groups of rows, is made of. For an amount " +
			"(revenue, orders): how much each value of a dimension added. For a ratio (per: revenue per order, " +
			"margin): the effect of the mix and the effect of the rate for each value. The effects add up to " +
			"the whole change. Use it for why something went up or down, drivers, contributions, variance " +
			"analysis, mix effects.",
		Tables: []string{"data"},
		Properties: schema{
			"data":  data("The rows of both times."),
			"value": column("The amount that changed, or above the line of a ratio; rows are counted without it."),
			"per": column(
				"What the amount is divided by: with it the change of the ratio of both sums is explained.",
			),
			"aggregate": sumSchema(),
			"by":        keyList("The dimension whose values the change is split by."),
			"over":      oneKey("The column that tells both times or groups apart."),
			"from": schema{
				"type":        []string{"string", "number", "boolean"},
				"description": "Its value before, as the period begins (2025, 2025-04-01) or as cells have it.",
			},
			"to": schema{"type": []string{"string", "number", "boolean"}, "description": "Its value after."},
		},
		Required: []string{"data", "by", "over", "from", "to"},
		Columns:  []table.Column{{Name: "contribution", Type: table.Float}},
		Example: map[string]any{"data": "revenue", "value": "revenue_usd", "by": []any{"region"},
			"over": map[string]any{"column": "month", "period": "year"}, "from": 2024, "to": 2025},
		build: (*ask).explain,
	}
}

func (a *ask) explain() (*Answer, error) {
	r, err := a.relation("data")
	if err != nil {
		return nil, err
	}
	keys, err := a.keys(r, "by")
	if err != nil {
		return nil, err
	}
	over, err := a.key(r, "over", a.Args["over"])
	if err != nil {
		return nil, err
	}
	m, err := a.measure(r, keys)
	if err != nil {
		return nil, err
	}
	if err := a.additive(m, "an explanation"); err != nil {
		return nil, err
	}
	before, err := a.side(r, over, "from")
	if err != nil {
		return nil, err
	}
	after, err := a.side(r, over, "to")
	if err != nil {
		return nil, err
	}
	said := func(argument string) string { return argumentText(a.Args[argument]) }
	parts := twoSides{
		title: fmt.Sprintf(
			"What changed %s from %s to %s, by %s",
			m.title(),
			said("from"),
			said("to"),
			labels(keys),
		),
		keys:   keys,
		before: before,
		after:  after,
	}
	if a.Text("per") == "" {
		return a.additiveEffects(r, m, parts)
	}
	per, err := r.column("per", a.Text("per"))
	if err != nil {
		return nil, err
	}
	if !per.Type.Numeric() {
		return nil, wrong("per", "%s holds %s, and numbers are needed%s", per.Name, kind(per), numbersAre(r))
	}
	if err := a.addable(per, "sum", keys); err != nil {
		return nil, err
	}
	parts.title = fmt.Sprintf(
		"What changed %s per %s from %s to %s, by %s",
		m.title(),
		per.label(),
		said("from"),
		said("to"),
		labels(keys),
	)
	return a.mixEffects(r, m, per, parts)
}

// twoSides are the conditions that rows of before and of after meet.
type twoSides struct {
	title         string
	keys          []query.Named
	before, after query.Expr
}

// side is the condition of the rows of a time, which must be some.
func (a *ask) side(r relation, over query.Named, argument string) (query.Expr, error) {
	name := beginning(argumentText(a.Args[argument]), a.period("over"))
	if err := a.there(r.With(query.Group{Keys: []query.Named{over}}), over, argument, name); err != nil {
		return nil, err
	}
	return query.Do("eq", asText(over.Expr), word(name)), nil
}

// sum is the measure of the rows of one side; nothing there is zero.
func sumWhere(m query.Aggregate, as string, where query.Expr) query.Aggregate {
	m.As, m.Where = as, where
	return m
}

// additiveEffects are what each part added: exact differences of exact sums.
func (a *ask) additiveEffects(r relation, m measure, p twoSides) (*Answer, error) {
	q := r.With(
		query.Filter{Where: query.Do("or", p.before, p.after)},
		query.Group{
			Keys: p.keys,
			Aggregates: []query.Aggregate{
				sumWhere(m.Aggregate, "before", p.before),
				sumWhere(m.Aggregate, "after", p.after),
			},
		},
		query.Derive{Columns: []query.Named{
			{As: "before", Expr: query.Do("coalesce", query.Col("before"), whole(0))},
			{As: "after", Expr: query.Do("coalesce", query.Col("after"), whole(0))}}},
		query.Derive{
			Columns: []query.Named{
				{As: "contribution", Expr: query.Do("sub", query.Col("after"), query.Col("before"))},
			},
		},
		query.Window{
			Columns: []query.WindowColumn{
				{As: "share_of_change", Func: "share", Args: []query.Expr{query.Col("contribution")}},
			},
		},
		byEffect(p.keys),
	)
	return a.explained(
		q,
		p.title,
		"contribution is after less before; the contributions add up to the whole change, which is %s.",
	)
}

// byEffect has the largest effects first, whatever their sign.
func byEffect(keys []query.Named) query.Sort {
	return query.Sort{
		Keys: append(
			[]query.SortKey{{Expr: query.Do("abs", query.Col("contribution")), Desc: true}},
			ascending(asNames(keys)...)...),
	}
}

// explained tells the whole change, as the sum of the effects is.
func (a *ask) explained(q query.Query, title, told string) (*Answer, error) {
	t, err := a.tables.Run(a.ctx, q.With(query.Group{Aggregates: []query.Aggregate{
		{As: "change", Func: "sum", Args: []query.Expr{query.Col("contribution")}}}}))
	if err != nil {
		return nil, err
	}
	a.note(told, t.Value(0, 0).Text())
	return &Answer{
		Name:   "effects",
		Title:  title,
		Notes:  a.notes,
		Query:  q,
		Signed: []string{"contribution", "mix_contribution", "rate_contribution"},
		Units: map[string]string{
			"share_of_change": query.UnitRatio,
			"weight_before":   query.UnitRatio,
			"weight_after":    query.UnitRatio,
		},
	}, nil
}

// mixEffects split the change of a ratio of sums, R = sum(v)/sum(w) before and R' after. A part with the share s of w
// and the ratio r has the mix effect (s' - s)(r - R) and the rate effect s'(r' - r). What was not there before is taken
// with r = R, so that all of it is an effect of the rate; the shares add up to one on each side, so the effects add up
// to R' - R.
func (a *ask) mixEffects(r relation, m measure, per Column, p twoSides) (*Answer, error) {
	both, err := a.bothThere(r, m, per)
	if err != nil {
		return nil, err
	}
	weight := query.Aggregate{Func: "sum", Args: []query.Expr{query.Col(per.Name)}}
	col, do := query.Col, query.Do
	total := func(as, of string) query.WindowColumn {
		return query.WindowColumn{As: as, Func: "sum", Args: []query.Expr{col(of)}}
	}
	zero := func(name string) query.Named { return query.Named{As: name, Expr: do("coalesce", col(name), whole(0))} }
	ratio := func(x, y string) query.Expr { return do("div", col(x), do("nullif", col(y), whole(0))) }
	q := r.With(
		query.Filter{Where: do("and", do("or", p.before, p.after), both)},
		query.Group{Keys: p.keys, Aggregates: []query.Aggregate{
			sumWhere(m.Aggregate, "v0", p.before), sumWhere(m.Aggregate, "v1", p.after),
			sumWhere(weight, "w0", p.before), sumWhere(weight, "w1", p.after)}},
		query.Derive{Columns: []query.Named{zero("v0"), zero("v1"), zero("w0"), zero("w1")}},
		query.Window{
			Columns: []query.WindowColumn{
				total("tv0", "v0"),
				total("tv1", "v1"),
				total("tw0", "w0"),
				total("tw1", "w1"),
			},
		},
		query.Derive{Columns: []query.Named{
			{As: "ratio_before", Expr: ratio("v0", "w0")}, {As: "ratio_after", Expr: ratio("v1", "w1")},
			{As: "weight_before", Expr: ratio("w0", "tw0")}, {As: "weight_after", Expr: ratio("w1", "tw1")},
			{As: "all", Expr: ratio("tv0", "tw0")}}},
	)
	if err := a.weighed(q, per); err != nil {
		return nil, err
	}
	r0 := do("coalesce", col("ratio_before"), col("all"))
	q = q.With(
		query.Derive{Columns: []query.Named{
			{
				As:   "mix_contribution",
				Expr: do("mul", do("sub", col("weight_after"), col("weight_before")), do("sub", r0, col("all"))),
			},
			{
				As: "rate_contribution",
				Expr: do(
					"coalesce",
					do("mul", col("weight_after"), do("sub", col("ratio_after"), r0)),
					query.Lit(table.FloatValue(0)),
				),
			},
		}},
		query.Derive{
			Columns: []query.Named{
				{As: "contribution", Expr: do("add", col("mix_contribution"), col("rate_contribution"))},
			},
		},
		query.Project{
			Columns: refs(
				append(
					asNames(p.keys),
					"ratio_before",
					"ratio_after",
					"weight_before",
					"weight_after",
					"mix_contribution",
					"rate_contribution",
					"contribution",
				)...),
		},
		byEffect(p.keys),
	)
	return a.explained(
		q,
		p.title,
		"The mix effect is what the shares of "+per.Name+" did, the rate effect what the ratios did; together "+
			"they add up to the whole change, which is %s.",
	)
}

// bothThere is that a row has both parts of the ratio. Others would change one side of it alone; they are told.
func (a *ask) bothThere(r relation, m measure, per Column) (query.Expr, error) {
	none := query.Do("is_null", query.Col(per.Name))
	if !m.counts {
		none = query.Do("or", none, query.Do("is_null", query.Col(m.of.Name)))
	}
	n, err := a.counts(r.With(query.Group{Aggregates: []query.Aggregate{{As: "n", Func: "count", Where: none}}}))
	if err == nil && n[0] > 0 {
		a.note("%s without %s or %s %s left out.", rows(n[0]), m.title(), per.label(), was(n[0]))
	}
	return query.Do("not", none), err
}

// weighed refuses weights that leave a ratio undefined: below zero, none at all on a side, or none where there is an
// amount.
func (a *ask) weighed(q query.Query, per Column) error {
	zero := query.Lit(table.IntValue(0))
	col, do := query.Col, query.Do
	n, err := a.counts(q.With(query.Group{Aggregates: []query.Aggregate{
		{As: "negative", Func: "count", Where: do("or", do("lt", col("w0"), zero), do("lt", col("w1"), zero))},
		{As: "nothing", Func: "count", Where: do("or", do("eq", col("tw0"), zero), do("eq", col("tw1"), zero))},
		{As: "alone", Func: "count", Where: do("or", do("and", do("eq", col("w0"), zero), do("ne", col("v0"), zero)),
			do("and", do("eq", col("w1"), zero), do("ne", col("v1"), zero)))}}}))
	switch {
	case err != nil:
		return err
	case n[0] > 0:
		return wrong("per", "%s have a negative sum of %s, so there are no shares of it", groups(n[0]), per.Name)
	case n[1] > 0:
		return wrong("per", "%s adds up to nothing on one side, so there is no ratio to explain", per.Name)
	case n[2] > 0:
		return wrong("per", "%s have an amount and no %s, so they have no ratio", groups(n[2]), per.Name)
	}
	return nil
}
