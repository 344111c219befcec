package planner_test

import (
	"context"
	"encoding/json"
	"testing"

	"catena/planner"
	"catena/planner/plan"
)

// passed is a planner that says that it was asked.
type passed struct{}

func (passed) Plan(context.Context, plan.Request) (plan.Response, error) {
	return plan.Response{Direct: "asked"}, nil
}

// A message that is a statement over tables that there are is its own plan; English is not.
func TestStated(t *testing.T) {
	req := plan.Request{
		Tools: []plan.Tool{
			{Name: "list_tables", InputSchema: json.RawMessage(`{"type": "object"}`)},
			{Name: "query_table", InputSchema: json.RawMessage(`{"type": "object", "properties": {"table": {"type": "string"}, "sql": {"type": "string"}, "tables": {"type": "object"}}}`)},
		},
		Tables: []plan.TableInfo{{Name: "clients", Columns: []plan.ColumnInfo{{Name: "region", Type: "text"}, {Name: "since", Type: "date"}}}},
	}
	for message, want := range map[string]bool{
		"SELECT region, COUNT(*) FROM clients GROUP BY region;":  true,
		" select * from Clients where since > '2020-01-01' ":     true,
		"WITH c AS (SELECT region FROM clients) SELECT * FROM c": true,
		"SELECT regio FROM clients":                              true,
		"select clients from USA":                                false,
		"select all from clients":                                false,
		"select the best from clients":                           false,
		"Select best from clients":                               false,
		"with which clients did we begin in 2020?":               false,
		"SELECT 1; DROP TABLE clients":                           false,
		"show clients, then SELECT region FROM clients":          false,
		"SELECT region FROM nosuch":                              true,
		"SELECT region FROM clients WHER since > 1":              true,
		"SELECT THE BEST CLIENTS FROM USA":                       false,
		"Select the best clients FROM the USA":                   false,
		"SELECT 1":                                               true,
		"```sql\nselect region\nfrom clients\n```":               true,
		"```\nselect region from clients;\n```\n":                true,
		"```sql\nselect region frm clients\n```":                 true,
		"```\nselect the best from clients\n```":                 false,
		"```python\nselect region from clients\n```":             false,
		"```sql\nselect 1\n``` and ```sql\nselect 2\n```":        false,
	} {
		req.Message = message
		res, err := planner.Stated(passed{}).Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if own := len(res.Plan.Steps) == 1 && res.Plan.Steps[0].Tool == "query_table"; own != want || own == (res.Direct != "") {
			t.Errorf("%q: %+v", message, res)
		}
	}
	req.Message, req.Tools = "SELECT region FROM clients", req.Tools[:1]
	if res, err := planner.Stated(passed{}).Plan(t.Context(), req); err != nil || res.Direct == "" {
		t.Errorf("without a tool: %+v, %v", res, err)
	}
}
