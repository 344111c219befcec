package tools

import (
	"testing"

	"catena/planner/plan"
)

// A reference that nobody has read as one yet is no argument.
func TestEarlyStartsNoReference(t *testing.T) {
	for _, args := range []map[string]any{
		{"data": map[string]any{"$ref": "s1.content"}},
		{"data": []any{map[string]any{"a": map[string]any{"$concat": []any{"a"}}}}},
		{"data": plan.Ref{Step: "s1"}},
	} {
		if _, ok := complete(args); ok {
			t.Errorf("%v is taken for complete", args)
		}
	}
	if args, ok := complete(map[string]any{"data": "plain"}); !ok || args["data"] != "plain" {
		t.Error("complete arguments are not")
	}
}
