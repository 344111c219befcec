package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/server/servertest"
	"catena/table"
	"catena/table/load"
	"catena/tools"
)

// ways are the transports and the eras of the protocol that go over them.
var ways = []string{"streamable", "streamable before 2026", "listening", "sse", "sse before 2026", "stdio", "stdio before 2026"}

// modern reports whether a way goes by the protocol of 2026-07-28.
func modern(way string) bool { return way == "streamable" || way == "sse" || way == "stdio" }

// join makes a client over one of the ways, initializes it and keeps what it is notified of.
func join(t *testing.T, way string, s *testServer, url string) (*client.Client, *heardOf) {
	t.Helper()
	var c *client.Client
	kind, _, old := strings.Cut(way, " before")
	if way == "listening" {
		old = true
		var err error
		//nolint:staticcheck // clients of the earlier protocol versions listen this way
		if c, err = client.NewStreamableHttpClient(url+"/mcp", transport.WithContinuousListening()); err != nil {
			t.Fatal(err)
		}
		if err := c.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
	} else {
		c = connect(t, kind, s, url)
	}
	h := &heardOf{}
	c.OnNotification(h.take)
	var init mcp.InitializeRequest
	if old {
		init.Params.ProtocolVersion = "2025-06-18"
	}
	if _, err := c.Initialize(t.Context(), init); err != nil {
		t.Fatal(err)
	}
	if way == "listening" {
		servertest.Eventually(t, "the listening stream", func() bool {
			s.mcp.subs.mu.Lock()
			defer s.mcp.subs.mu.Unlock()
			return len(s.mcp.subs.streams) > 0
		})
	}
	return c, h
}

// heardOf is what a client was notified of, in order.
type heardOf struct {
	mu  sync.Mutex
	all []string
}

func (h *heardOf) take(n mcp.JSONRPCNotification) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch f := n.Params.AdditionalFields; n.Method {
	case "notifications/progress":
		h.all = append(h.all, fmt.Sprint(f["progress"]))
	case methodUpdated:
		h.all = append(h.all, fmt.Sprint(f["uri"]))
	case string(mcp.MethodNotificationMessage):
		h.all = append(h.all, fmt.Sprint(f["level"]))
	case mcp.MethodNotificationPromptsListChanged, mcp.MethodNotificationResourcesListChanged:
		h.all = append(h.all, n.Method)
	}
}

func (h *heardOf) list() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string{}, h.all...)
}

func (h *heardOf) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = nil
}

// refusedWith sends a request as it is and returns the error of the answer, nil without one.
func refusedWith(t *testing.T, c *client.Client, method string, params map[string]any) *mcp.JSONRPCErrorDetails {
	t.Helper()
	res, err := c.GetTransport().SendRequest(t.Context(), transport.JSONRPCRequest{JSONRPC: "2.0", ID: mcp.NewRequestId(fmt.Sprint("raw ", ids.Add(1))), Method: method, Params: params})
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return res.Error
}

// ids numbers raw requests.
var ids atomic.Int64

func raw(name string) mcp.Tool {
	tool := mcp.NewToolWithRawSchema(name, name, []byte(`{"type":"object"}`))
	tool.Annotations.ReadOnlyHint = servertest.Ptr(true)
	return tool
}

