package mcp

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/server"
	"catena/server/servertest"
	"catena/table"
	"catena/table/load"
	"catena/tools"
)

// connect makes a client over one of the transports.
func connect(t *testing.T, kind string, s *testServer, url string) *client.Client {
	t.Helper()
	var c *client.Client
	var err error
	switch kind {
	case "streamable":
		c, err = client.NewStreamableHttpClient(url + "/mcp")
	case "sse":
		c, err = client.NewSSEMCPClient(url + "/sse")
	case "sse at /mcp":
		c, err = client.NewSSEMCPClient(url + "/mcp")
	case "stdio":
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.ServeStdio(ctx, inR, outW) }()
		t.Cleanup(func() {
			cancel()
			_ = inW.Close()
			if err := <-done; err != nil {
				t.Errorf("ServeStdio: %v", err)
			}
			_ = outW.Close()
		})
		c = client.NewClient(transport.NewIO(outR, inW, io.NopCloser(strings.NewReader(""))))
	}
	if err == nil {
		err = c.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestMCP(t *testing.T) {
	for _, kind := range []string{"streamable", "sse", "sse at /mcp", "stdio"} {
		t.Run(kind, func(t *testing.T) {
			s, h, _ := newTest(t)
			c := connect(t, kind, s, h.URL)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			init, err := c.Initialize(ctx, mcp.InitializeRequest{})
			if err != nil {
				t.Fatal(err)
			}
			if init.ServerInfo.Name != "catena" || init.Instructions == "" {
				t.Errorf("initialize: %+v", init)
			}
			checkList(ctx, t, c)
			checkCalls(ctx, t, c)
			checkResource(ctx, t, c)
		})
	}
}

func checkList(ctx context.Context, t *testing.T, c *client.Client) {
	t.Helper()
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	if want := []string{"broken", "chat", "count", "people", "secretive", "wait"}; !slices.Equal(names, want) {
		t.Errorf("tools %v, want %v", names, want)
	}
}

func callTool(ctx context.Context, t *testing.T, c *client.Client, name string, args map[string]any) *mcp.CallToolResult {
	t.Helper()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = name, args
	res, err := c.CallTool(ctx, req)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return res
}

func textIn(res *mcp.CallToolResult) string {
	var b strings.Builder
	for _, part := range res.Content {
		if text, ok := mcp.AsTextContent(part); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

func checkCalls(ctx context.Context, t *testing.T, c *client.Client) {
	t.Helper()
	for _, name := range []string{"count", "crm:count"} {
		res := callTool(ctx, t, c, name, map[string]any{})
		if b, _ := json.Marshal(res.StructuredContent); string(b) != `{"n":3}` || textIn(res) != "counted" {
			t.Errorf("%s: %s %s", name, b, textIn(res))
		}
	}
	if res := callTool(ctx, t, c, "count", map[string]any{"n": "many"}); !res.IsError || !strings.Contains(textIn(res), "n") {
		t.Errorf("bad argument: %+v", res)
	}
	for name, secret := range map[string]string{"broken": "correct horse", "secretive": "hunter2"} {
		if res := callTool(ctx, t, c, name, nil); !res.IsError || strings.Contains(textIn(res), secret) {
			t.Errorf("%s: %+v", name, res)
		}
	}
	var req mcp.CallToolRequest
	req.Params.Name = "nothing"
	if _, err := c.CallTool(ctx, req); err == nil {
		t.Error("an unknown tool was called")
	}
	res := callTool(ctx, t, c, "chat", map[string]any{"message": "hello"})
	if textIn(res) != "You said: hello" {
		t.Errorf("chat: %+v", res)
	}
	if res = callTool(ctx, t, c, "chat", map[string]any{"message": "a\x00"}); !res.IsError || !strings.Contains(textIn(res), "control character") {
		t.Errorf("a bad message: %+v", res)
	}
	res = callTool(ctx, t, c, "people", nil)
	b, _ := json.Marshal(res.StructuredContent)
	if !strings.Contains(string(b), `"rows":[["Ada",36],["Grace",85]]`) || len(res.Content) != 2 || !strings.Contains(textIn(res), "- Made up.") {
		t.Errorf("people: %s %+v", b, res.Content)
	}
}

func checkResource(ctx context.Context, t *testing.T, c *client.Client) {
	t.Helper()
	list, err := c.ListResourceTemplates(ctx, mcp.ListResourceTemplatesRequest{})
	if err != nil || len(list.ResourceTemplates) != 3 || list.ResourceTemplates[0].URITemplate.Raw() != "table://{handle}" {
		t.Fatalf("templates: %+v, %v", list, err)
	}
	b, _ := json.Marshal(callTool(ctx, t, c, "people", nil).StructuredContent)
	var wire server.WireTable
	if err := json.Unmarshal(b, &wire); err != nil {
		t.Fatal(err)
	}
	var req mcp.ReadResourceRequest
	req.Params.URI = "table://" + wire.Handle
	res, err := c.ReadResource(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := res.Contents[0].(mcp.TextResourceContents); !ok || !strings.Contains(text.Text, `"Grace"`) {
		t.Errorf("resource: %+v", res.Contents)
	}
	req.Params.URI = "table://tbl_aaaaaaaaaaaaaaaaaaaaaaaaaa"
	if _, err := c.ReadResource(ctx, req); err == nil {
		t.Error("a table that is not there was read")
	}
}

func TestMCPSchemasAreRaw(t *testing.T) {
	_, h, _ := newTest(t)
	status, header, _ := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "Accept", "application/json, text/event-stream")
	session := header.Get("Mcp-Session-Id")
	if status != 200 || session == "" {
		t.Fatalf("initialize: %d %v", status, header)
	}
	_, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, "Mcp-Session-Id", session)
	if !strings.Contains(body, `"allOf":[{"minProperties":0}]`) {
		t.Errorf("keywords were lost: %s", body)
	}
}

// The stateless protocol of 2026-07-28 needs no initialize.
func TestMCPModern(t *testing.T) {
	_, h, _ := newTest(t)
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	status, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{},`+meta+`}}`,
		"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "count")
	if status != 200 || !strings.Contains(body, `"structuredContent":{"n":3}`) {
		t.Errorf("%d %s", status, body)
	}
}

func TestMCPUnknownSessions(t *testing.T) {
	_, h, _ := newTest(t)
	for _, id := range []string{"made-up", "mcp-session-00000000-0000-0000-0000-000000000000"} {
		if status, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, "Mcp-Session-Id", id); status != 404 {
			t.Errorf("POST with %q: %d %s", id, status, body)
		}
		if status, _, body := servertest.Ask(t, "GET", h.URL+"/mcp", "", "Accept", "text/event-stream", "Mcp-Session-Id", id); status != 404 {
			t.Errorf("GET with %q: %d %s", id, status, body)
		}
	}
	if status, _, _ := servertest.Ask(t, "GET", h.URL+"/mcp", ""); status != 406 {
		t.Errorf("GET for no stream: %d", status)
	}
	if status, _, _ := servertest.Ask(t, "POST", h.URL+"/message?sessionId=nobody", `{"jsonrpc":"2.0","id":1,"method":"ping"}`); status != 404 {
		t.Errorf("a message for nobody: %d", status)
	}
}

// All progress of a call arrives before its result, over every transport.
func TestMCPProgress(t *testing.T) {
	for _, kind := range []string{"streamable", "sse", "stdio"} {
		t.Run(kind, func(t *testing.T) {
			s, h, _ := newTest(t)
			c := connect(t, kind, s, h.URL)
			var seen atomic.Int64
			c.OnNotification(func(n mcp.JSONRPCNotification) {
				if n.Method == "notifications/progress" {
					seen.Add(1)
				}
			})
			if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
				t.Fatal(err)
			}
			for i := range 20 {
				seen.Store(0)
				var req mcp.CallToolRequest
				req.Params.Name, req.Params.Meta = "count", &mcp.Meta{ProgressToken: i}
				if _, err := c.CallTool(t.Context(), req); err != nil {
					t.Fatal(err)
				}
				if got := seen.Load(); got != 3 {
					t.Errorf("call %d: %d of 3 progress messages", i, got)
				}
			}
		})
	}
}

// A client that hangs up stops the call, over every transport.
func TestMCPHangUpCancels(t *testing.T) {
	for _, kind := range []string{"streamable", "sse"} {
		t.Run(kind, func(t *testing.T) {
			s, h, _ := newTest(t)
			c := connect(t, kind, s, h.URL)
			if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			called, begun := make(chan struct{}), servertest.Waits(t)
			go func() {
				defer close(called)
				var req mcp.CallToolRequest
				req.Params.Name = "wait"
				_, _ = c.CallTool(ctx, req)
			}()
			begun()
			cancel()
			<-called
			_ = c.Close()
			servertest.Within(t, servertest.Waited)
		})
	}
}

func TestObject(t *testing.T) {
	for in, want := range map[string]string{`[1]`: `{"result":[1]}`, `{"a":1}`: `{"a":1}`, `null`: `null`, `"x"`: `{"result":"x"}`} {
		got, err := object(json.RawMessage(in))
		if b, _ := json.Marshal(got); err != nil || string(b) != want {
			t.Errorf("%s gave %s, %v", in, b, err)
		}
	}
	res, err := callResult(tools.Failed("x", "no"), false)
	if err != nil || !res.IsError || textIn(res) != "no" {
		t.Errorf("%+v, %v", res, err)
	}
}

// Another server's answer goes on as it is, with the address of our table in _meta.
func TestForeignResult(t *testing.T) {
	tab, err := load.Any(json.RawMessage(`[{"a":1},{"a":2}]`), table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	res := tools.Result{Table: tab, Handle: "tbl_x", Text: "rendered", Total: 9, Foreign: json.RawMessage(`{"items":[1],"next":"p2"}`),
		Meta: map[string]any{"cost": 3}, Content: []mcp.Content{mcp.NewTextContent("their words")}}
	got, err := callResult(res, false)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(got)
	want := `{"_meta":{"catena/table":"table://tbl_x","cost":3},"content":[{"type":"text","text":"their words"}],"structuredContent":{"items":[1],"next":"p2"}}`
	if diff := cmp.Diff(want, string(b)); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if res.Meta["catena/table"] != nil {
		t.Error("the result's own _meta was changed")
	}
}
