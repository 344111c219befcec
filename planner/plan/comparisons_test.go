package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Names are compared as far as there is a budget for it: a name is like none when it is used up, also where one was found before.
func TestComparisons(t *testing.T) {
	calls := 0
	counted := func(a, b string) bool {
		calls++
		return a == b
	}
	c := comparisons{left: 10}
	if got := c.onlyLike("b", []string{"a", "b", "c"}, counted); got != "b" || calls != 3 {
		t.Errorf("%q after %d", got, calls)
	}
	long := strings.Repeat("b", longestName+1)
	if got := c.onlyLike(long, []string{long}, counted); got != "" || calls != 3 {
		t.Errorf("%q after %d", got, calls)
	}
	for range 5 {
		c.onlyLike("d", []string{"a", "b", "c"}, counted)
	}
	if got := c.onlyLike("b", []string{"b"}, counted); got != "" || calls > 10 {
		t.Errorf("%q after %d", got, calls)
	}
}

// A plan of a megabyte against a schema of thousands of words and fields is mended and validated in time that is linear in both.
// It took minutes.
func TestDearPlans(t *testing.T) {
	const n = 5000
	texts, objects, refs, names := make([]any, n), make([]any, n), make([]any, n), map[string]any{}
	for i := range n {
		texts[i], refs[i] = fmt.Sprintf("word %d", i), fmt.Sprintf("{{x%d.y}}", i)
		objects[i] = map[string]any{fmt.Sprintf("name%dx", i): "x"}
		names[fmt.Sprintf("name%dx", i)] = "x"
	}
	words, fields := make([]string, 5000), map[string]any{}
	for i := range words {
		words[i] = fmt.Sprintf("wordy%dword", i)
	}
	for i := range 2000 {
		fields[fmt.Sprintf("field%d", i)] = map[string]any{"type": "string"}
	}
	object := map[string]any{"type": "object", "properties": fields, "additionalProperties": false}
	in, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{"word": map[string]any{"enum": words}, "open": map[string]any{"type": "array"},
		"words": map[string]any{"type": "array", "items": map[string]any{"enum": words}}, "objects": map[string]any{"type": "array", "items": object}}})
	if err != nil {
		t.Fatal(err)
	}
	tools := []Tool{{Name: "t", InputSchema: in}}
	for name, args := range map[string]map[string]any{
		"texts": {"words": texts}, "a long text": {"word": strings.Repeat("w-", 500_000)}, "objects": {"objects": objects},
		"references": {"open": refs}, "names": {"objects": []any{names}},
	} {
		p := Plan{Steps: []Step{{ID: "s1", Tool: "t", Args: args}}}
		for i := range DefaultLimits.Steps - 1 {
			p.Steps = append(p.Steps, Step{ID: fmt.Sprintf("step_%d", i), Tool: "t"})
		}
		c := &Checker{}
		mended, repairs := c.Mend(p, tools)
		if found := c.Validate(mended, tools, nil, DefaultLimits, "x"); len(repairs) > 0 || len(found) == 0 && name != "references" {
			t.Errorf("%s: %d repairs, %d findings", name, len(repairs), len(found))
		}
		if len(args) == 1 && args["words"] != nil && len(WithEnums(args, c.schemas.get(in).Schema)) != 1 {
			t.Error("the arguments changed")
		}
	}
}
