package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
	"catena/internal/access"
	"catena/server"
	"catena/table"
	"catena/table/load"
	"catena/tools"
)

// addLarge registers a tool that gives a table of n rows.
func addLarge(t *testing.T, s *testServer, n int) {
	t.Helper()
	var b strings.Builder
	b.WriteString("n\n")
	for i := range n {
		fmt.Fprintln(&b, i)
	}
	tab, err := load.Text(b.String(), table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	reg, _ := s.opt.Tools.(*tools.Registry)
	if err := reg.Register(tools.Tool{Def: raw("large"), Toolset: "demo", Handler: func(context.Context, tools.Call) (tools.Result, error) {
		return tools.Result{Table: tab, Name: "numbers", Title: "All numbers"}, nil
	}}); err != nil {
		t.Fatal(err)
	}
}

// readWire reads a table, or a part of one, over MCP.
func readWire(t *testing.T, c *client.Client, uri string) (w server.WireTable, first string) {
	t.Helper()
	var r mcp.ReadResourceRequest
	r.Params.URI = uri
	res, err := c.ReadResource(t.Context(), r)
	if err != nil {
		t.Fatalf("%s: %v", uri, err)
	}
	text, _ := res.Contents[0].(mcp.TextResourceContents)
	if err := json.Unmarshal([]byte(text.Text), &w); err != nil {
		t.Fatal(err)
	}
	var rows [][]any
	if err := json.Unmarshal(w.Rows, &rows); err != nil || len(rows) != w.RowCount {
		t.Fatalf("%v: %d rows instead of %d", err, len(rows), w.RowCount)
	}
	return w, fmt.Sprint(rows[0][0])
}

// A table that is too large for a message goes as a preview and a link, and what the link names has all of it, in parts.
func TestLargeTables(t *testing.T) {
	for _, way := range []string{"streamable", "sse before 2026", "stdio"} {
		t.Run(way, func(t *testing.T) {
			const rows = 2*server.MaxWireRows + 345
			s, h, _ := newTest(t)
			addLarge(t, s, rows)
			c, _ := join(t, way, s, h.URL)
			var call mcp.CallToolRequest
			call.Params.Name = "large"
			res, err := c.CallTool(t.Context(), call)
			if err != nil {
				t.Fatal(err)
			}
			link, ok := res.Content[len(res.Content)-1].(mcp.ResourceLink)
			if !ok || link.Name != "numbers" || link.Title != "All numbers" || !strings.Contains(link.Description, "All 2345 rows") {
				t.Fatalf("%+v", res.Content)
			}
			b, _ := json.Marshal(res.StructuredContent)
			var w server.WireTable
			if err := json.Unmarshal(b, &w); err != nil || w.RowCount != previewRows || w.TotalRows != rows || !w.Truncated || tableURI(w.Handle) != link.URI {
				t.Errorf("%v: %d of %d, truncated %t, %s", err, w.RowCount, w.TotalRows, w.Truncated, w.Handle)
			}
			got := 0
			for uri := link.URI; uri != ""; {
				part, first := readWire(t, c, uri)
				if first != fmt.Sprint(got) || part.TotalRows != rows {
					t.Fatalf("%s begins with %s of %d, after %d", uri, first, part.TotalRows, got)
				}
				got += part.RowCount
				uri = part.Next
			}
			if got != rows {
				t.Errorf("%d of %d rows", got, rows)
			}
			if part, first := readWire(t, c, link.URI+"?offset=7&limit=2"); part.RowCount != 2 || first != "7" {
				t.Errorf("%d rows from %s", part.RowCount, first)
			}
			for _, bad := range []string{"?offset=-1", "?limit=0", "?limit=1001", "?offset=x", "?offset=9999"} {
				var r mcp.ReadResourceRequest
				r.Params.URI = link.URI + bad
				if _, err := c.ReadResource(t.Context(), r); err == nil {
					t.Errorf("%s was read", bad)
				}
			}
		})
	}
}

// A table of a thousand rows goes whole.
func TestTablesOfAThousand(t *testing.T) {
	s, _, _ := newTest(t)
	addLarge(t, s, server.MaxWireRows)
	res, err := s.opt.Tools.Call(t.Context(), tools.Call{Caller: access.Local("mcp"), Tool: "large"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := callResult(res, false)
	if b, _ := json.Marshal(out); err != nil || len(out.Content) != 1 || !strings.Contains(string(b), `"row_count":1000,"total_rows":1000,"truncated":false`) {
		t.Errorf("%v %d parts", err, len(out.Content))
	}
}

func TestRunResource(t *testing.T) {
	s, h, runs := newTest(t)
	id, err := runs.Start(t.Context(), access.Local("mcp"), chat.Request{Message: "hello"})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := join(t, "streamable", s, h.URL)
	var r mcp.ReadResourceRequest
	r.Params.URI = "run://" + id
	res, err := c.ReadResource(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := res.Contents[0].(mcp.TextResourceContents); !strings.Contains(text.Text, `"run_id":"`+id+`"`) {
		t.Errorf("%+v", res.Contents)
	}
	r.Params.URI = "run://run_99"
	if _, err := c.ReadResource(t.Context(), r); err == nil {
		t.Error("a run that is not there was read")
	}
}

// Suggestions begin with what was typed, a hundred at most; what is not there is refused.
func TestCompletion(t *testing.T) {
	for _, way := range []string{"streamable", "stdio before 2026"} {
		t.Run(way, func(t *testing.T) {
			s, h, _ := newTest(t)
			reg, _ := s.opt.Tools.(*tools.Registry)
			suggest := func(_ context.Context, call tools.CompleteCall) ([]string, error) {
				switch call.Value {
				case "x":
					return nil, errors.New("password is hunter2")
				case "m":
					many := make([]string, 250)
					for i := range many {
						many[i] = fmt.Sprint("many", i)
					}
					return many, nil
				}
				return []string{"Ada", "Bob", "anna " + call.Given["other"]}, nil
			}
			get := func(context.Context, tools.PromptCall) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{}, nil
			}
			if err := reg.RegisterPrompts(tools.Prompt{Toolset: "demo", Def: mcp.NewPrompt("who"), Get: get, Complete: suggest}, tools.Prompt{Toolset: "demo", Def: mcp.NewPrompt("plain"), Get: get}); err != nil {
				t.Fatal(err)
			}
			addLarge(t, s, 1)
			res, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("mcp"), Tool: "large"})
			if err != nil {
				t.Fatal(err)
			}
			c, _ := join(t, way, s, h.URL)
			complete := func(ref any, argument, value string) (*mcp.CompleteResult, error) {
				var r mcp.CompleteRequest
				r.Params.Ref, r.Params.Argument = ref, mcp.CompleteArgument{Name: argument, Value: value}
				r.Params.Context.Arguments = map[string]string{"other": "b"}
				return c.Complete(t.Context(), r)
			}
			prompt := func(name string) any { return mcp.PromptReference{Type: "ref/prompt", Name: name} }
			if got, err := complete(prompt("who"), "name", "a"); err != nil || fmt.Sprint(got.Completion.Values) != "[Ada anna b]" {
				t.Errorf("%v %+v", err, got)
			}
			if got, err := complete(prompt("who"), "name", "m"); err != nil || len(got.Completion.Values) != 100 || got.Completion.Total != 250 || !got.Completion.HasMore {
				t.Errorf("%v %+v", err, got)
			}
			if got, err := complete(prompt("plain"), "name", "a"); err != nil || len(got.Completion.Values) != 0 {
				t.Errorf("%v %+v", err, got)
			}
			if got, err := complete(mcp.ResourceReference{Type: "ref/resource", URI: "table://{handle}"}, "handle", "tbl_"); err != nil || fmt.Sprint(got.Completion.Values) != "["+res.Handle+"]" {
				t.Errorf("%v %+v", err, got)
			}
			if _, err := complete(prompt("nothing"), "name", "a"); err == nil || !strings.Contains(err.Error(), "There is nothing here of the name nothing") {
				t.Error(err)
			}
			if _, err := complete(prompt("who"), "name", "x"); err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Error(err)
			}
		})
	}
}
