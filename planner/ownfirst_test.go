package planner

import (
	"context"
	"testing"

	"catena/planner/offline"
	"catena/planner/plan"
)

// plannedOver plans by the first of its answers that reads a table of the request.
type plannedOver []plan.Step

func (p plannedOver) Plan(_ context.Context, req plan.Request) (plan.Response, error) {
	for _, s := range p {
		if readsOneOf(plan.Plan{Steps: []plan.Step{s}}, req.Tables) {
			return plan.Response{Plan: plan.Plan{Steps: []plan.Step{s}}}, nil
		}
	}
	return plan.Response{Plan: plan.Plan{Refuse: "no"}}, nil
}

// A message that names an upload is answered from it where it can be, and else as it was planned.
func TestOwnFirst(t *testing.T) {
	step := func(id string, args map[string]any) plan.Step {
		return plan.Step{ID: id, Tool: "query_table", Args: args}
	}
	demo := step("demo", map[string]any{"query": map[string]any{"from": "revenue", "stages": []any{map[string]any{"col": "orders"}}}})
	own := step("own", map[string]any{"table": "orders"})
	others := step("others", map[string]any{"sql": "SELECT 1 FROM fx"})
	tables := []plan.TableInfo{{Name: "revenue", Source: "demo"}, {Name: "fx", Source: "demo"}, {Name: "orders", Handle: "tbl_1", Source: "upload"}}
	for message, tt := range map[string]struct {
		next plannedOver
		want string
	}{
		"total amount of orders":       {plannedOver{demo, own}, "own"},
		"amount of each Order":         {plannedOver{demo, own}, "own"},
		"total amount":                 {plannedOver{demo, own}, "own"},
		"total amount of the demo":     {plannedOver{demo, own}, "demo"},
		"total of orders that are no":  {plannedOver{demo}, "asks"},
		"orders in fx":                 {plannedOver{others, own}, "own"},
		"the orders, first":            {plannedOver{own, demo}, "own"},
		"query_table of all orders":    {plannedOver{demo, own}, "own"},
		"get_top of them":              {plannedOver{demo, own}, "demo"},
		"query_table of orders, of fx": {plannedOver{others, own}, "own"},
	} {
		got, err := OwnFirst(tt.next, "crm").Plan(t.Context(), plan.Request{Message: message, Tables: tables, Tools: []plan.Tool{{Name: "get_top", Toolset: "crm"}}})
		said := "asks"
		if len(got.Plan.Steps) > 0 {
			said = got.Plan.Steps[0].ID
		}
		if err != nil || said != tt.want || (said == "asks") != (len(got.Plan.Alternatives) == 1) {
			t.Errorf("%q: %+v, %v", message, got.Plan, err)
		}
	}
}

// Of two readings of a message that names an upload, that of the upload comes first.
func TestOwnReading(t *testing.T) {
	reads := func(table string) plan.Plan {
		return plan.Plan{Reading: table, Steps: []plan.Step{{ID: "s1", Tool: "query_table", Args: map[string]any{"table": table}}}}
	}
	p := reads("revenue")
	p.Alternatives = []plan.Alternative{{Reading: "fx", Plan: reads("fx")}, {Reading: "orders", Plan: reads("orders")}}
	own := []plan.TableInfo{{Name: "orders", Source: "upload"}}
	got := ownReading(p, own)
	if got.Reading != "orders" || len(got.Alternatives) != 2 || got.Alternatives[1].Reading != "revenue" {
		t.Errorf("%+v", got)
	}
	if got := ownReading(p, []plan.TableInfo{{Name: "none"}}); got.Reading != "revenue" {
		t.Errorf("%+v", got)
	}
}

// The demo has a column and a table of the names that uploads have.
func TestOwnFirstOffline(t *testing.T) {
	column := func(name, kind, role string) plan.ColumnInfo {
		return plan.ColumnInfo{Name: name, Label: name, Type: kind, Role: role, Distinct: 9}
	}
	query := plan.Tool{Name: "query_table", Toolset: "data", ReadOnly: true, InputSchema: []byte(`{"type":"object","properties":{"table":{"type":"string"}}}`)}
	req := plan.Request{
		Tools: []plan.Tool{query},
		Tables: []plan.TableInfo{
			{Name: "revenue", Source: "demo", Rows: 900, Columns: []plan.ColumnInfo{column("client", "text", "dimension"), column("revenue", "decimal", "measure")}},
			{Name: "clients", Handle: "tbl_2", Source: "upload", Rows: 2, Columns: []plan.ColumnInfo{column("client", "text", "dimension"), column("revenue", "integer", "measure")}},
		},
	}
	for _, message := range []string{"total revenue of clients", "top 2 clients by revenue", "average revenue of the clients"} {
		req.Message = message
		got, err := OwnFirst(offline.New(), "crm").Plan(t.Context(), req)
		if err != nil || !readsOneOf(got.Plan, req.Tables[1:]) {
			t.Errorf("%q: %+v, %v", message, got.Plan, err)
		}
	}
}

// A word that names a table of the demo and a column of an upload means the column, whatever the file is called; but for the demo by name, and
// for what the upload has no words for.
func TestOwnColumnsFirst(t *testing.T) {
	column := func(name, kind, role string) plan.ColumnInfo {
		return plan.ColumnInfo{Name: name, Label: name, Type: kind, Role: role, Distinct: 9}
	}
	query := plan.Tool{Name: "query_table", Toolset: "data", ReadOnly: true, InputSchema: []byte(`{"type":"object","properties":{"table":{"type":"string"}}}`)}
	req := plan.Request{
		Tools: []plan.Tool{query},
		Tables: []plan.TableInfo{
			{Name: "revenue", Source: "demo", Rows: 900, Columns: []plan.ColumnInfo{
				column("client", "text", "dimension"), column("region", "text", "dimension"), column("amount", "decimal", "measure"),
			}},
			{Name: "shop", Handle: "tbl_2", Source: "upload", Rows: 3, Columns: []plan.ColumnInfo{column("region", "text", "dimension"), column("Revenue", "integer", "measure")}},
		},
	}
	for message, own := range map[string]bool{
		"total revenue": true, "revenue by region": true, "average revenue": true, "top 2 regions by revenue": true,
		"total revenue of the demo": false, "total demo.revenue": false, "top 5 clients by revenue": false,
	} {
		req.Message = message
		got, err := OwnFirst(offline.New(), "crm").Plan(t.Context(), req)
		if err != nil || readsOneOf(got.Plan, req.Tables[1:]) != own {
			t.Errorf("%q: %+v, %v", message, got.Plan, err)
		}
	}
}
