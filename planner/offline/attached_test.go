package offline

import (
	"testing"

	"catena/planner/plan"
)

// orders came with the message; clients were there before and have its words too.
var (
	orders = plan.TableInfo{Name: "orders", Rows: 3, Source: "upload", Attached: true, Columns: []plan.ColumnInfo{
		{Name: "client", Type: "text", Role: "dimension", Distinct: 3},
		{Name: "region", Type: "text", Role: "dimension", Distinct: 2},
		{Name: "revenue_eur", Type: "integer", Role: "measure", Unit: "EUR", Min: "10", Max: "30", Distinct: 3},
	}}
	clients = plan.TableInfo{Name: "clients", Rows: 112, Source: "demo", Columns: []plan.ColumnInfo{
		{Name: "client", Type: "text", Role: "dimension", Distinct: 112},
		{Name: "region", Type: "text", Role: "dimension", Distinct: 4},
		{Name: "country", Type: "text", Role: "dimension", Distinct: 20},
		{Name: "revenue_usd", Type: "decimal", Role: "measure", Unit: "USD", Min: "10", Max: "30", Distinct: 100},
	}}
)

func TestAttachedTablesGoFirst(t *testing.T) {
	for _, c := range []struct{ message, table string }{
		{"top 3 clients by revenue", "orders"},
		{"total revenue by region", "orders"},
		{"show the attached table", "orders"},
		{"what is in this file?", "orders"},
		{"average revenue in this spreadsheet", "orders"},
		{"how many rows are in it?", "orders"},
		{"total revenue by country", "clients"},
	} {
		req := plan.Request{Message: c.message, Now: testNow, Tables: []plan.TableInfo{clients, orders}, Values: testValues, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if len(resp.Plan.Steps) == 0 || resp.Plan.Steps[0].Args["table"] != c.table {
			t.Errorf("%q: %s %s%s, want a query of %s", c.message, stepsOf(resp.Plan), resp.Plan.Refuse, resp.Plan.Clarify, c.table)
		}
	}
}

func TestThisFileIsTheNewestUpload(t *testing.T) {
	earlier := orders
	earlier.Attached = false
	for message, want := range map[string]string{"show this file": "orders", "total revenue in the uploaded file": "orders", "how many clients are there": "clients"} {
		req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{clients, earlier}, Values: testValues, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if len(resp.Plan.Steps) == 0 || resp.Plan.Steps[0].Args["table"] != want {
			t.Errorf("%q: %s %s, want a query of %s", message, stepsOf(resp.Plan), resp.Plan.Refuse, want)
		}
	}
}

func TestAttachedButElsewhere(t *testing.T) {
	req := plan.Request{Message: "total weather in this file", Now: testNow, Tables: []plan.TableInfo{clients, orders}, Values: testValues, Tools: testTools}
	resp, err := New().Plan(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.Plan.Steps) > 0 {
		t.Errorf("a question about what the file does not have was planned: %s", stepsOf(resp.Plan))
	}
}
