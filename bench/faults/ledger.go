package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// ledger is an MCP server that counts what is done: note adds an entry, may not be repeated, and says so; look reads. It lives in this
// program, so that no kill takes it along.
type ledger struct {
	pause time.Duration // of each call

	mu      sync.Mutex
	entries map[entry]int
	calls   int
}

// entry is one effect of a chain.
type entry struct{ key, part string }

const ledgerSchema = `{"type":"object","properties":{"key":{"type":"string"},"part":{"type":"string"},"after":{"type":"integer"}},"required":["key"]}`

const countSchema = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`

func (l *ledger) listen() *httptest.Server {
	s := server.NewMCPServer("ledger", "1")
	for _, name := range []string{"look", "note"} {
		t := mcp.NewToolWithRawSchema(name, "Reads or adds entries of a ledger.", json.RawMessage(ledgerSchema))
		reads, no := name == "look", false
		t.RawOutputSchema = json.RawMessage(countSchema)
		t.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &reads, DestructiveHint: &no, IdempotentHint: &reads}
		s.AddTool(t, l.call)
	}
	return httptest.NewServer(http.Handler(server.NewStreamableHTTPServer(s)))
}

// call waits before its effect or after it, so that a caller is killed on either side of it.
func (l *ledger) call(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	e := entry{req.GetString("key", ""), req.GetString("part", "")}
	l.mu.Lock()
	l.calls++
	late := l.calls%2 == 0
	l.mu.Unlock()
	if late && !wait(ctx, l.pause) {
		return nil, ctx.Err() // whoever called is gone: it has no effect
	}
	n := l.count(e)
	if req.Params.Name == "note" {
		n = l.add(e)
	}
	if !late {
		wait(ctx, l.pause)
	}
	return mcp.NewToolResultStructured(map[string]any{"n": n}, "counted"), nil
}

func (l *ledger) add(e entry) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries[e]++
	return l.entries[e]
}

// count is how often an effect was had.
func (l *ledger) count(e entry) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.entries[e]
}

// wait reports whether a pause was not cut short.
func wait(ctx context.Context, pause time.Duration) bool {
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
