package app

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/server"
)

// What the program does must show in what it tells Prometheus.
func TestMetrics(t *testing.T) {
	cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(t.Context(), cfg, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	s, err := p.Server(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	defer web.Close()
	do := func(method, path, body string) string {
		req, err := http.NewRequestWithContext(t.Context(), method, web.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	do("POST", "/api/v1/chat", `{"message":"top 5 USA clients"}`)
	want := []string{
		`http_server_request_duration_seconds_count{http_request_method="POST",http_response_status_code="200",http_route="/api/v1/chat"} 1`,
		`catena_turn_seconds_count{outcome="answer",planned_by="offline"} 1`,
		`catena_tool_call_seconds_count{`, `catena_step_seconds_count{`, "catena_runs_running 0",
	}
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) { // a request is counted after its answer
		page, lacks := do("GET", "/metrics", ""), ""
		for _, w := range want {
			if !strings.Contains(page, w) {
				lacks = w
			}
		}
		if lacks == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("/metrics lacks %s:\n%s", lacks, page)
		}
	}
}
