package offline

import (
	"testing"

	"catena/planner/plan"
)

// Where a name stands in several rows, who has most is told by the totals of each name, not by single rows.
func TestListingComparesTotals(t *testing.T) {
	deals := plan.TableInfo{Name: "deals", Rows: 4, Columns: []plan.ColumnInfo{
		{Name: "customer", Type: "text", Role: "dimension", Distinct: 2},
		{Name: "revenue", Type: "integer", Role: "measure", Min: "100", Max: "900", Distinct: 4},
		{Name: "rating", Type: "integer", Role: "measure", Min: "1", Max: "5", Distinct: 4, NoSum: "a rating"},
	}}
	values := fakeValues{
		"orca": {Table: "deals", Column: "customer", Value: "Orca", Match: plan.Exact, Score: 1, Rows: 2, Values: 1},
		"vela": {Table: "deals", Column: "customer", Value: "Vela", Match: plan.Exact, Score: 1, Rows: 2, Values: 1},
	}
	orca, vela := `{"column":"customer","op":"eq","value":"Orca"}`, `{"column":"customer","op":"eq","value":"Vela"}`
	totals := `"group_by":["customer"],"limit":1,"order_by":[{"column":"sum_revenue","desc":true}],"select":["customer",{"column":"revenue","expr":"sum"}],"table":"deals"`
	for message, want := range map[string]string{
		"who has more revenue, Orca or Vela?":    `{"filter":[{"any":[` + orca + `,` + vela + `]},{"column":"revenue","op":"not_null"}],` + totals + `}`,
		"which customer has the most revenue?":   `{"filter":[{"column":"revenue","op":"not_null"},{"column":"customer","op":"not_null"}],` + totals + `,"with_ties":true}`,
		"who has the most revenue?":              `{"filter":[{"column":"revenue","op":"not_null"},{"column":"customer","op":"not_null"}],` + totals + `,"with_ties":true}`,
		"does Orca have more revenue than Vela?": `{"select":[{"as":"Orca","column":"revenue","expr":"sum","filter":[` + orca + `]},{"as":"Vela","column":"revenue","expr":"sum","filter":[` + vela + `]}],"table":"deals"}` + "\n" + `{"data":{"$ref":"s1"},"derive":[{"as":"answer","left":"Orca","op":"more","right":"Vela"}]}`,
		"who has more revenue than Orca?": `{"group_by":["customer"],"select":["customer",{"column":"revenue","expr":"sum"}],"table":"deals"}` + "\n" +
			`{"data":{"$ref":"s1"},"filter":[{"column":"sum_revenue","op":"gt","value":{"column":"sum_revenue","expr":"first","filter":[` + orca + `]}},{"column":"customer","op":"ne","value":"Orca"}]}`,
		"which record has the most revenue?":             `{"filter":[{"column":"revenue","op":"not_null"}],"limit":1,"order_by":[{"column":"revenue","desc":true}],"select":["customer","revenue"],"table":"deals","with_ties":true}`,
		"which customer has the highest rating?":         `{"filter":[{"column":"rating","op":"not_null"}],"limit":1,"order_by":[{"column":"rating","desc":true}],"select":["customer","rating"],"table":"deals","with_ties":true}`,
		"which customer has the largest single revenue?": `{"filter":[{"column":"revenue","op":"not_null"}],"limit":1,"order_by":[{"column":"revenue","desc":true}],"select":["customer","revenue"],"table":"deals","with_ties":true}`,
	} {
		req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{deals}, Values: values, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); got != want {
			t.Errorf("%q gave\n%s, want\n%s", message, got, want)
		}
	}
}
