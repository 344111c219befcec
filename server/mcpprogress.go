package server

import (
	"context"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/tools"
)

// methodUpdated says that what is under a URI has changed.
const methodUpdated = mcp.MethodNotificationResourceUpdated

// progress sends a tool's progress to a client that gave a token for it. All of it goes out before the result: the registry's last
// report comes before its Call returns, and the line takes one message after the other.
func (m *mcpServer) progress(ctx context.Context, r mcp.CallToolRequest) func(tools.Progress) {
	to := lineOf(ctx)
	if to == nil || r.Params.Meta == nil || r.Params.Meta.ProgressToken == nil {
		return nil
	}
	token := r.Params.Meta.ProgressToken
	var mu sync.Mutex
	last := -1.0
	return func(p tools.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if p.Done <= last {
			return // the protocol wants it to rise
		}
		last = p.Done
		params := map[string]any{"progressToken": token, "progress": p.Done}
		if p.Total > 0 {
			params["total"] = p.Total
		}
		if p.Message != "" {
			params["message"] = p.Message
		}
		m.tell(ctx, to, "notifications/progress", params)
	}
}

// updated tells the client of a call of the resources that the call changes, subscribed or not: clients of the repository index
// have always been told. The protocol of 2026-07-28 forbids what was not asked for, so there a subscription is needed.
func (m *mcpServer) updated(ctx context.Context) func(uri string) {
	to := lineOf(ctx)
	if to == nil || mcpserver.IsModernRequest(ctx) {
		return nil
	}
	return func(uri string) { m.tell(ctx, to, methodUpdated, map[string]any{"uri": uri}) }
}

// tell notifies the client of a request. That it cannot be told stops nothing.
func (m *mcpServer) tell(ctx context.Context, to line, method string, params map[string]any) {
	message, err := notification(method, params)
	if err == nil {
		err = to.notify(message)
	}
	if err != nil {
		m.s.log.DebugContext(ctx, "a client was not told", "method", method, "error", err.Error())
	}
}
