package offline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
)

// The tables of a small firm: accounts with what they are, invoices per month, and calls that only know the account.
var (
	accounts = plan.TableInfo{Name: "accounts", Rows: 40, Columns: []plan.ColumnInfo{
		{Name: "account_id", Type: "text", Role: "identifier", Distinct: 40},
		{Name: "account", Type: "text", Role: "dimension", Distinct: 40},
		{Name: "tier", Type: "text", Role: "dimension", Distinct: 3},
		{Name: "margin", Type: "decimal", Role: "measure", Min: "0.1", Max: "0.6", Distinct: 38},
	}}
	invoices = plan.TableInfo{Name: "invoices", Rows: 1440, Columns: []plan.ColumnInfo{
		{Name: "account_id", Type: "text", Role: "identifier", Distinct: 40},
		{Name: "account", Type: "text", Role: "dimension", Distinct: 40},
		{Name: "region", Type: "text", Role: "dimension", Distinct: 4},
		{Name: "country", Type: "text", Role: "dimension", Distinct: 9},
		{Name: "currency", Type: "text", Role: "dimension", Distinct: 3},
		{Name: "month", Type: "date", Role: "time", Min: "2023-12-01", Max: "2026-11-01", Distinct: 36},
		{Name: "turnover_usd", Type: "decimal", Role: "measure", Unit: "USD", Semantic: "Currency", Min: "10.00", Max: "99000.00", Distinct: 1400},
	}}
	phoned = plan.TableInfo{Name: "calls", Rows: 900, Columns: []plan.ColumnInfo{
		{Name: "call_id", Type: "text", Role: "identifier", Distinct: 900},
		{Name: "account_id", Type: "text", Role: "identifier", Distinct: 39},
		{Name: "priority", Type: "text", Role: "dimension", Distinct: 3},
	}}
	firmValues = fakeValues{
		"usa": exact("invoices", "region", "USA"), "germany": exact("invoices", "country", "Germany"), "france": exact("invoices", "country", "France"),
		"eur": exact("invoices", "currency", "EUR"), "enterprise": exact("accounts", "tier", "Enterprise"), "high": exact("calls", "priority", "High"),
	}
	firmTools = []plan.Tool{
		{Name: "get_top_accounts", Title: "Top accounts", Description: "The accounts with the highest turnover this year, of a region or country or of all.", ReadOnly: true,
			InputSchema:  schemaOf(`{"type":"object","properties":{"region":{"type":"string"},"limit":{"type":"integer"}}}`),
			OutputSchema: schemaOf(tableSchema, `"account_id":{"type":"string"},"account":{"type":"string"},"turnover":{"type":"number"}`)},
		{Name: "get_account_turnover", Description: "The monthly turnover of accounts.", ReadOnly: true,
			InputSchema:  schemaOf(`{"type":"object","properties":{"account_ids":{"type":"array","items":{"type":"string"}}},"required":["account_ids"]}`),
			OutputSchema: schemaOf(tableSchema, `"account_id":{"type":"string"},"account":{"type":"string"},"month":{"type":"string"},"turnover":{"type":"number"}`)},
		{Name: "get_turnover_by_region", Title: "Turnover by region this year", Description: "Turnover of each region this year, with its share and growth.", ReadOnly: true,
			InputSchema:  schemaOf(`{"type":"object","properties":{}}`),
			OutputSchema: schemaOf(tableSchema, `"region":{"type":"string"},"turnover":{"type":"number"},"share_of_total":{"type":"number"},"growth":{"type":"number"}`)},
		testTools[0], testTools[6], testTools[7],
	}
)

func firmRequest(message string, history ...plan.Turn) plan.Request {
	return plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{accounts, invoices, phoned}, Values: firmValues, Tools: firmTools, History: history}
}

func firmPlan(t testing.TB, message string, history ...plan.Turn) (plan.Plan, []string) {
	t.Helper()
	resp, err := New().Plan(t.Context(), firmRequest(message, history...))
	if err != nil {
		t.Fatal(err)
	}
	return resp.Plan, resp.Notes
}

func TestOfflineGuards(t *testing.T) {
	cases := []struct{ message, want string }{
		{"drop table accounts", "refuse: Tables are only read here"},
		{"please delete all invoices", "refuse: Tables are only read here"},
		{"what is turnover; truncate table invoices", "refuse: Tables are only read here"},
		{"top 0 accounts", "clarify: “top 0” asks for no accounts at all"},
		{"top -3 accounts", "clarify: “top -3”"},
		{"top 99999999999999999999 accounts", "clarify: “top 99999999999999999999” asks for too many accounts"},
		{"top 1e400 accounts", "clarify: “top 1e400” asks for too many accounts"},
		{"turnover over the last 99999 months", "refuse: “last 99999 months” begin before the year 1"},
		{"turnover over the past 99999999999999999999 days", "refuse: “past 99999999999999999999 days” begin"},
		{"average of account_id", "refuse: account_id identifies rows"},
		{"turnover by month in EUR", "clarify: There are no amounts in EUR here: turnover_usd is in USD"},
		{"turnover by month in yen", "clarify: There are no amounts in JPY here"},
		{"hello", "refuse: Hello! Ask me about accounts (40 rows), invoices (1,440 rows), calls (900 rows), for example"},
	}
	for _, c := range cases {
		p, _ := firmPlan(t, c.message)
		if got := stepsOf(p); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q gave %s, want %s", c.message, got, c.want)
		}
	}
}

