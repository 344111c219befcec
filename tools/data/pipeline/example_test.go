package pipeline_test

import (
	"context"
	"fmt"

	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
	"catena/tools/data/pipeline"
)

// The mean of a column by another, of the rows that hold a number; a note says which rows do not.
func Example() {
	visits, err := load.Text("city,minutes\nOslo,30\nRome,45\nOslo,20\nRome,unknown\n", table.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	q := plan.Query{
		Table: "visits", GroupBy: []plan.GroupKey{{Column: "city"}},
		Select: []plan.Select{{Column: "city"}, {Expr: "mean", Column: "minutes", As: "mean"}},
	}
	find := func(string) (*table.Table, error) { return visits, nil }
	out, notes, _, err := pipeline.Run(context.Background(), q, find, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range out.NumRows() {
		fmt.Println(out.Value(row, 0), out.Value(row, 1))
	}
	fmt.Println(notes)
	// Output:
	// Oslo 25
	// Rome 45
	// [1 cell of minutes is no number and was left out: “unknown” in row 4.]
}
