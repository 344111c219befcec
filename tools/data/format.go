package data

import (
	"context"
	"errors"
	"slices"
	"strings"

	"catena/formatter"
	"catena/profiler"
	"catena/table"
	"catena/tools"
)

var formats = []any{"markdown", "json", "bullets", "csv"}

func (k *Toolkit) formatTool() tools.Tool {
	flag := func(description string) object {
		return object{"type": "boolean", "default": false, "description": description}
	}
	return define("format_table_for_llm", "Format a table",
		"Formats a table for reading, by people and models: chooses columns, sorts, limits, ranks, adds a summary row, marks anomalies, writes amounts, percentages and dates properly, as Markdown, JSON with column profiles, bullets or CSV.",
		object{"properties": object{
			"data":                 tools.DataSchema("What to format."),
			"output_format":        object{"type": "string", "enum": formats, "default": "markdown", "description": "How to write it."},
			"limit":                object{"type": "integer", "minimum": 1, "maximum": 10000, "description": "Rows at most; all when it is not given."},
			"sort_by":              text("Column to sort by, largest first unless ascending."),
			"ascending":            flag("Smallest first."),
			"columns":              columnList("Columns to show, in this order; all when it is not given."),
			"add_summary_row":      flag("Add totals, and means of rates, below the rows."),
			"rank_by":              text("Add a rank by this column, 1 for the largest."),
			"detect_anomalies":     flag("Mark values that stand out."),
			"include_descriptions": flag("Add a sentence about each column."),
		}, "required": []string{"data"}},
		tools.TableSchema(), k.format)
}

func (k *Toolkit) format(ctx context.Context, call tools.Call) (tools.Result, error) {
	src, err := k.source(ctx, call)
	if err != nil {
		return tools.Result{}, err
	}
	meta := profiler.Profile(ctx, src.Table)
	opt := formatter.Options{Title: src.Title, Limit: call.Int("limit", 0), SortBy: call.Text("sort_by"), Ascending: call.Flag("ascending"),
		Columns: call.Texts("columns"), SummaryRow: call.Flag("add_summary_row"), RankBy: call.Text("rank_by"),
		DetectAnomalies: call.Flag("detect_anomalies"), IncludeDescriptions: call.Flag("include_descriptions"),
		SignedColumns: src.Signed, Locale: call.Locale, Notes: asOfNotes(src)}
	if len(opt.Columns) == 0 {
		opt.Hide = stillThere(nil, src.Hide, src.Table)
	}
	view, err := formatter.Format(src.Table, meta, opt)
	if err != nil {
		var column *table.UnknownColumnError
		if errors.As(err, &column) {
			return tools.Failed(tools.CodeUnknownColumn, err.Error()), nil
		}
		return tools.Result{}, err
	}
	body, err := write(view, call.Text("output_format"))
	if err != nil {
		return tools.Result{}, err
	}
	shown := view.Table()
	res := tools.Result{Text: body, Table: shown, Name: src.Name, Title: src.Title, Signed: stillThere(nil, src.Signed, shown),
		Notes: slices.Clone(opt.Notes), AsOf: src.AsOf, Untrusted: src.Source == sourceUpload}
	if view.Truncated() {
		res.Total = view.Total
	}
	return res, nil
}

func write(view *formatter.View, format string) (string, error) {
	switch format {
	case "json":
		raw, err := view.JSON()
		return string(raw), err
	case "bullets":
		return view.Bullets(), nil
	case "csv":
		return view.CSV(), nil
	}
	return view.Markdown(), nil
}

// Render writes the text of a result that has none: tables as Markdown with their notes. It is what a registry's Render
// option wants.
func Render(res tools.Result) string {
	if res.Table == nil {
		return ""
	}
	opt := formatter.Options{Title: res.Title, Limit: maxRendered, Hide: stillThere(nil, res.Hide, res.Table),
		SignedColumns: stillThere(nil, res.Signed, res.Table), Total: res.Total, Notes: res.Notes}
	view, err := formatter.Format(res.Table, nil, opt)
	if err != nil {
		return ""
	}
	out := view.Markdown()
	if res.Handle != "" && view.Truncated() {
		out = strings.TrimRight(out, "\n") + "\n\nThe whole table: " + res.Handle + "\n"
	}
	return out
}

// maxRendered is how many rows of a table stand in a text; the whole table is in the structured content and under the handle.
const maxRendered = 50
