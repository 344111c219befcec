package upstream

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHints: what the configuration says of a tool stands in place of what its server says, for us and for our clients; the rest stays.
func TestHints(t *testing.T) {
	yes, no := true, false
	c := Config{Name: "srv", ReadOnly: true, Hints: map[string]Hints{
		"*": {Idempotent: &no}, "get_*": {ReadOnly: &yes}, "get_and_*": {ReadOnly: &no}, "drop": {Destructive: &yes}, "put": {Destructive: &no, Idempotent: &yes},
	}}
	for name, w := range map[string]struct {
		annotations, want string
		exported          bool
	}{
		"get_rows":  {``, `{"destructiveHint":false,"idempotentHint":true,"readOnlyHint":true}`, true},
		"get_and_x": {`{"readOnlyHint":true,"title":"<x>"}`, `{"readOnlyHint":false,"title":"\u003cx\u003e"}`, false},
		"drop":      {`{"readOnlyHint":true,"priority":0.5}`, `{"destructiveHint":true,"priority":0.5,"readOnlyHint":false}`, false},
		"put":       {`null`, `{"destructiveHint":false,"idempotentHint":true}`, false},
		"other":     {`{"readOnlyHint":true}`, `{"idempotentHint":false,"readOnlyHint":true}`, true},
	} {
		raw := `{"name":"` + name + `","inputSchema":{"type":"object"}}`
		if w.annotations != "" {
			raw = `{"name":"` + name + `","inputSchema":{"type":"object"},"annotations":` + w.annotations + `}`
		}
		var tool remoteTool
		if err := json.Unmarshal([]byte(raw), &tool); err != nil {
			t.Fatal(err)
		}
		got := c.hinted(tool)
		if string(tool.raw) != raw {
			t.Errorf("%s: what is approved changed: %s", name, tool.raw)
		}
		var shown struct{ Annotations json.RawMessage }
		if err := json.Unmarshal(got.under("x"), &shown); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(w.want, string(shown.Annotations)); d != "" {
			t.Errorf("%s: shown (-want +got):\n%s", name, d)
		}
		var read remoteTool
		if err := json.Unmarshal(got.raw, &read); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(read.Annotations, got.Annotations); d != "" {
			t.Errorf("%s: shown and used:\n%s", name, d)
		}
		if c.exports(tool) != w.exported {
			t.Errorf("%s: offered %v", name, !w.exported)
		}
	}
	if err := (Config{Name: "srv", Command: "x", Hints: map[string]Hints{"[": {}}}).check(); err == nil {
		t.Error("no pattern was taken for one")
	}
}
