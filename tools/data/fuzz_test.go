package data_test

import (
	"encoding/json"
	"testing"

	"catena/tools"
)

// Whatever the data hold, a chart is well-formed XML of the few elements that it is drawn with.
func FuzzChart(f *testing.F) {
	for _, s := range []string{"a", "<script>", "\x00\xff&\"'", "]]>", "\u202e\ufffe", "tbl_x", "=1+1"} {
		f.Add(s, s, 1.5, "bar")
	}
	f.Add("2024-01-01", "x", -1e300, "line")
	f.Add("5", "x", 0.0, "scatter")
	reg, _ := kitchen(f, nil)
	f.Fuzz(func(t *testing.T, label, title string, y float64, kind string) {
		rows, err := json.Marshal([]any{map[string]any{"name": label, "v": y}, map[string]any{"name": label + "2", "v": 1}})
		if err != nil {
			return // JSON has no such number
		}
		var data any
		if err := json.Unmarshal(rows, &data); err != nil {
			t.Fatal(err)
		}
		args := map[string]any{"data": data, "x": "name", "y": "v", "title": title}
		switch kind {
		case "bar", "line", "scatter":
			args["chart_type"] = kind
		}
		res, err := reg.Call(t.Context(), tools.Call{Caller: ann, Tool: "visualize_data", Args: args})
		if err != nil {
			t.Fatal(err)
		}
		if !res.IsError {
			checkXML(t, label, res.Charts[0].SVG)
		}
	})
}
