package tools_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/tools"
)

// A tool is registered, and a plan calls it twice, the second time with what the first call gave.
func Example() {
	yes, no := true, false
	double := tools.Tool{
		Toolset: "demo",
		Def: mcp.Tool{Name: "double", Description: "Doubles a number.",
			RawInputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`),
			Annotations:    mcp.ToolAnnotation{ReadOnlyHint: &yes, DestructiveHint: &no}},
		Handler: func(_ context.Context, c tools.Call) (tools.Result, error) {
			return tools.Result{Structured: map[string]any{"n": 2 * c.Int("n", 0)}}, nil
		},
	}
	reg := tools.NewRegistry(tools.Options{})
	if err := reg.Register(double); err != nil {
		fmt.Println(err)
		return
	}
	p, err := plan.Parse(`{"steps":[{"id":"s1","tool":"double","args":{"n":4}},{"id":"s2","tool":"demo:double","args":{"n":{"$ref":"s1.n"}}}]}`, plan.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := tools.NewExecutor(reg, tools.ExecutorOptions{}).Run(context.Background(), tools.RunRequest{Caller: access.Local("cli"), Plan: p}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Answer[0].Step, out.Answer[0].Result.Structured)
	// Output: s2 map[n:16]
}
