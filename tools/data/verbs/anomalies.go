package verbs

import (
	"strconv"

	"catena/query"
	"catena/table"
)

// Bounds of what is judged.
const (
	leastJudged   = 8 // values of a group, below which quartiles say nothing
	usualFence    = 3.0
	mostAnomalies = 1000
)

func detectAnomalies() Verb {
	return Verb{
		Name:  "detect_anomalies",
		Title: "Find values that stand out",
		Description: "Finds rows whose number lies far outside of what is usual for the whole table or for its " +
			"group: " +
			"beyond Tukey's fences, which lie some interquartile ranges below the first quartile and above the " +
			"third. " +
			"The furthest come first, with the fences and the distance. " +
			"Use it for outliers, anomalies, suspicious or unusual values, data errors.",
		Tables: []string{"data"},
		Properties: schema{
			"data":  data("What to look through."),
			"value": column("The column of numbers."),
			"by":    keyList("Each row is judged among those with the same values of these columns."),
			"fence": schema{"type": "number", "minimum": 1, "maximum": 100,
				"description": "How many interquartile ranges away the fences are; 3 without it, 1.5 finds more."},
			"limit": integer("Rows at most; 100 without it.", 1, mostAnomalies),
		},
		Required: []string{"data", "value"},
		Columns:  []table.Column{{Name: "distance", Type: table.Float}},
		Example:  map[string]any{"data": "revenue", "value": "revenue_usd", "by": []any{"region"}, "limit": 5},
		build:    (*ask).anomalies,
	}
}

func (a *ask) anomalies() (*Answer, error) {
	r, c, keys, err := a.spread("by")
	if err != nil {
		return nil, err
	}
	fence := usualFence
	if f, given := number(a.Args["fence"]); given {
		fence = f
	}
	j := a.judged(r, c, keys, fence)
	n, err := a.counts(j.query.With(query.Group{Aggregates: []query.Aggregate{
		{As: "outside", Func: "count", Where: j.outside},
		{As: "few", Func: "count", Where: query.Do("not", j.enough)},
		{As: "flat", Func: "count", Where: query.Do("and", j.enough, query.Do("not", j.spread))},
		{As: "missing", Func: "count", Where: query.Do("is_null", query.Col(c.Name))},
	}}))
	if err != nil {
		return nil, err
	}
	a.note("%s of %s outside: %s interquartile ranges beyond the quartiles.", rows(n[0]), c.Name,
		strconv.FormatFloat(fence, 'f', -1, 64))
	for i, why := range []string{
		"too few others to be judged: a group needs " + strconv.Itoa(leastJudged) + " values",
		"others of which half are the same, so that nothing is usual", "no value of " + c.Name,
	} {
		if n[i+1] > 0 {
			a.note("%s %s %s.", rows(n[i+1]), have(n[i+1]), why)
		}
	}
	limit := a.Int("limit", 100)
	if n[0] > limit {
		a.note("The %d furthest are shown.", limit)
	}
	far := query.SortKey{Expr: query.Do("abs", query.Col(j.distance)), Desc: true}
	q := j.query.With(query.Filter{Where: j.outside},
		query.Derive{Columns: []query.Named{{As: j.distance, Expr: j.far}}},
		query.Sort{Keys: []query.SortKey{far}}, query.Take{Rows: int64(limit)},
		query.Project{Columns: refs(append(namesOf(r.columns), j.low, j.high, j.distance)...)})
	title := c.label() + " that stands out"
	if len(keys) > 0 {
		title += " by " + labels(keys)
	}
	return &Answer{Name: "anomalies", Title: title, Notes: a.notes, Query: q,
		Signed: []string{j.distance}, Units: map[string]string{j.low: c.Unit, j.high: c.Unit}}, nil
}

// judgement is a relation whose rows have their fences, and the conditions that go by them.
type judgement struct {
	query                   query.Query
	low, high, distance     string
	enough, spread, outside query.Expr
	far                     query.Expr // how many interquartile ranges a value is beyond its fence
}

func (a *ask) judged(r relation, c Column, keys []query.Named, fence float64) judgement {
	taken := namesOf(r.columns)
	name := func(want string) string {
		got := fresh(want, taken)
		taken = append(taken, got)
		return got
	}
	col, do := query.Col, query.Do
	value := col(c.Name)
	var by []query.Expr
	for _, k := range keys {
		by = append(by, k.Expr)
	}
	over := func(as, f string, args ...query.Expr) query.WindowColumn {
		return query.WindowColumn{As: as, Func: f, Args: args, Partition: by}
	}
	n, q1, q3, iqr := name("judged"), name("q1"), name("q3"), name("iqr")
	j := judgement{low: name("lower_bound"), high: name("upper_bound"), distance: name("distance")}
	quarter := func(q float64) query.Expr { return query.Lit(table.FloatValue(q)) }
	reach := do("mul", col(iqr), query.Lit(table.FloatValue(fence)))
	j.query = r.With(
		query.Window{Columns: []query.WindowColumn{
			over(
				n,
				"count",
				value,
			),
			over(q1, "quantile", value, quarter(0.25)),
			over(q3, "quantile", value, quarter(0.75)),
		}},
		query.Derive{Columns: []query.Named{{As: iqr, Expr: do("sub", col(q3), col(q1))}}},
		query.Derive{Columns: []query.Named{
			{As: j.low, Expr: do("sub", col(q1), reach)}, {As: j.high, Expr: do("add", col(q3), reach)},
		}})
	j.enough = do("ge", col(n), whole(leastJudged))
	j.spread = do("gt", col(iqr), whole(0))
	below, above := do("lt", value, col(j.low)), do("gt", value, col(j.high))
	j.outside = do("and", j.enough, j.spread, do("or", below, above))
	width := do("nullif", col(iqr), whole(0))
	j.far = query.Case{
		Branches: []query.Branch{{When: below, Then: do("div", do("sub", value, col(j.low)), width)}},
		Else:     do("div", do("sub", value, col(j.high)), width),
	}
	return j
}
