package server

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"catena/server/servertest"
)

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
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) { // the hook is told after the client
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
