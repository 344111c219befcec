package data

import (
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/table"

	"github.com/google/go-cmp/cmp"
)

// A total is a fact of the table's description; a query that counts it says so, one that leaves it out does not.
func TestTotalsOfATable(t *testing.T) {
	build := func(last string, sum float64) *table.Table {
		b := table.NewBuilder(table.Column{Name: "region", Type: table.Text}, table.Column{Name: "revenue", Type: table.Float})
		for _, r := range []struct {
			name string
			n    float64
		}{{"North", 1034.5}, {"South", 2022.25}, {"East", 711}, {last, sum}} {
			if err := b.Append(table.TextValue(r.name), table.FloatValue(r.n)); err != nil {
				t.Fatal(err)
			}
		}
		return b.Table()
	}
	if diff := cmp.Diff([]plan.TotalRows{{Column: "region", Rows: 1, Value: "Alle"}}, Describe("sales", build("Alle", 3767.75)).Totals); diff != "" {
		t.Error(diff)
	}
	if got := Describe("sales", build("Total", 812.5)).Totals; got != nil {
		t.Errorf("a name was taken for a total: %v", got)
	}
	k := New(Options{Sources: NewSources(nil, table.Limits{})})
	sum := []plan.Select{{Column: "revenue", Expr: "sum"}}
	for _, c := range []struct {
		of   SourceTable
		want int
	}{
		{SourceTable{Source: "sales.csv"}, 1}, {SourceTable{Source: sourceUpload, Handle: "tbl_1"}, 1}, {SourceTable{Source: inlineSource}, 1},
		{SourceTable{Source: "result", Handle: "tbl_2", Untrusted: true}, 1}, {SourceTable{Source: "result", Handle: "tbl_3"}, 0},
		{SourceTable{Source: "result", Handle: "tbl_4", Passed: true}, 1},
	} {
		c.of.Name, c.of.Table = "sales", build("Alle", 3767.75)
		if notes := k.totalsCounted(t.Context(), c.of, plan.Query{Select: sum}); len(notes) != c.want {
			t.Errorf("%s, of another server %v: %v", c.of.Source, c.of.Untrusted, notes)
		}
	}
	src := SourceTable{Name: "sales", Table: build("Alle", 3767.75), Source: "sales.csv"}
	for _, c := range []struct {
		name string
		q    plan.Query
		want bool
	}{
		{"a sum over all", plan.Query{Select: sum}, true},
		{"a sum without it", plan.Query{Select: sum, Filter: []plan.Condition{{Column: "Region", Op: "ne", Value: "Alle"}}}, false},
		{"each by itself", plan.Query{Select: sum, GroupBy: []plan.GroupKey{{Column: "region"}}}, false},
		{"rows", plan.Query{}, false},
	} {
		notes := strings.Join(k.totalsCounted(t.Context(), src, c.q), " ")
		if want := `Counted too: the row whose region is "Alle", which is the sum of the others.`; (notes == want) != c.want || !c.want && notes != "" {
			t.Errorf("%s: %q", c.name, notes)
		}
	}
}

// A statement that folds a table with its totals says so, unless it names the column of their labels.
func TestStatementNamesColumn(t *testing.T) {
	for statement, want := range map[string]bool{
		"SELECT sum(revenue) FROM regions": false, "SELECT sum(revenue) FROM sub_region": false, "SELECT Region, sum(revenue) FROM regions GROUP BY 1": true,
		`SELECT sum(revenue) FROM regions r WHERE r."region" <> 'Alle'`: true, "SELECT sum(revenue) FROM regions WHERE region": true, "": false,
	} {
		if got := standsIn(statement, "region"); got != want {
			t.Errorf("%s: %v", statement, got)
		}
	}
	if standsIn("SELECT", "") {
		t.Error("no name stands everywhere")
	}
}
