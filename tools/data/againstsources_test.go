package data_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/internal/access"
	"catena/table"
	"catena/table/load"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

// An upload that comes before an operator's table, or holds the same rows as one of another name, says so: in its answer and beside each
// table that is used, and to nobody who may not read that table.
func TestUploadsAgainstSources(t *testing.T) {
	const theirs, others = "region,amount\nNorth,3\nSouth,4\n", "region,amount\nNorth,5\n"
	const before = "In this session sales is the uploaded table; the one from demo is demo.sales."
	const twice = "The uploaded table mine holds the same rows as sales from demo: together they would count twice."
	for _, c := range []struct {
		file, text string
		allowed    bool
		want       []string
	}{
		{"sales.csv", others, true, []string{before}},
		{"SALES.csv", others, true, []string{"In this session SALES is the uploaded table; the one from demo is demo.sales."}},
		{"sales.csv", theirs, true, []string{before}},
		{"mine.csv", theirs, true, []string{twice}},
		{"mine.json", `[{"region": "North", "amount": 3}, {"region": "South", "amount": 4}]`, true, []string{twice}},
		{"mine.csv", others, true, nil},
		{"sales.csv", theirs, false, nil},
		{"mine.csv", theirs, false, nil},
	} {
		kept := handle.New(handle.Options{})
		sources := data.NewSources(kept, table.Limits{})
		tab, err := load.Text(theirs, table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		sources.Add(data.SourceTable{Name: "sales", Table: tab, Source: "demo"})
		var policy access.Policy = access.AllowAll{}
		if !c.allowed {
			policy = access.Granted{}
		}
		kit := data.New(data.Options{Sources: sources, Tables: kept, Policy: policy})
		got, err := kit.Attach(t.Context(), ann, tools.Upload{Session: "s1", Name: c.file, Data: []byte(c.text)})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, got.Notes); d != "" {
			t.Errorf("%s: the upload's answer:\n%s", c.file, d)
		}
		if d := cmp.Diff(c.want, kit.LoadNotes(t.Context(), ann, "s1", got.Tables[0])); d != "" {
			t.Errorf("%s: when it is used:\n%s", c.file, d)
		}
	}
}
