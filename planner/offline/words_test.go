package offline

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
)

// trade is a small trading house: who buys, what they paid by month, what they asked for help with, and what money is worth.
var trade = []plan.TableInfo{
	{Name: "buyers", Rows: 60, Columns: []plan.ColumnInfo{
		{Name: "buyer", Type: "text", Role: "dimension", Distinct: 60},
		{Name: "area", Type: "text", Role: "dimension", Distinct: 4},
		{Name: "account_lead", Type: "text", Role: "dimension", Distinct: 7, Nulls: 5},
		{Name: "remote", Type: "boolean", Role: "dimension", Distinct: 2},
		{Name: "gross_margin", Type: "decimal", Role: "measure", Unit: "%", Min: "0.1", Max: "0.6", Distinct: 50},
	}},
	{Name: "revenue", Rows: 2000, Columns: []plan.ColumnInfo{
		{Name: "buyer", Type: "text", Role: "dimension", Distinct: 60},
		{Name: "area", Type: "text", Role: "dimension", Distinct: 4},
		{Name: "month", Type: "date", Role: "time", Min: "2023-12-01", Max: "2026-11-01", Distinct: 36},
		{Name: "revenue", Type: "decimal", Role: "measure", Min: "1.00", Max: "900000.00", Distinct: 1900},
		{Name: "currency", Type: "text", Role: "dimension", Distinct: 3},
		{Name: "revenue_usd", Type: "decimal", Role: "measure", Unit: "USD", Min: "1.00", Max: "9000.00", Distinct: 1900},
		{Name: "cost_usd", Type: "decimal", Role: "measure", Unit: "USD", Min: "1.00", Max: "8000.00", Distinct: 1900},
		{Name: "orders", Type: "integer", Role: "measure", Min: "1", Max: "40", Distinct: 40},
	}},
	{Name: "tickets", Rows: 500, Columns: []plan.ColumnInfo{
		{Name: "buyer", Type: "text", Role: "dimension", Distinct: 58},
		{Name: "opened", Type: "datetime", Role: "time", Min: "2023-12-01T07:00:00Z", Max: "2026-11-14T07:00:00Z", Distinct: 500},
		{Name: "closed", Type: "datetime", Role: "time", Min: "2023-12-03T07:00:00Z", Max: "2026-11-14T09:00:00Z", Distinct: 450, Nulls: 50},
		{Name: "status", Type: "text", Role: "dimension", Distinct: 3},
		{Name: "assignee", Type: "text", Role: "dimension", Distinct: 9},
		{Name: "first_response_minutes", Type: "integer", Role: "measure", Unit: "min", Min: "5", Max: "900", Distinct: 200},
	}},
	{Name: "fx", Rows: 180, Columns: []plan.ColumnInfo{
		{Name: "month", Type: "date", Role: "time", Min: "2023-12-01", Max: "2026-11-01", Distinct: 36},
		{Name: "currency", Type: "text", Role: "dimension", Distinct: 3},
		{Name: "usd_per_unit", Type: "decimal", Role: "measure", Min: "0.006", Max: "1.3", Distinct: 140},
	}},
	{Name: "goods", Rows: 30, Columns: []plan.ColumnInfo{
		{Name: "good", Type: "text", Role: "dimension", Distinct: 30},
		{Name: "line", Type: "text", Role: "dimension", Distinct: 3},
		{Name: "qty", Type: "integer", Role: "measure", Min: "0", Max: "90", Distinct: 20},
		{Name: "price", Type: "decimal", Role: "measure", Unit: "USD", Min: "0.50", Max: "80.00", Distinct: 28},
		{Name: "duration_ms", Type: "integer", Role: "measure", Unit: "ms", Min: "5", Max: "900", Distinct: 28},
	}},
	{Name: "visits", Rows: 30, Columns: []plan.ColumnInfo{
		{Name: "visit_date", Type: "text", Role: "dimension", Distinct: 30},
		{Name: "guests", Type: "integer", Role: "measure", Min: "0", Max: "90", Distinct: 20},
	}},
}

// tradeValues holds each value in every table that has it.
type tradeValues map[string][]plan.Hit

func (f tradeValues) Find(_ context.Context, phrase string) []plan.Hit {
	return f[plan.FoldKey(phrase)]
}

func places(column, value string, tables ...string) []plan.Hit {
	var out []plan.Hit
	for _, t := range tables {
		out = append(out, exact(t, column, value))
	}
	return out
}

var tradeKnown = tradeValues{
	"north": places("area", "North", "buyers", "revenue"), "south": places("area", "South", "buyers", "revenue"),
	"gbp": places("currency", "GBP", "revenue", "fx"), "jpy": places("currency", "JPY", "revenue", "fx"),
	"closed": places("status", "closed", "tickets"), "open": places("status", "open", "tickets"),
	"it": places("line", "IT", "goods"), "hr": places("line", "HR", "goods"), "a": places("line", "A", "goods"),
}

