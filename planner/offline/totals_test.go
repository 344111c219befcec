package offline

import (
	"context"
	"strings"
	"testing"

	"catena/planner/plan"
)

// knownNames finds one value.
type knownNames struct{ hit plan.Hit }

func (k knownNames) Find(_ context.Context, phrase string) []plan.Hit {
	if plan.FoldKey(phrase) == plan.FoldKey(k.hit.Value) {
		return []plan.Hit{k.hit}
	}
	return nil
}

// Rows of totals are left out, and the answer says so, where the table's description has them as a fact; a value "Total" alone is a name.
func TestTotalsAreAFact(t *testing.T) {
	sales := plan.TableInfo{Name: "sales", Rows: 40, Columns: []plan.ColumnInfo{
		{Name: "client", Type: "text", Role: "dimension", Distinct: 40},
		{Name: "revenue", Type: "decimal", Role: "measure", Min: "1.50", Max: "980.00", Distinct: 40},
	}}
	hit := plan.Hit{Table: "sales", Column: "client", Value: "Total", Match: plan.Exact, Score: 1, Rows: 1, Values: 1}
	for _, c := range []struct {
		name   string
		totals []plan.TotalRows
		want   string // in the plan
		note   string
	}{
		{"a client called Total", nil, "", ""},
		{"a total", []plan.TotalRows{{Column: "client", Value: "Total", Rows: 1}}, `"op":"ne","value":"Total"`,
			`Left out: the row whose client is "Total", which is the sum of the others.`},
		{"a total without a name", []plan.TotalRows{{Column: "client", Rows: 1}}, `"op":"not_null"`,
			"Left out: the row whose client is empty, which is the sum of the others."},
		{"totals under another word", []plan.TotalRows{{Column: "client", Value: "Alle", Rows: 3}}, `"op":"ne","value":"Alle"`,
			`Left out: the 3 rows whose client is "Alle", which are sums of the others.`},
	} {
		t.Run(c.name, func(t *testing.T) {
			info := sales
			info.Totals = c.totals
			for _, question := range []string{"average revenue", "sum of revenue"} {
				resp, err := New().Plan(t.Context(), plan.Request{Message: question, Tables: []plan.TableInfo{info}, Values: knownNames{hit},
					Tools: testTools, Now: testNow})
				if err != nil {
					t.Fatal(err)
				}
				steps := stepsOf(resp.Plan)
				if !strings.Contains(steps, c.want) || c.want == "" && strings.Contains(steps, "filter") || steps == "" {
					t.Errorf("%s: %s", question, steps)
				}
				if notes := strings.Join(resp.Notes, " "); !strings.Contains(notes, c.note) || c.note == "" && strings.Contains(notes, "Left out") {
					t.Errorf("%s: %s", question, notes)
				}
			}
		})
	}
}
