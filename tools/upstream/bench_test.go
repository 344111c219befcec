package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// plain is the least server of the older era.
func plain(w http.ResponseWriter, r *http.Request) {
	var m request
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil {
		http.Error(w, "no", http.StatusMethodNotAllowed)
		return
	}
	switch {
	case len(m.ID) == 0:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "server/discover":
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
	case m.Method == "initialize":
		reply(w, m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`)
	default:
		reply(w, m, `{"content":[{"type":"text","text":"done"}]}`)
	}
}

// BenchmarkCall is a call over Streamable HTTP, the server's share included: ours beside mcp-go's client.
func BenchmarkCall(b *testing.B) {
	s := httptest.NewServer(http.HandlerFunc(plain))
	defer s.Close()
	b.Run("ours", func(b *testing.B) {
		c, err := dial(context.Background(), Config{Name: "x", URL: s.URL}, slog.New(slog.NewTextHandler(io.Discard, nil)), party{})
		if err != nil {
			b.Fatal(err)
		}
		defer c.close(errStopped)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.request(context.Background(), "tools/call", map[string]any{"name": "do", "arguments": map[string]any{"n": 1}}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("mcp-go", func(b *testing.B) {
		c, err := client.NewStreamableHttpClient(s.URL)
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		if err := c.Start(context.Background()); err != nil {
			b.Fatal(err)
		}
		var hello mcp.InitializeRequest
		hello.Params.ProtocolVersion = "2025-11-25"
		if _, err := c.Initialize(context.Background(), hello); err != nil {
			b.Fatal(err)
		}
		var call mcp.CallToolRequest
		call.Params.Name, call.Params.Arguments = "do", map[string]any{"n": 1}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.CallTool(context.Background(), call); err != nil {
				b.Fatal(err)
			}
		}
	})
}
