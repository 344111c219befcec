package data

import (
	"encoding/json"
	"fmt"
	"time"
)

// vegaSchema names the grammar (vega.github.io/vega-lite, version 5); nothing is fetched from there.
const vegaSchema = "https://vega.github.io/schema/vega-lite/v5.json"

// vegaLite is the chart as a Vega-Lite specification with its data inline.
func (c *chart) vegaLite() object {
	values := []any{}
	for _, s := range c.series {
		for _, p := range s.points {
			row := object{"y": p.y}
			switch {
			case c.kind == "bar":
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
	case c.kind == "bar":
		xType, x["sort"] = "nominal", nil
	case c.timeAxis:
		xType = "temporal"
	}
	x["type"] = xType
	y := object{"field": "y", "type": "quantitative", "title": c.yLabel}
	encoding := object{"x": x, "y": y}
	if c.group != "" {
		encoding["color"] = object{"field": "group", "type": "nominal", "title": c.group, "scale": object{"range": texts(palette)}}
		if c.kind == "bar" {
			encoding["xOffset"] = object{"field": "group"}
		}
	}
	mark := map[string]any{"bar": "bar", "line": object{"type": "line", "point": true}, "scatter": "point"}[c.kind]
	return object{"$schema": vegaSchema, "title": c.title, "description": c.alt, "width": "container", "height": plotHeight,
		"data": object{"values": values}, "mark": mark, "encoding": encoding}
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
