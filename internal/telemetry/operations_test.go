package telemetry

import (
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collectmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collecttraces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// collected is what a collector got.
type collected struct {
	mu      sync.Mutex
	spans   map[string]*traces.Span
	figures []string
	auth    []string
}

// collect serves OTLP over HTTP.
func collect(t *testing.T) (*collected, string) {
	t.Helper()
	got := &collected{spans: map[string]*traces.Span{}}
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			z, err := gzip.NewReader(r.Body)
			if err != nil {
				t.Error(err)
				return
			}
			body = z
		}
		raw, err := io.ReadAll(body)
		if err != nil {
			t.Error(err)
			return
		}
		got.mu.Lock()
		defer got.mu.Unlock()
		got.auth = append(got.auth, r.Header.Get("Authorization"))
		if strings.HasSuffix(r.URL.Path, "/v1/traces") {
			var in collecttraces.ExportTraceServiceRequest
			if err := proto.Unmarshal(raw, &in); err != nil {
				t.Error(err)
			}
			for _, rs := range in.ResourceSpans {
				for _, ss := range rs.ScopeSpans {
					for _, span := range ss.Spans {
						got.spans[span.Name] = span
					}
				}
			}
			return
		}
		var in collectmetrics.ExportMetricsServiceRequest
		if err := proto.Unmarshal(raw, &in); err != nil {
			t.Error(err)
		}
		for _, rm := range in.ResourceMetrics {
			for _, sm := range rm.ScopeMetrics {
				for _, m := range sm.Metrics {
					got.figures = append(got.figures, m.Name)
				}
			}
		}
	}))
	t.Cleanup(s.Close)
	return got, s.URL
}

// A request's trace goes from its header through the turn and its tool to the server upstream, and comes to the collector in one tree.
func TestOneTrace(t *testing.T) {
	got, url := collect(t)
	to, err := Connect(t.Context(), CollectorOptions{Endpoint: url, Authorization: "Bearer x", Sample: 0, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewMetrics("v1", to)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/api/v1/chat", nil)
	r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	ctx, requested := m.Request(r)
	ctx, turned := m.Turn(ctx, "ses_1", "run_1")
	_, asked := m.Model(ctx, "openai", "small")
	asked("", 0, 0, "Too Many Requests")
	ctx, called := m.Tool(ctx, "files", "files__read", "run_1", "s1")
	meta := map[string]string{}
	_, passedOn := m.Upstream(ctx, "files", "tools/call", "read", func(k, v string) { meta[k] = v })
	passedOn("")
	// The server upstream, if it is one of ours.
	_, answered := m.Message(t.Context(), "tools/call", "read", func(k string) string { return meta[k] })
	answered("tool_error")
	called("timeout")
	turned("error", "offline", "error")
	requested("POST", "/api/v1/chat", 200)

	end, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := m.Close(end); err != nil {
		t.Error(err)
	}
	if err := to.Close(end); err != nil {
		t.Error(err)
	}
	got.mu.Lock()
	defer got.mu.Unlock()
	for name, parent := range map[string]string{
		"invoke_workflow turn": "POST /api/v1/chat", "chat small": "invoke_workflow turn", "execute_tool files__read": "invoke_workflow turn", "tools/call read": "",
	} {
		span := got.spans[name]
		if span == nil {
			t.Errorf("no span %q among %d", name, len(got.spans))
			continue
		}
		if p := got.spans[parent]; parent != "" && string(span.ParentSpanId) != string(p.GetSpanId()) {
			t.Errorf("%s is no part of %s", name, parent)
		}
		if string(span.TraceId) != "\x0a\xf7\x65\x19\x16\xcd\x43\xdd\x84\x48\xeb\x21\x1c\x80\x31\x9c" {
			t.Errorf("%s is of another trace, %x", name, span.TraceId)
		}
	}
	for _, name := range []string{"http.server.request.duration", "mcp.server.operation.duration", "mcp.client.operation.duration", "gen_ai.client.operation.duration"} {
		if !slices.Contains(got.figures, name) {
			t.Errorf("no figure %s among %v", name, got.figures)
		}
	}
	if slices.ContainsFunc(got.auth, func(a string) bool { return a != "Bearer x" }) {
		t.Error(got.auth)
	}
}

// Nothing waits for a collector that is away, and its absence is told once.
func TestCollectorAway(t *testing.T) {
	var out strings.Builder
	to, err := Connect(t.Context(), CollectorOptions{Endpoint: "http://127.0.0.1:1", Sample: 1, Log: slog.New(slog.NewTextHandler(&out, nil))})
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewMetrics("v1", to)
	if err != nil {
		t.Fatal(err)
	}
	for range 5000 { // more than the queue holds
		_, end := m.Turn(t.Context(), "ses_1", "run_1")
		end("answer", "offline", "")
	}
	end, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if m.Close(end) == nil && to.Close(end) == nil {
		t.Error("what nobody took was sent")
	}
}

// Without a collector a trace that comes in still goes on to the servers upstream.
func TestTraceWithoutCollector(t *testing.T) {
	m, err := NewMetrics("v1", nil)
	if err != nil {
		t.Fatal(err)
	}
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	ctx, _ := m.Message(t.Context(), "tools/call", "read", func(k string) string {
		return map[string]string{"traceparent": parent}[k]
	})
	var passed string
	m.Upstream(ctx, "files", "tools/call", "read", func(k, v string) {
		if k == "traceparent" {
			passed = v
		}
	})
	if passed != parent {
		t.Errorf("%q was passed on", passed)
	}
}

func BenchmarkTool(b *testing.B) {
	m, err := NewMetrics("v1", nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		_, end := m.Tool(b.Context(), "data", "query_table", "run_1", "s1")
		end("")
	}
}

// An endpoint that calls its model something else in each answer does not make a series of each.
func TestNamesOfModelsAreBounded(t *testing.T) {
	m, err := NewMetrics("test", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 500 {
		_, end := m.Model(t.Context(), "openai", "large")
		end(strings.Repeat("x", i)+"\n\x1b[2J", 1, 1, "")
	}
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if n := strings.Count(w.Body.String(), "gen_ai_client_operation_duration_seconds_count"); w.Code != http.StatusOK || n > maxNames+1 || n < 2 {
		t.Errorf("HTTP %d, %d series", w.Code, n)
	}
	if strings.Contains(w.Body.String(), strings.Repeat("x", maxName+1)) {
		t.Error("a long name is a label")
	}
}
