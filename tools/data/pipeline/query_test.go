package pipeline_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
	"catena/table"
	"catena/table/loadtest"
	"catena/tools/data/pipeline"
)

const sales = `region,client,month,revenue,target,note
North,Ada,2024-01-01,100,90,x
North,Bo,2024-02-01,50,60,
South,Cy,2024-01-01,80,0,y
South,Cy,2025-01-01,120,100,z
South,Di,2025-03-01,,10,
East,Ed,2025-03-15,30,40,w
`

func among(tables map[string]*table.Table) func(string) (*table.Table, error) {
	return func(name string) (*table.Table, error) {
		if t, ok := tables[name]; ok {
			return t, nil
		}
		return nil, fmt.Errorf("there is no table %q", name)
	}
}

// rowsOf writes the table as one line per row, cells separated by |.
func rowsOf(t *table.Table) []string {
	out := []string{}
	for row := range t.NumRows() {
		var cells []string
		for _, v := range t.Row(row) {
			cells = append(cells, v.Text())
		}
		out = append(out, strings.Join(cells, "|"))
	}
	return out
}

func TestRun(t *testing.T) {
	tables := map[string]*table.Table{
		"sales":   loadtest.ReadCSV(t, sales).Table,
		"names":   loadtest.ReadCSV(t, "who,n\nAcme,1\nacme,2\nAcme,3\nBo,4\n").Table,
		"more":    loadtest.ReadCSV(t, "n,who\n10,Cy\n").Table,
		"games":   loadtest.ReadCSV(t, "result,day\nW 27–14,\"3 March, 1984\"\n1:02.5,1991 (won)\n3rd,12/2001\nlost,2002-03\n\"1,200 km\",May 2003\n").Table,
		"regions": loadtest.ReadCSV(t, "region,head,note\nNorth,Uma,cold\nSouth,Vik,hot\n").Table,
	}
	cases := []struct {
		name, query string
		want        []string
	}{
		{"plain", `{"table":"sales","select":["client","revenue"],"filter":[{"column":"region","op":"eq","value":" south "}]}`, []string{"Cy|80", "Cy|120", "Di|"}},
		{"period of a year", `{"table":"sales","select":["client"],"filter":[{"column":"month","op":"eq","value":"2025"}]}`, []string{"Cy", "Di", "Ed"}},
		{"after a month", `{"table":"sales","select":["client"],"filter":[{"column":"month","op":"gt","value":"2025-01"}]}`, []string{"Di", "Ed"}},
		{"until a quarter", `{"table":"sales","select":["client"],"filter":[{"column":"month","op":"le","value":"2024-Q1"}]}`, []string{"Ada", "Bo", "Cy"}},
		{"between days", `{"table":"sales","select":["client"],"filter":[{"column":"month","op":"between","value":["2024-02-01","2025-03-01"]}]}`, []string{"Bo", "Cy", "Di"}},
		{"weekday", `{"table":"sales","select":["client"],"filter":[{"column":"month","period":"weekday","op":"in","value":[6,7]}]}`, []string{"Di", "Ed"}},
		{"any", `{"table":"sales","select":["client"],"filter":[{"any":[{"column":"revenue","op":"gt","value":110},{"column":"client","op":"starts_with","value":"b"}]}]}`, []string{"Bo", "Cy"}},
		{"null", `{"table":"sales","select":["client"],"filter":[{"column":"revenue","op":"is_null"}]}`, []string{"Di"}},
		{"other column", `{"table":"sales","select":["client"],"filter":[{"column":"revenue","op":"lt","value":{"column":"target"}}]}`, []string{"Bo", "Ed"}},
		{"above the mean", `{"table":"sales","select":["client"],"filter":[{"column":"revenue","op":"gt","value":{"expr":"mean","column":"revenue"}}]}`, []string{"Ada", "Cy", "Cy"}},
		{"group", `{"table":"sales","group_by":["region"],"select":["region",{"expr":"sum","column":"revenue"}]}`, []string{"North|150", "South|200", "East|30"}},
		{"group by year", `{"table":"sales","group_by":[{"column":"month","period":"year"}],"select":[{"expr":"sum","column":"revenue"}]}`, []string{"2024|230", "2025|150"}},
		{"having", `{"table":"sales","group_by":["region"],"having":[{"column":"count","op":"ge","value":2}]}`, []string{"North|2", "South|3"}},
		{"share of rows", `{"table":"sales","select":[{"expr":"share","filter":[{"column":"region","op":"eq","value":"South"}]}]}`, []string{"50"}},
		{"share of a sum", `{"table":"sales","select":[{"expr":"share","column":"revenue","filter":[{"column":"client","op":"eq","value":"Cy"}]}]}`, []string{"52.63157894736842"}},
		{"side by side", `{"table":"sales","select":[{"expr":"count","as":"n","filter":[{"column":"region","op":"eq","value":"North"}]},{"expr":"sum","column":"revenue","as":"s","filter":[{"column":"region","op":"eq","value":"East"}]}]}`, []string{"2|30"}},
		{"share of total, then having", `{"table":"sales","group_by":["region"],"select":[{"expr":"count"}],"share_of_total":"count","having":[{"column":"region","op":"eq","value":"East"}]}`, []string{"East|1|16.666666666666668"}},
		{"top with ties", `{"table":"sales","group_by":["client"],"order_by":[{"column":"count"}],"limit":1,"with_ties":true}`, []string{"Ada|1", "Bo|1", "Di|1", "Ed|1"}},
		{"top per region", `{"table":"sales","select":["region","client"],"order_by":["-revenue"],"limit":1,"limit_by":["region"]}`, []string{"South|Cy", "North|Ada", "East|Ed"}},
		{"rank", `{"table":"sales","select":["client","revenue"],"rank_by":"revenue","filter":[{"column":"revenue","op":"le","value":80}]}`, []string{"Bo|50|2", "Cy|80|1", "Ed|30|3"}},
		{"change", `{"table":"sales","group_by":["region",{"column":"month","period":"year"}],"select":[{"expr":"sum","column":"revenue","as":"r"}],"having":[{"column":"region","op":"eq","value":"South"}],"change":{"column":"r","order":"month","by":["region"]}}`, []string{"South|2024|2025|80|120|40|50"}},
		{"change from each to the next", `{"table":"sales","group_by":["region",{"column":"month","period":"year"}],"select":[{"expr":"sum","column":"revenue","as":"r"}],"having":[{"column":"region","op":"eq","value":"South"}],"change":{"column":"r","order":"month","by":["region"],"every":true}}`, []string{"South|2024|80||", "South|2025|120|40|50"}},
		{"derive", `{"table":"sales","derive":[{"as":"gap","op":"abs_diff","left":"revenue","right":"target"}],"select":[{"expr":"max","column":"gap"}]}`, []string{"80"}},
		{"join", `{"table":"sales","join":[{"table":"regions","on":[["region","region"]]}],"group_by":["head"],"select":[{"expr":"count"}]}`, []string{"Uma|2", "Vik|3"}},
		{"joined names", `{"table":"sales","join":[{"table":"regions","on":[["region","region"]]}],"select":["regions_note"],"distinct":true}`, []string{"cold", "hot"}},
		{"the row behind", `{"table":"sales","select":["client"],"beside":{"filter":[{"column":"client","op":"eq","value":"Bo"}],"offset":1}}`, []string{"Cy"}},
		{"the row before, in another order", `{"table":"sales","select":["client"],"order_by":["-revenue"],"filter":[{"column":"revenue","op":"not_null"}],"beside":{"filter":[{"column":"client","op":"eq","value":"Ed"}],"offset":-1}}`, []string{"Bo"}},
		{"the row behind several", `{"table":"sales","select":["client"],"beside":{"filter":[{"column":"region","op":"eq","value":"North"}],"offset":1}}`, []string{"Cy"}},
		{"the last row", `{"table":"sales","derive":[{"as":"row","op":"row"}],"select":["client"],"order_by":["-row"],"limit":1}`, []string{"Ed"}},
		{"rows before a row", `{"table":"sales","derive":[{"as":"row","op":"row"}],"select":[{"expr":"count"}],"filter":[{"column":"row","op":"lt","value":{"expr":"min","column":"row","filter":[{"column":"client","op":"eq","value":"Di"}]}}]}`, []string{"4"}},
		{"more than another", `{"table":"sales","select":["client"],"filter":[{"column":"revenue","op":"gt","value":{"expr":"max","column":"revenue","filter":[{"column":"client","op":"eq","value":"Bo"}]}}]}`, []string{"Ada", "Cy", "Cy"}},
		{"numbers and years in texts", `{"table":"games","derive":[{"as":"points","op":"number","left":"result"},{"as":"year","op":"year","left":"day"},{"as":"won","op":"more","left":"points","right":20}],"select":["points","year","won"]}`, []string{"27|1984|true", "62.5|1991|true", "3|2001|false", "|2002|", "1200|2003|true"}},
		{"spellings in one group", `{"table":"names","group_by":["who"],"select":["who",{"expr":"sum","column":"n"}]}`, []string{"Acme|6", "Bo|4"}},
		{"spellings counted once", `{"table":"names","select":[{"expr":"count_distinct","column":"who"}]}`, []string{"2"}},
		{"union", `{"table":"names","union":["more"],"select":[{"expr":"sum","column":"n"}]}`, []string{"20"}},
		{"offset", `{"table":"sales","select":["client"],"offset":4,"limit":1}`, []string{"Di"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			q := parseQuery(t, c.query)
			got, _, _, err := pipeline.Run(t.Context(), q, among(tables), nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, rowsOf(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func parseQuery(t testing.TB, text string) plan.Query {
	t.Helper()
	var args map[string]any
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&args); err != nil {
		t.Fatal(err)
	}
	q, err := plan.ParseQuery(args)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestRunChangeOfEach(t *testing.T) {
	tables := map[string]*table.Table{"s": loadtest.ReadCSV(t, "day,n\n2026-01-03,-5\n2026-02-15,10\n2026-02-20,5\n2026-04-01,30\n").Table}
	got, notes, _, err := pipeline.Run(t.Context(), parseQuery(t, `{"table":"s","group_by":[{"column":"day","period":"month"}],"select":["day",{"expr":"sum","column":"n","as":"n"}],"change":{"column":"n","order":"day","every":true}}`), among(tables), nil)
	if err != nil {
		t.Fatal(err)
	}
	if rows, want := rowsOf(got), []string{"2026-01-01|-5||", "2026-02-01|15|20|", "2026-04-01|30||"}; !slices.Equal(rows, want) {
		t.Errorf("%q, want %q", rows, want)
	}
	if want := []string{"The change in percent is empty where it would be of a negative number.", "A month after one without rows has no change."}; !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}

func TestRunOutside(t *testing.T) {
	tables := map[string]*table.Table{"s": loadtest.ReadCSV(t, "day,n\n2026-01-03,4\n2026-03-15,6\n").Table}
	_, notes, _, err := pipeline.Run(t.Context(), parseQuery(t, `{"table":"s","filter":[{"column":"day","op":"ge","value":"2026-07-01"},{"column":"n","op":"lt","value":9}]}`), among(tables), nil)
	if want := []string{"Day goes from 2026-01-03 to 2026-03-15."}; err != nil || !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q; %v", notes, want, err)
	}
}

func TestRunNotes(t *testing.T) {
	tables := map[string]*table.Table{"s": loadtest.ReadCSV(t, "a,b,c\n4,0,\n6,2,\n").Table}
	for text, want := range map[string]string{
		`{"table":"s","derive":[{"as":"ratio","op":"div","left":"a","right":"b"}],"select":["ratio"]}`: "Ratio is empty where it would divide by zero.",
		`{"table":"s","select":[{"expr":"sum","column":"c"}]}`:                                         "Total C is empty: no row that was asked for holds a value.",
		`{"table":"s","select":[{"expr":"sum","column":"c","as":"total"}]}`:                            "Total is empty: no row that was asked for holds a value.",
	} {
		got, notes, total, err := pipeline.Run(t.Context(), parseQuery(t, text), among(tables), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(notes) != 1 || notes[0] != want {
			t.Errorf("notes %q, want %q", notes, want)
		}
		if !got.IsNull(0, 0) || total != got.NumRows() {
			t.Errorf("%v, total %d", rowsOf(got), total)
		}
	}
}

func TestRunFaults(t *testing.T) {
	tables := map[string]*table.Table{"sales": loadtest.ReadCSV(t, sales).Table}
	_, _, _, err := pipeline.Run(t.Context(), plan.Query{Table: "sales", Select: []plan.Select{{Column: "revenu"}}}, among(tables), nil)
	var unknown *table.UnknownColumnError
	if !errors.As(err, &unknown) || len(unknown.Nearest) == 0 || unknown.Nearest[0] != "revenue" {
		t.Errorf("got %v", err)
	}
	for _, q := range []plan.Query{
		{Table: "sales", Filter: []plan.Condition{{Column: "month", Op: "gt", Value: "soon"}}},
		{Table: "sales", Filter: []plan.Condition{{Column: "revenue", Op: "between", Value: 3}}},
		{Table: "sales", GroupBy: []plan.GroupKey{{Column: "region"}}, Select: []plan.Select{{Column: "client"}}},
		{Table: "sales", GroupBy: []plan.GroupKey{{Column: "region", Period: "year"}}},
	} {
		_, _, _, err := pipeline.Run(t.Context(), q, among(tables), nil)
		var typ *table.TypeError
		var query *pipeline.Error
		if !errors.As(err, &typ) && !errors.As(err, &query) {
			t.Errorf("%+v gave %v", q, err)
		}
	}
}
