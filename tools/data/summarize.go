package data

import (
	"context"
	"fmt"
	"strings"

	"catena/profiler"
	"catena/table"
	"catena/tools"
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
	b := table.NewBuilder(summaryColumns...)
	res := tools.Result{Name: src.Name + "_summary", Title: fmt.Sprintf("Summary of %s (%d rows)", src.Name, t.NumRows()), AsOf: src.AsOf,
		Notes: asOfNotes(src), Untrusted: src.Source == sourceUpload}
	meta := profiler.Profile(ctx, t)
	for i, m := range meta {
		low, high := ends(t, i)
		sum := table.Value{}
		plain := m.SemanticType == profiler.Decimal && m.Role == profiler.RoleMeasure
		if what, _ := noSum(t, i, m); what != "" {
			plain = false
		}
		if _, _, over := profiler.Levels(t, meta, i); !over && m.Sum != nil && (m.Aggregation == profiler.AggregateSum || plain) {
			sum = table.TextValue(fmt.Sprint(m.Sum))
		}
		if err := b.Append(table.TextValue(m.OriginalName), table.TextValue(m.SemanticType), orNull(m.Units), table.IntValue(int64(m.Count-m.NullCount)),
			table.IntValue(int64(m.NullCount)), table.IntValue(int64(m.DistinctCount)), low, high, sum, floatOrNull(m.Mean), floatOrNull(m.Median),
			floatOrNull(m.Stddev), orNull(frequent(m))); err != nil {
			return tools.Result{}, err
		}
		for _, w := range m.Warnings {
			res.Notes = append(res.Notes, fmt.Sprintf("%s: %s.", m.OriginalName, strings.TrimSuffix(w, ".")))
		}
	}
	res.Table = b.Table()
	return res, nil
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
