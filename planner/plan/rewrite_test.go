package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRewritten(t *testing.T) {
	from := Step{ID: "s2", Tool: "send", Args: map[string]any{
		"to": []any{"ann", Ref{Step: "s1"}}, "n": json.Number("3"), "text": Concat{Parts: []any{"hello ", Ref{Step: "s1"}}}, "in": map[string]any{"deep": true},
	}, Each: &Ref{Step: "s1"}, When: &When{Ref: Ref{Step: "s1"}, Op: "eq", Value: "open"}}
	before, _ := json.Marshal(from)
	leaf := func(v any) any {
		switch x := v.(type) {
		case string:
			return strings.ToUpper(x)
		case Ref:
			x.Step += "_2"
			return x
		}
		return v
	}
	got := from.Rewritten(leaf, func(k string) string { return "my_" + k })
	want := Step{ID: "s2", Tool: "send", Args: map[string]any{
		"my_to": []any{"ANN", Ref{Step: "s1_2"}}, "my_n": json.Number("3"), "my_text": Concat{Parts: []any{"HELLO ", Ref{Step: "s1_2"}}}, "my_in": map[string]any{"my_deep": true},
	}, Each: &Ref{Step: "s1_2"}, When: &When{Ref: Ref{Step: "s1_2"}, Op: "eq", Value: "OPEN"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if after, _ := json.Marshal(from); string(after) != string(before) {
		t.Errorf("the step became %s", after)
	}
	if got := from.Rewritten(func(v any) any { return "text" }, nil); got.Each.Step != "s1" || got.When.Ref.Step != "s1" {
		t.Errorf("references became %v and %v", got.Each, got.When.Ref)
	}
}
