package server_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/server"
	"catena/server/servertest"
)

func TestChat(t *testing.T) {
	_, h, _ := newTest(t)
	for _, path := range []string{"/api/v1/chat", "/mcp"} {
		status, _, body := servertest.Ask(t, "POST", h.URL+path, `{"message":"hello"}`)
		if status != 200 || !strings.Contains(body, `"response":"You said: hello"`) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if status, _, body := servertest.Ask(t, "POST", h.URL+"/api/v1/plan", `{"message":"hello"}`); status != 200 || !strings.Contains(body, `"intent":"count"`) {
		t.Errorf("plan: %d %s", status, body)
	}
}

func TestEventFraming(t *testing.T) {
	_, h, _ := newTest(t)
	for _, path := range []string{"/api/v1/chat", "/stream", "/mcp"} {
		status, header, body := servertest.Ask(t, "POST", h.URL+path, `{"message":"hello"}`, "Accept", "text/event-stream")
		if status != 200 || header.Get("Content-Type") != "text/event-stream" || header.Get("X-Run-Id") == "" {
			t.Errorf("%s: %d %v", path, status, header)
		}
		if diff := cmp.Diff(wholeStream, body); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	_, _, body := servertest.Ask(t, "GET", h.URL+"/api/v1/runs/run_1/events?after=1", "", "Last-Event-ID", "4")
	if want := ": open\n\nid: 5\ndata: {\"type\":\"RUN_FINISHED\"}\n\n"; body != want {
		t.Errorf("after Last-Event-ID 4: %q", body)
	}
	_, _, body = servertest.Ask(t, "GET", h.URL+"/api/v1/runs/run_1", "")
	if !strings.Contains(body, `"response":{`) {
		t.Errorf("run: %s", body)
	}
}

// curl -d says that its body is a form. That is fine for whoever is no web page.
func TestContentType(t *testing.T) {
	_, h, _ := newTest(t)
	const form = "application/x-www-form-urlencoded"
	for _, path := range []string{"/api/v1/chat", "/api/v1/plan", "/mcp", "/stream"} {
		if status, _, body := servertest.Ask(t, "POST", h.URL+path, `{"message":"hello"}`, "Content-Type", form); status != 200 {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	for _, media := range []string{form, "text/plain", ";", "multipart/form-data; boundary=x"} {
		status, _, body := servertest.Ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"hello"}`, "Content-Type", media, "Origin", h.URL)
		if status != 415 || !strings.Contains(body, "unsupported_media_type") {
			t.Errorf("a page with %q: %d %s", media, status, body)
		}
	}
	for _, media := range []string{"application/json", "application/json; charset=utf-8", "application/vnd.x+json"} {
		if status, _, body := servertest.Ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"hello"}`, "Content-Type", media, "Origin", h.URL); status != 200 {
			t.Errorf("a page with %q: %d %s", media, status, body)
		}
	}
}

func TestIdempotencyKey(t *testing.T) {
	_, h, runs := newTest(t)
	for _, path := range []string{"/api/v1/chat", "/mcp", "/stream"} {
		servertest.Ask(t, "POST", h.URL+path, `{"message":"hello"}`, "Idempotency-Key", "key of "+path)
	}
	for id, want := range map[string]string{"run_1": "key of /api/v1/chat", "run_2": "key of /mcp", "run_3": "key of /stream"} {
		if got := runs.ByID[id].Req.IdempotencyKey; got != want {
			t.Errorf("%s: %q", id, got)
		}
	}
}

// A body that does not come holds no connection for ever, whether a route reads it or not.
func TestSlowBody(t *testing.T) {
	_, h, _ := newTest(t, func(o *server.Options) {
		o.BodyTimeout, o.UploadLimit, o.BodyLimit = 50*time.Millisecond, 1<<10, 128<<10
	})
	address := strings.TrimPrefix(h.URL, "http://")
	const long, chunked = "Content-Length: 1000\r\n", "Transfer-Encoding: chunked\r\n"
	for _, c := range []struct {
		method, path, header, body string
		status                     int
		code                       string
	}{
		{"POST", "/api/v1/chat", long, `{"message":`, 408, "body_too_slow"},
		{"POST", "/api/v1/chat", chunked, "5\r\n{\"mes\r\n", 408, "body_too_slow"},
		{"POST", "/mcp", long, `{"jsonrpc":`, 408, "body_too_slow"},
		{"POST", "/api/v1/tables", long + "Content-Type: multipart/form-data; boundary=b\r\n", "--b\r\n", 408, "body_too_slow"},
		{"POST", "/api/v1/tables", long + "Content-Type: multipart/form-data; boundary=b\r\n", "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\na,b", 408, "body_too_slow"},
		{"POST", "/nothing", long, "x", 404, "no_route"},
		{"GET", "/livez", long, "x", 200, "alive"},
	} {
		t.Run(c.method+c.path, func(t *testing.T) {
			t.Parallel()
			if status, text := servertest.Half(t, address, c.method, c.path, c.header, c.body); status != c.status || !strings.Contains(text, c.code) {
				t.Errorf("%d %s", status, text)
			}
		})
	}
}

// TestResourceMetadata: an MCP client that is refused learns who gives tokens.
func TestResourceMetadata(t *testing.T) {
	_, url := keyed(t, func(o *server.Options) { o.Issuer = "https://idp.example" })
	_, h, _ := servertest.Ask(t, "POST", url+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if want := `Bearer realm="catena", resource_metadata="` + url + `/.well-known/oauth-protected-resource/mcp"`; h.Get("WWW-Authenticate") != want {
		t.Errorf("%s", h.Get("WWW-Authenticate"))
	}
	for path, resource := range map[string]string{"": url, "/mcp": url + "/mcp"} {
		status, _, body := servertest.Ask(t, "GET", url+"/.well-known/oauth-protected-resource"+path, "")
		if status != 200 || !strings.Contains(body, `"resource":"`+resource+`"`) || !strings.Contains(body, `"authorization_servers":["https://idp.example"]`) {
			t.Errorf("%d %s", status, body)
		}
	}
	_, plain := keyed(t, func(o *server.Options) { o.Resource = "https://catena.example.com/" })
	if status, h, _ := servertest.Ask(t, "GET", plain+"/.well-known/oauth-protected-resource", ""); status != 404 || strings.Contains(h.Get("WWW-Authenticate"), "resource_metadata") {
		t.Errorf("without an issuer: %d", status)
	}
}

const wholeStream = ": open\n\nid: 1\ndata: {\"type\":\"RUN_STARTED\"}\n\nid: 2\ndata: {\"type\":\"STEP_STARTED\",\"stepName\":\"s1\"}\n\nid: 3\ndata: {\"type\":\"STEP_FINISHED\",\"stepName\":\"s1\"}\n\nid: 4\ndata: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"delta\":\"You said: \"}\n\nid: 5\ndata: {\"type\":\"RUN_FINISHED\"}\n\n"
