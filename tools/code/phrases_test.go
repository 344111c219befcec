package code

import (
	"encoding/json"
	"testing"

	"catena/planner/plan"
	"catena/planner/reader"
	"catena/tools"
)

// TestPhrases: what people ask of code reaches the tools, paths and code to the letter.
func TestPhrases(t *testing.T) {
	props := map[string]string{"get_dependents": "filepath", "get_files_context": "filepath", "find_similar": "code"}
	var named []tools.Tool
	for name := range props {
		var tool tools.Tool
		tool.Def.Name = name
		named = append(named, tool)
	}
	var list []plan.Tool
	for _, tool := range tools.WithPhrases(named, phrases) {
		if len(tool.Phrases) == 0 {
			t.Errorf("%s has no phrases", tool.Def.Name)
		}
		in := `{"type":"object","properties":{"` + props[tool.Def.Name] + `":{"type":"string"}},"required":["` + props[tool.Def.Name] + `"]}`
		list = append(list, plan.Tool{Name: tool.Def.Name, ReadOnly: true, InputSchema: json.RawMessage(in), Phrases: tool.Phrases})
	}
	for message, want := range map[string]string{
		"what depends on server/engine.go?":             `get_dependents {"filepath":"server/engine.go"}`,
		"which files import the payment module":         `get_dependents {"filepath":"payment"}`,
		"which functions call Settle":                   `get_dependents {"filepath":"Settle"}`,
		"show me the context of ./web/app.js":           `get_files_context {"filepath":"./web/app.js"}`,
		"find code similar to this: func f() { g(1) }.": `find_similar {"code":"func f() { g(1) }."}`,
	} {
		resp, err := reader.New().Plan(t.Context(), plan.Request{Message: message, Tools: list})
		if err != nil {
			t.Fatal(err)
		}
		got := resp.Plan.Clarify + resp.Plan.Refuse
		if p := resp.Plan; len(p.Steps) == 1 {
			args, _ := json.Marshal(p.Steps[0].Args)
			got = p.Steps[0].Tool + " " + string(args)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
}
