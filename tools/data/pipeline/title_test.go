package pipeline_test

import (
	"encoding/json"
	"testing"

	"catena/planner/plan"
	"catena/tools/data/pipeline"
)

func TestWithScope(t *testing.T) {
	cond := func(column, op string, value any) plan.Condition {
		return plan.Condition{Column: column, Op: op, Value: value}
	}
	cases := []struct {
		filter, having []plan.Condition
		want           string
	}{
		{nil, nil, "Revenue: total revenue"},
		{[]plan.Condition{cond("region", "eq", "DACH"), cond("month", "eq", "2025"), cond("region", "not_null", nil)}, nil, "Revenue: total revenue in 2025, region DACH"},
		{[]plan.Condition{cond("month", "between", []any{"2025-11", "2026-10"})}, nil, "Revenue: total revenue from November 2025 to October 2026"},
		{[]plan.Condition{cond("month", "ge", "2025-03-01"), cond("owner", "is_null", nil)}, nil, "Revenue: total revenue since 2025-03-01, no owner"},
		{[]plan.Condition{cond("month", "eq", "2025-Q3"), cond("client", "starts_with", "Y")}, nil, "Revenue: total revenue in Q3 2025, client starting with Y"},
		{[]plan.Condition{cond("closed_on", "eq", "2025")}, nil, "Revenue: total revenue, closed on in 2025"},
		{[]plan.Condition{cond("region", "not_in", []any{"DACH", "USA"})}, []plan.Condition{cond("orders", "gt", json.Number("1000000"))}, "Revenue: total revenue, region not DACH or USA, orders over 1,000,000"},
		{[]plan.Condition{{Any: []plan.Condition{cond("region", "eq", "DACH"), cond("remote", "eq", true)}}}, nil, "Revenue: total revenue, region DACH or remote yes"},
		{[]plan.Condition{cond("month", "eq", "2025"), cond("client", "eq", "A client whose name is so long that no title could ever take all of it up"), cond("region", "eq", "A region with a long name")}, nil,
			"Revenue: total revenue in 2025, client A client whose name is so long that no title could ever take all of it up, 1 condition more"},
	}
	for _, c := range cases {
		if got := pipeline.WithScope("Revenue: total revenue", plan.Query{Filter: c.filter, Having: c.having}); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
