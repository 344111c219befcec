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
	src := SourceTable{Name: "sales", Table: build("Alle", 3767.75), Source: "sales.csv"}
	sum := []plan.Select{{Column: "revenue", Expr: "sum"}}
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
		notes := strings.Join(k.totalsCounted(src, c.q), " ")
		if want := `Counted too: the row whose region is "Alle", which is the sum of the others.`; (notes == want) != c.want || !c.want && notes != "" {
			t.Errorf("%s: %q", c.name, notes)
		}
	}
}
