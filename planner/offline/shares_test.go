package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

// bills is a table of which each row is one bill.
var bills = plan.TableInfo{Name: "ledgers", Rows: 12, Columns: []plan.ColumnInfo{
	{Name: "bill_id", Type: "integer", Role: "identifier", Min: "1", Max: "12", Distinct: 12},
	{Name: "date", Type: "date", Role: "time", Min: "2026-01-02", Max: "2026-05-30", Distinct: 12},
	{Name: "status", Type: "text", Role: "dimension", Distinct: 3},
	{Name: "amount_usd", Label: "Amount", Type: "decimal", Role: "measure", Unit: "USD", Min: "10.00", Max: "120.00", Distinct: 12},
	{Name: "refunded", Type: "boolean", Role: "dimension", Distinct: 2},
}}

func billPlan(t testing.TB, message string) (steps, notes string) {
	t.Helper()
	req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{bills}, Values: fakeValues{"paid": exact("ledgers", "status", "paid")}, Tools: testTools}
	resp, err := New().Plan(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return stepsOf(resp.Plan), strings.Join(resp.Notes, " ")
}

// A share of things is one of their number, a share of an amount one of the amount.
func TestShareOfRows(t *testing.T) {
	for message, want := range map[string]string{
		"percentage of bills refunded":      `{"as":"percent","expr":"share","filter":[{"column":"refunded","op":"eq","value":true}]}`,
		"what % of bills were refunded":     `{"as":"percent","expr":"share","filter":[{"column":"refunded","op":"eq","value":true}]}`,
		"share of paid bills":               `{"as":"percent","expr":"share","filter":[{"column":"status","op":"eq","value":"paid"}]}`,
		"what percentage of bills are paid": `{"as":"percent","expr":"share","filter":[{"column":"status","op":"eq","value":"paid"}]}`,
		"share of bills by status":          `"share_of_total":"count"`,
		"share of amount of paid bills":     `{"as":"percent","column":"amount_usd","expr":"share","filter":[{"column":"status","op":"eq","value":"paid"}]}`,
		"share of amount by status":         `"share_of_total":"sum_amount_usd"`,
		"share of paid":                     `{"as":"percent","column":"amount_usd","expr":"share"`,
	} {
		if got, _ := billPlan(t, message); !strings.Contains(got, want) {
			t.Errorf("%q gave\n%s, want\n%s", message, got, want)
		}
	}
}
