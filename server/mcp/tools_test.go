package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/server/servertest"
	"catena/tools"
)

// A tool of another server is listed as that wrote it, over each transport, on its page, and in the catalogue; a trusted one that gives a
// table has the view as well.
func TestListedAsWritten(t *testing.T) {
	const wireSchema = `{"type":"object","properties":{"columns":{},"rows":{},"row_count":{}}}`
	const (
		first  = `{"annotations":{"priority":0.5},"category":"<x> & y","inputSchema":{"type":"object","$comment":"<x>"},"name":"far__a"}`
		second = `{"_meta":{"ui":{"resourceUri":"ui://catena/table"}},"inputSchema":{"type":"object"},"name":"far__b","outputSchema":` + wireSchema + `,"stars":3}`
	)
	var reg *tools.Registry
	s, h, _ := newTest(t, func(o *testOptions) { reg = o.Tools.(*tools.Registry) })
	nothing := func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{}, nil }
	add := func(name, raw, output string, untrusted bool) {
		t.Helper()
		def := mcp.NewToolWithRawSchema(name, "", json.RawMessage(`{"type":"object"}`))
		if output != "" {
			def.RawOutputSchema = json.RawMessage(output)
		}
		if err := reg.Register(tools.Tool{Def: def, Raw: json.RawMessage(raw), Toolset: "far", Untrusted: untrusted, Handler: nothing}); err != nil {
			t.Fatal(err)
		}
	}
	add("far__a", first, "", true)
	add("far__b", strings.Replace(second, `"_meta":{"ui":{"resourceUri":"ui://catena/table"}},`, "", 1), wireSchema, false)
	check := func(t *testing.T, body string) {
		t.Helper()
		var answer struct {
			Result struct{ Tools []json.RawMessage }
			Tools  []json.RawMessage
		}
		from, to := strings.IndexByte(body, '{'), strings.LastIndexByte(body, '}')
		if err := json.Unmarshal([]byte(body[from:to+1]), &answer); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		seen := map[string]string{}
		for _, raw := range append(answer.Result.Tools, answer.Tools...) {
			var name struct{ Name string }
			if err := json.Unmarshal(raw, &name); err != nil {
				t.Fatal(err)
			}
			seen[name.Name] = string(raw)
		}
		if seen["far__a"] != first || seen["far__b"] != second || !strings.Contains(seen["count"], `"inputSchema"`) {
			t.Errorf("%s\n%s\n%s", seen["far__a"], seen["far__b"], seen["count"])
		}
	}
	const list = `{"jsonrpc":"2.0","id":"7","method":"tools/list"}`
	t.Run("2025-11-25", func(t *testing.T) {
		_, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", list, "Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2025-11-25", "Mcp-Session-Id", s.mcp.ids.as("local").Generate())
		check(t, body)
	})
	t.Run("2026-07-28", func(t *testing.T) {
		_, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list")
		check(t, body)
		if !strings.Contains(body, `"ttlMs":300000`) || !strings.Contains(body, `"cacheScope":"private"`) {
			t.Errorf("no hints: %s", body)
		}
	})
	t.Run("stdio", func(t *testing.T) {
		var out bytes.Buffer
		if err := s.ServeStdio(t.Context(), strings.NewReader(list+"\n"), &out); err != nil {
			t.Fatal(err)
		}
		if check(t, out.String()); strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%q", out.String())
		}
	})
	t.Run("sse", func(t *testing.T) {
		c := connect(t, "sse", s, h.URL)
		if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
			t.Fatal(err)
		}
		got, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		if err != nil || len(got.Tools) < 3 {
			t.Fatalf("%+v, %v", got, err)
		}
	})
	t.Run("catalogue", func(t *testing.T) {
		_, _, body := servertest.Ask(t, "GET", h.URL+"/api/v1/tools", "")
		for _, want := range []string{`"stars":3`, `"priority":0.5`, `"toolset":"far"`} {
			if !strings.Contains(body, want) {
				t.Errorf("no %s in %s", want, body)
			}
		}
	})
}
