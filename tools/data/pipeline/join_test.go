package pipeline_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
	"catena/table/loadtest"
	"catena/tools/data/pipeline"
)

// A measure of a table whose rows a join repeats counts each row once in a group, however the tables hang together.
func TestJoinsRepeatNoMeasure(t *testing.T) {
	tables := map[string]*table.Table{
		"orders":  loadtest.ReadCSV(t, "order_id,client,freight\n1,a,10\n2,a,5\n3,b,7\n").Table,
		"items":   loadtest.ReadCSV(t, "of_order,sku,amount\n1,x,2\n1,y,3\n2,x,4\n3,x,1\n").Table,
		"returns": loadtest.ReadCSV(t, "ret_order,fee\n1,100\n1,200\n").Table,
		"skus":    loadtest.ReadCSV(t, "code,kind\nx,tool\ny,tool\n").Table,
		"texts":   loadtest.ReadCSV(t, "key,paid\n1,10 EUR\n2,5 EUR\n3,7 EUR\nz,none\n").Table,
	}
	const items = `"join":[{"table":"items","on":[["order_id","of_order"]]}]`
	const more = `"join":[{"table":"items","on":[["order_id","of_order"]]},{"table":"returns","on":[["order_id","ret_order"]],"how":"left"}]`
	tests := []struct {
		query string
		want  string // rows, cells joined by |, then what is told
		told  bool
	}{
		{`{"table":"orders",` + items + `,"select":[{"expr":"sum","column":"freight"}]}`, "22", true},
		{`{"table":"orders",` + items + `,"select":[{"expr":"sum","column":"amount"}]}`, "10", false},
		{`{"table":"orders",` + items + `,"select":["client",{"expr":"sum","column":"freight"}],"group_by":["client"]}`, "a|15 b|7", true},
		{`{"table":"orders",` + items + `,"select":["sku",{"expr":"sum","column":"freight"}],"group_by":["sku"]}`, "x|22 y|10", false},
		{`{"table":"orders",` + items + `,"select":[{"expr":"mean","column":"freight"},{"expr":"count","column":"client"},{"expr":"count"}]}`, "7.333333333333333|3|4", true},
		{`{"table":"orders",` + more + `,"select":[{"expr":"sum","column":"freight"},{"expr":"sum","column":"amount"},{"expr":"sum","column":"fee"}]}`, "22|10|300", true},
		{`{"table":"orders",` + items + `,"select":[{"expr":"sum","column":"freight","filter":[{"column":"sku","op":"eq","value":"y"}]}]}`, "10", false},
		{`{"table":"orders",` + items + `,"select":[{"expr":"sum","column":"freight","filter":[{"column":"amount","op":"gt","value":1}]}]}`, "15", true},
		{`{"table":"orders",` + items + `,"select":[{"expr":"max","column":"freight"},{"expr":"count_distinct","column":"client"}]}`, "10|2", false},
		{`{"table":"orders",` + items + `,"derive":[{"as":"double","op":"mul","left":"freight","right":2}],"select":[{"expr":"sum","column":"double"}]}`, "44", true},
		{`{"table":"orders",` + items + `,"derive":[{"as":"each","op":"mul","left":"freight","right":"amount"}],"select":[{"expr":"sum","column":"each"}]}`, "77", false},
		{`{"table":"items","join":[{"table":"texts","on":[["of_order","key"]]}],"select":[{"expr":"sum","column":"paid"}]}`, "22", true},
		{`{"table":"orders","join":[{"table":"items","on":[["order_id","of_order"]]},{"table":"skus","on":[["sku","code"]]}],"select":["kind",{"expr":"sum","column":"freight"}],"group_by":["kind"]}`, "tool|22", true},
	}
	for _, test := range tests {
		if strings.Contains(test.query, `"texts"`) {
			tables["items"] = loadtest.ReadCSV(t, "of_order,sku\n\"1\",x\n1,y\n2,x\n3,x\nz,q\n").Table
		}
		got, notes, _, err := pipeline.Run(t.Context(), parseQuery(t, test.query), among(tables), nil)
		if err != nil {
			t.Errorf("%s: %v", test.query, err)
			continue
		}
		if diff := cmp.Diff(test.want, strings.Join(rowsOf(got), " ")); diff != "" {
			t.Errorf("%s: %s", test.query, diff)
		}
		if told := strings.Contains(strings.Join(notes, " "), "counts once"); told != test.told {
			t.Errorf("%s: notes %q", test.query, notes)
		}
		if strings.Contains(test.query, `"texts"`) {
			tables["items"] = loadtest.ReadCSV(t, "of_order,sku,amount\n1,x,2\n1,y,3\n2,x,4\n3,x,1\n").Table
		}
	}
}

