package data

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"catena/formatter"
	"catena/internal/text"
	"catena/profiler"
	"catena/table"
	"catena/tools"
	"catena/tools/data/calendar"
)

// Bounds of a chart: beyond them nobody can read it, so the largest are drawn and the rest is counted.
const (
	maxBars   = 30
	maxLines  = 8
	maxPoints = 2000
)

func (k *Toolkit) chartTool() tools.Tool {
	out := object{
		"type": "object",
		"properties": object{
			"title": object{"type": "string"},
			"alt":   object{"type": "string"},
			"chart_type": object{
				"type": "string",
			},
			"vega_lite": object{"type": "object"},
		},
		"required": []string{"title", "alt", "chart_type"},
	}
	return define(
		"visualize_data",
		"Draw a chart",
		"Draws a table as a bar, line or scatter chart (SVG, and a Vega-Lite specification). Columns and the kind of chart are chosen by what they mean when they are not given. Use it to plot, chart, draw or visualize.",
		object{"properties": object{
			"data": tools.DataSchema("What to draw."),
			"chart_type": object{
				"type": "string",
				"enum": chartTypes(),
				"description": "Chosen when it is not given: a line over time, else bars. " +
					"Pies are drawn as bars, areas as lines.",
			},
			"x":     textSchema("Column of the horizontal axis."),
			"y":     textSchema("Column of numbers for the vertical axis."),
			"group": textSchema("One line, or one colour, for each value of this column."),
			"title": object{"type": "string", "maxLength": 200, "description": "A heading."},
		}, "required": []string{"data"}},
		mustJSON(out),
		k.visualize,
	)
}

// chart is what is drawn: points by series.
type chart struct {
	kind        string
	title, alt  string
	x, y, group string // column names; group may be ""
	xLabel      string
	yLabel      string
	series      []chartSeries
	categories  []string // the x of bars, in order
	timeAxis    bool
	open        bool    // the last period is not over
	percent     float64 // what percentages are multiplied by for their ticks: 100 for shares of one; 0 is no percentage
	locale      string
	notes       []string
}

type chartSeries struct {
	name   string
	points []point
}

// point is one mark. For bars X is the place of the category.
type point struct {
	x, y  float64
	label string // of x
	value string // of y, in full
}

func (k *Toolkit) visualize(ctx context.Context, call tools.Call) (tools.Result, error) {
	src, err := k.source(ctx, call)
	if err != nil {
		return tools.Result{}, err
	}
	c, err := plotOf(src, k.describe(ctx, src), call)
	if err != nil {
		return tools.Result{}, err
	}
	spec := c.vegaLite()
	drawn := tools.Chart{Title: c.title, SVG: c.svg(), VegaLite: spec, Table: src.Handle, Alt: c.alt}
	return tools.Result{
		Text:       c.alt,
		Structured: object{"title": c.title, "alt": c.alt, "chart_type": c.kind, "vega_lite": spec},
		Charts: []tools.Chart{
			drawn,
		},
		Name:      "chart",
		Title:     c.title,
		Notes:     slices.Concat(c.notes, sourceNotes(src), k.allCounted(ctx, src)),
		AsOf:      src.AsOf,
		Untrusted: src.Source == sourceUpload,
	}, nil
}

