package data

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"catena/formatter"
	"catena/profiler"
	"catena/table"
	"catena/table/xlsx"
	"catena/tools"
)

// Tools that give the rows that they were given.
const (
	formatName = "format_table_for_llm"
	cleanName  = "clean_and_prepare_table"
)

var formats = []any{"markdown", "json", "bullets", "csv", "html", "text"}

func (k *Toolkit) formatTool() tools.Tool {
	flag := func(description string) object {
		return object{"type": "boolean", "default": false, "description": description}
	}
	t := define(formatName, "Format a table",
		"Formats a table for reading, by people and models: chooses columns, sorts, limits, ranks, adds a summary row, marks anomalies, writes amounts, percentages and dates properly, as Markdown, JSON with column profiles, bullets, CSV, HTML, or as plain text that takes few tokens. The number of rows is always told.",
		object{"properties": object{
			"data":                 tools.DataSchema("What to format."),
			"output_format":        object{"type": "string", "enum": formats, "default": "markdown", "description": "How to write it."},
			"limit":                object{"type": "integer", "minimum": 1, "maximum": 10000, "description": "Rows at most; all when it is not given."},
			"sort_by":              textSchema("Column to sort by, largest first unless ascending."),
			"ascending":            flag("Smallest first."),
			"columns":              columnList("Columns to show, in this order; all when it is not given."),
			"add_summary_row":      flag("Add totals, and means of rates, below the rows."),
			"rank_by":              textSchema("Add a rank by this column, 1 for the largest."),
			"detect_anomalies":     flag("Tell values that stand out, and rows whose numbers are unusual together."),
			"include_descriptions": flag("Add a sentence about each column."),
			"share_of_total":       columnList("Columns of amounts or counts to add a share of their total to, in percent."),
			"change":               columnList("Columns of numbers to add the change against the row before to, as it is and in percent."),
			"compact":              flag("Large amounts and counts in short: 1.2M."),
			"negative":             object{"type": "string", "enum": []any{"minus", "hyphen", "parentheses"}, "default": "minus", "description": "How negative numbers are written: −5, -5 or (5)."},
			"locale":               textSchema("How numbers and dates are written: a BCP 47 tag such as de or fr-CH; the caller's own when it is not given."),
			"max_columns":          object{"type": "integer", "minimum": 1, "maximum": 4096, "description": "Columns at most, the most telling ones; 20 when it is not given. JSON and CSV have all."},
			"max_cell":             object{"type": "integer", "minimum": 1, "maximum": 100000, "description": "Characters of a text at most, 80 when it is not given; longer ones are cut with a mark. JSON and CSV have all."},
			"raw":                  flag("Names and values as the table has them."),
		}, "required": []string{"data"}},
		tools.TableSchema(), k.format)
	t.WireOutput = mustJSON(object{"type": "object", "properties": object{
		"result":          object{"type": "string", "description": "The formatted text; with output_format json the fields beside it are the formatted table."},
		"handle":          object{"type": "string", "description": "Names the table that is shown, for other tools' data arguments."},
		"title":           object{"type": "string"},
		"columns":         object{"type": "array", "items": object{"type": "object"}},
		"rows":            object{"type": "array", "items": object{"type": "object"}, "description": "Each row by the names of its columns."},
		"row_count":       object{"type": "integer"},
		"total_rows":      object{"type": "integer"},
		"truncated":       object{"type": "boolean"},
		"column_profiles": object{"type": "array", "items": object{"type": "object"}},
	}})
	return t
}

func (k *Toolkit) format(ctx context.Context, call tools.Call) (tools.Result, error) {
	src, err := k.source(ctx, call)
	if err != nil {
		return tools.Result{}, err
	}
	meta := profiler.ProfileWith(ctx, src.Table, profiler.Options{Title: src.Name})
	locale := call.Text("locale")
	if locale == "" {
		locale = call.Locale
	}
	if asked := call.Text("locale"); asked != "" && !formatter.KnownLocale(asked) {
		return tools.Failed(tools.CodeBadValue, "locale must be a BCP 47 tag of a language that numbers can be written in, such as de or fr-CH. These are known: "+strings.Join(formatter.Locales(), ", ")+"."), nil
	}
	negative := formatter.Negative(call.Text("negative"))
	if negative == "minus" {
		negative = formatter.TypographicMinus
	}
	opt := formatter.Options{Title: src.Title, Limit: call.Int("limit", 0), SortBy: call.Text("sort_by"), Ascending: call.Flag("ascending"),
		Columns: call.Texts("columns"), SummaryRow: call.Flag("add_summary_row"), RankBy: call.Text("rank_by"),
		DetectAnomalies: call.Flag("detect_anomalies"), IncludeDescriptions: call.Flag("include_descriptions"),
		ShareOfTotal: call.Texts("share_of_total"), Change: call.Texts("change"), Compact: call.Flag("compact"), Negative: negative, Locale: locale,
		MaxColumns: call.Int("max_columns", 0), MaxCell: call.Int("max_cell", 0), Raw: call.Flag("raw"),
		SignedColumns: src.Signed, Notes: sourceNotes(src)}
	if opt.SummaryRow || len(opt.ShareOfTotal) > 0 {
		opt.Notes = append(opt.Notes, k.allCounted(ctx, src)...)
	}
	if len(opt.Columns) == 0 {
		opt.Hide = stillThere(nil, src.Hide, src.Table)
	}
	view, err := formatter.Format(src.Table, meta, opt)
	if err != nil {
		var column *table.UnknownColumnError
		if errors.As(err, &column) {
			return tools.Failed(tools.CodeUnknownColumn, err.Error()), nil
		}
		var option *formatter.OptionError
		if errors.As(err, &option) {
			return tools.Failed(tools.CodeBadValue, option.Error()+"."), nil
		}
		return tools.Result{}, err
	}
	body, wire, err := write(view, call.Text("output_format"))
	if err != nil {
		return tools.Result{}, err
	}
	shown := view.Table()
	res := tools.Result{Text: body, Wire: wire, Table: shown, Name: src.Name, Title: src.Title, Signed: stillThere(nil, src.Signed, shown),
		Notes: slices.Clone(opt.Notes), AsOf: src.AsOf, Untrusted: src.Source == sourceUpload}
	if view.Truncated() {
		res.Total = view.Total
	}
	return res, nil
}

// write gives a view in a format: the text, and the object that clients get of it.
func write(view *formatter.View, format string) (text string, wire json.RawMessage, err error) {
	switch format {
	case "json":
		raw, err := view.JSON()
		return string(raw), raw, err
	case "bullets":
		text = view.Bullets()
	case "csv":
		text = view.CSV()
	case "html":
		text = view.HTML()
	case "text":
		text = view.Model()
	default:
		text = view.Markdown()
	}
	wire, err = json.Marshal(object{"result": text})
	return text, wire, err
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

// WriteXLSX writes all rows and columns of a result's table as a workbook of one sheet, under the headings and in the number formats that answers have. The errors are those of
// xlsx.Write.
func (*Toolkit) WriteXLSX(ctx context.Context, w io.Writer, res tools.Result) error {
	view, err := formatter.Format(res.Table, nil, formatter.Options{Total: res.Total})
	if err != nil {
		return err
	}
	return xlsx.Write(ctx, w, view.Sheet(res.Name))
}

// maxRendered is how many rows of a table stand in a text; the whole table is in the structured content and under the handle.
const maxRendered = 50