// addToolkit registers a small toolkit: prompts, resources, and tools that report.
func addToolkit(t *testing.T, reg *tools.Registry) {
	t.Helper()
	greet := mcp.NewPrompt("greet", mcp.WithPromptDescription("Greets."), mcp.WithArgument("name", mcp.RequiredArgument()), mcp.WithArgument("tone"))
	say := func(_ context.Context, call tools.PromptCall) (*mcp.GetPromptResult, error) {
		if call.Args["tone"] == "secretive" {
			return nil, errors.New("password is hunter2")
		}
		if call.Args["tone"] == "forbidden" {
			return nil, fmt.Errorf("greeting: %w", access.ErrForbidden)
		}
		text := "Hello " + call.Args["name"] + " from " + call.Caller.ID
		return mcp.NewGetPromptResult("", []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))}), nil
	}
	secret := mcp.NewPrompt("secret")
	item := mcp.NewResourceTemplate("demo://items/{id}", "item")
	all := mcp.NewResource("demo://items/all", "items")
	shut := mcp.NewResource("demo://shut", "shut")
	read := func(ctx context.Context, call tools.ResourceCall) ([]mcp.ResourceContents, error) {
		switch call.Vars["id"] {
		case "none":
			return nil, fs.ErrNotExist
		case "bad":
			return nil, &tools.ArgumentError{Argument: "id", Code: tools.CodeBadValue, Reason: "an id is a number"}
		case "secretive":
			return nil, errors.New("password is hunter2")
		case "slow":
			return nil, servertest.Wait(ctx)
		case "forbidden":
			return nil, fmt.Errorf("reading: %w", access.ErrForbidden)
		case "broken":
			panic("correct horse")
		}
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: call.URI, Text: "id=" + call.Vars["id"]}}, nil
	}
	err := errors.Join(
		reg.RegisterPrompts(tools.Prompt{Toolset: "demo", Def: greet, Get: say}, tools.Prompt{Toolset: "hidden", Def: secret, Get: say}),
		reg.RegisterResources(tools.Resource{Toolset: "demo", Template: &item, Read: read}, tools.Resource{Toolset: "demo", Def: &all, Read: read},
			tools.Resource{Toolset: "hidden", Def: &shut, Read: read}),
		reg.Register(reporting(reg)...), reg.Register(parsed(t)...))
	if err != nil {
		t.Fatal(err)
	}
}

// stages are the progress of the tool index, each with an update.
var stages = []float64{16, 33, 50, 66, 83, 100}

func reporting(reg *tools.Registry) []tools.Tool {
	report := func(call tools.Call, p tools.Progress) {
		if call.Progress != nil {
			call.Progress(p)
		}
	}
	return []tools.Tool{
		{Def: raw("index"), Toolset: "demo", Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
			for i, p := range stages {
				report(call, tools.Progress{Done: p, Total: 100})
				if call.Updated != nil {
					call.Updated(fmt.Sprint("demo://items/", i))
				}
			}
			return tools.Result{Text: "indexed"}, nil
		}},
		{Def: raw("flood"), Toolset: "demo", Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
			for i := range 1000 {
				report(call, tools.Progress{Done: float64(i + 1)})
			}
			return tools.Result{Text: "flooded"}, nil
		}},
		{Def: raw("closing"), Toolset: "demo", Handler: func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{}, fmt.Errorf("closing: %w", access.ErrForbidden)
		}},
		{Def: raw("touch"), Toolset: "demo", Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
			reg.Updated(call.Caller.ID, "demo://items/1")
			return tools.Result{Text: "touched"}, nil
		}},
	}
}

// parsed are tools whose clients parse their text.
func parsed(t *testing.T) []tools.Tool {
	t.Helper()
	rows, err := load.Text("id,score\na,1\nb,2\n", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return []tools.Tool{
		{Def: raw("found"), Toolset: "demo", JSON: true, Columns: rows.Columns(), Handler: func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Text: "Two were found.", Table: rows, Notes: []string{"A note."}, Structured: map[string]any{"results": []any{"a", "<b>"}}}, nil
		}},
		{Def: raw("lost"), Toolset: "demo", JSON: true, Handler: func(context.Context, tools.Call) (tools.Result, error) {
			res := tools.Failed("INDEX_NOT_FOUND", "There is no such index.")
			res.Structured = map[string]any{"error": "There is no such index.", "code": "INDEX_NOT_FOUND", "hint": "Call ensure_repo_index."}
			return res, nil
		}},
		{Def: mcp.NewToolWithRawSchema("picky", "Picky.", json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)), Toolset: "demo", JSON: true,
			Handler: func(context.Context, tools.Call) (tools.Result, error) { panic("correct horse") }},
	}
}
