package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// ask sends a request and returns status, headers and body.
func ask(t *testing.T, method, url, body string, header ...string) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(b)
}

// TestHostIsAnAddress: a cluster's own requests name an address; where only this machine is served, none but its own passes.
func TestHostIsAnAddress(t *testing.T) {
	for _, taken := range []bool{false, true} {
		s, _, _ := newTest(t, func(o *Options) { o.Addresses = taken })
		for host, want := range map[string]bool{"10.1.2.3:8765": taken, "[2001:db8::1]:80": taken, "127.0.0.1": true, "10.1.2.3.evil.example": false, "evil.example": false, "": false} {
			if s.knownHost(host) != want {
				t.Errorf("%q, addresses %v: %v", host, taken, !want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	_, h, _ := newTest(t)
	ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"hi"}`)
	long := strings.Repeat("x", 65<<10)
	deep := `{"plan":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`
	for _, c := range []struct {
		name, method, path, body string
		header                   []string
		status                   int
		code                     string
	}{
		{"no such route", "GET", "/nothing", "", nil, 404, "no_route"},
		{"wrong method", "DELETE", "/api/v1/chat", "", nil, 405, "method_not_allowed"},
		{"empty body", "POST", "/api/v1/chat", "", nil, 400, "empty_body"},
		{"malformed", "POST", "/api/v1/chat", `{"message":`, nil, 400, "malformed_json"},
		{"two values", "POST", "/api/v1/chat", `{"message":"a"} {}`, nil, 400, "malformed_json"},
		{"duplicate key", "POST", "/api/v1/chat", `{"message":"a","message":"b"}`, nil, 400, "duplicate_key"},
		{"unknown field", "POST", "/api/v1/chat", `{"mesage":"a"}`, nil, 400, "unknown_field"},
		{"no time", "POST", "/api/v1/chat", `{"message":"a","now":"yesterday"}`, nil, 400, "wrong_value"},
		{"wrong type", "POST", "/api/v1/chat", `{"message":1}`, nil, 400, "wrong_type"},
		{"not UTF-8", "POST", "/api/v1/chat", "{\"message\":\"\xff\"}", nil, 400, "invalid_utf8"},
		{"not JSON", "POST", "/api/v1/chat", "message=a", []string{"Content-Type", "application/x-www-form-urlencoded"}, 400, "malformed_json"},
		{"empty message", "POST", "/api/v1/chat", `{"message":" "}`, nil, 400, "message_empty"},
		{"control character", "POST", "/api/v1/chat", `{"message":"a\u0000b"}`, nil, 400, "message_control_character"},
		{"message too long", "POST", "/api/v1/chat", `{"message":"` + long + `"}`, nil, 413, "message_too_large"},
		{"body too long", "POST", "/api/v1/tools/count", `{"arguments":{"a":"` + strings.Repeat("x", 1<<20) + `"}}`, nil, 413, "body_too_large"},
		{"too deep", "POST", "/v1/chat/completions", deep, nil, 400, "too_deep"},
		{"unknown run", "GET", "/api/v1/runs/run_99", "", nil, 404, "not_found"},
		{"approval of an unknown run", "POST", "/api/v1/runs/run_99/approve", `{"step":"s1","args_hash":"shown","decision":"run"}`, nil, 404, "not_found"},
		{"approval of what is no more", "POST", "/api/v1/runs/run_1/approve", `{"step":"s1","args_hash":"old","decision":"run"}`, nil, 409, "args_changed"},
		{"approval with a strange field", "POST", "/api/v1/runs/run_1/approve", `{"decide":"run"}`, nil, 400, "unknown_field"},
		{"resume of an unknown run", "POST", "/api/v1/runs/run_99/resume", "", nil, 404, "not_found"},
		{"unknown run's events", "GET", "/api/v1/runs/run_99/events", "", nil, 404, "not_found"},
		{"unknown session", "GET", "/api/v1/sessions/ses_9", "", nil, 404, "not_found"},
		{"no title", "PATCH", "/api/v1/sessions/ses_1", `{}`, nil, 400, "out_of_range"},
		{"bad limit", "GET", "/api/v1/sessions?limit=0", "", nil, 400, "out_of_range"},
		{"unknown table", "GET", "/api/v1/tables/tbl_aaaaaaaaaaaaaaaaaaaaaaaaaa", "", nil, 404, "not_found"},
		{"unknown tool", "POST", "/api/v1/tools/cuont", `{}`, nil, 404, "unknown_tool"},
		{"broken tool", "POST", "/api/v1/tools/broken", `{}`, nil, 500, "tool_broke"},
		{"failing tool", "POST", "/api/v1/tools/secretive", `{}`, nil, 500, "internal"},
		{"no tool name", "POST", "/execute", `{}`, nil, 400, "missing_required"},
		{"foreign host", "GET", "/livez", "", []string{"Host", "evil.example"}, 403, "host_not_allowed"},
		{"foreign origin", "GET", "/livez", "", []string{"Origin", "http://evil.example"}, 403, "origin_not_allowed"},
		{"opaque origin", "GET", "/livez", "", []string{"Origin", "null"}, 403, "origin_not_allowed"},
		{"other port's origin", "POST", "/mcp", `{}`, []string{"Origin", "http://127.0.0.1:1"}, 403, "origin_not_allowed"},
		{"no static file", "GET", "/static/..%2fembed.go", "", nil, 404, "not_found"},
		{"empty upload", "POST", "/api/v1/tables?name=a.csv", "", []string{"Content-Type", "text/csv"}, 422, "empty_file"},
		{"text forgotten", "POST", "/api/v1/tables", `{"name":"a"}`, []string{"Content-Type", "application/json"}, 422, "no_text"},
		{"empty text", "POST", "/api/v1/tables", `{"name":"a","text":""}`, []string{"Content-Type", "application/json"}, 422, "no_text"},
		{"misspelt upload", "POST", "/api/v1/tables", `{"text":"a\n1","sesion_id":"x"}`, []string{"Content-Type", "application/json"}, 400, "unknown_field"},
		{"misspelt text", "POST", "/api/v1/tables", `{"txt":"a\n1","name":"x"}`, []string{"Content-Type", "application/json"}, 400, "unknown_field"},
		{"table with a session", "POST", "/api/v1/tables", `{"data":[{"a":1}],"session_id":"x"}`, []string{"Content-Type", "application/json"}, 400, "unknown_field"},
		{"number for a table", "POST", "/api/v1/tables", `5`, []string{"Content-Type", "application/json"}, 400, "wrong_type"},
		{"null for a table", "POST", "/api/v1/tables", `null`, []string{"Content-Type", "application/json"}, 400, "wrong_type"},
		{"misspelt form", "POST", "/api/v1/tables", "--b\r\nContent-Disposition: form-data; name=\"sesion_id\"\r\n\r\nx\r\n--b--\r\n",
			[]string{"Content-Type", "multipart/form-data; boundary=b"}, 400, "unknown_field"},
		{"binary upload", "POST", "/api/v1/tables?name=a.csv", "\x00\x01", []string{"Content-Type", "text/csv"}, 400, "bad_file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, header, body := ask(t, c.method, h.URL+c.path, c.body, c.header...)
			var p problem
			if strings.HasPrefix(c.path, "/v1/") {
				var outer struct {
					Error struct{ Message, Type, Code string }
				}
				if err := json.Unmarshal([]byte(body), &outer); err != nil {
					t.Fatal(err)
				}
				p.Code, p.Detail, p.RequestID = outer.Error.Code, outer.Error.Message, "x"
			} else {
				if ct := header.Get("Content-Type"); ct != "application/problem+json" {
					t.Errorf("Content-Type %q", ct)
				}
				if err := json.Unmarshal([]byte(body), &p); err != nil {
					t.Fatalf("%s: %v", body, err)
				}
			}
			if status != c.status || p.Code != c.code || p.Detail == "" || p.RequestID == "" {
				t.Errorf("%d %s", status, body)
			}
			for _, secret := range []string{"correct horse", "hunter2", "goroutine", "2006-01-02"} {
				if strings.Contains(p.Detail+p.Hint, secret) {
					t.Errorf("the answer shows %q: %s", secret, body)
				}
			}
		})
	}
}

func TestAllowedHostAndOrigin(t *testing.T) {
	_, h, _ := newTest(t, func(o *Options) {
		o.Hosts, o.Origins = []string{"catena.example"}, []string{"https://ui.example"}
	})
	for _, host := range []string{"catena.example", "catena.example:8765", "CATENA.example", "localhost", "[::1]:80", "127.0.0.9"} {
		if status, _, body := ask(t, "GET", h.URL+"/livez", "", "Host", host); status != 200 {
			t.Errorf("%s: %d %s", host, status, body)
		}
	}
	if status, _, _ := ask(t, "GET", h.URL+"/livez", "", "Origin", h.URL); status != 200 {
		t.Errorf("own origin: %d", status)
	}
	status, header, _ := ask(t, "OPTIONS", h.URL+"/api/v1/chat", "", "Origin", "https://ui.example", "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "authorization,content-type,x-stainless-lang")
	if status != 204 || header.Get("Access-Control-Allow-Origin") != "https://ui.example" || !strings.Contains(header.Get("Access-Control-Allow-Headers"), "x-stainless-lang") {
		t.Errorf("preflight: %d %v", status, header)
	}
}

func TestOnlyThisMachineWithoutKeys(t *testing.T) {
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.RemoteAddr = "192.0.2.7:1234"
	if _, err := localOnly(r); !errors.Is(err, errNotLocal) {
		t.Errorf("a remote caller got %v", err)
	}
	r.RemoteAddr = "[::1]:1234"
	if c, err := localOnly(r); err != nil || c.ID != "local" {
		t.Errorf("a local caller got %+v, %v", c, err)
	}
}

func TestChat(t *testing.T) {
	_, h, _ := newTest(t)
	for _, path := range []string{"/api/v1/chat", "/mcp"} {
		status, _, body := ask(t, "POST", h.URL+path, `{"message":"hello"}`)
		if status != 200 || !strings.Contains(body, `"response":"You said: hello"`) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if status, _, body := ask(t, "POST", h.URL+"/api/v1/plan", `{"message":"hello"}`); status != 200 || !strings.Contains(body, `"intent":"count"`) {
		t.Errorf("plan: %d %s", status, body)
	}
}

const wholeStream = ": open\n\nid: 1\ndata: {\"type\":\"RUN_STARTED\"}\n\nid: 2\ndata: {\"type\":\"STEP_STARTED\",\"stepName\":\"s1\"}\n\nid: 3\ndata: {\"type\":\"STEP_FINISHED\",\"stepName\":\"s1\"}\n\nid: 4\ndata: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"delta\":\"You said: \"}\n\nid: 5\ndata: {\"type\":\"RUN_FINISHED\"}\n\n"

func TestEventFraming(t *testing.T) {
	_, h, _ := newTest(t)
	for _, path := range []string{"/api/v1/chat", "/stream", "/mcp"} {
		status, header, body := ask(t, "POST", h.URL+path, `{"message":"hello"}`, "Accept", "text/event-stream")
		if status != 200 || header.Get("Content-Type") != "text/event-stream" || header.Get("X-Run-Id") == "" {
			t.Errorf("%s: %d %v", path, status, header)
		}
		if diff := cmp.Diff(wholeStream, body); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	_, _, body := ask(t, "GET", h.URL+"/api/v1/runs/run_1/events?after=1", "", "Last-Event-ID", "4")
	if want := ": open\n\nid: 5\ndata: {\"type\":\"RUN_FINISHED\"}\n\n"; body != want {
		t.Errorf("after Last-Event-ID 4: %q", body)
	}
	_, _, body = ask(t, "GET", h.URL+"/api/v1/runs/run_1", "")
	if !strings.Contains(body, `"response":{`) {
		t.Errorf("run: %s", body)
	}
}

func TestHeartbeatAndHangUp(t *testing.T) {
	_, h, runs := newTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, h.URL+"/stream", strings.NewReader(`{"message":"slow"}`))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	lines := bufio.NewScanner(resp.Body)
	for beats := 0; beats < 2 && lines.Scan(); {
		if lines.Text() == ": alive" {
			beats++
		}
	}
	cancel()
	time.Sleep(50 * time.Millisecond)
	if runs.stopped("run_1") {
		t.Error("hanging up a stream stopped its run")
	}
	if status, _, _ := ask(t, "POST", h.URL+"/api/v1/runs/run_1/cancel", ""); status != 200 || !runs.stopped("run_1") {
		t.Errorf("cancel: %d", status)
	}
	if status, _, body := ask(t, "POST", h.URL+"/api/v1/runs/run_1/cancel", ""); status != 200 || !strings.Contains(body, `"cancelled":false`) {
		t.Errorf("cancel of a run that has ended: %d %s", status, body)
	}
}

func TestJSONHangUpCancels(t *testing.T) {
	_, h, runs := newTest(t)
	for i, path := range []string{"/api/v1/chat", "/v1/chat/completions"} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		body := []string{`{"message":"slow"}`, `{"messages":[{"role":"user","content":"slow"}]}`}[i]
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, h.URL+path, strings.NewReader(body))
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_ = resp.Body.Close()
			t.Fatal("a slow turn answered")
		}
		id := []string{"run_1", "run_2"}[i]
		for end := time.Now().Add(time.Second); !runs.stopped(id); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: the run was not cancelled within a second", path)
			}
		}
	}
}

func TestOpenAI(t *testing.T) {
	_, h, _ := newTest(t)
	status, _, body := ask(t, "POST", h.URL+"/v1/chat/completions", `{"model":"x","temperature":1,"messages":[{"role":"system","content":"be kind"},{"role":"user","content":[{"type":"text","text":"hello"}]}]}`)
	var resp struct {
		ID, Object string
		Choices    []struct {
			Message struct {
				Role, Content string
				ToolCalls     any `json:"tool_calls"`
			}
			FinishReason string `json:"finish_reason"`
		}
	}
	if err := json.Unmarshal([]byte(body), &resp); err != nil || status != 200 {
		t.Fatalf("%d %v: %s", status, err, body)
	}
	if c := resp.Choices[0]; c.Message.Content != "You said: hello" || c.FinishReason != "stop" || c.Message.ToolCalls != nil {
		t.Errorf("%s", body)
	}
	_, _, body = ask(t, "POST", h.URL+"/v1/chat/completions", `{"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hello"}]}`)
	for _, want := range []string{`"delta":{"content":"You said: hello"}`, `"finish_reason":"stop"`, `"usage":{"prompt_tokens":0`, "data: [DONE]\n\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("the stream lacks %s:\n%s", want, body)
		}
	}
	if status, _, body = ask(t, "POST", h.URL+"/v1/chat/completions", `{"messages":[{"role":"user","content":"fail"}]}`); status != 500 || !strings.Contains(body, `"code":"planner_down"`) {
		t.Errorf("failure: %d %s", status, body)
	}
	if _, _, body = ask(t, "GET", h.URL+"/v1/models", ""); !strings.Contains(body, `"id":"catena"`) {
		t.Errorf("models: %s", body)
	}
}

// A client that sends the whole conversation each time goes on in the session it began.
func TestOpenAIConversation(t *testing.T) {
	_, h, runs := newTest(t)
	ask(t, "POST", h.URL+"/v1/chat/completions", `{"messages":[{"role":"user","content":"one"}]}`)
	ask(t, "POST", h.URL+"/v1/chat/completions", `{"messages":[{"role":"system","content":"now"},{"role":"user","content":"one"},{"role":"assistant","content":"You said: one\n"},{"role":"user","content":"two"}]}`)
	ask(t, "POST", h.URL+"/v1/chat/completions", `{"messages":[{"role":"user","content":"other"},{"role":"assistant","content":"You said: one"},{"role":"user","content":"two"}]}`)
	if got := runs.runs["run_2"].req.SessionID; got != "ses_1" {
		t.Errorf("the follow-up went to %s", got)
	}
	if got := runs.runs["run_3"].req.SessionID; got != "ses_3" {
		t.Errorf("another conversation went to %s", got)
	}
}

func TestService(t *testing.T) {
	_, h, _ := newTest(t, func(o *Options) {
		o.Health = func(context.Context) []Component { return []Component{{Name: "store", Status: Down, Required: true}} }
	})
	if status, _, body := ask(t, "GET", h.URL+"/health", ""); status != 200 || !strings.Contains(body, `"status":"degraded"`) {
		t.Errorf("health: %d %s", status, body)
	}
	if status, _, _ := ask(t, "GET", h.URL+"/readyz", ""); status != 503 {
		t.Errorf("readyz: %d", status)
	}
	status, header, body := ask(t, "GET", h.URL+"/", "")
	if status != 200 || !strings.Contains(header.Get("Content-Security-Policy"), "script-src 'self'") {
		t.Errorf("page: %d %v", status, header)
	}
	if strings.Contains(body, "<script>") || strings.Contains(body, " style=") || strings.Contains(body, "onclick") {
		t.Error("the page has inline code, which its policy forbids")
	}
	if _, _, body = ask(t, "GET", h.URL+"/", "", "Accept", "application/json"); !strings.Contains(body, `"service":"catena"`) {
		t.Errorf("service information: %s", body)
	}
}

// Every route of the table is described, and nothing else is served.
func TestOpenAPI(t *testing.T) {
	s, h, _ := newTest(t)
	_, _, body := ask(t, "GET", h.URL+"/openapi.json", "")
	var doc struct {
		Paths map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(body), &doc); err != nil {
		t.Fatal(err)
	}
	routes := s.routes()
	want := len(routes)
	for _, r := range routes {
		if r.Method == http.MethodGet && !r.Stream {
			want++ // HEAD is GET without the body, and not described
		}
		if doc.Paths[r.Path][strings.ToLower(r.Method)] == nil {
			t.Errorf("%s %s is not described", r.Method, r.Path)
		}
	}
	if got := len(s.engine.Routes()); got != want {
		t.Errorf("%d routes are served, %d are in the table", got, want)
	}
}

func TestListenSaysWhichPort(t *testing.T) {
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if _, err = Listen(t.Context(), l.Addr().String()); err == nil || !strings.Contains(err.Error(), "port "+port+" is in use") {
		t.Errorf("error %v", err)
	}
}

func TestShutdownEndsStreams(t *testing.T) {
	s, _, _ := newTest(t, func(o *Options) { o.Grace = 200 * time.Millisecond })
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	resp, err := http.Post("http://"+l.Addr().String()+"/stream", "application/json", strings.NewReader(`{"message":"slow"}`))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	_, _ = io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
