package verbs

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"catena/query"
	"catena/table"
)

// usualQuantiles are those of a call that names none.
var usualQuantiles = []float64{0.05, 0.25, 0.5, 0.75, 0.95}

func quantiles() Verb {
	return Verb{
		Name:  "quantiles",
		Title: "Quantiles",
		Description: "Computes quantiles of a column of numbers (quartiles, percentiles, deciles, median) with " +
			"the least and the greatest value and how many are missing, for the whole or for each group. Use it " +
			"for percentiles, quartiles, spread, typical ranges.",
		Tables: []string{"data"},
		Properties: schema{
			"data":  data("What to look at."),
			"value": column("The column of numbers."),
			"at": schema{
				"type":        "array",
				"minItems":    1,
				"maxItems":    20,
				"items":       schema{"type": "number", "minimum": 0, "maximum": 1},
				"description": "Which quantiles, from 0 to 1; 0.05, 0.25, 0.5, 0.75 and 0.95 without it.",
			},
			"by": keyList("One row of quantiles for each value of these columns."),
		},
		Required: []string{"data", "value"},
		Columns: []table.Column{{Name: "rows", Type: table.Int}, {Name: "missing", Type: table.Int},
			{Name: "min", Type: table.Float}, {Name: "max", Type: table.Float}},
		Example: map[string]any{
			"data":  "revenue",
			"value": "revenue_usd",
			"by":    []any{"region"},
			"at":    []any{0.1, 0.5, 0.9},
		},
		build: (*ask).quantiles,
	}
}

func (a *ask) quantiles() (*Answer, error) {
	r, c, keys, err := a.spread("by")
	if err != nil {
		return nil, err
	}
	at := usualQuantiles
	if list, ok := a.Args["at"].([]any); ok {
		at = nil
		for _, v := range list {
			q, ok := number(v)
			if !ok || q < 0 || q > 1 {
				return nil, wrong("at", "%v is no quantile: give numbers from 0 to 1", v)
			}
			at = append(at, q)
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	value := query.Col(c.Name)
	group := query.Group{Keys: keys, Aggregates: []query.Aggregate{
		{As: "rows", Func: "count"},
		{As: "missing", Func: "count", Where: query.Do("is_null", value)},
		{As: "min", Func: "min", Args: []query.Expr{value}},
	}}
	for _, q := range at {
		group.Aggregates = append(group.Aggregates, query.Aggregate{As: percentile(q), Func: "quantile",
			Args: []query.Expr{value, query.Lit(table.FloatValue(q))}})
	}
	group.Aggregates = append(group.Aggregates, query.Aggregate{As: "max", Func: "max", Args: []query.Expr{value}})
	a.note("A quantile between two values lies linearly between them.")
	title := "Quantiles of " + c.label()
	if len(keys) > 0 {
		title += " by " + labels(keys)
	}
	return &Answer{
		Name:  "quantiles",
		Title: title,
		Notes: a.notes,
		Query: r.With(group, query.Sort{Keys: ascending(asNames(keys)...)}),
	}, nil
}

// percentile is the name of a quantile: p50, p2_5.
func percentile(q float64) string {
	name := []byte("p" + strconv.FormatFloat(math.Round(q*1e8)/1e6, 'f', -1, 64))
	for i, ch := range name {
		if ch == '.' {
			name[i] = '_'
		}
	}
	return string(name)
}

// spread reads what quantiles and histograms are of.
func (a *ask) spread(by string) (relation, Column, []query.Named, error) {
	r, err := a.relation("data")
	if err != nil {
		return r, Column{}, nil, err
	}
	c, err := a.number(r, "value")
	if err != nil {
		return r, c, nil, err
	}
	keys, err := a.keys(r, by)
	if err == nil {
		err = a.addable(c, "quantile", keys)
	}
	return r, c, keys, err
}

// number is a number of JSON.
func number(v any) (float64, bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case int:
		return float64(x), true
	case json.Number:
		f, err := x.Float64()
		return f, err == nil
	}
	return 0, false
}

// argumentText is a value of JSON as a cell of it would be written.
func argumentText(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(x)
	}
	return ""
}
