package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
)

var testNow = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// shops is a table of branches with monthly figures; its values are known to fakeValues.
var shops = plan.TableInfo{Name: "shops", Rows: 960, Columns: []plan.ColumnInfo{
	{Name: "Branch", Type: "text", Role: "dimension", Distinct: 40},
	{Name: "Country", Type: "text", Role: "dimension", Distinct: 6, Nulls: 3},
	{Name: "month", Type: "date", Role: "time", Min: "2024-01-01", Max: "2025-12-01", Distinct: 24},
	{Name: "Sales_EUR", Type: "decimal", Role: "measure", Unit: "EUR", Min: "10.00", Max: "99000.00", Distinct: 900},
	{Name: "visitors", Type: "integer", Role: "measure", Min: "3", Max: "800", Distinct: 400, Nulls: 5},
	{Name: "Floor Area (m2)", Type: "integer", Role: "measure", Min: "40", Max: "900", Distinct: 40},
	{Name: "Rating", Type: "decimal", Role: "measure", Min: "1.0", Max: "5.0", Distinct: 41},
}}

// ledger has rows that sum up the others and years as numbers.
var ledger = plan.TableInfo{Name: "accidents", Rows: 300, Totals: []plan.TotalRows{{Column: "Cause", Value: "All causes", Rows: 50}}, Columns: []plan.ColumnInfo{
	{Name: "Cause", Type: "text", Role: "dimension", Distinct: 6},
	{Name: "Year", Type: "integer", Role: "time", Min: "1950", Max: "2020", Distinct: 70},
	{Name: "Deaths", Type: "integer", Role: "measure", Min: "0", Max: "900", Distinct: 200},
}}

type fakeValues map[string]plan.Hit

func (f fakeValues) Find(_ context.Context, phrase string) []plan.Hit {
	if h, ok := f[plan.FoldKey(phrase)]; ok {
		return []plan.Hit{h}
	}
	return nil
}

func exact(table, column, value string) plan.Hit {
	return plan.Hit{Table: table, Column: column, Value: value, Match: plan.Exact, Score: 1, Rows: 10, Values: 1}
}

var testValues = fakeValues{
	"germany": exact("shops", "Country", "Germany"), "german": {Table: "shops", Column: "Country", Value: "Germany", Match: plan.Synonym, Score: 0.9, Rows: 10, Values: 1},
	"france": exact("shops", "Country", "France"), "kiel": exact("shops", "Branch", "Kiel"), "lyon": exact("shops", "Branch", "Lyon"),
	"fire": exact("accidents", "Cause", "Fire"), "traffic": exact("accidents", "Cause", "Traffic"), "all cause": exact("accidents", "Cause", "All causes"),
	"all": {Table: "accidents", Column: "Cause", Value: "All causes", Match: plan.Prefix, Score: 0.75, Rows: 50, Values: 1},
}

func planFor(t testing.TB, message string, history ...string) plan.Plan {
	t.Helper()
	req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{shops, ledger}, Values: testValues, Tools: testTools}
	for _, m := range history {
		req.History = append(req.History, plan.Turn{Message: m})
	}
	resp, err := New().Plan(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return resp.Plan
}

// stepsOf writes a plan's steps as compact JSON, query_table's without the tool's name.
func stepsOf(p plan.Plan) string {
	var out []string
	for _, s := range p.Steps {
		raw, _ := json.Marshal(s.Args)
		line := string(raw)
		if s.Tool != queryTool {
			line = s.Tool + " " + line
		}
		if s.Each != nil {
			line += " each " + s.Each.String()
		}
		out = append(out, line)
	}
	switch {
	case p.Clarify != "":
		return "clarify: " + p.Clarify
	case p.Refuse != "":
		return "refuse: " + p.Refuse
	}
	return strings.Join(out, "\n")
}

