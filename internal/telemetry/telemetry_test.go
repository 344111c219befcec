package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

func TestLogger(t *testing.T) {
	for _, test := range []struct{ level, format, want string }{
		{"loud", "text", "none of debug, info, warn, error"},
		{"info", "xml", "neither text nor json"},
	} {
		if _, err := Logger(os.Stderr, test.level, test.format, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s/%s: %v", test.level, test.format, err)
		}
	}
	var out strings.Builder
	log, err := Logger(&out, "warn", "json", requestID)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.WithValue(context.Background(), key{}, "abc")
	log.InfoContext(ctx, "quiet")
	log.With("a", 1).WithGroup("g").WarnContext(ctx, "loud", "b", 2)
	if got := out.String(); strings.Contains(got, "quiet") || !strings.Contains(got, `"request_id":"abc"`) || !strings.Contains(got, `"a":1`) {
		t.Error(got)
	}
}

type key struct{}

// requestID reads the id that a server put into its contexts.
func requestID(ctx context.Context) string {
	id, _ := ctx.Value(key{}).(string)
	return id
}

func TestLoggerOutsideOfRequests(t *testing.T) {
	for _, of := range []func(context.Context) string{nil, requestID} {
		var out strings.Builder
		log, err := Logger(&out, "info", "text", of)
		if err != nil {
			t.Fatal(err)
		}
		log.Info("at the start")
		if got := out.String(); !strings.Contains(got, "at the start") || strings.Contains(got, "request_id") {
			t.Error(got)
		}
	}
}

func TestMetrics(t *testing.T) {
	m, err := NewMetrics("v1", nil)
	if err != nil {
		t.Fatal(err)
	}
	m.Answered("answer", "offline", 3*time.Millisecond)
	_, asked := m.Model(t.Context(), "openai", "small")
	asked("small-2", 100, 20, "")
	m.Step("query_table", "done", time.Millisecond)
	m.Call("data", "query_table", "ok", time.Millisecond)
	m.Denied("delete_memory")
	_, requested := m.Request(httptest.NewRequest(http.MethodPost, "/api/v1/chat", nil))
	requested("POST", "/api/v1/chat", 200)
	m.Running(1)
	rec := httptest.NewRecorder()
	m.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, want := range []string{
		`catena_turn_seconds_count{outcome="answer",planned_by="offline"} 1`,
		`catena_step_seconds_bucket{status="done",tool="query_table",le="0.001"} 1`,
		`catena_tool_call_seconds_count{result="ok",tool="query_table",toolset="data"} 1`,
		`catena_tool_denied_total{tool="delete_memory"} 1`,
		`http_server_request_duration_seconds_count{http_request_method="POST",http_response_status_code="200",http_route="/api/v1/chat"} 1`,
		`gen_ai_client_token_usage_sum{gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="small",gen_ai_response_model="small-2",gen_ai_token_type="input"} 100`, `catena_runs_running 1`, `catena_build_info{version="v1"} 1`, `go_goroutines`,
	} {
		if !strings.Contains(rec.Body.String(), want) {
			t.Errorf("missing: %s", want)
		}
	}
}

func ExampleLogger() {
	_, err := Logger(os.Stderr, "loud", "text", nil)
	fmt.Println(err)
	// Output: telemetry: the log level "loud" is none of debug, info, warn, error
}

func BenchmarkStep(b *testing.B) {
	m, err := NewMetrics("v1", nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		m.Step("query_table", "done", time.Millisecond)
	}
}
