package tools

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
)

// What another server gives against its own output schema is passed on, and said to be so: to clients, and in plans.
func TestMisfitIsTold(t *testing.T) {
	const output = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	gives := func(name, value string) Tool {
		def := mcp.NewToolWithRawSchema(name, "", []byte(`{"type":"object"}`))
		def.RawOutputSchema = json.RawMessage(output)
		return Tool{Def: def, Raw: json.RawMessage(`{}`), Toolset: "far", Handler: func(context.Context, Call) (Result, error) {
			res := Result{Text: "x", Content: []mcp.Content{mcp.NewTextContent("x")}}
			if value != "" {
				res.Foreign = json.RawMessage(value)
				_ = json.Unmarshal(res.Foreign, &res.Structured)
			}
			return res, nil
		}}
	}
	r := NewRegistry(Options{Log: slog.New(slog.DiscardHandler)})
	if err := r.Register(gives("fits", `{"n":1}`), gives("wrong", `{"n":"one"}`), gives("nothing", "")); err != nil {
		t.Fatal(err)
	}
	for name, told := range map[string]bool{"fits": false, "wrong": true, "nothing": true} {
		res, err := r.Call(t.Context(), Call{Caller: access.Local("test"), Tool: name, Approve: true})
		if err != nil {
			t.Fatal(err)
		}
		parts := 1
		if told {
			parts = 2
		}
		if slices.Contains(res.Notes, noteMisfit) != told || len(res.Content) != parts {
			t.Errorf("%s: notes %q, content %v, text %q", name, res.Notes, res.Content, res.Text)
		}
	}
}
