package statement_test

import (
	"fmt"

	"catena/planner/plan"
	"catena/planner/statement"
)

func ExampleWorld_Check() {
	tables := statement.Tables{{Name: "sales", Columns: []plan.ColumnInfo{{Name: "region", Type: "text"}}}}
	p := plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "query_table", Args: map[string]any{"sql": "SELECT regoin FROM sales"}}}}
	for _, f := range (statement.World{Tool: "query_table", Tables: tables}).Check(p) {
		fmt.Println(f.Code, f.Path, f.Message)
	}
	// Output: unknown_output_field /steps/0/args/sql 1:8: there is no column "regoin"; did you mean region?
}