// Numbers may be written as 1.5e3. One that is too large to be written out stays as it is, and is refused where plans
// are checked.
func TestOfflineScientificNotation(t *testing.T) {
	for _, c := range []struct{ message, want string }{
		{"top 1e1 accounts by turnover", `"limit":10`}, {"invoices with turnover over 1.5e3", `"value":1500`},
		{"invoices with turnover over 1E-2", `"value":0.01`}, {"invoices with turnover over 2.50E3", `"value":2500`},
		{"invoices with turnover over 1e400", `"value":1e400`}, {"turnover over the last 1.2e1 months", `"2025-12"`},
	} {
		if p, _ := firmPlan(t, c.message); !strings.Contains(stepsOf(p), c.want) {
			t.Errorf("%q gave %s, want %s", c.message, stepsOf(p), c.want)
		}
	}
	for _, code := range []string{"12E4", "1e3x", "2LT", "7e", "1e3_4"} {
		if got := tokenize(code)[0]; got.kind != wordToken {
			t.Errorf("%s is read as the number %s", code, got.num)
		}
	}
	for num, want := range map[string]string{"-1.25": "-0.00125", "150": "0.15", "0": "0", "7": "0.007"} {
		if got := scale(num, -3); got != want {
			t.Errorf("scale(%s, -3) = %s, want %s", num, got, want)
		}
	}
}

// "in USD" about amounts in USD is no condition on the column of currencies.
func TestOfflineUnitIsNoFilter(t *testing.T) {
	p, _ := firmPlan(t, "turnover by month in USD")
	if got := stepsOf(p); strings.Contains(got, "currency") || !strings.Contains(got, "turnover_usd") {
		t.Error(got)
	}
}

func TestOfflineGroupedResults(t *testing.T) {
	const tool = "get_turnover_by_region {}"
	for _, message := range []string{"what share of turnover comes from each region?", "turnover by region this year, with each region's share", "growth of turnover by region", "turnover by region this year"} {
		p, _ := firmPlan(t, message)
		if got := stepsOf(p); got != tool && (strings.Contains(got, "get_turnover") || !strings.Contains(got, "share_of_total")) {
			t.Errorf("%q gave %s, want the tool's own table or a share of the sums", message, got)
		}
	}
	for _, message := range []string{"turnover by region last year", "turnover by region by quarter", "turnover by region in 2024", "top 5 accounts last year"} {
		if p, _ := firmPlan(t, message); len(p.Steps) == 0 || p.Steps[0].Tool != queryTool {
			t.Errorf("%q gave %s, want a query: the tool speaks of this year", message, stepsOf(p))
		}
	}
}

func TestOfflineComparesPerPeriod(t *testing.T) {
	for _, message := range []string{"compare turnover of Germany and France by quarter", "turnover of Germany vs France by quarter in 2026"} {
		p, _ := firmPlan(t, message)
		if got := stepsOf(p); !strings.Contains(got, `"group_by":[{"column":"month","period":"quarter"},"country"]`) {
			t.Errorf("%q gave %s", message, got)
		}
	}
}

func TestOfflineJoins(t *testing.T) {
	cases := []struct{ message, want string }{
		{"number of calls per tier", `{"group_by":["tier"],"join":[{"how":"left","on":[["account_id","account_id"]],"table":"accounts"}],"select":["tier",{"as":"count","expr":"count"}],"table":"calls"}`},
		{"how many high priority calls are there", `{"filter":[{"column":"priority","op":"eq","value":"High"}],"select":[{"as":"count","expr":"count"}],"table":"calls"}`},
	}
	for _, c := range cases {
		p, _ := firmPlan(t, c.message)
		if diff := cmp.Diff(c.want, stepsOf(p)); diff != "" {
			t.Errorf("%q: %s", c.message, diff)
		}
	}
	if p, _ := firmPlan(t, "number of calls per month"); p.Refuse == "" && p.Clarify == "" {
		t.Errorf("calls have no times: %s", stepsOf(p))
	}
}

// A change within this year compares the same months of the year before, and keeps the things that changed that way.
func TestOfflineChangeThisYear(t *testing.T) {
	p, notes := firmPlan(t, "accounts whose turnover dropped this year")
	got := stepsOf(p)
	for _, part := range []string{`"2025-01","2025-10"`, `"2026-01","2026-10"`, `"filter":[{"column":"change","op":"lt","value":0}]`} {
		if !strings.Contains(got, part) {
			t.Errorf("%s lacks %s", got, part)
		}
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "January to October") {
		t.Errorf("notes are %q", notes)
	}
	if p, _ := firmPlan(t, "change of turnover this month"); p.Clarify == "" {
		t.Errorf("this month is not over: %s", stepsOf(p))
	}
}
