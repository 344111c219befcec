package planner_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"catena/planner"
	"catena/planner/plan"
)

// always is a planner that always gives one plan.
type always struct{ args map[string]any }

func (f always) Plan(context.Context, plan.Request) (plan.Response, error) {
	step := plan.Step{ID: "s1", Tool: "query_table", Args: f.args}
	return plan.Response{Plan: plan.Plan{Steps: []plan.Step{step}}, By: "offline"}, nil
}

// A plan with a number that nothing can work with is refused, wherever in the arguments it stands.
func TestWorkable(t *testing.T) {
	long := json.Number(strings.Repeat("9", 30_000))
	for name, tt := range map[string]struct {
		args map[string]any
		want string // in the refusal; "" for the plan as it is
	}{
		"one of 38 digits": {map[string]any{"value": json.Number(strings.Repeat("9", 38))}, ""},
		"a long text":      {map[string]any{"text": string(long)}, ""},
		"alone":            {map[string]any{"limit": long}, "100 digits at most"},
		"in a condition":   {map[string]any{"filter": []any{map[string]any{"column": "a", "value": long}}}, "100 digits at most"},
		"a fraction":       {map[string]any{"limit": "0." + long}, "100 digits at most"},
		"of a text":        {map[string]any{"text": plan.Concat{Parts: []any{"a", "0." + long}}}, "100 digits at most"},
		"a large exponent": {map[string]any{"limit": json.Number("1e999")}, "between -1e308 and 1e308"},
	} {
		res, err := planner.Workable(always{tt.args}).Plan(t.Context(), plan.Request{})
		if err != nil {
			t.Fatal(err)
		}
		refuse := res.Plan.Refuse
		if (refuse == "") != (tt.want == "") || !strings.Contains(refuse, tt.want) || len(refuse) > 300 {
			t.Errorf("%s: %+v", name, res.Plan)
		}
	}
}
