package server

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"catena/chat"
	"catena/server/servertest"
)

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
	for code, want := range map[string]int{"idempotency_key_reused": 422, "bad_idempotency_key": 400} {
		if got := statusOf(&chat.Problem{Code: code}, nil); got != want {
			t.Errorf("%s: %d", code, got)
		}
	}
}

func TestDeleteSession(t *testing.T) {
	_, h, _ := newTest(t)
	if status, _, body := servertest.Ask(t, "DELETE", h.URL+"/api/v1/sessions/ses_1", ""); status != 204 {
		t.Errorf("%d %s", status, body)
	}
	if status, _, _ := servertest.Ask(t, "DELETE", h.URL+"/api/v1/sessions/ses_9", ""); status != 404 {
		t.Errorf("another's session: %d", status)
	}
}

func TestRequestHook(t *testing.T) {
	var mu sync.Mutex
	var told []string
	_, h, _ := newTest(t, func(o *Options) {
		o.Request = func(r *http.Request) (context.Context, func(method, route string, status int)) {
			return r.Context(), func(method, route string, status int) {
				mu.Lock()
				defer mu.Unlock()
				told = append(told, method+" "+route+" "+strings.Repeat("x", status/100))
			}
		}
	})
	servertest.Ask(t, "GET", h.URL+"/livez", "")
	servertest.Ask(t, "GET", h.URL+"/api/v1/runs/run_77", "")
	servertest.Ask(t, "GET", h.URL+"/made/up/"+strings.Repeat("a", 100), "")
	servertest.Ask(t, "BREW", h.URL+"/livez", "")
	want := []string{"GET /livez xx", "GET /api/v1/runs/{id} xxxx", "OTHER none xxxx", "OTHER none xxxx"}
	for end := time.Now().Add(time.Second); ; time.Sleep(time.Millisecond) { // the hook is told after the client
		mu.Lock()
		got := strings.Join(told, ", ")
		mu.Unlock()
		if got == strings.Join(want, ", ") {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("got %s", got)
		}
	}
}

// TestSessionRoutes lists, reads, renames and exports.
func TestSessionRoutes(t *testing.T) {
	_, h, _ := newTest(t)
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "?q=tea&cursor=7.x&limit=5", "", 200, `{"sessions":[{"id":"ses_1","title":"tea7.x"`},
		{"GET", "?limit=0", "", 400, `"code":"out_of_range"`},
		{"GET", "/ses_1", "", 200, `"path":["run_1"]`},
		{"GET", "/ses_1.json", "", 200, `"title":"about x"`},
		{"GET", "/ses_1.md", "", 200, "# about x\n"},
		{"GET", "/ses_2.md", "", 404, `"code":"not_found"`},
		{"GET", "/ses_1.pdf", "", 404, `"code":"not_found"`},
		{"PATCH", "/ses_1", `{"title":" new "}`, 200, `"title":"new"`},
		{"PATCH", "/ses_1", `{"title":""}`, 400, `"code":"out_of_range"`},
	} {
		status, header, body := servertest.Ask(t, c.method, h.URL+"/api/v1/sessions"+c.path, c.body)
		if status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s %s: %d %s", c.method, c.path, status, body)
		}
		if ending := c.path[max(0, len(c.path)-3):]; ending == ".md" && status == 200 && header.Get("Content-Type") != "text/markdown; charset=utf-8" {
			t.Errorf("%s: %s", c.path, header.Get("Content-Type"))
		}
	}
}
