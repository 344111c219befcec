package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/planner/plan/plantest"

	"catena/planner/plan"
)

// A tool of another server whose schema costs too much is left out, or its calls and results are bounded; its other tools stay. Without bounds
// each of these takes minutes or gigabytes, or ends the process.
func TestHostileSchemasOfTools(t *testing.T) {
	for _, h := range plantest.HostileSchemas(40) {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			var value map[string]any
			d := json.NewDecoder(strings.NewReader(h.Value))
			d.UseNumber()
			if err := d.Decode(&value); err != nil {
				t.Fatal(err)
			}
			give := func(context.Context, Call) (Result, error) { return Result{Structured: value}, nil }
			plain := json.RawMessage(`{"type":"object"}`)
			tool := func(name string, in, out json.RawMessage) Tool {
				return Tool{Toolset: "srv", Handler: give, Def: mcp.Tool{Name: "srv__" + name, RawInputSchema: in, RawOutputSchema: out, Annotations: mcp.ToolAnnotation{ReadOnlyHint: mcp.ToBoolPtr(true)}}}
			}
			reg := NewRegistry(Options{})
			err := reg.Replace("srv", tool("in", json.RawMessage(h.Schema), nil), tool("out", plain, json.RawMessage(h.Schema)), tool("good", plain, nil))
			if h.Unfit && (err == nil || !strings.Contains(err.Error(), "(limit ") || len(err.Error()) > 2000) {
				t.Errorf("left out with: %v", err)
			}
			if n, want := len(reg.List(access.Local("test"))), map[bool]int{true: 1, false: 3}[h.Unfit]; n != want {
				t.Fatalf("%d tools, want %d: %v", n, want, err)
			}
			for _, one := range reg.List(access.Local("test")) {
				args := map[string]any{}
				if one.Def.Name == "srv__in" {
					args = value
				}
				res, err := reg.Call(t.Context(), Call{Tool: one.Def.Name, Args: args, Caller: access.Local("test")})
				if err != nil || len(res.Text) > 20_000 && res.IsError {
					t.Errorf("%s: %v, %d bytes of text", one.Def.Name, err, len(res.Text))
				}
			}
		})
	}
}

// A reference to one value that is null is named; lists may hold nulls, and null that was written is meant.
func TestNoValue(t *testing.T) {
	ref := plan.Ref{Step: "s1", Path: []plan.Seg{{Field: "id"}}}
	inside := map[string]any{"a": 1, "b": map[string]any{"c": []any{ref}}}
	for name, tt := range map[string]struct {
		was, is any
		want    string
	}{
		"null":    {inside, map[string]any{"a": 1, "b": map[string]any{"c": []any{nil}}}, "s1.id: the value is empty"},
		"a value": {map[string]any{"a": ref}, map[string]any{"a": ""}, ""},
		"a list":  {map[string]any{"a": ref}, map[string]any{"a": []any{nil}}, ""},
		"written": {map[string]any{"a": nil}, map[string]any{"a": nil}, ""},
	} {
		err := noValue(tt.was, tt.is)
		if tt.want == "" && err != nil || tt.want != "" && (!errors.Is(err, errEmpty) || err.Error() != tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
