package server

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// Tools that come and go are told to each client, several changes once, and a call of a tool tells nobody anything.
func TestToolsChanged(t *testing.T) {
	for _, kind := range []string{"listening", "sse", "stdio"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s, h, _ := newTest(t)
			var c *client.Client
			if kind == "listening" {
				var err error
				//nolint:staticcheck // clients of the earlier protocol versions listen this way
				if c, err = client.NewStreamableHttpClient(h.URL+"/mcp", transport.WithContinuousListening()); err != nil {
					t.Fatal(err)
				}
				if err := c.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = c.Close() })
			} else {
				c = connect(t, kind, s, h.URL)
			}
			var told atomic.Int64
			c.OnNotification(func(n mcp.JSONRPCNotification) {
				if n.Method == mcp.MethodNotificationToolsListChanged {
					told.Add(1)
				}
			})
			if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond) // the listening stream opens beside
			var req mcp.CallToolRequest
			req.Params.Name = "count"
			if _, err := c.CallTool(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			reg, _ := s.opt.Tools.(*tools.Registry)
			fresh := tools.Tool{Def: mcp.NewToolWithRawSchema("far__new", "New.", []byte(`{"type":"object"}`)), Toolset: "far",
				Handler: func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{Text: "new"}, nil }}
			expect := func(n int64, what string) {
				t.Helper()
				for end := time.Now().Add(5 * time.Second); told.Load() < n && time.Now().Before(end); {
					time.Sleep(time.Millisecond)
				}
				time.Sleep(changeDelay + changeDelay/2)
				if got := told.Load(); got != n {
					t.Fatalf("%s: told %d times, want %d", what, got, n)
				}
			}
			if err := reg.Replace("far", fresh); err != nil {
				t.Fatal(err)
			}
			for range 5 {
				s.ToolsChanged()
			}
			expect(1, "a tool came")
			req.Params.Name = "far__new"
			if res, err := c.CallTool(t.Context(), req); err != nil || res.IsError {
				t.Fatalf("%+v, %v", res, err)
			}
			if err := reg.Replace("far"); err != nil {
				t.Fatal(err)
			}
			s.ToolsChanged()
			expect(2, "it went")
		})
	}
}
