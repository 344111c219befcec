package servertest

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/table"
	"catena/table/load"
	"catena/tools"
)

// Registry makes a real registry with a few small tools, and more.
func Registry(t testing.TB, more ...tools.Tool) *tools.Registry {
	t.Helper()
	reg := tools.NewRegistry(tools.Options{Policy: access.Granted{}, Log: slog.New(slog.DiscardHandler)})
	def := func(name, schema string) mcp.Tool {
		return mcp.Tool{Name: name, Description: name, RawInputSchema: json.RawMessage(schema),
			Annotations: mcp.ToolAnnotation{ReadOnlyHint: Ptr(true)}}
	}
	people, err := load.Text("name,age\nAda,36\nGrace,85\n", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	list := append(more, []tools.Tool{
		{Def: def("count",
			`{"type":"object","properties":{"n":{"type":"integer","default":3}},"additionalProperties":false,"allOf":[{"minProperties":0}]}`), Toolset: "crm",
			Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
				if call.Progress != nil {
					for i := range 3 {
						call.Progress(tools.Progress{Done: float64(i + 1), Total: 3})
					}
				}
				return tools.Result{Text: "counted", Structured: map[string]any{"n": call.Args["n"]}}, nil
			}},
		{Def: def("people", `{"type":"object"}`), Toolset: "data",
			Handler: func(context.Context, tools.Call) (tools.Result, error) {
				return tools.Result{Table: people, Text: "| name | age |", Notes: []string{"Made up."},
					Charts: []tools.Chart{{SVG: "<svg/>"}}}, nil
			}},
		{Def: def("broken", `{"type":"object"}`), Toolset: "data",
			Handler: func(context.Context, tools.Call) (tools.Result, error) { panic("correct horse") }},
		{Def: def("secretive", `{"type":"object"}`), Toolset: "data",
			Handler: func(context.Context, tools.Call) (tools.Result, error) {
				return tools.Result{}, fmt.Errorf("password is hunter2")
			}},
		{Def: def("wait", `{"type":"object"}`), Toolset: "data",
			Handler: func(ctx context.Context, _ tools.Call) (tools.Result, error) {
				return tools.Result{}, Wait(ctx)
			}},
	}...)
	if err := reg.Register(list...); err != nil {
		t.Fatal(err)
	}
	return reg
}
