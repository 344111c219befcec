package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/bench/sets"
	"catena/tools"
)

// mathTool is a line of tools_math.
type mathTool struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Semantics    string          `json:"semantics"`
}

// readOnly are the annotations of tools that change nothing.
func readOnly() mcp.ToolAnnotation {
	yes, no := true, false
	return mcp.ToolAnnotation{ReadOnlyHint: &yes, DestructiveHint: &no}
}

func (t mathTool) tool() (tools.Tool, error) {
	f, err := parseFormula(t.Semantics)
	if err != nil {
		return tools.Tool{}, err
	}
	return tools.Tool{Toolset: "math",
		Def: mcp.Tool{Name: t.Name, Description: t.Description, RawInputSchema: t.InputSchema, RawOutputSchema: t.OutputSchema, Annotations: readOnly()},
		Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
			names := make(map[string]number, len(call.Args))
			for name, v := range call.Args {
				n, err := parseNumber(fmt.Sprint(v))
				if err != nil {
					return tools.Result{}, fmt.Errorf("%s: %w", name, err)
				}
				names[name] = n
			}
			return tools.Result{Structured: map[string]any{"result": f(names).float()}}, nil
		}}, nil
}

// sameNumber is the tolerance that the set names: 1e-9, relative to what is larger than one.
func sameNumber(got, want float64) bool {
	return math.Abs(got-want) <= 1e-9*math.Max(1, math.Abs(want))
}

// mathChains runs arithmetic chains and compares their one number.
func mathChains(ctx context.Context, o *sets.Options, f *figures) error {
	defs, err := sets.Lines[mathTool](o.Path("nestful", "tools_math.jsonl"), 0)
	if err != nil {
		return err
	}
	reg := tools.NewRegistry(tools.Options{})
	for _, d := range defs {
		t, err := d.tool()
		if err == nil {
			err = reg.Register(t)
		}
		if err != nil {
			return err
		}
	}
	rows, err := sets.Lines[row](o.Path("nestful", "SPLIT", "math_chains.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	s := stand{reg, tools.NewExecutor(reg, tools.ExecutorOptions{})}
	catalogue := reg.Planning(caller)
	for _, r := range rows {
		f.MathTotal++
		p, err := readPlan(r, catalogue, plain)
		var out tools.Outcome
		if err == nil {
			out, err = s.run(ctx, p)
		}
		if err != nil {
			o.Missf("math %s: %v", r.ID, err)
			continue
		}
		got, err := answerNumber(out)
		want, _ := r.Gold.Float64()
		if err != nil || !sameNumber(got, want) {
			o.Missf("math %s: %v instead of %v (%v)", r.ID, got, want, err)
			continue
		}
		f.MathOK++
	}
	fmt.Printf("math chains    %d of %d\n", f.MathOK, f.MathTotal)
	return nil
}

// plain leaves a name as it is.
func plain(name string) string { return name }

// answerNumber is the one number that a plan's answer shows.
func answerNumber(out tools.Outcome) (float64, error) {
	if len(out.Answer) != 1 {
		return 0, fmt.Errorf("the answer has %d items", len(out.Answer))
	}
	switch v := out.Answer[0].Value.(type) {
	case float64:
		return v, nil
	case json.Number:
		return v.Float64()
	default:
		return 0, fmt.Errorf("the answer is no number but %T", v)
	}
}
