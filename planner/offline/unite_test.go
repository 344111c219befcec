package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

func TestTablesOfOneShapeAreReadTogether(t *testing.T) {
	month := func(name string) plan.TableInfo {
		return plan.TableInfo{Name: name, Rows: 40, Source: name + ".csv", Columns: []plan.ColumnInfo{
			{Name: "invoice_id", Type: "integer", Role: "identifier", Min: "1", Max: "40", Distinct: 40, NoSum: "an identifier"},
			{Name: "customer", Type: "text", Role: "dimension", Distinct: 9},
			{Name: "amount", Type: "decimal", Role: "measure", Min: "1.00", Max: "90.00", Distinct: 40},
		}}
	}
	tables := []plan.TableInfo{month("invoices_jan"), month("invoices_feb"), month("invoices_mar")}
	both := `"table":"invoices_jan","union":["invoices_feb","invoices_mar"]}`
	for message, want := range map[string]string{
		"how many invoices":                 `{"select":[{"as":"count","expr":"count"}],` + both,
		"total amount by customer":          `{"group_by":["customer"],"select":["customer",{"column":"amount","expr":"sum"}],` + both,
		"largest invoice":                   `{"limit":1,"order_by":[{"column":"amount","desc":true}],"select":["customer","amount"],"table":"invoices_jan","union":["invoices_feb","invoices_mar"],"with_ties":true}`,
		"total amount of invoices_feb":      `{"select":[{"column":"amount","expr":"sum"}],"table":"invoices_feb"}`,
		"total amount in the february file": `{"select":[{"column":"amount","expr":"sum"}],"table":"invoices_feb"}`,
		"show all":                          `{` + both,
	} {
		req := plan.Request{Message: message, Now: testNow, Tables: tables, Values: fakeValues{}, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); got != want {
			t.Errorf("%q gave\n%s, want\n%s", message, got, want)
		}
		if said := strings.Contains(strings.Join(resp.Notes, " "), "Read together"); said != strings.Contains(want, "union") {
			t.Errorf("%q: notes %q", message, resp.Notes)
		}
	}
}
