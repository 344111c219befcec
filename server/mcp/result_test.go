package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"catena/tools"
)

// A failure carries structured content only where it is of the tool's output schema: clients that check it would throw, and never show
// the text that says what to do.
func TestFailuresFitOutputSchemas(t *testing.T) {
	s, h, _ := newTest(t)
	reg, _ := s.opt.Tools.(*tools.Registry)
	failing := func(name, output string, asJSON bool, structured any) tools.Tool {
		def := raw(name)
		def.RawInputSchema = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}`)
		if output != "" {
			def.RawOutputSchema = json.RawMessage(output)
		}
		return tools.Tool{Def: def, Toolset: "demo", JSON: asJSON, Handler: func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{IsError: true, Text: "Do this.", Code: "odd", Structured: structured}, nil
		}}
	}
	const wants = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	if err := reg.Register(failing("unlike", wants, false, map[string]any{"why": "x"}), failing("like", wants, false, map[string]any{"n": 1}),
		failing("parsed", wants, true, map[string]any{"why": "x"}), failing("free", "", false, map[string]any{"why": "x"})); err != nil {
		t.Fatal(err)
	}
	c, _ := join(t, "streamable", s, h.URL)
	for _, tc := range []struct {
		tool             string
		args             map[string]any
		structured, meta string
		text             string
	}{
		{"unlike", nil, "null", `{"why":"x"}`, "Do this."},
		{"unlike", map[string]any{"n": "one"}, "null", `"findings"`, "n "},
		{"like", nil, `{"n":1}`, "", "Do this."},
		{"parsed", nil, "null", `"code":"odd"`, `"why":"x"`},
		{"parsed", map[string]any{"n": "one"}, "null", `"findings"`, `"hint"`},
		{"free", nil, `{"why":"x"}`, "", "Do this."},
	} {
		res := callTool(t.Context(), t, c, tc.tool, tc.args)
		structured, _ := json.Marshal(res.StructuredContent)
		var meta []byte
		if res.Meta != nil {
			meta, _ = json.Marshal(res.Meta.AdditionalFields["catena/error"])
		}
		if !res.IsError || string(structured) != tc.structured || !strings.Contains(string(meta), tc.meta) || (tc.meta == "") != (string(meta) == "" || string(meta) == "null") || !strings.Contains(textIn(res), tc.text) {
			t.Errorf("%s %v: %s, meta %s, text %s", tc.tool, tc.args, structured, meta, textIn(res))
		}
	}
}
