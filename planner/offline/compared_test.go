package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"

	"github.com/google/go-cmp/cmp"
)

var (
	ordered = plan.TableInfo{Name: "orders", Rows: 500, Columns: []plan.ColumnInfo{
		{Name: "order_id", Type: "integer", Role: "identifier", Min: "10001", Max: "10500", Distinct: 500},
		{Name: "customer", Type: "text", Role: "dimension", Distinct: 90},
		{Name: "country", Type: "text", Role: "dimension", Distinct: 5},
		{Name: "amount", Type: "decimal", Role: "measure", Min: "12.50", Max: "9800.00", Distinct: 480},
		{Name: "items", Type: "integer", Role: "measure", Min: "1", Max: "40", Distinct: 40},
	}}
	orderedValues = fakeValues{
		"spain":    exact("orders", "country", "Spain"),
		"portugal": exact("orders", "country", "Portugal"),
	}
)

// A number is compared with what it can be: not with an identifier that only says what the rows are.
func TestOfflineWhatIsCompared(t *testing.T) {
	const order = `"select":["customer","amount","order_id","country","items"],"table":"orders"}`
	cases := []struct{ message, want, note string }{
		{"orders over 3000", `{"filter":[{"column":"amount","op":"gt","value":3000}],` + order, "“3000” was compared with amount"},
		{"orders over 20", "clarify: Which column is to be compared with 20: amount, items?", ""},
		{"orders with order id over 10400", `{"distinct":true,"filter":[{"column":"order_id","op":"gt","value":10400}],"select":["order_id"],"table":"orders"}`, ""},
		{"amount by customer over 3000", `{"group_by":["customer"],"having":[{"column":"sum_amount","op":"gt","value":3000}],"select":["customer",{"column":"amount","expr":"sum"}],"table":"orders"}`, ""},
		{"customers with total amount over 3000", `{"group_by":["customer"],"having":[{"column":"sum_amount","op":"gt","value":3000}],"select":["customer",{"column":"amount","expr":"sum"}],"table":"orders"}`, ""},
		{"number of orders by customer with amount over 3000", `{"filter":[{"column":"amount","op":"gt","value":3000}],"group_by":["customer"],"select":["customer",{"as":"count","expr":"count"}],"table":"orders"}`, ""},
		{"compare Spain and Portugal", `{"filter":[{"column":"country","op":"in","value":["Spain","Portugal"]}],"group_by":["country"],"select":["country",{"as":"count","expr":"count"},{"column":"amount","expr":"sum"},{"column":"items","expr":"sum"}],"table":"orders"}`, ""},
	}
	for _, c := range cases {
		t.Run(c.message, func(t *testing.T) {
			req := plan.Request{Message: c.message, Now: testNow, Tables: []plan.TableInfo{ordered}, Values: orderedValues, Tools: testTools}
			resp, err := New().Plan(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, stepsOf(resp.Plan)); diff != "" {
				t.Error(diff)
			}
			if got := strings.Join(resp.Notes, " "); !strings.Contains(got, c.note) {
				t.Errorf("note %q", got)
			}
		})
	}
}

// A column's whole name is no time, though there is a year in it.
func TestOfflineNamesWithYears(t *testing.T) {
	wide := plan.TableInfo{Name: "wide", Rows: 9, Columns: []plan.ColumnInfo{{Name: "region", Type: "text", Distinct: 9},
		{Name: "2024 Q1", Type: "integer", Role: "measure", Min: "1", Max: "90"}, {Name: "2024 Q2", Type: "integer", Role: "measure", Min: "1", Max: "90"}}}
	for message, want := range map[string]string{
		"total 2024 Q1":           `{"select":[{"column":"2024 Q1","expr":"sum"}],"table":"wide"}`,
		"total 2024 Q2 by region": `{"group_by":["region"],"select":["region",{"column":"2024 Q2","expr":"sum"}],"table":"wide"}`,
	} {
		resp, err := New().Plan(t.Context(), plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{wide}, Values: fakeValues{}, Tools: testTools})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, stepsOf(resp.Plan)); diff != "" {
			t.Error(diff)
		}
	}
}

// What has not happened has an empty time; all but one leaves that one out.
func TestOfflineWhatIsNot(t *testing.T) {
	cases := plan.TableInfo{Name: "cases", Rows: 90, Columns: []plan.ColumnInfo{{Name: "case_no", Type: "integer", Role: "identifier", Distinct: 90},
		{Name: "opened", Type: "date", Role: "time", Min: "2026-01-01", Max: "2026-03-01", Distinct: 60}, {Name: "closed", Type: "date", Role: "time", Min: "2026-01-02", Max: "2026-03-05", Distinct: 50, Nulls: 12},
		{Name: "country", Type: "text", Role: "dimension", Distinct: 4}, {Name: "priority", Type: "text", Role: "dimension", Distinct: 3}, {Name: "cost", Type: "decimal", Role: "measure", Min: "1", Max: "900", Distinct: 80}}}
	values := fakeValues{"spain": exact("cases", "country", "Spain"), "high": exact("cases", "priority", "high"), "low": exact("cases", "priority", "low")}
	for message, want := range map[string]string{
		"total cost of cases not closed": `{"filter":[{"column":"closed","op":"is_null"}],"select":[{"column":"cost","expr":"sum"}],"table":"cases"}`,
		"total cost of open cases":       `{"filter":[{"column":"closed","op":"is_null"}],"select":[{"column":"cost","expr":"sum"}],"table":"cases"}`,
		"average cost of high cases":     `{"filter":[{"column":"priority","op":"eq","value":"high"}],"select":[{"column":"cost","expr":"mean"}],"table":"cases"}`,
		"total cost of low and high":     `{"filter":[{"column":"priority","op":"in","value":["low","high"]}],"select":[{"column":"cost","expr":"sum"}],"table":"cases"}`,
		"total cost of all but Spain":    `{"filter":[{"column":"country","op":"ne","value":"Spain"}],"select":[{"column":"cost","expr":"sum"}],"table":"cases"}`,
		"total cost of all except Spain": `{"filter":[{"column":"country","op":"ne","value":"Spain"}],"select":[{"column":"cost","expr":"sum"}],"table":"cases"}`,
	} {
		resp, err := New().Plan(t.Context(), plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{cases}, Values: values, Tools: testTools})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, stepsOf(resp.Plan)); diff != "" {
			t.Errorf("%s: %s", message, diff)
		}
	}
}

// In a short table of days too, a period before today is not the last row.
func TestOfflineLastMonthOfLists(t *testing.T) {
	days := plan.TableInfo{Name: "till", Rows: 6, Columns: []plan.ColumnInfo{{Name: "day", Type: "date", Role: "time", Min: "2026-01-15", Max: "2026-10-20", Distinct: 6},
		{Name: "customer", Type: "text", Distinct: 4}, {Name: "revenue", Type: "integer", Role: "measure", Min: "1", Max: "90", Distinct: 6}}}
	resp, err := New().Plan(t.Context(), plan.Request{Message: "total revenue last month", Now: testNow, Tables: []plan.TableInfo{days}, Values: fakeValues{}, Tools: testTools})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`{"filter":[{"column":"day","op":"eq","value":"2026-10"}],"select":[{"column":"revenue","expr":"sum"}],"table":"till"}`, stepsOf(resp.Plan)); diff != "" {
		t.Error(diff)
	}
}
