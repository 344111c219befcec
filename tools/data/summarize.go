package data

import (
	"catena/formatter"
	"catena/internal/text"
	"catena/profiler"
	"catena/profiler/anomaly"
	"catena/table"
	"catena/tools"
	"context"
	"fmt"
	"slices"
	"strings"
)

func (k *Toolkit) summarizeTool() tools.Tool {
	return define("summarize_table", "Summarize a table",
		"Summary statistics of a table's columns: count, missing, different values, minimum, maximum, mean, median, standard deviation, the most frequent values. Use it for an overview, statistics or a profile of data.",
		object{"properties": object{
			"data":    tools.DataSchema("What to summarize."),
			"columns": columnList("Columns to summarize; all when it is not given."),
		}, "required": []string{"data"}},
		tools.TableSchema(summaryColumns...), k.summarize)
}

var summaryColumns = []table.Column{{Name: "column", Type: table.Text}, {Name: "meaning", Type: table.Text}, {Name: "unit", Type: table.Text},
	{Name: "non_null", Type: table.Int}, {Name: "missing", Type: table.Int}, {Name: "distinct", Type: table.Int},
	{Name: "min", Type: table.Text}, {Name: "max", Type: table.Text}, {Name: "sum", Type: table.Text}, {Name: "mean", Type: table.Float}, {Name: "median", Type: table.Float},
	{Name: "standard_deviation", Type: table.Float}, {Name: "most_frequent", Type: table.Text}}

func (k *Toolkit) summarize(ctx context.Context, call tools.Call) (tools.Result, error) {
	src, err := k.source(ctx, call)
	if err != nil {
		return tools.Result{}, err
	}
	t := src.Table
	if names := call.Texts("columns"); len(names) > 0 {
		if t, err = t.Select(names...); err != nil {
			return tools.Result{}, err
		}
	}
	b, shown := table.NewBuilder(summaryColumns...), table.NewBuilder(shownSummary()...)
	res := tools.Result{Name: src.Name + "_summary", Title: "Summary of " + src.Name, AsOf: src.AsOf,
		Notes: slices.Concat(sourceNotes(src), []string{overRows(t.NumRows())}, k.allCounted(ctx, src)), Untrusted: src.Source == sourceUpload}
	meta := profiler.ProfileWith(ctx, t, profiler.Options{Title: src.Name})
	levels := profiler.LevelsOf(t, meta)
	for i, m := range meta {
		low, high := extremes(t, i)
		sum := table.Value{}
		plain := m.SemanticType == profiler.Decimal && m.Role == profiler.RoleMeasure
		if what, _ := noSum(t, i, m); what != "" {
			plain = false
		}
		if _, _, over := levels.Of(i); !over && m.Sum != nil && (m.Aggregation == profiler.AggregateSum || plain) {
			sum = table.TextValue(fmt.Sprint(m.Sum))
		}
		row := []table.Value{table.TextValue(m.OriginalName), table.TextValue(m.Meaning()), orNull(m.Units), table.IntValue(int64(m.Count - m.NullCount)),
			table.IntValue(int64(m.NullCount)), table.IntValue(int64(m.DistinctCount)), orNull(low.Text()), orNull(high.Text()), sum,
			floatOrNull(m.Mean), floatOrNull(m.Median), floatOrNull(m.Stddev), orNull(frequent(m))}
		err := b.Append(row...)
		if err == nil {
			err = shown.Append(shownRow(row, low, high, m, call.Locale)...)
		}
		if err != nil {
			return tools.Result{}, err
		}
		for _, w := range m.Warnings {
			res.Notes = append(res.Notes, fmt.Sprintf("%s: %s.", m.OriginalName, strings.TrimSuffix(w, ".")))
		}
	}
	res.Table = b.Table()
	written := shown.Table()
	view, err := formatter.Format(written, profiler.Profile(ctx, written), formatter.Options{Title: res.Title, Notes: res.Notes, Locale: call.Locale})
	if err != nil {
		return tools.Result{}, err
	}
	res.Text = view.Markdown()
	return res, nil
}

// overRows says how many rows a summary is of, and where these are few, what that means.
func overRows(n int) string {
	if n < anomaly.FewRows {
		return fmt.Sprintf("It sums up %s only; means, medians and deviations of so few say little.", text.Count(n, "row"))
	}
	return fmt.Sprintf("It sums up %s.", text.Count(n, "row"))
}

// figures are the columns of a summary whose cells are of the kind that the summarized column has.
var figures = []string{"min", "max", "sum", "mean", "median", "standard_deviation"}

// shownSummary are the columns of a summary as people read it: a number is written as its column writes numbers.
func shownSummary() []table.Column {
	cols := slices.Clone(summaryColumns)
	for i := range cols {
		if slices.Contains(figures, cols[i].Name) {
			cols[i].Type = table.Text
		}
	}
	return cols
}

// shownRow is a row of a summary as people read it.
func shownRow(row []table.Value, low, high table.Value, m profiler.ColumnMetadata, locale string) []table.Value {
	out := slices.Clone(row)
	for i, c := range summaryColumns {
		v := row[i]
		switch {
		case v.IsNull() || !slices.Contains(figures, c.Name):
			continue
		case c.Name == "min":
			v = low
		case c.Name == "max":
			v = high
		case c.Name == "sum":
			if d, err := table.ParseDecimal(v.Text()); err == nil {
				v = d
			}
		}
		as := m
		if v.Type() == table.Float && strings.HasPrefix(as.FormattingSuggestion, "integer") {
			as.FormattingSuggestion = "decimal:,.2f" // a mean of whole numbers is none
		}
		out[i] = table.TextValue(formatter.Quantity(v, as, formatter.LocaleFor(locale), formatter.Minus))
	}
	return out
}

// frequent names the three most frequent values of a column that has repeats.
func frequent(m profiler.ColumnMetadata) string {
	if m.Role != profiler.RoleDimension || m.DistinctCount == m.Count-m.NullCount {
		return ""
	}
	var parts []string
	for _, v := range m.TopValues[:min(3, len(m.TopValues))] {
		parts = append(parts, fmt.Sprintf("%s (%d)", v.Value, v.Count))
	}
	return strings.Join(parts, ", ")
}

func floatOrNull(f *float64) table.Value {
	if f == nil {
		return table.Value{}
	}
	return table.FloatValue(*f)
}
