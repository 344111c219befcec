package data

import (
	"testing"

	"catena/planner/plan"
)

func TestQueryTitleOfShares(t *testing.T) {
	part := []plan.Condition{{Column: "status", Op: "eq", Value: "open"}}
	for want, s := range map[string]plan.Select{
		"Tickets: share of rows with status open":  {Expr: "share", As: "percent", Filter: part},
		"Tickets: share of hours with status open": {Expr: "share", Column: "hours", Filter: part},
	} {
		if got := queryTitle(SourceTable{Name: "tickets"}, plan.Query{Select: []plan.Select{s}}); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
