package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

// A limit keeps its unit where the cells have theirs.
func TestLimitsKeepTheirUnits(t *testing.T) {
	table := plan.TableInfo{Name: "parcels", Rows: 3, Columns: []plan.ColumnInfo{
		{Name: "item", Type: "text", Role: "dimension", Distinct: 3},
		{Name: "weight", Type: "text", Role: "measure", Distinct: 3},
	}}
	for message, want := range map[string]string{
		"items over 100 kg":                        `{"column":"weight","op":"gt","value":"100 kg"}`,
		"items with weight under 1 t":              `{"column":"weight","op":"lt","value":"1 t"}`,
		"how many items over 1 kg":                 `{"column":"weight","op":"gt","value":"1 kg"}`,
		"items over 2 kilograms":                   `{"column":"weight","op":"gt","value":"2 kg"}`,
		"items heavier than 2 kg":                  `{"column":"weight","op":"gt","value":"2 kg"}`,
		"parcels over 100kg":                       `{"column":"weight","op":"gt","value":"100 kg"}`,
		"items with weight between 300 g and 2 kg": `{"column":"weight","op":"between","value":["0.3 kg","2 kg"]}`,
		"items with weight between 3 and 20 kg":    `{"column":"weight","op":"between","value":["3 kg","20 kg"]}`,
	} {
		resp, err := New().Plan(t.Context(), plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{table}, Values: fakeValues{}, Tools: testTools})
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); !strings.Contains(got, want) {
			t.Errorf("%q gave\n%s, want\n%s", message, got, want)
		}
	}
}
