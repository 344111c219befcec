package handle_test

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/table"
	"catena/tools"
	"catena/tools/handle"
)

// noteKit is a toolset "notes" with a tool and a live table, and a toolset "sums" with tools that read a table, and none.
func noteKit(t *testing.T, tables *handle.Tables) *tools.Registry {
	t.Helper()
	reg := tools.NewRegistry(tools.Options{Tables: tables})
	result := tools.Result{Table: people(t, 2), Name: "people"}
	plain := func(context.Context, tools.Call) (tools.Result, error) { return result, nil }
	yes := true
	tool := func(toolset, name string, h tools.Handler) tools.Tool {
		return tools.Tool{Toolset: toolset, Handler: h, Def: mcp.Tool{Name: name, Description: "Gives people.", RawInputSchema: []byte(`{"type":"object"}`),
			Annotations: mcp.ToolAnnotation{ReadOnlyHint: &yes}}}
	}
	err := reg.Register(tool("notes", "find_notes", plain), tool("sums", "top_people", plain),
		tool("sums", "count_rows", func(ctx context.Context, call tools.Call) (tools.Result, error) {
			handle, _ := call.Args["table"].(string)
			if handle == "notes" {
				return reg.OpenLive(ctx, call.Caller, handle)
			}
			_, _, err := tables.Get(ctx, call.Caller, handle)
			return result, err
		}))
	if err == nil {
		err = reg.RegisterLive(tools.Live{Toolset: "notes", Name: "notes", Columns: []table.Column{{Name: "n", Type: table.Int}},
			Version: func(context.Context, access.Caller) (string, error) { return "1", nil },
			Open:    func(context.Context, access.Caller) (tools.Result, error) { return result, nil }})
	}
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

func TestDropFrom(t *testing.T) {
	ctx := t.Context()
	store := &shelf{rows: map[string][2][]byte{}}
	first := handle.New(handle.Options{Store: store})
	reg := noteKit(t, first)
	bob := access.Caller{ID: "bob"}
	call := func(c access.Caller, tool, handle, run string) string {
		t.Helper()
		res, err := reg.Call(ctx, tools.Call{Caller: c, Tool: tool, Args: map[string]any{"table": handle}, Run: run})
		if err != nil || res.Handle == "" {
			t.Fatal(tool, res.Text, err)
		}
		return res.Handle
	}
	upload, err := first.Put(ctx, ann, handle.Meta{Source: "upload", Run: "run_1"}, people(t, 2))
	if err != nil {
		t.Fatal(err)
	}
	plain := call(ann, "top_people", "", "")
	kept := []string{upload, plain, call(ann, "count_rows", plain, ""), call(ann, "top_people", "", "run_2")}
	found := call(ann, "find_notes", "", "")
	derived := call(ann, "count_rows", found, "")
	gone := []string{found, derived, call(ann, "count_rows", derived, "run_3"), call(ann, "count_rows", "notes", ""),
		call(ann, "find_notes", "", "run_1"), call(ann, "top_people", "", "run_1")}
	foreign := call(bob, "find_notes", "", "run_1")
	if err := first.DropFrom(ctx, ann, "notes"); err != nil {
		t.Fatal(err)
	}
	first.Close()
	second := handle.New(handle.Options{Store: store}) // after a restart
	defer second.Close()
	for _, tables := range []*handle.Tables{first, second} {
		for i, h := range gone {
			if _, _, err := tables.Get(ctx, ann, h); !errors.Is(err, fs.ErrNotExist) {
				t.Error("still there:", i, err)
			}
		}
		for i, h := range kept {
			if _, _, err := tables.Get(ctx, ann, h); err != nil {
				t.Error("dropped:", i, err)
			}
		}
		if _, _, err := tables.Get(ctx, bob, foreign); err != nil {
			t.Error("bob's:", err)
		}
	}
}

// TestDropFromAfterRestart drops what only the store has, with what was made of it.
func TestDropFromAfterRestart(t *testing.T) {
	store := &shelf{rows: map[string][2][]byte{}}
	first := handle.New(handle.Options{Store: store})
	for _, meta := range []handle.Meta{{From: []string{"notes"}, Run: "r"}, {From: []string{"sums"}, Run: "r"}, {From: []string{"notes", "sums"}}, {From: []string{"sums"}, Run: "s"}} {
		if _, err := first.Put(t.Context(), ann, meta, people(t, 1)); err != nil {
			t.Fatal(err)
		}
	}
	first.Close()
	second := handle.New(handle.Options{Store: store})
	defer second.Close()
	if err := second.DropFrom(t.Context(), ann, "notes"); err != nil {
		t.Fatal(err)
	}
	if left := second.List(ann, ""); len(left) != 1 || left[0].Run != "s" {
		t.Errorf("%+v", left)
	}
}
