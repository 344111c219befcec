package planner_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"catena/planner"
	"catena/planner/plan"
)

// busy is a model's endpoint that has no time.
type busy struct{}

func (busy) Complete(context.Context, planner.Prompt) (planner.Completion, error) {
	return planner.Completion{}, &planner.CompletionError{Provider: "openai", Status: 429}
}

// list plans the same for every message.
type list struct{}

func (list) Plan(context.Context, plan.Request) (plan.Response, error) {
	return plan.Response{By: "offline", Plan: plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "list_tables", Args: map[string]any{}}}}}, nil
}

// Planners compose: when the model does not answer, the next one plans, and the response says so.
func ExampleFallback() {
	p := planner.Fallback(planner.Within(&planner.LLM{Completer: busy{}}, 20*time.Second), list{})
	res, err := p.Plan(context.Background(), plan.Request{Message: "Which tables are there?",
		Tools: []plan.Tool{{Name: "list_tables", InputSchema: json.RawMessage(`{"type":"object"}`)}}})
	fmt.Println(res.Plan.Steps[0].Tool, res.By, err)
	fmt.Println(res.Notes[0])
	// Output:
	// list_tables offline <nil>
	// The language model did not answer (429 Too Many Requests); planned offline.
}
