package data

import (
	"encoding/json"
	"fmt"
	"time"
)

// vegaSchema names the grammar (vega.github.io/vega-lite, version 5); nothing is fetched from there.
const vegaSchema = "https://vega.github.io/schema/vega-lite/v5.json"

// chartKinds are the kinds of charts that people ask for, and which of the three that are drawn shows the same values.
// A column chart is one of bars that stand upright, as ours do: there is nothing to note.
var chartKinds = []struct{ asked, drawn, note string }{
	{barChart, barChart, ""},
	{lineChart, lineChart, ""},
	{scatterChart, scatterChart, ""},
	{"column", barChart, ""},
	{"pie", barChart, "A pie chart is not drawn; bars show the same values."},
	{"donut", barChart, "A donut chart is not drawn; bars show the same values."},
	{"doughnut", barChart, "A doughnut chart is not drawn; bars show the same values."},
	{"area", lineChart, "An area chart is not drawn; a line shows the same values."},
}

const (
	barChart     = "bar"
	lineChart    = "line"
	scatterChart = "scatter"
)

// chartKind is how a kind of chart is drawn, "" where none was asked for, with a note where that is another one.
func chartKind(asked string) (drawn string, notes []string) {
	for _, k := range chartKinds {
		if k.asked != asked {
			continue
		}
		if k.note != "" {
			notes = append(notes, k.note)
		}
		return k.drawn, notes
	}
	return "", nil
}

func chartTypes() []any {
	out := make([]any, len(chartKinds))
	for i, k := range chartKinds {
		out[i] = k.asked
	}
	return out
}

// vegaLite is the chart as a Vega-Lite specification with its data inline. Each value has the texts of its axes beside
// it, and usermeta says what the page must know to draw the chart as we do: its kind, whether the last period is not
// over, and what percentages are multiplied by.
func (c *chart) vegaLite() object {
	values := []any{}
	for _, s := range c.series {
		for _, p := range s.points {
			row := object{"y": p.y, "label": p.label, "text": p.value}
			switch {
			case c.kind == barChart:
				row["x"] = p.label
			case c.timeAxis:
				row["x"] = time.Unix(int64(p.x), 0).UTC().Format(time.RFC3339)
			default:
				row["x"] = p.x
			}
			if c.group != "" {
				row["group"] = s.name
			}
			values = append(values, row)
		}
	}
	xType := "quantitative"
	x := object{"field": "x", "title": c.xLabel}
	switch {
	case c.kind == barChart:
		xType, x["sort"] = "nominal", nil
	case c.timeAxis:
		xType = "temporal"
	}
	x["type"] = xType
	y := object{"field": "y", "type": "quantitative", "title": c.yLabel}
	switch c.percent {
	case 1:
		y["axis"] = object{"labelExpr": "datum.label + '%'"}
	case 100:
		y["axis"] = object{"format": "%"}
	}
	encoding := object{"x": x, "y": y}
	if c.group != "" {
		encoding["color"] = object{"field": "group", "type": "nominal", "title": c.group, "scale": object{"range": texts(palette)}}
		if c.kind == barChart {
			encoding["xOffset"] = object{"field": "group"}
		}
	}
	mark := map[string]any{"bar": "bar", "line": object{"type": "line", "point": true}, "scatter": "point"}[c.kind]
	return object{"$schema": vegaSchema, "title": c.title, "description": c.alt, "width": "container", "height": plotHeight,
		"data": object{"values": values}, "mark": mark, "encoding": encoding,
		"usermeta": object{"catena": object{"kind": c.kind, "percent": c.percent, "open": c.open}}}
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// mustJSON encodes a schema that is written in this package.
func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a schema has no JSON: %v", err))
	}
	return raw
}
