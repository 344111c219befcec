package pipeline_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/formatter"
	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
	"catena/tools/data/pipeline"
)

// sold is a little table with a column of dates called month.
func sold(t *testing.T) *table.Table {
	t.Helper()
	named, err := load.Bytes([]byte("month,opened,kind,amount\n2025-01-01,2025-01-06,a,1.50\n2025-02-01,2025-02-04,b,2.00\n2025-04-01,2025-04-05,a,3.25\n2026-01-01,2026-01-07,b,4.00\n"), "sold.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return named.Table
}

func TestPeriodColumns(t *testing.T) {
	src := sold(t)
	tests := []struct {
		name, query string
		columns     []string
		first       string // the first cell as people read it
		rows        int
	}{
		{"quarter", `{"group_by":[{"column":"month","period":"quarter"}],"select":["month",{"expr":"sum","column":"amount","as":"total"}],"order_by":[{"column":"month","desc":true}]}`, []string{"quarter", "total"}, "2026 Q1", 3},
		{"by its new name", `{"group_by":[{"column":"month","period":"quarter"}],"order_by":["quarter"]}`, []string{"quarter", "count"}, "2025 Q1", 3},
		{"year", `{"group_by":[{"column":"month","period":"year"}],"having":[{"column":"month","op":"eq","value":2026}]}`, []string{"year", "count"}, "2026", 1},
		{"month keeps its name", `{"group_by":[{"column":"month","period":"month"}],"order_by":["month"]}`, []string{"month", "count"}, "2025-01", 4},
		{"month of another column", `{"group_by":[{"column":"opened","period":"month"}],"order_by":["opened"]}`, []string{"month", "count"}, "2025-01", 4},
		{"two keys", `{"group_by":["month",{"column":"opened","period":"month"}],"order_by":["month"]}`, []string{"month", "opened_month", "count"}, "2025-01", 4},
		{"two of one column", `{"group_by":[{"column":"month","period":"year"},{"column":"opened","period":"year"}],"order_by":["year"]}`, []string{"year", "opened_year", "count"}, "2025", 2},
		{"weekday", `{"group_by":[{"column":"opened","period":"weekday"}],"order_by":["opened"]}`, []string{"weekday", "count"}, "Monday", 4},
		{"month of the year", `{"group_by":[{"column":"opened","period":"month_of_year"}],"order_by":["opened"]}`, []string{"month_of_year", "count"}, "January", 3},
		{"decade", `{"group_by":[{"column":"opened","period":"decade"}]}`, []string{"decade", "count"}, "2020", 1},
		{"as", `{"group_by":[{"column":"opened","period":"year","as":"when"}],"order_by":["opened"]}`, []string{"when", "count"}, "2025", 2},
		{"an aggregate has the name", `{"group_by":[{"column":"opened","period":"year"}],"select":[{"expr":"count","as":"year"}]}`, []string{"opened_year", "year"}, "2025", 2},
		{"change", `{"group_by":[{"column":"month","period":"year"}],"select":[{"expr":"sum","column":"amount","as":"total"}],"change":{"column":"total","order":"month"}}`,
			[]string{"year_first", "year_last", "total_first", "total_last", "change", "change_percent"}, "2025", 1},
		{"limit by", `{"group_by":[{"column":"month","period":"year"},"kind"],"order_by":["month","kind"],"limit":1,"limit_by":["month"]}`, []string{"year", "kind", "count"}, "2025", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var args map[string]any
			if err := json.Unmarshal([]byte(test.query), &args); err != nil {
				t.Fatal(err)
			}
			args["table"] = "sold"
			q, err := plan.ParseQuery(args)
			if err != nil {
				t.Fatal(err)
			}
			got, _, _, err := pipeline.Run(t.Context(), q, func(string) (*table.Table, error) { return src, nil }, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.columns, got.Names()); diff != "" {
				t.Error(diff)
			}
			if got.NumRows() != test.rows {
				t.Errorf("%d rows, want %d", got.NumRows(), test.rows)
			}
			view, err := formatter.Format(got, nil, formatter.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if cell := view.Cell(0, 0); cell != test.first {
				t.Errorf("the first cell reads %q, want %q", cell, test.first)
			}
		})
	}
}

func TestUnknownPeriod(t *testing.T) {
	q := plan.Query{Table: "sold", GroupBy: []plan.GroupKey{{Column: "month", Period: "fortnight"}}}
	_, _, _, err := pipeline.Run(t.Context(), q, func(string) (*table.Table, error) { return sold(t), nil }, nil)
	var fault *pipeline.Error
	if !errors.As(err, &fault) {
		t.Errorf("got %v, want an Error", err)
	}
}