// plotOf chooses columns and gathers the points.
func plotOf(src SourceTable, meta []profiler.ColumnMetadata, call tools.Call) (*chart, error) {
	t := src.Table
	if t.NumRows() == 0 {
		return nil, &tools.ArgumentError{
			Argument: "data",
			Code:     "empty",
			Reason:   "the table has no rows; there is nothing to draw",
		}
	}
	kind, notes := chartKind(call.Text("chart_type"))
	cols, err := chartColumns(t, meta, call, kind)
	if err != nil {
		return nil, err
	}
	c := &chart{kind: kind, notes: notes, locale: call.Locale, x: t.Column(cols.x).Name, y: t.Column(cols.y).Name,
		xLabel: heading(meta[cols.x]), yLabel: heading(meta[cols.y])}
	c.percent = percentOf(cellFormat(meta[cols.y]))
	xType := t.Column(cols.x).Type
	if c.kind == "" {
		c.kind = barChart // also of weeks that are texts, 2026-W01
		if xType.Temporal() || xType.Numeric() && meta[cols.x].Role == profiler.RoleTime {
			c.kind = lineChart
		}
	}
	ordered := xType.Numeric() || xType.Temporal()
	if c.kind != barChart && !ordered && call.Text("x") == "" {
		c.kind, c.notes = barChart, []string{fmt.Sprintf("Bars are drawn, for %s has neither numbers nor dates.", c.x)}
	}
	if c.kind != barChart && !ordered {
		return nil, &tools.ArgumentError{
			Argument: "x",
			Code:     tools.CodeBadValue,
			Reason: fmt.Sprintf(
				"a %s chart needs numbers or dates, and %s has %s; draw bars, or choose another column",
				c.kind,
				c.x,
				xType,
			),
		}
	}
	if cols.group >= 0 {
		c.group = t.Column(cols.group).Name
	}
	c.timeAxis = xType.Temporal()
	if err := c.gather(t, meta, cols); err != nil {
		return nil, err
	}
	if c.timeAxis && c.kind != scatterChart {
		notes := openPeriod(t, cols.x, asOf(call, src))
		c.open, c.notes = len(notes) > 0, append(c.notes, notes...)
	}
	c.title = cmp.Or(call.Text("title"), c.defaultTitle(meta, cols))
	c.describe()
	return c, nil
}

type chartCols struct{ x, y, group int }

// chartColumns finds the columns by the arguments, else by role: time or the first dimension across, the first measure up.
func chartColumns(
	t *table.Table, meta []profiler.ColumnMetadata, call tools.Call, kind string,
) (c chartCols, err error) {
	c = chartCols{-1, -1, -1}
	for _, a := range []struct {
		name string
		to   *int
	}{{"x", &c.x}, {"y", &c.y}, {"group", &c.group}} {
		if name := call.Text(a.name); name != "" {
			if *a.to, err = formatter.FindColumn(t, meta, name); err != nil {
				return c, err
			}
		}
	}
	if c.y < 0 {
		c.y = firstRole(meta, profiler.RoleMeasure, c.x)
	}
	if c.y < 0 || !t.Column(c.y).Type.Numeric() {
		return c, &tools.ArgumentError{
			Argument: "y",
			Code:     tools.CodeBadValue,
			Reason:   "the vertical axis needs a column of numbers" + numericNames(t),
		}
	}
	if c.x < 0 && kind == scatterChart {
		c.x = firstRole(meta, profiler.RoleMeasure, c.y)
	}
	if c.x < 0 {
		if c.x = timeColumn(
			t,
			meta,
		); c.x < 0 || c.x == c.y ||
			kind == barChart && firstRole(meta, profiler.RoleDimension, c.group) >= 0 {
			c.x = firstRole(meta, profiler.RoleDimension, c.group)
		}
	}
	for i := 0; c.x < 0 && i < t.NumCols(); i++ {
		if i != c.y && i != c.group {
			c.x = i
		}
	}
	if c.x < 0 {
		return c, &tools.ArgumentError{
			Argument: "x",
			Code:     tools.CodeBadValue,
			Reason:   "the table has no column for the horizontal axis",
		}
	}
	return c, nil
}

func firstRole(meta []profiler.ColumnMetadata, role string, not int) int {
	return slices.IndexFunc(meta, func(m profiler.ColumnMetadata) bool {
		return m.Role == role && m.Count > m.NullCount && (not < 0 || m.OriginalName != meta[not].OriginalName)
	})
}

// heading is a column's name with its unit.
func heading(m profiler.ColumnMetadata) string {
	if m.Units == "" || m.Units == "ratio" {
		return m.CleanedName
	}
	return m.CleanedName + " (" + m.Units + ")"
}

