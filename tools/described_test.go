package tools

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/load"
)

func TestDescribed(t *testing.T) {
	records, err := load.Any(json.RawMessage(`[{"id":1,"mrr":12.5,"state":"open","at":{"h":3}}]`), table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	row := `{"type":"object","properties":{"id":{"title":"Id"},"mrr":{"title":"Monthly recurring revenue","description":"At the end\nof the month","x-unit":"USD"},
		"state":{"enum":["open","done"],"description":"What became of it"},"at":{"$ref":"#/$defs/place"}}}`
	defs := `"$defs":{"row":` + row + `,"place":{"properties":{"h":{"description":"Above the sea.","unit":"m"}}},"loop":{"$ref":"#/$defs/loop"}}`
	want := []table.Column{
		{Name: "id", Type: table.Int, Title: "Id"},
		{Name: "mrr", Type: table.Decimal, Scale: 1, Unit: "USD", Title: "Monthly recurring revenue", About: "At the end of the month"},
		{Name: "state", Type: table.Text, About: "What became of it. One of open, done."},
		{Name: "at.h", Type: table.Int, Unit: "m", About: "Above the sea."},
	}
	for name, schema := range map[string]string{
		"list":      `{"type":"array","items":` + row + `,` + defs + `}`,
		"reference": `{"type":"object","properties":{"items":{"type":"array","items":{"$ref":"#/$defs/row"}},"total":{"type":"integer"}},` + defs + `}`,
		"choice":    `{"properties":{"out":{"anyOf":[{"type":"null"},{"items":{"allOf":[{"$ref":"#/$defs/row"}]}}]}},` + defs + `}`,
		"wire":      `{"properties":{"columns":{"items":{"properties":{"name":{},"type":{}}}},"rows":{"items":{"$ref":"#/$defs/row"}}},` + defs + `}`,
	} {
		if diff := cmp.Diff(want, Described(records, json.RawMessage(schema)).Columns()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for _, schema := range []string{``, `nothing`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}}`, `{"properties":{"other":{"description":"x"}}}`, `{"items":{"$ref":"#"}}`, `[1]`} {
		if got := Described(records, json.RawMessage(schema)); got != records {
			t.Errorf("%s changed the table", schema)
		}
	}
}