// What would match nothing, or something else than was asked for, says what is right.
func TestQueriesThatAreRefused(t *testing.T) {
	tables := map[string]*table.Table{"sales": loadtest.ReadCSV(t, sales).Table, "regions": loadtest.ReadCSV(t, "region,head\nNorth,Uma\n").Table}
	for query, want := range map[string]string{
		`{"table":"sales","filter":[{"column":"month","period":"weekday","op":"eq","value":0}]}`:                                                        "1 for Monday to 7",
		`{"table":"sales","filter":[{"column":"month","period":"month_of_year","op":"in","value":[1,13]}]}`:                                             "13 is none",
		`{"table":"sales","filter":[{"column":"month","period":"hour","op":"ne","value":24}]}`:                                                          "from 0 to 23",
		`{"table":"sales","filter":[{"column":"revenue","op":"gt","value":{"expr":"mean","column":"revenue","where":[]}}]}`:                             `filter[0].value has no "where"`,
		`{"table":"sales","filter":[{"any":[{"column":"revenue","op":"gt","value":{"columns":"target"}}]}]}`:                                            `filter[0].any[0].value has no "columns"`,
		`{"table":"sales","filter":[{"column":"revenue","op":"eq","value":"many"}]}`:                                                                    "holds numbers",
		`{"table":"sales","filter":[{"column":"revenue","op":"eq","value":"E"}]}`:                                                                       "holds numbers",
		`{"table":"sales","filter":[{"column":"revenue","op":"gt","value":` + strings.Repeat("9", 39) + `}]}`:                                           "38 digits at most",
		`{"table":"sales","filter":[{"column":"revenue","op":"gt","value":{"column":"client"}}]}`:                                                       "one holds text",
		`{"table":"sales","join":[{"table":"regions","on":[]}]}`:                                                                                        "join[0]: a join needs at least one pair",
		`{"table":"sales","join":[{"table":"regions","on":[["region","region"]],"how":"outer"}]}`:                                                       "inner and left",
		`{"table":"sales","join":[{"table":"regions","on":[["revenue","head"]]}]}`:                                                                      "cannot be joined",
		`{"table":"sales","derive":[{"as":"x","op":"power","left":"revenue","right":2}]}`:                                                               "the operations are",
		`{"table":"sales","derive":[{"as":"x","op":"more","left":"client","right":2}]}`:                                                                 "does not compare",
		`{"table":"sales","group_by":["region"],"select":[{"expr":"count","as":"region"}]}`:                                                             "two columns",
		`{"table":"sales","beside":{"filter":[],"offset":1}}`:                                                                                           "beside needs a filter",
		`{"table":"sales","group_by":["region"],"select":[{"expr":"sum","column":"revenue","as":"r"}],"having":[{"column":"r","op":"gt","value":"x"}]}`: "holds numbers",
	} {
		_, _, _, err := pipeline.Run(t.Context(), parseQuery(t, query), among(tables), nil)
		var fault *pipeline.Error
		var typ *table.TypeError
		if !errors.As(err, &fault) && !errors.As(err, &typ) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gave %v, want %q", query, err, want)
		}
	}
	if _, _, _, err := pipeline.Run(t.Context(), plan.Query{Table: "sales", Filter: []plan.Condition{{Column: "client", Op: "in", Value: []any{nil}}}}, among(tables), nil); err != nil {
		t.Errorf("a list of nothing: %v", err)
	}
}

// A sum of what does not add up says so.
func TestSumsThatMeanNothing(t *testing.T) {
	tab := loadtest.ReadCSV(t, "id,rating,price_pct,sold\n1,4.5,10%,3\n2,3.5,20%,4\n3,4.0,30%,5\n").Table
	meta := profiler.Describe(t.Context(), tab)
	for column, want := range map[string]bool{"rating": true, "price_pct": true, "id": true, "sold": false} {
		q := plan.Query{Table: "t", Select: []plan.Select{{Expr: "sum", Column: column}}}
		_, notes, _, err := pipeline.Run(t.Context(), q, among(map[string]*table.Table{"t": tab}), meta)
		if err != nil || strings.Contains(strings.Join(notes, " "), "does not add up") != want {
			t.Errorf("%s: %q %v", column, notes, err)
		}
	}
}

// A list may be as long as a table.
func TestLongLists(t *testing.T) {
	tables := map[string]*table.Table{"t": loadtest.ReadCSV(t, "n,amount,name,day\n5,1.50,a,2024-01-05\n29999,2.25,B,2024-02-01\n40000,3.00,c,2024-03-01\n").Table}
	var numbers, texts, days []any
	for i := range 30_000 {
		numbers, texts = append(numbers, json.Number(strconv.Itoa(i))), append(texts, "B"+strings.Repeat("x", i%7)+strconv.Itoa(i/7))
		days = append(days, "2024-02-01")
	}
	texts = append(texts, "b")
	for _, c := range []struct {
		column string
		list   []any
		in     string
		out    string
	}{{"n", numbers, "5 29999", "40000"}, {"amount", append(numbers, "2.25"), "29999 40000", "5"}, {"name", texts, "29999", "5 40000"}, {"day", days, "29999", "5 40000"}} {
		for op, want := range map[string]string{"in": c.in, "not_in": c.out} {
			q := plan.Query{Table: "t", Select: []plan.Select{{Column: "n"}}, Filter: []plan.Condition{{Column: c.column, Op: op, Value: c.list}}}
			got, _, _, err := pipeline.Run(t.Context(), q, among(tables), nil)
			if err != nil {
				t.Fatal(c.column, op, err)
			}
			if rows := strings.Join(rowsOf(got), " "); rows != want {
				t.Errorf("%s %s: %s, want %s", c.column, op, rows, want)
			}
		}
	}
}
