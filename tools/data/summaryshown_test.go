package data_test

import (
	"slices"
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

// TestSummariesAsRead: numbers of a summary are written as their columns write numbers, and few rows are said to be few.
func TestSummariesAsRead(t *testing.T) {
	reg, _ := kitchen(t, nil)
	res := call(t, reg, "summarize_table", `{"data":"region,revenue_usd\nNorth,1204551.25\nSouth,90100.5\n"}`)
	for _, want := range []string{"$1,204,551.25", "$90,100.50", "$1,294,651.75", "$647,325.88", "It sums up 2 rows only"} {
		if !strings.Contains(res.Text, want) {
			t.Errorf("no %q in %s", want, res.Text)
		}
	}
	if got := res.Table.Value(1, res.Table.Index("max")).Text(); got != "1204551.25" {
		t.Errorf("the table has %s", got)
	}
	res = call(t, reg, "summarize_table", `{"data":"x\n1\n2\n3\n4\n5\n6\n7\n9\n"}`)
	if strings.Contains(res.Text, "only") || !strings.Contains(res.Text, "|Standard Deviation|2.67|") {
		t.Errorf("of eight: %s", res.Text)
	}
	res = call(t, reg, "format_table_for_llm", `{"data":"x\n1\n2\n300\n","detect_anomalies":true}`)
	if !strings.Contains(res.Text, "3 rows are too few to tell") {
		t.Errorf("anomalies of three: %s", res.Text)
	}
	res = call(t, reg, "format_table_for_llm", `{"data":"x\n1\n","detect_anomalies":true}`)
	if !strings.Contains(res.Text, "1 row is too few to tell") {
		t.Errorf("anomalies of one: %s", res.Text)
	}
}

// What a column names is told beside its type, where a table's columns are described and summed up.
func TestMeaningHasConcept(t *testing.T) {
	kept := handle.New(handle.Options{})
	sources := data.NewSources(kept, table.Limits{})
	reg := tools.NewRegistry(tools.Options{Tables: kept, Render: data.Render})
	if err := reg.Register(data.New(data.Options{Sources: sources, Tables: kept}).Tools()...); err != nil {
		t.Fatal(err)
	}
	named, err := load.Bytes([]byte("first_name,paid\nAnna,1\nOle,2\nSven,3\n"), "clerks.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	sources.Add(data.SourceTable{Name: "clerks", Table: named.Table, Source: "clerks.csv"})
	for tool, args := range map[string]string{"describe_table": `{"table":"clerks"}`, "summarize_table": `{"data":"clerks"}`} {
		if res := call(t, reg, tool, args); res.IsError || !strings.Contains(res.Text, "Text (first name)") {
			t.Errorf("%s: %s", tool, res.Text)
		}
	}
}

// Summaries and insights of a table with a total count it, and say so.
func TestTotalsOfSummaries(t *testing.T) {
	reg, _ := kitchen(t, nil)
	const data = `[{"region":"North","revenue":1034.5},{"region":"South","revenue":2022.25},{"region":"East","revenue":711},{"region":"Alle","revenue":3767.75}]`
	for _, tool := range []string{"summarize_table", "generate_insights"} {
		res := call(t, reg, tool, `{"data":`+data+`}`)
		if want := `Counted too: the row whose region is "Alle", which is the sum of the others.`; !slices.Contains(res.Notes, want) {
			t.Errorf("%s: %v", tool, res.Notes)
		}
	}
}
