package mcp

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/server/servertest"
)

// notifications/cancelled stops a running call, and one that has not begun never begins.
func TestCancelled(t *testing.T) {
	for _, way := range []string{"streamable before 2026", "sse before 2026", "stdio", "stdio before 2026"} {
		t.Run(way, func(t *testing.T) {
			s, h, _ := newTest(t)
			c, _ := join(t, way, s, h.URL)
			ended, begun := make(chan struct{}), servertest.Waits(t)
			go func() {
				defer close(ended)
				refusedWith(t, c, "tools/call", map[string]any{"name": "wait", "_meta": meta(way)})
			}()
			begun()
			cancelRaw(t, c, fmt.Sprint("raw ", ids.Load()))
			servertest.Within(t, servertest.Waited)
			servertest.Within(t, ended)
		})
	}
}

func meta(way string) map[string]any {
	if !modern(way) {
		return map[string]any{}
	}
	return map[string]any{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": map[string]any{}}
}

func cancelRaw(t *testing.T, c *client.Client, id any) {
	t.Helper()
	var n mcp.JSONRPCNotification
	n.JSONRPC, n.Method = "2.0", "notifications/cancelled"
	n.Params.AdditionalFields = map[string]any{"requestId": id}
	if err := c.GetTransport().SendNotification(t.Context(), n); err != nil {
		t.Fatal(err)
	}
}

// Who cancels the reading of a resource, or hangs up, stops it.
func TestReadingEnds(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			s, url, _ := hiding(t)
			c, _ := join(t, way, s, url)
			ctx, cancel := context.WithCancel(t.Context())
			ended, begun := make(chan struct{}), servertest.Waits(t)
			go func() {
				defer close(ended)
				var r mcp.ReadResourceRequest
				r.Params.URI = "demo://items/slow"
				_, _ = c.ReadResource(ctx, r)
			}()
			begun()
			cancel()
			servertest.Within(t, ended)
			if strings.HasPrefix(way, "sse") { // its client does not tell that it has cancelled
				_ = c.Close()
			}
			servertest.Within(t, servertest.Waited)
		})
	}
}

// Clients without sessions share no ids: nobody's cancellation reaches another's call.
func TestCancelledByAStranger(t *testing.T) {
	s, h, _ := newTest(t)
	c, _ := join(t, "streamable", s, h.URL)
	ctx, hangUp := context.WithCancel(t.Context())
	begun := servertest.Waits(t)
	go func() {
		var r mcp.CallToolRequest
		r.Params.Name = "wait"
		_, _ = c.CallTool(ctx, r)
	}()
	begun()
	for id := range 10 {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, id)
		status, _, answer := servertest.Ask(t, "POST", h.URL+"/mcp", body, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "notifications/cancelled")
		if status != 202 {
			t.Errorf("%d %s", status, answer)
		}
	}
	select {
	case <-servertest.Waited:
		t.Error("a stranger cancelled the call")
	case <-time.After(100 * time.Millisecond):
	}
	hangUp()
	servertest.Within(t, servertest.Waited)
}
