package app

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collecttraces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/server"
)

// A collector gets the spans of a question and of a call over MCP, as parts of the trace that their senders name, and none of their words.
func TestTraces(t *testing.T) {
	var mu sync.Mutex
	var spans []string
	var raw strings.Builder
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !strings.HasSuffix(r.URL.Path, "/v1/traces") {
			return
		}
		var in collecttraces.ExportTraceServiceRequest
		if err := proto.Unmarshal(body, &in); err != nil {
			t.Error(err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		raw.Write(body)
		for _, rs := range in.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				for _, span := range ss.Spans {
					if string(span.TraceId) == "\x0a\xf7\x65\x19\x16\xcd\x43\xdd\x84\x48\xeb\x21\x1c\x80\x31\x9c" {
						spans = append(spans, span.Name)
					}
				}
			}
		}
	}))
	defer collector.Close()
	cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}, "telemetry.otlp_endpoint": {collector.URL}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(t.Context(), cfg, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Server(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	post := func(path, body string, header ...string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if body, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%d %s %v", res.StatusCode, body, err)
		}
	}
	post("/api/v1/chat", `{"message":"top 5 USA clients"}`, "Traceparent", parent)
	post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tables","arguments":{},"_meta":{"traceparent":"`+parent+`","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`,
		"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "list_tables")
	web.Close()
	if err := p.Close(); err != nil { // sends the rest
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{"POST /api/v1/chat", "invoke_workflow turn", "execute_tool get_top_clients", "tools/call list_tables", "execute_tool list_tables"} {
		if !slices.Contains(spans, want) {
			t.Errorf("no span %q among %q", want, spans)
		}
	}
	if strings.Contains(raw.String(), "USA") {
		t.Error("a message's words went to the collector")
	}
}
