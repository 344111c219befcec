package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

// What is plain is answered: all rows by their noun, the few largest amounts, an identifier to group by, shares of the first few.
func TestPlainQuestions(t *testing.T) {
	for message, want := range map[string]string{
		"show all bills":                            `{"table":"ledgers"}`,
		"list bills":                                `{"table":"ledgers"}`,
		"smallest 2 amounts":                        `"limit":2,"order_by":[{"column":"amount_usd"}]`,
		"largest 3 amounts":                         `"limit":3,"order_by":[{"column":"amount_usd","desc":true}]`,
		"average bill value":                        `"select":[{"column":"amount_usd","expr":"mean"}]`,
		"amount without refund":                     `"value":false`,
		"total amount by bill_id":                   `"group_by":["bill_id"]`,
		"total bill_id":                             "refuse: bill_id identifies rows",
		"top 2 statuses by amount with their share": `"share_of_total":"sum_amount_usd"`,
		"top 2 statuses by number of bills with their share": `"share_of_total":"count"`,
	} {
		if got, _ := billPlan(t, message); !strings.Contains(got, want) {
			t.Errorf("%q gave\n%s, want\n%s", message, got, want)
		}
	}
}

// Money by a name that no column has is the one plain amount, and the answer says so; it is never a count of rows.
func TestSupposedAmount(t *testing.T) {
	for message, want := range map[string]string{
		"spend by status":            `"group_by":["status"],"select":["status",{"column":"amount_usd","expr":"sum"}]`,
		"revenue by status":          `"group_by":["status"],"select":["status",{"column":"amount_usd","expr":"sum"}]`,
		"total sales":                `"select":[{"column":"amount_usd","expr":"sum"}]`,
		"average income by status":   `{"column":"amount_usd","expr":"mean"}`,
		"status with the most spend": `"order_by":[{"column":"sum_amount_usd","desc":true}]`,
	} {
		got, notes := billPlan(t, message)
		if !strings.Contains(got, want) || !strings.Contains(notes, "is taken to be amount usd, the only amount here") {
			t.Errorf("%q gave\n%s\nwith the notes %q, want\n%s", message, got, notes, want)
		}
	}
	for _, message := range []string{"number of sales by status", "weight by status", "net revenue by status"} {
		if got, notes := billPlan(t, message); strings.Contains(notes, "is taken to be") && !strings.HasPrefix(got, "refuse") {
			t.Errorf("%q gave\n%s", message, got)
		}
	}
	table := plan.TableInfo{Name: "places", Rows: 4, Columns: []plan.ColumnInfo{{Name: "country", Type: "text", Role: "dimension", Distinct: 2}, {Name: "height", Type: "integer", Role: "measure", Min: "1", Max: "9", Distinct: 4}}}
	for _, message := range []string{"spend by country", "the spend by country", "pay by country"} {
		resp, err := New().Plan(t.Context(), plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{table}, Values: fakeValues{}, Tools: testTools})
		if err != nil || resp.Plan.Refuse == "" {
			t.Errorf("%q is not refused where no column can be meant: %s, %v", message, stepsOf(resp.Plan), err)
		}
	}
}

// A profit and its margin are those of the sums, whatever they are asked of.
func TestProfitAndMargin(t *testing.T) {
	table := plan.TableInfo{Name: "regions", Rows: 2, Columns: []plan.ColumnInfo{
		{Name: "region", Type: "text", Role: "dimension", Distinct: 2},
		{Name: "revenue", Type: "integer", Role: "measure", Min: "100", Max: "200", Distinct: 2},
		{Name: "cost", Type: "integer", Role: "measure", Min: "60", Max: "150", Distinct: 2},
	}}
	const margin = `{"as":"profit_margin","left":"profit","op":"percent","right":"sum_revenue"}`
	for message, want := range map[string]string{
		"total profit":                             `{"as":"profit","left":"sum_revenue","op":"sub","right":"sum_cost"}`,
		"profit":                                   `{"as":"profit","left":"sum_revenue","op":"sub","right":"sum_cost"}`,
		"profit margin":                            margin,
		"margin by region":                         margin,
		"average profit margin":                    margin,
		"region with the highest profit margin":    `"order_by":[{"column":"profit_margin","desc":true}]`,
		"which region has the lowest gross margin": `"order_by":[{"column":"profit_margin"}]`,
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
