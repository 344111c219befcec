package pipeline_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
	"catena/tools/data/pipeline"
)

// Numbers in several units are compared in one where they convert; elsewhere a note says that they are not.
func TestUnitsAreCompared(t *testing.T) {
	const weights = "item,w\nA,5 kg\nB,500 g\nC,1.2 t\n"
	const times = "item,w\nA,90 min\nB,2 h\nC,45 s\n"
	const money = "item,w\nA,5 EUR\nB,500 USD\nC,1.2 EUR\n"
	order := `"order_by":[{"column":"w","desc":true}],"select":["item"]`
	filter := func(op, value string) string {
		return `"filter":[{"column":"w","op":"` + op + `","value":` + value + `}],"select":["item"]`
	}
	for _, test := range []struct{ csv, query, want, note, fails string }{
		{weights, order, "C A B", "compared in g", ""},
		{weights, order + `,"limit":1`, "C", "compared in g", ""},
		{times, order, "B A C", "compared in s", ""},
		{"item,w\nA,3 km\nB,40 m\n", order, "A B", "compared in m", ""},
		{money, order, "B A C", "says nothing", ""},
		{"item,w\nA,5 kg\nB,7 kg\n", order, "B A", "", ""},
		{weights, filter("gt", `"100 kg"`), "C", "", ""},
		{weights, filter("eq", `"5000 g"`), "A", "", ""},
		{weights, filter("between", `["1 kg","10 kg"]`), "A", "", ""},
		{weights, filter("gt", `100`), "", "", "several units (g, kg, t)"},
		{weights, filter("lt", `"1 kg"`), "B", "", ""},
		{"item,w\nA,5 EUR\nB,12 EUR\nC,broken\n", filter("gt", `"6 EUR"`), "B", "", ""},
		{"item,w\nA,5 kg\nB,7 kg\nC,broken\n", filter("gt", `"6000 g"`), "B", "", ""},
		{"item,w\nA,5\nB,7\nC,broken\n", filter("gt", `"6 kg"`), "B", "", ""},
		{weights, filter("gt", `"5 m"`), "", "", "does not convert into m"},
		{money, filter("gt", `100`), "B", "says nothing", ""},
		{weights, `"derive":[{"as":"n","op":"number","left":"w"}],"order_by":[{"column":"n"}],"select":["item"]`, "B A C", "compared in g", ""},
	} {
		named, err := load.Bytes([]byte(test.csv), "d.csv", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var q plan.Query
		if err := json.Unmarshal([]byte(`{"table":"d",`+test.query+`}`), &q); err != nil {
			t.Fatal(err)
		}
		got, notes, _, err := pipeline.Run(t.Context(), q, func(string) (*table.Table, error) { return named.Table, nil }, nil)
		if err != nil || test.fails != "" {
			if test.fails == "" || err == nil || !strings.Contains(err.Error(), test.fails) {
				t.Errorf("%s %s: error %v, want %q", test.csv, test.query, err, test.fails)
			}
			continue
		}
		var items []string
		for row := range got.NumRows() {
			items = append(items, got.Value(row, 0).Text())
		}
		if diff := cmp.Diff(test.want, strings.Join(items, " ")); diff != "" || strings.Contains(strings.Join(notes, " "), test.note) == false || test.note == "" && len(notes) > 0 {
			t.Errorf("%s %s: notes %q %s", test.csv, test.query, notes, diff)
		}
	}
}
