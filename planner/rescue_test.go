package planner

import (
	"errors"
	"testing"

	"catena/planner/plan"
)

// A rescue plans the message anew beside what is done, and does nothing that the plan before was not allowed to.
func TestRescue(t *testing.T) {
	ran := plan.Ran{Plan: plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "get_top_clients"}, {ID: "s2", Tool: "query_table"}}},
		Steps: []plan.RanStep{{ID: "s1", Done: true}, {ID: "s2", Code: "bad_query"}}}
	steps := func(tool string) plan.Response {
		return plan.Response{By: "offline", Plan: plan.Plan{Steps: []plan.Step{{ID: "s2", Tool: tool, Args: map[string]any{}}},
			Answer: []any{plan.Ref{Step: "s2"}}}}
	}
	res, err := Rescue(&fixed{res: steps("query_table")}).Replan(t.Context(), request("x"), ran)
	if err != nil || len(res.Plan.Steps) != 2 || res.Plan.Steps[1].ID != "s2_2" || plan.Refs(res.Plan.Answer)[0].Step != "s2_2" {
		t.Errorf("%+v %v", res.Plan, err)
	}
	for name, res := range map[string]plan.Response{"destructive": steps("delete_client"), "a question": {Plan: plan.Plan{Clarify: "which?"}}} {
		if _, err := Rescue(&fixed{res: res}).Replan(t.Context(), request("x"), ran); !errors.Is(err, ErrNoPlan) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