// gather makes the points. Rows with the same x, and group, are one point of a bar or line: added, or averaged for rates.
func (c *chart) gather(t *table.Table, meta []profiler.ColumnMetadata, cols chartCols) error {
	data := t
	show := showing{x: cellFormat(meta[cols.x]), y: cellFormat(meta[cols.y]), locale: formatter.LocaleFor(c.locale)}
	if c.kind != scatterChart {
		keys := []table.GroupKey{{Column: c.x}}
		if c.group != "" && c.group != c.x {
			keys = append(keys, table.GroupKey{Column: c.group})
		}
		how := table.Sum
		if meta[cols.y].Aggregation != profiler.AggregateSum {
			how = table.Mean
		}
		g, err := t.Group(keys, []table.Aggregate{{Func: how, Column: c.y, As: "_y"}})
		if err != nil {
			return err
		}
		if g.NumRows() < t.NumRows() {
			word := map[table.AggFunc]string{table.Sum: "added", table.Mean: "averaged"}[how]
			c.notes = append(c.notes, fmt.Sprintf("Values with the same %s are %s.", c.x, word))
		}
		data = g
		cols.x, cols.y = 0, g.NumCols()-1
		if cols.group >= 0 {
			cols.group = len(keys) - 1
		}
	}
	if c.kind == barChart && data.NumRows() < t.NumRows() && cols.group < 0 && data.Column(cols.x).Type == table.Text {
		sorted, err := data.Sort(
			table.SortKey{Column: "_y", Desc: true},
		) // the sums have no order yet; the largest come first
		if err != nil {
			return err
		}
		data = sorted
	}
	skipped := c.points(data, cols, show)
	if skipped > 0 {
		c.notes = append(
			c.notes,
			fmt.Sprintf("%s without a value %s left out of the chart.", text.Count(skipped, "row"), text.Was(skipped)),
		)
	}
	if len(c.series) == 0 {
		return &tools.ArgumentError{Argument: "y", Code: "empty", Reason: fmt.Sprintf("%s has no values to draw", c.y)}
	}
	c.bound()
	return nil
}

// showing is how the cells of the two axes are written in labels and in the sentence about the chart: as tables write them.
type showing struct {
	x, y   profiler.Suggestion
	locale formatter.Locale
}

func (s showing) cell(v table.Value, format profiler.Suggestion) string {
	return formatter.Value(v, format, s.locale, formatter.Minus)
}

// cellFormat is the format of a column's cells; the canonical text where its metadata have none.
func cellFormat(m profiler.ColumnMetadata) profiler.Suggestion {
	s, err := profiler.ParseSuggestion(m.FormattingSuggestion)
	if err != nil {
		return profiler.Suggestion{}
	}
	return s
}

// points reads the rows into series, which are in order of first appearance.
func (c *chart) points(t *table.Table, cols chartCols, show showing) (skipped int) {
	at := map[string]int{}
	category := map[string]int{}
	for row := range t.Rows() {
		xv, yv := t.Value(row, cols.x), t.Value(row, cols.y)
		y, ok := yv.Float()
		if !ok || yv.IsNull() || xv.IsNull() {
			skipped++
			continue
		}
		p := point{y: y, label: show.cell(xv, show.x), value: show.cell(yv, show.y)}
		switch {
		case c.kind == barChart:
			i, seen := category[xv.Text()]
			if !seen {
				i = len(c.categories)
				category[xv.Text()], c.categories = i, append(c.categories, p.label)
			}
			p.x = float64(i)
		case c.timeAxis:
			when, _ := xv.Time()
			p.x = float64(when.Unix())
		default:
			p.x, _ = xv.Float()
		}
		name := ""
		if cols.group >= 0 {
			name = t.Value(row, cols.group).Text()
		}
		i, seen := at[name]
		if !seen {
			i = len(c.series)
			at[name], c.series = i, append(c.series, chartSeries{name: name})
		}
		c.series[i].points = append(c.series[i].points, p)
	}
	return skipped
}

func (c *chart) defaultTitle(meta []profiler.ColumnMetadata, cols chartCols) string {
	title := meta[cols.y].CleanedName + " by " + inSentence(meta[cols.x].CleanedName)
	if cols.group >= 0 && cols.group != cols.x {
		title += " and " + inSentence(meta[cols.group].CleanedName)
	}
	return title
}

// percentOf is what numbers of a format are multiplied by to be percentages; 0 where they are none.
func percentOf(s profiler.Suggestion) float64 {
	switch {
	case s.Kind != "percent":
		return 0
	case s.Ratio:
		return 100
	}
	return 1
}

// openPeriod warns of a last period that is not over: its value looks like a fall.
func openPeriod(t *table.Table, col int, asOf time.Time) []string {
	cal := calendar.Read(t, col)
	p := cal.Span()
	if _, last := cal.Partial(p, asOf); !last {
		return nil
	}
	return []string{p.Name(p.Index(calendar.Daily.Start(cal.Days[len(cal.Days)-1]))) + " is not complete."}
}