func TestOfflineQuestions(t *testing.T) {
	cases := []struct{ question, want string }{
		{"how many shops are in Germany?", `{"filter":[{"column":"Country","op":"eq","value":"Germany"}],"select":[{"as":"count","expr":"count"}],"table":"shops"}`},
		{"average sales per country", `{"filter":[{"column":"Country","op":"not_null"}],"group_by":["Country"],"select":["Country",{"column":"Sales_EUR","expr":"mean"}],"table":"shops"}`},
		{"median rating of german shops in 2025", `{"filter":[{"column":"month","op":"eq","value":"2025"},{"column":"Country","op":"eq","value":"Germany"}],"select":[{"column":"Rating","expr":"median"}],"table":"shops"}`},
		{"total sales since march 2025", `{"filter":[{"column":"month","op":"ge","value":"2025-03"}],"select":[{"column":"Sales_EUR","expr":"sum"}],"table":"shops"}`},
		{"yearly average visitors", `{"group_by":[{"column":"month","period":"year"}],"order_by":[{"column":"month"}],"select":["month",{"column":"visitors","expr":"mean"}],"table":"shops"}`},
		{"which country has the most visitors?", `{"filter":[{"column":"Country","op":"not_null"},{"column":"visitors","op":"not_null"}],"group_by":["Country"],"limit":1,"order_by":[{"column":"sum_visitors","desc":true}],"select":["Country",{"column":"visitors","expr":"sum"}],"table":"shops","with_ties":true}`},
		{"branches with more than 500 visitors", `{"distinct":true,"filter":[{"column":"visitors","op":"gt","value":500}],"select":["Branch"],"table":"shops"}`},
		{"shops with sales over 1.5 million: branch and sales", `{"filter":[{"column":"Sales_EUR","op":"gt","value":1500000}],"select":["Branch","Sales_EUR"],"table":"shops"}`},
		{"how many shops have no visitors listed", `{"filter":[{"column":"visitors","op":"is_null"}],"select":[{"as":"count","expr":"count"}],"table":"shops"}`},
		{"what share of shops is in France", `{"select":[{"as":"percent","expr":"share","filter":[{"column":"Country","op":"eq","value":"France"}]}],"table":"shops"}`},
		{"average rating: Germany vs France", `{"filter":[{"column":"Country","op":"in","value":["Germany","France"]}],"group_by":["Country"],"select":["Country",{"column":"Rating","expr":"mean"}],"table":"shops"}`},
		{"how many different countries are there", `{"select":[{"as":"count","column":"Country","expr":"count_distinct"}],"table":"shops"}`},
		{"percent change of sales in Kiel between january 2024 and december 2025", `{"change":{"column":"Sales_EUR","order":"month"},"filter":[{"column":"month","op":"in","value":["2024-01","2025-12"]},{"column":"Branch","op":"eq","value":"Kiel"}],"group_by":[{"column":"month","period":"month"}],"select":["month",{"as":"Sales_EUR","column":"Sales_EUR","expr":"sum"}],"table":"shops"}`},
		{"visitors in the last 3 months", `{"filter":[{"column":"month","op":"ge","value":"2025-10"}],"select":[{"column":"visitors","expr":"sum"}],"table":"shops"}`},
		{"avrage ratng by cuontry", `{"filter":[{"column":"Country","op":"not_null"}],"group_by":["Country"],"select":["Country",{"column":"Rating","expr":"mean"}],"table":"shops"}`},
		{"total deaths by cause", `{"filter":[{"column":"Cause","op":"ne","value":"All causes"}],"group_by":["Cause"],"select":["Cause",{"column":"Deaths","expr":"sum"}],"table":"accidents"}`},
		{"show all shops", `{"table":"shops"}`},
		{"list the shops in Germany", `{"filter":[{"column":"Country","op":"eq","value":"Germany"}],"select":["Branch","Country","month","Sales_EUR","visitors","Floor Area (m2)"],"table":"shops"}`},
		{"deadliest year for fire", `{"filter":[{"column":"Cause","op":"eq","value":"Fire"}],"group_by":["Year"],"limit":1,"order_by":[{"column":"sum_Deaths","desc":true}],"select":["Year",{"column":"Deaths","expr":"sum"}],"table":"accidents","with_ties":true}`},
		{"years in which traffic killed more than 100 people", `{"distinct":true,"filter":[{"column":"Deaths","op":"gt","value":100},{"column":"Cause","op":"eq","value":"Traffic"}],"select":["Year"],"table":"accidents"}`},
		{"years in which fire beat traffic", `{"filter":[{"column":"Cause","op":"ne","value":"All causes"}],"group_by":["Year"],"having":[{"column":"Fire","op":"gt","value":{"column":"Traffic"}}],"select":["Year",{"as":"Fire","column":"Deaths","expr":"sum","filter":[{"column":"Cause","op":"eq","value":"Fire"}]},{"as":"Traffic","column":"Deaths","expr":"sum","filter":[{"column":"Cause","op":"eq","value":"Traffic"}]}],"table":"accidents"}`},
		{"average deaths per year from fire before 1970", `{"filter":[{"column":"Year","op":"lt","value":1970},{"column":"Cause","op":"eq","value":"Fire"}],"group_by":["Year"],"select":["Year",{"as":"Deaths","column":"Deaths","expr":"sum"}],"table":"accidents"}` + "\n" + `{"data":{"$ref":"s1"},"select":[{"column":"Deaths","expr":"mean"}]}`},
	}
	for _, c := range cases {
		t.Run(c.question, func(t *testing.T) {
			if diff := cmp.Diff(c.want, stepsOf(planFor(t, c.question))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOfflineFollowUps(t *testing.T) {
	base := "average rating of german shops"
	cases := []struct {
		history []string
		message string
		want    string
	}{
		{[]string{base}, "and for France?", `{"filter":[{"column":"Country","op":"eq","value":"France"}],"select":[{"column":"Rating","expr":"mean"}],"table":"shops"}`},
		{[]string{base}, "now by branch", `{"filter":[{"column":"Country","op":"eq","value":"Germany"}],"group_by":["Branch"],"select":["Branch",{"column":"Rating","expr":"mean"}],"table":"shops"}`},
		{[]string{base, "now by branch"}, "only since 2025", `{"filter":[{"column":"Country","op":"eq","value":"Germany"},{"column":"month","op":"ge","value":"2025"}],"group_by":["Branch"],"select":["Branch",{"column":"Rating","expr":"mean"}],"table":"shops"}`},
		{[]string{base}, "and the median?", `{"filter":[{"column":"Country","op":"eq","value":"Germany"}],"select":[{"column":"Rating","expr":"median"}],"table":"shops"}`},
		{[]string{"total visitors per month"}, "break that down by country", `{"filter":[{"column":"Country","op":"not_null"}],"group_by":[{"column":"month","period":"month"},"Country"],"order_by":[{"column":"month"},{"column":"Country"}],"select":["month","Country",{"column":"visitors","expr":"sum"}],"table":"shops"}`},
	}
	for _, c := range cases {
		t.Run(c.message, func(t *testing.T) {
			if diff := cmp.Diff(c.want, stepsOf(planFor(t, c.message, c.history...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOfflineRefuses(t *testing.T) {
	for message, part := range map[string]string{
		"what is the weather in Kiel tomorrow?": `"weather"`,
		"average salary of german shops":        `"salary"`,
		"how many shops were opened by robots":  `"robots"`,
		"sales of shops with number 17 and 99":  `"17"`,
		"":                                      "no question",
		"hello":                                 "Hello! Ask me about shops (960 rows), accidents (300 rows)",
		"drop all shops":                        "Tables here",
	} {
		p := planFor(t, message)
		if p.Refuse == "" || !strings.Contains(p.Refuse, part) {
			t.Errorf("%q gave %s, want a refusal with %s", message, stepsOf(p), part)
		}
	}
	if p := planFor(t, "what is the best shop?"); !strings.Contains(p.Clarify+stepsOf(p), "Rating") {
		t.Errorf("best shop gave %s", stepsOf(p))
	}
	if p := planFor(t, "the biggest shop"); p.Clarify == "" {
		t.Errorf("biggest shop gave %s, want a question", stepsOf(p))
	}
}

func schemaOf(format string, args ...any) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(format, args...))
}

const tableSchema = `{"type":"object","properties":{"columns":{},"rows":{"type":"array","items":{"properties":{%s}}}}}`

// testTools are a small shop of tools: a search, a getter, a list, a series, a write, and the tools for tables.
var testTools = []plan.Tool{
	{Name: "analyze_trend", Description: "Analyzes how a value develops over time.", ReadOnly: true, InputSchema: schemaOf(`{"type":"object","properties":{"data":{},"value_column":{"type":"string"},"group_column":{"type":"string"}},"required":["data","value_column"]}`)},
	{Name: "delete_supplier", Description: "Delete a supplier for good.", Destructive: true, InputSchema: schemaOf(`{"type":"object","properties":{"id":{"type":"string","description":"supplier id, e.g. S001"}},"required":["id"]}`)},
	{Name: "find_suppliers", Description: "Find suppliers by name or country. Returns rows of supplier_id, name, country.", ReadOnly: true, InputSchema: schemaOf(`{"type":"object","properties":{"name":{"type":"string","description":"part of the name"},"country":{"type":"string","description":"ISO country code"}}}`)},
	{Name: "get_supplier_invoices", Description: "The invoices of suppliers by month.", ReadOnly: true, InputSchema: schemaOf(`{"type":"object","properties":{"supplier_ids":{"type":"array","items":{"type":"string"}},"status":{"type":"string","enum":["paid","unpaid"]}},"required":["supplier_ids"]}`),
		OutputSchema: schemaOf(tableSchema, `"supplier_id":{"type":"string"},"supplier":{"type":"string"},"month":{"type":"string"},"amount":{"type":"number"}`)},
	{Name: "get_top_suppliers", Description: "The suppliers with the highest turnover.", ReadOnly: true, InputSchema: schemaOf(`{"type":"object","properties":{"region":{"type":"string"},"limit":{"type":"integer"}}}`),
		OutputSchema: schemaOf(tableSchema, `"supplier_id":{"type":"string"},"supplier":{"type":"string"},"turnover":{"type":"number"}`)},
	{Name: "list_tables", Description: "Lists the tables.", ReadOnly: true, InputSchema: schemaOf(`{"type":"object","properties":{}}`)},
	{Name: "query_table", Description: "Answers questions about a table.", ReadOnly: true, InputSchema: schemaOf(`{"type":"object","properties":{"table":{"type":"string"},"data":{}}}`)},
	{Name: "visualize_data", Description: "Draws a table as a chart.", ReadOnly: true, InputSchema: schemaOf(`{"type":"object","properties":{"data":{},"chart_type":{"type":"string","enum":["bar","line","pie","area"]}},"required":["data"]}`)},
}

func TestOfflineTools(t *testing.T) {
	cases := []struct{ message, want string }{
		{"Show me the top 5 german suppliers and analyze their invoice trends",
			`get_top_suppliers {"limit":5,"region":"Germany"}` + "\n" + `get_supplier_invoices {"supplier_ids":{"$ref":"s1.rows[*].supplier_id"}}` + "\n" + `analyze_trend {"data":{"$ref":"s2"},"group_column":"supplier","value_column":"amount"}`},
		{"find supplier Norcom", `find_suppliers {"name":"Norcom"}`},
		{"unpaid supplier invoices of Norcom", `find_suppliers {"name":"Norcom"}` + "\n" + `get_supplier_invoices {"status":"unpaid","supplier_ids":{"$ref":"s1.rows[*].supplier_id"}}`},
		{"delete supplier S017", `delete_supplier {"id":"S017"}`},
		{"what tables are there?", `list_tables {}`},
		{"total visitors per month as a line chart", `{"group_by":[{"column":"month","period":"month"}],"order_by":[{"column":"month"}],"select":["month",{"column":"visitors","expr":"sum"}],"table":"shops"}` + "\n" + `visualize_data {"chart_type":"line","data":{"$ref":"s1"}}`},
	}
	for _, c := range cases {
		t.Run(c.message, func(t *testing.T) {
			if diff := cmp.Diff(c.want, stepsOf(planFor(t, c.message))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A tool that destroys is planned only when the message says so.
func TestOfflineNeverDestroysUnasked(t *testing.T) {
	for _, message := range []string{"show supplier S017", "supplier S017", "what about supplier S017?", "is supplier S017 gone?"} {
		for _, s := range planFor(t, message).Steps {
			if s.Tool == "delete_supplier" {
				t.Errorf("%q plans %s", message, s.Tool)
			}
		}
	}
}

// Every message gives exactly one of steps, a question and a refusal, the same each time, and never a panic.
func FuzzOffline(f *testing.F) {
	for _, s := range []string{"top 5 shops by sales", "average rating by country since 2025, %", "more than than 5", "between 3 and", "“q", "2024-13 1,2,3 $ %", "which which by by", "und für Köln?", "compare sales last month with this month", "last week or last year", "last 99999999999999999999 years", "1e9 -> 2", "no no visitors", "-"} {
		f.Add(s, "total sales per month")
	}
	o := New()
	f.Fuzz(func(t *testing.T, message, before string) {
		if len(message) > 300 || len(before) > 100 {
			return
		}
		req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{shops, ledger}, Values: testValues, Tools: testTools, History: []plan.Turn{{Message: before}}}
		a, err := o.Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := o.Plan(t.Context(), req)
		if diff := cmp.Diff(stepsOf(a.Plan), stepsOf(b.Plan)); diff != "" {
			t.Errorf("two plans for one message: %s", diff)
		}
		set := 0
		for _, is := range []bool{len(a.Plan.Steps) > 0, a.Plan.Clarify != "", a.Plan.Refuse != ""} {
			if is {
				set++
			}
		}
		if set != 1 {
			t.Errorf("%d of steps, clarify and refuse are set", set)
		}
		for _, s := range a.Plan.Steps {
			if s.Tool != queryTool {
				continue
			}
			args := map[string]any{}
			for k, v := range s.Args {
				if _, isRef := v.(plan.Ref); isRef {
					v = "tbl_x"
				}
				args[k] = v
			}
			if _, err := plan.ParseQuery(args); err != nil {
				t.Errorf("%q gives a query that is none: %v", message, err)
			}
		}
	})
}

func BenchmarkOffline(b *testing.B) {
	req := plan.Request{Message: "average sales of german branches by country since january 2025, highest first", Now: testNow, Values: testValues}
	for i := range 50 {
		t := shops
		t.Name = fmt.Sprintf("table%d", i)
		req.Tables = append(req.Tables, t)
	}
	req.Tables[30] = shops
	for i := range 500 {
		t := testTools[i%len(testTools)]
		t.Name = fmt.Sprintf("%s_%d", t.Name, i)
		req.Tools = append(req.Tools, t)
	}
	o := New()
	for b.Loop() {
		if _, err := o.Plan(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}

// Among many tables the one that the words speak of is found.
func TestOfflineManyTables(t *testing.T) {
	req := plan.Request{Message: "deadliest year for fire", Now: testNow, Values: testValues}
	for i := range 40 {
		info := shops
		info.Name = fmt.Sprintf("table%d", i)
		req.Tables = append(req.Tables, info)
	}
	req.Tables = append(req.Tables, ledger)
	resp, err := New().Plan(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.Plan.Steps) != 1 || resp.Plan.Steps[0].Args["table"] != "accidents" {
		t.Errorf("got %s", stepsOf(resp.Plan))
	}
}

func ExamplePlanner() {
	o := New()
	resp, err := o.Plan(context.Background(), plan.Request{
		Message: "average rating by country",
		Tables:  []plan.TableInfo{{Name: "shops", Rows: 40, Columns: []plan.ColumnInfo{{Name: "country", Type: "text", Distinct: 6}, {Name: "rating", Type: "decimal", Distinct: 30}}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	raw, _ := json.Marshal(resp.Plan.Steps[0].Args)
	fmt.Println(string(raw))
	// Output: {"group_by":["country"],"select":["country",{"column":"rating","expr":"mean"}],"table":"shops"}
}

// A wish for a chart is none of the words that a question is made of, wherever it stands; the name of a kind alone is a
// column.
func TestChartWish(t *testing.T) {
	f := newCatalogue(testTools).byName(chartTool)
	for message, want := range map[string]string{
		"pie chart of revenue by region":               "of revenue by region",
		"a pie of revenue by region":                   "of revenue by region",
		"revenue by region as a pie":                   "revenue by region",
		"please draw me a nice bar chart of revenue":   "of revenue",
		"revenue by line as a bar chart":               "revenue by line",
		"chart revenue by line":                        "revenue by line",
		"plot area by line with bars":                  "area by line",
		"area chart of revenue by month":               "of revenue by month",
		"show me the area by line, drawn as a diagram": "show me the area by line , drawn as",
	} {
		rest, _ := f.cutChart(tokenize(message))
		var words []string
		for _, t := range rest {
			words = append(words, t.low)
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%q leaves %q, want %q", message, got, want)
		}
	}
}