func tradePlan(t testing.TB, message string) plan.Plan {
	t.Helper()
	now := time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)
	resp, err := New().Plan(t.Context(), plan.Request{Message: message, Now: now, Tables: trade, Values: tradeKnown})
	if err != nil {
		t.Fatal(err)
	}
	return resp.Plan
}

const sumOfRevenue = `"select":[{"column":"revenue_usd","expr":"sum"}],"table":"revenue"}`

func TestOfflineWordsThatChangeAQuestion(t *testing.T) {
	cases := []struct{ question, want string }{
		{"total revenue last year", `{"filter":[{"column":"month","op":"eq","value":"2025"}],` + sumOfRevenue},
		{"total revenue last month", `{"filter":[{"column":"month","op":"eq","value":"2026-10"}],` + sumOfRevenue},
		{"total revenue in the previous quarter", `{"filter":[{"column":"month","op":"eq","value":"2026-Q3"}],` + sumOfRevenue},
		{"total revenue last week", `{"filter":[{"column":"month","op":"between","value":["2026-11-02","2026-11-08"]}],` + sumOfRevenue},
		{"revenue over the last year", `{"filter":[{"column":"month","op":"ge","value":"2025-12"}],` + sumOfRevenue},
		{"total revenue of last month and this month", `{"filter":[{"column":"month","op":"in","value":["2026-10","2026-11"]}],` + sumOfRevenue},
		{"revenue in Q3 2025", `{"filter":[{"column":"month","op":"eq","value":"2025-Q3"}],` + sumOfRevenue},
		{"this month's revenue", `{"filter":[{"column":"month","op":"eq","value":"2026-11"}],` + sumOfRevenue},
		{"orders in the last 3 months", `{"filter":[{"column":"month","op":"ge","value":"2026-09"}],"select":[{"column":"orders","expr":"sum"}],"table":"revenue"}`},
		{"sum of cost_usd by area", `{"group_by":["area"],"select":["area",{"column":"cost_usd","expr":"sum"}],"table":"revenue"}`},
		{"sales by area", `{"group_by":["area"],"select":["area",{"column":"revenue_usd","expr":"sum"}],"table":"revenue"}`},
		{"how many tickets were closed last month", `{"filter":[{"column":"closed","op":"eq","value":"2026-10"}],"select":[{"as":"count","expr":"count"}],"table":"tickets"}`},
		{"number of tickets closed per month in 2026", `{"filter":[{"column":"closed","op":"eq","value":"2026"}],"group_by":[{"column":"closed","period":"month"}],"select":["closed",{"as":"count","expr":"count"}],"table":"tickets"}`},
		{"which assignee has the most unresolved tickets?", `{"filter":[{"column":"status","op":"ne","value":"closed"}],"group_by":["assignee"],"limit":1,"order_by":[{"column":"count","desc":true}],"select":["assignee",{"as":"count","expr":"count"}],"table":"tickets","with_ties":true}`},
		{"top 5 buyers with most tickets", `{"group_by":["buyer"],"limit":5,"order_by":[{"column":"count","desc":true}],"select":["buyer",{"as":"count","expr":"count"}],"table":"tickets"}`},
		{"lowest first response time", `{"select":[{"column":"first_response_minutes","expr":"min"}],"table":"tickets"}`},
		{"how many buyers have no account lead", `{"filter":[{"column":"account_lead","op":"is_null"}],"select":[{"as":"count","expr":"count"}],"table":"buyers"}`},
		{"how many buyers per account lead", `{"filter":[{"column":"account_lead","op":"not_null"}],"group_by":["account_lead"],"select":["account_lead",{"as":"count","expr":"count"}],"table":"buyers"}`},
		{"how many remote buyers", `{"filter":[{"column":"remote","op":"eq","value":true}],"select":[{"as":"count","expr":"count"}],"table":"buyers"}`},
		{"how many buyers are not remote", `{"filter":[{"column":"remote","op":"eq","value":false}],"select":[{"as":"count","expr":"count"}],"table":"buyers"}`},
		{"buyers whose name starts with Y", `{"distinct":true,"filter":[{"column":"buyer","op":"starts_with","value":"Y"}],"select":["buyer"],"table":"buyers"}`},
		{"buyers in North or with gross margin over 0.5", `{"distinct":true,"filter":[{"any":[{"column":"area","op":"eq","value":"North"},{"column":"gross_margin","op":"gt","value":0.5}]}],"select":["buyer"],"table":"buyers"}`},
		{"buyers in North or South with gross margin over 0.5", `{"distinct":true,"filter":[{"column":"gross_margin","op":"gt","value":0.5},{"column":"area","op":"in","value":["North","South"]}],"select":["buyer"],"table":"buyers"}`},
		{"who are the biggest buyers in North by revenue?", `{"filter":[{"column":"area","op":"eq","value":"North"}],"group_by":["buyer"],"limit":10,"order_by":[{"column":"sum_revenue_usd","desc":true}],"select":["buyer",{"column":"revenue_usd","expr":"sum"}],"table":"revenue"}`},
		{"highest GBP rate ever", `{"filter":[{"column":"currency","op":"eq","value":"GBP"}],"select":[{"column":"usd_per_unit","expr":"max"}],"table":"fx"}`},
		{"what is the usd rate of JPY in June 2026", `{"filter":[{"column":"month","op":"eq","value":"2026-06"},{"column":"currency","op":"eq","value":"JPY"}],"select":[{"column":"usd_per_unit","expr":"mean"}],"table":"fx"}`},
		{"first response time last month", `{"filter":[{"column":"opened","op":"eq","value":"2026-10"}],"select":[{"column":"first_response_minutes","expr":"mean"}],"table":"tickets"}`},
		{"average fx rate by currency in 2026", `{"filter":[{"column":"month","op":"eq","value":"2026"}],"group_by":["currency"],"select":["currency",{"column":"usd_per_unit","expr":"mean"}],"table":"fx"}`},
		{"goods in IT or HR", `{"distinct":true,"filter":[{"column":"line","op":"in","value":["IT","HR"]}],"select":["good"],"table":"goods"}`},
		{"total qty of line A", `{"filter":[{"column":"line","op":"eq","value":"A"}],"select":[{"column":"qty","expr":"sum"}],"table":"goods"}`},
		{"goods out of stock", `{"distinct":true,"filter":[{"column":"qty","op":"eq","value":0}],"select":["good"],"table":"goods"}`},
		{"total price times qty", `{"derive":[{"as":"price_times_qty","left":"price","op":"mul","right":"qty"}],"select":[{"column":"price_times_qty","expr":"sum"}],"table":"goods"}`},
		{"slowest good", `{"limit":1,"order_by":[{"column":"duration_ms","desc":true}],"select":["good","duration_ms"],"table":"goods","with_ties":true}`},
	}
	for _, c := range cases {
		t.Run(c.question, func(t *testing.T) {
			if diff := cmp.Diff(c.want, stepsOf(tradePlan(t, c.question))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOfflineTotalsOfTotals(t *testing.T) {
	sums := `"select":["area",{"column":"revenue_usd","expr":"sum"},{"column":"cost_usd","expr":"sum"}],"table":"revenue"}`
	cases := []struct{ question, want string }{
		{"difference between revenue and cost by area in 2025", `{"filter":[{"column":"month","op":"eq","value":"2025"}],"group_by":["area"],` + sums + "\n" +
			`{"data":{"$ref":"s1"},"derive":[{"as":"difference","left":"sum_revenue_usd","op":"sub","right":"sum_cost_usd"}]}`},
		{"profit by area", `{"group_by":["area"],` + sums + "\n" + `{"data":{"$ref":"s1"},"derive":[{"as":"profit","left":"sum_revenue_usd","op":"sub","right":"sum_cost_usd"}]}`},
		{"most profitable area", `{"group_by":["area"],` + sums + "\n" +
			`{"data":{"$ref":"s1"},"derive":[{"as":"profit","left":"sum_revenue_usd","op":"sub","right":"sum_cost_usd"}],"limit":1,"order_by":[{"column":"profit","desc":true}],"with_ties":true}`},
		{"average revenue per order by area", `{"group_by":["area"],"select":["area",{"column":"revenue_usd","expr":"sum"},{"column":"orders","expr":"sum"}],"table":"revenue"}` + "\n" +
			`{"data":{"$ref":"s1"},"derive":[{"as":"revenue_usd_per_order","left":"sum_revenue_usd","op":"div","right":"sum_orders"}]}`},
		{"average revenue per buyer in 2025", `{"filter":[{"column":"month","op":"eq","value":"2025"}],"group_by":["buyer"],"select":["buyer",{"as":"revenue_usd","column":"revenue_usd","expr":"sum"}],"table":"revenue"}` + "\n" +
			`{"data":{"$ref":"s1"},"select":[{"as":"mean_revenue_usd_per_buyer","column":"revenue_usd","expr":"mean"}]}`},
		{"number of buyers with revenue over 1 million in 2025", `{"filter":[{"column":"month","op":"eq","value":"2025"}],"group_by":["buyer"],"having":[{"column":"sum_revenue_usd","op":"gt","value":1000000}],"select":["buyer",{"column":"revenue_usd","expr":"sum"}],"table":"revenue"}` + "\n" +
			`{"data":{"$ref":"s1"},"select":[{"as":"count","expr":"count"}]}`},
		{"second largest buyer by revenue", `{"group_by":["buyer"],"limit":1,"offset":1,"order_by":[{"column":"sum_revenue_usd","desc":true}],"select":["buyer",{"column":"revenue_usd","expr":"sum"}],"table":"revenue"}`},
		{"top 3 buyers per area by revenue", `{"group_by":["buyer","area"],"limit":3,"limit_by":["area"],"order_by":[{"column":"sum_revenue_usd","desc":true}],"select":["buyer","area",{"column":"revenue_usd","expr":"sum"}],"table":"revenue"}`},
		{"revenue for buyers with name starting with Y", `{"filter":[{"column":"buyer","op":"starts_with","value":"Y"}],"group_by":["buyer"],"select":["buyer",{"column":"revenue_usd","expr":"sum"}],"table":"revenue"}`},
		{"top 5 buyers by growth", `{"group_by":["buyer"],"select":["buyer",` +
			`{"as":"revenue_usd Nov 2024 to Oct 2025","column":"revenue_usd","expr":"sum","filter":[{"column":"month","op":"between","value":["2024-11","2025-10"]}]},` +
			`{"as":"revenue_usd Nov 2025 to Oct 2026","column":"revenue_usd","expr":"sum","filter":[{"column":"month","op":"between","value":["2025-11","2026-10"]}]}],"table":"revenue"}` + "\n" +
			`{"data":{"$ref":"s1"},"derive":[{"as":"change","left":"revenue_usd Nov 2025 to Oct 2026","op":"sub","right":"revenue_usd Nov 2024 to Oct 2025"},{"as":"change_percent","left":"change","op":"percent","right":"revenue_usd Nov 2024 to Oct 2025"}],"limit":5,"order_by":[{"column":"change","desc":true}]}`},
		{"year over year growth of revenue", `{"select":[` +
			`{"as":"revenue_usd 2024","column":"revenue_usd","expr":"sum","filter":[{"column":"month","op":"between","value":["2024-01","2024-12"]}]},` +
			`{"as":"revenue_usd 2025","column":"revenue_usd","expr":"sum","filter":[{"column":"month","op":"between","value":["2025-01","2025-12"]}]}],"table":"revenue"}` + "\n" +
			`{"data":{"$ref":"s1"},"derive":[{"as":"change 2025","left":"revenue_usd 2025","op":"sub","right":"revenue_usd 2024"},{"as":"change_percent 2025","left":"change 2025","op":"percent","right":"revenue_usd 2024"}],"select":["revenue_usd 2024","revenue_usd 2025","change_percent 2025"]}`},
	}
	for _, c := range cases {
		t.Run(c.question, func(t *testing.T) {
			if diff := cmp.Diff(c.want, stepsOf(tradePlan(t, c.question))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOfflineRefusesWhatNothingComputes(t *testing.T) {
	for message, part := range map[string]string{
		"which buyers have no tickets?":                       `"no"`,
		"buyers without tickets":                              `"without"`,
		"cumulative revenue by month":                         `"cumulative"`,
		"running total of revenue by month":                   `"running"`,
		"revenue next month":                                  `"next"`,
		"total revenue unless North":                          `"unless"`,
		"how long does it take to close a ticket on average?": "the time from opened to closed",
		"total guests by month":                               "visit_date is text",
		"guests in 2025":                                      "visit_date is text",
		"hello":                                               "Hello! Ask me about",
		"growth of qty by line":                               `"growth"`,
		"thanks!":                                             "You are welcome.",
	} {
		if p := tradePlan(t, message); !strings.Contains(p.Refuse, part) {
			t.Errorf("%q gave %s, want a refusal with %s", message, stepsOf(p), part)
		}
	}
}

func TestOfflineChangeOfEach(t *testing.T) {
	const month = `{"change":{"column":"revenue_usd","every":true,"order":"month"},"group_by":[{"column":"month","period":"month"}],`
	for question, want := range map[string]string{
		"month over month growth of revenue":    month + `"select":["month",{"as":"revenue_usd","column":"revenue_usd","expr":"sum"}],"table":"revenue"}`,
		"which month fell the most in revenue?": `{"change":{"column":"revenue_usd","every":true,"order":"month"},"group_by":[{"column":"month","period":"month"}],"limit":1,"order_by":[{"column":"change"}],"select":["month",{"as":"revenue_usd","column":"revenue_usd","expr":"sum"}],"table":"revenue"}`,
		"growth of revenue by month":            month + `"select":["month",{"as":"revenue_usd","column":"revenue_usd","expr":"sum"}],"table":"revenue"}`,
	} {
		if diff := cmp.Diff(want, stepsOf(tradePlan(t, question))); diff != "" {
			t.Errorf("%s: %s", question, diff)
		}
	}
}
