package plan

import (
	"encoding/json"
	"testing"
)

// A step that needs a table and names none takes the only one that it can mean; where two can be meant the argument stays missing.
func TestTableOfAnEarlierStep(t *testing.T) {
	rows := json.RawMessage(`{"type":"object","properties":{"columns":{"type":"array"},"rows":{"type":"array","items":{}}}}`)
	known := []Tool{
		{Name: "top", Toolset: "crm", InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"ids":{"type":"array"}}}`), OutputSchema: rows},
		{Name: "trend", Toolset: "data", OutputSchema: rows, InputSchema: json.RawMessage(`{"type":"object","properties":{"column":{"type":"string"},"data":{"anyOf":[{"type":"string","format":"` + TableRef + `"},{"type":"array"}]}},"required":["data"]}`)},
		{Name: "text", Toolset: "x", InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: json.RawMessage(`{"type":"string"}`)},
	}
	for _, c := range []struct{ name, text, want string }{
		{"the one before", `[{"tool":"crm:top","parameters":{"n":5}},{"tool":"analytics:trend","parameters":{"column":"Revenue"}}]`, "s1"},
		{"no table before", `[{"tool":"text","parameters":{}},{"tool":"trend","parameters":{"column":"x"}}]`, ""},
		{"none before", `[{"tool":"trend","parameters":{"column":"x"}}]`, ""},
		{"two", `[{"tool":"top"},{"tool":"top"},{"tool":"trend","parameters":{"column":"x"}}]`, ""},
		{"one of two is taken", `{"steps":[{"id":"s1","tool":"top","args":{}},{"id":"s2","tool":"top","args":{"ids":{"$ref":"s1.rows[*].id"}}},{"id":"s3","tool":"trend","args":{}}]}`, "s2"},
		{"given", `{"steps":[{"id":"s1","tool":"top","args":{}},{"id":"s2","tool":"trend","args":{"data":"tbl_x"}}]}`, "tbl_x"},
	} {
		p, err := Parse(c.text, Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p, _ = Mend(p, known)
		got := ""
		switch x := p.Steps[len(p.Steps)-1].Args["data"].(type) {
		case Ref:
			got = x.Step
		case string:
			got = x
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if found := Validate(p, known, nil, Limits{}); c.want == "" && len(found) == 0 {
			t.Errorf("%s: the missing table is no finding", c.name)
		}
	}
}

// Words of an enum are taken in another case where one alone can be meant.
func TestWithEnums(t *testing.T) {
	in, err := CompileSchema(json.RawMessage(`{"type":"object","properties":{"a":{"enum":["markdown","json"]},"b":{"enum":["A","a"]},"l":{"type":"array","items":{"enum":["sum","mean"]}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := WithEnums(map[string]any{"a": "Markdown", "b": "A", "l": []any{"SUM", "max"}, "c": "Json"}, in)
	b, err := json.Marshal(got)
	if err != nil || string(b) != `{"a":"markdown","b":"A","c":"Json","l":["sum","max"]}` {
		t.Errorf("%s %v", b, err)
	}
}
