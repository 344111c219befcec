package plan

import (
	"encoding/json"
	"testing"
)

// A keyword that breaks its own rules is left out of others' schemas; the rest holds.
func TestCompileTolerant(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","enum":"1 to 9"},"m":{"anyOf":[{"type":"text"},{"minimum":"a"}]}},"required":["n"]}`)
	if _, err := CompileSchema(raw); err == nil {
		t.Error("the strict reading took it")
	}
	s, err := CompileTolerant(raw)
	if err != nil {
		t.Fatal(err)
	}
	for args, ok := range map[string]bool{`{"n":3,"m":true}`: true, `{"m":1}`: false, `{"n":"x"}`: false} {
		var v any
		if err := json.Unmarshal([]byte(args), &v); err != nil {
			t.Fatal(err)
		}
		if got := s.Validate(v) == nil; got != ok {
			t.Errorf("%s: %v", args, got)
		}
	}
	p := Plan{Steps: []Step{{ID: "s1", Tool: "t", Args: map[string]any{"n": 1, "sort": "x"}}}}
	if found := Validate(p, []Tool{{Name: "t", InputSchema: raw}}, nil, Limits{}); !found.Has(UnknownArgument) {
		t.Errorf("an unknown argument beside a broken keyword: %v", found)
	}
	if _, err := CompileTolerant(json.RawMessage(`{"$ref":"https://example.com/x.json"}`)); err == nil {
		t.Error("a schema elsewhere was taken")
	}
}

// A reference that names what can be no step dangles; one that names nothing is none.
func TestReferenceToNoStep(t *testing.T) {
	for ref, want := range map[string]Code{"?call_2": DanglingReference, ".rows": BadReference, "": BadReference, "s1.": BadReference} {
		text, _ := json.Marshal(map[string]any{"steps": []any{map[string]any{"id": "s1", "tool": "t", "args": map[string]any{"x": map[string]any{"$ref": ref}}}}})
		_, err := Parse(string(text), Limits{})
		if !FindingsOf(err).Has(want) {
			t.Errorf("%q: %v, not %s", ref, err, want)
		}
	}
}

// "None" is a value where the message says that there is to be none of something, and else what a program writes for nothing.
func TestNoneIsAValue(t *testing.T) {
	var c Checker
	tool := Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object","properties":{"extras":{"type":"string"}}}`)}
	p := Plan{Steps: []Step{{ID: "s1", Tool: "t", Args: map[string]any{"extras": "None"}}}}
	for message, want := range map[string]bool{"a coffee without any extras": false, "a coffee": true, "note the extras": true} {
		if got := c.Validate(p, []Tool{tool}, nil, Limits{}, message).Has(PlaceholderValue); got != want {
			t.Errorf("%q: a placeholder is %v", message, got)
		}
	}
}
