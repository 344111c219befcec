package pipeline_test

import (
	"testing"

	"catena/planner/plan"
	"catena/table"
	"catena/table/loadtest"
	"catena/tools/data/pipeline"
)

// TestQueryNames: a part of a column's name stands for it where no other column holds it, and a result of nothing has no
// columns to miss.
func TestQueryNames(t *testing.T) {
	tables := map[string]*table.Table{"s": loadtest.ReadCSV(t, "sku,price_eur,lead_days\nA,3,9\nB,5,2\n").Table, "none": {}}
	got, notes, _, err := pipeline.Run(t.Context(), plan.Query{
		Table: "s", Select: []plan.Select{{Column: "sku"}}, OrderBy: []plan.Order{{Column: "price", Desc: true}}, Limit: 1,
	}, among(tables), nil)
	if err != nil || got.NumRows() != 1 || got.Value(0, 0).String() != "B" || len(notes) == 0 {
		t.Errorf("%v %v %v", got, notes, err)
	}
	if _, _, _, err := pipeline.Run(t.Context(), plan.Query{Table: "s", OrderBy: []plan.Order{{Column: "weight"}}}, among(tables), nil); err == nil {
		t.Error("a column that is not there was found")
	}
	got, _, _, err = pipeline.Run(t.Context(), plan.Query{
		Table: "none", Filter: []plan.Condition{{Column: "state", Op: "eq", Value: "late"}}, Select: []plan.Select{{Expr: "count", As: "count"}},
	}, among(tables), nil)
	if err != nil || got.NumRows() != 1 || got.Value(0, 0).String() != "0" {
		t.Errorf("a count of nothing: %v %v", got, err)
	}
	got, _, _, err = pipeline.Run(t.Context(), plan.Query{
		Table: "none", Filter: []plan.Condition{{Column: "state", Op: "eq", Value: "late"}},
	}, among(tables), nil)
	if err != nil || got.NumRows() != 0 {
		t.Errorf("rows of nothing: %v %v", got, err)
	}
}
