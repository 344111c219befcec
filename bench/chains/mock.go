package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/bench/sets"
	"catena/planner/plan"
	"catena/tools"
)

// mockTool is a line of tools_mock: a tool of which only the shape of its output is known.
type mockTool struct {
	Name        string          `json:"name"`
	Group       string          `json:"group"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Output      json.RawMessage `json:"outputTemplate"`
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// mockName is a tool's name as MCP's hosts accept it: the sets' own names may hold dots, and two groups may share a name.
func mockName(group, name string) string {
	sum := sha256.Sum256([]byte(group + "/" + name))
	short := notInNames.ReplaceAllString(name, "_")
	return "mock__" + short[:min(len(short), 40)] + "_" + hex.EncodeToString(sum[:4])
}

// tool makes the tool as it runs: its arguments are those of its schema, of any type, for a mocked value is a text whatever it
// stands for.
func (t mockTool) tool() (tools.Tool, error) {
	template, err := decode(t.Output)
	if err != nil {
		return tools.Tool{}, err
	}
	in, err := namesOnly(t.InputSchema)
	if err != nil {
		return tools.Tool{}, err
	}
	out, err := json.Marshal(shapeOf(template))
	if err != nil {
		return tools.Tool{}, err
	}
	return tools.Tool{Toolset: "mock",
		Def: mcp.Tool{Name: mockName(t.Group, t.Name), Description: t.Description, RawInputSchema: in, RawOutputSchema: out, Annotations: readOnly()},
		Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
			args, err := canonical(call.Args)
			if err != nil {
				return tools.Result{}, err
			}
			sum := sha256.Sum256([]byte(t.Name + args))
			return tools.Result{Structured: filled(template, t.Name, "", hex.EncodeToString(sum[:])[:12])}, nil
		}}, nil
}

// facts are what the validator goes by, with the types that the set gives.
func (t mockTool) facts(made tools.Tool) plan.Tool {
	return plan.Tool{Name: made.Def.Name, Toolset: made.Toolset, InputSchema: t.InputSchema, OutputSchema: made.Def.RawOutputSchema, ReadOnly: true}
}

// namesOnly is a schema without what it says about the values of its arguments.
func namesOnly(schema json.RawMessage) (json.RawMessage, error) {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required,omitempty"`
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, err
	}
	props := map[string]any{}
	for name := range s.Properties {
		props[name] = map[string]any{}
	}
	return json.Marshal(map[string]any{"type": "object", "properties": props, "required": slices.Concat([]string{}, s.Required)})
}

// shapeOf is the schema that a template implies: its fields are there, and its leaves have none.
func shapeOf(v any) map[string]any {
	switch x := v.(type) {
	case map[string]any:
		props := map[string]any{}
		for k, e := range x {
			props[k] = shapeOf(e)
		}
		return map[string]any{"type": "object", "properties": props}
	case []any:
		out := map[string]any{"type": "array"}
		if len(x) > 0 {
			out["items"] = shapeOf(x[0])
		}
		return out
	}
	return map[string]any{"type": []string{"string", "number", "boolean", "null"}}
}

// filled is a template with each null leaf replaced by its stand-in.
func filled(v any, tool, path, hash string) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			at := k
			if path != "" {
				at = path + "." + k
			}
			out[k] = filled(e, tool, at, hash)
		}
		return out
	case []any:
		if len(x) > 0 {
			return []any{filled(x[0], tool, path+"[0]", hash)}
		}
		return x
	case nil:
		return tool + "." + path + "#" + hash
	}
	return v
}

// mockChains runs chains over mocked tools and compares all that they answer; plans that break a schema must be refused.
func mockChains(ctx context.Context, o *sets.Options, f *figures) error {
	defs, err := sets.Lines[mockTool](o.Path("nestful", "tools_mock.jsonl"), 0)
	if err != nil {
		return err
	}
	rows, err := sets.Lines[row](o.Path("nestful", "SPLIT", "mock_chains.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	var made []tools.Tool
	var typed []plan.Tool
	for _, d := range defs {
		t, err := d.tool()
		if err != nil {
			return fmt.Errorf("tool %s: %w", d.Name, err)
		}
		made, typed = append(made, t), append(typed, d.facts(t))
	}
	reg := tools.NewRegistry(tools.Options{})
	if err := reg.Register(made...); err != nil {
		return err
	}
	s := stand{reg, tools.NewExecutor(reg, tools.ExecutorOptions{})}
	catalogue, mistyped := reg.Planning(caller), 0
	for _, r := range rows {
		name := func(name string) string { return mockName(r.Group, name) }
		p, err := readPlan(r, catalogue, name)
		if r.Status == "invalid" {
			f.InvalidTotal++
			code, _, _ := strings.Cut(r.Why, " ")
			if plan.FindingsOf(err).Has(plan.Code(code)) {
				f.Refused++
			} else {
				o.Missf("mock %s: not refused for %s: %v", r.ID, r.Why, err)
			}
			continue
		}
		f.MockTotal++
		if _, wrong := readPlan(r, typed, name); err == nil && wrong != nil {
			mistyped++
			o.Missf("mock %s: breaks the types of its tools, which the mocks do not have: %v", r.ID, wrong)
		}
		if err == nil {
			err = mockEnds(ctx, s, r, p)
		}
		if err != nil {
			o.Missf("mock %s: %v", r.ID, err)
			continue
		}
		f.MockOK++
	}
	fmt.Printf("mock chains    %d of %d (%d of them break the types of their tools' schemas, which mocked values cannot keep)\n", f.MockOK, f.MockTotal, mistyped)
	fmt.Printf("dirty plans    %d of %d refused for what is wrong with them\n", f.Refused, f.InvalidTotal)
	return nil
}

// mockEnds runs a plan and compares: the answer where the row has one, else the results of all steps or of the last.
func mockEnds(ctx context.Context, s stand, r row, p plan.Plan) error {
	out, err := s.run(ctx, p)
	if err != nil {
		return err
	}
	want, err := decode(r.Expected)
	if err != nil {
		return err
	}
	all := map[string]any{}
	for _, step := range out.Steps {
		all[step.ID] = step.Result.Structured
	}
	var got any = all
	switch {
	case len(p.Answer) == 1 && len(out.Answer) == 1:
		if got = out.Answer[0].Value; out.Answer[0].Result != nil {
			got = out.Answer[0].Result.Structured
		}
	case len(p.Answer) > 0:
		return fmt.Errorf("the answer has %d items of %d", len(out.Answer), len(p.Answer))
	case r.Group != "seal":
		got = out.Steps[len(out.Steps)-1].Result.Structured
	}
	if !reflect.DeepEqual(got, want) {
		a, _ := canonical(got)
		b, _ := canonical(want)
		return fmt.Errorf("got %s, not %s", a, b)
	}
	return nil
}
