package tools

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/table"
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

// What another server wrote keeps the order of its fields, as long as it is the same value.
func TestAsWritten(t *testing.T) {
	value := map[string]any{"b": json.Number("1"), "a": []any{map[string]any{"d": true, "c": nil}}}
	const written = `{"b":1,"a":[{"d":true,"c":null}]}`
	for name, c := range map[string]struct {
		res  Result
		want string
	}{
		"its value":      {Result{Structured: value, Foreign: json.RawMessage(written), Text: "one thing"}, written},
		"its text":       {Result{Structured: value, Text: " " + written + "\n"}, written},
		"another text":   {Result{Structured: value, Text: `{"b":2}`}, `{"a":[{"c":null,"d":true}],"b":1}`},
		"no JSON":        {Result{Structured: value, Text: "{b"}, `{"a":[{"c":null,"d":true}],"b":1}`},
		"nothing to say": {Result{Text: written}, "null"},
	} {
		if got, err := json.Marshal(c.res.AsWritten()); err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

// A run keeps what shows how a value was written, and nothing large or of a table.
func TestForRun(t *testing.T) {
	small, large := json.RawMessage(`{"a":1}`), json.RawMessage(`"`+strings.Repeat("x", maxForeign)+`"`)
	for name, c := range map[string]struct {
		res  Result
		want bool
	}{"small": {Result{Foreign: small}, true}, "large": {Result{Foreign: large}, false}, "a table": {Result{Foreign: small, Table: new(table.Table)}, false}} {
		c.res.Meta = map[string]any{"k": 1}
		if c.res.forRun(); (c.res.Foreign != nil) != c.want || c.res.Meta != nil {
			t.Errorf("%s: %+v", name, c.res)
		}
	}
}
