package chat

import (
	"slices"
	"testing"

	"catena/planner/plan"
)

// The tables that a plan reads are found in each form in which a query names them.
func TestTablesIn(t *testing.T) {
	for name, c := range map[string]struct {
		args map[string]any
		want []string
	}{
		"a table":     {map[string]any{"table": "sales", "select": []any{"region"}}, []string{"sales"}},
		"data":        {map[string]any{"data": "sales"}, []string{"sales"}},
		"joins":       {map[string]any{"join": []any{map[string]any{"table": "clients"}}, "table": "sales"}, []string{"clients", "sales"}},
		"a query":     {map[string]any{"query": map[string]any{"from": "sales", "stages": []any{map[string]any{"with": map[string]any{"from": "clients"}}}}}, []string{"sales", "clients"}},
		"a statement": {map[string]any{"sql": `SELECT 1 FROM sales s JOIN "clients" c ON s.id = c.id`}, []string{"sales", "clients"}},
		"none":        {map[string]any{"text": "from sales"}, nil},
	} {
		got := tablesIn(plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "query_table", Args: c.args}}})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
