package server_test

import (
	"net/http"
	"strings"
	"testing"

	"catena/internal/access"
	"catena/server"
	"catena/server/servertest"
)

func TestScopes(t *testing.T) {
	_, url := keyed(t, func(o *server.Options) {
		o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	})
	const message = `{"message":"hello"}`
	for _, c := range []struct {
		key, method, path, body string
		status                  int
		part                    string
	}{
		{"ann", "POST", "/api/v1/chat", message, 200, "hello"},
		{"tools", "POST", "/api/v1/chat", message, 403, `"code":"insufficient_scope"`},
		{"tools", "POST", "/mcp", message, 403, `"code":"insufficient_scope"`},
		{"tools", "POST", "/stream", message, 403, `"code":"insufficient_scope"`},
		{"tools", "POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}]}`, 403, `"type":"permission_error"`},
		{"ann", "POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}]}`, 200, "You said: x"},
		{"tools", "GET", "/api/v1/tools", "", 200, `"name":"count"`},
		{"tools", "POST", "/api/v1/tools/count", `{}`, 200, "counted"},
		{"tools", "POST", "/api/v1/tools/people", `{}`, 403, `"code":"not_permitted"`},
		{"tools", "POST", "/execute", `{"tool_name":"people"}`, 403, `"code":"not_permitted"`},
		{"none", "GET", "/api/v1/tools", "", 200, `"tools":[]`},
		{"none", "POST", "/api/v1/tools/count", `{}`, 403, `"code":"not_permitted"`},
		{"reader", "POST", "/api/v1/tools/count", `{}`, 200, "counted"},
		{"ann", "GET", "/metrics", "", 403, `"code":"insufficient_scope"`},
		{"root", "GET", "/metrics", "", 200, ""},
		{"none", "GET", "/", "", 200, ""},
	} {
		status, h, body := servertest.Ask(t, c.method, url+c.path, c.body, servertest.Bearer(c.key)...)
		if status != c.status || !strings.Contains(body, c.part) {
			t.Errorf("%s: %s %s: %d %s", c.key, c.method, c.path, status, body)
		}
		if (status == http.StatusForbidden) != strings.Contains(h.Get("WWW-Authenticate"), `error="insufficient_scope"`) {
			t.Errorf("%s: %s: %q", c.key, c.path, h.Get("WWW-Authenticate"))
		}
	}
	status, _, body := servertest.Ask(t, "GET", url+"/api/v1/tools", "", servertest.Bearer("tools")...)
	if status != 200 || strings.Contains(body, `"people"`) || strings.Contains(body, `"chat"`) {
		t.Errorf("tools that may not be called are listed: %s", body)
	}
}

// TestRateLimit: a caller's requests are counted, told, and refused in each protocol's shape; others' are not touched.
func TestRateLimit(t *testing.T) {
	_, url := keyed(t, func(o *server.Options) { o.Limiter = access.NewBuckets(access.Rate{PerMinute: 6, Burst: 3}, nil) })
	for i, path := range []string{"/api/v1/tools", "/v1/models", "/api/v1/sessions"} {
		status, h, body := servertest.Ask(t, "GET", url+path, "", servertest.Bearer("ann")...)
		if left := []string{"2", "1", "0"}[i]; status != 200 || h.Get("RateLimit-Policy") != `"requests";q=3;w=30` || !strings.HasPrefix(h.Get("RateLimit"), `"requests";r=`+left+`;t=`) {
			t.Errorf("%s: %d %v %s", path, status, h, body)
		}
	}
	for path, part := range map[string]string{"/v1/models": `"type":"rate_limit_error"`, "/api/v1/tools": `"code":"rate_limited"`, "/mcp": `"code":"rate_limited"`} {
		status, h, body := servertest.Ask(t, "GET", url+path, "", servertest.Bearer("ann")...)
		if status != 429 || !strings.Contains(body, part) || h.Get("Retry-After") != "10" || !strings.HasPrefix(h.Get("RateLimit"), `"requests";r=0;`) {
			t.Errorf("%s: %d %v %s", path, status, h, body)
		}
	}
	for _, path := range []string{"/mcp", "/message"} {
		status, h, body := servertest.Ask(t, "POST", url+path, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, servertest.Bearer("ann")...)
		if status != 429 || !strings.HasPrefix(body, `{"error":{"code":-32029,"data":{"code":"rate_limited","retry_after":"10"}`) || !strings.Contains(body, `"jsonrpc":"2.0"`) || h.Get("Retry-After") != "10" {
			t.Errorf("%s: %d %v %s", path, status, h, body)
		}
	}
	if status, _, _ := servertest.Ask(t, "GET", url+"/api/v1/tools", "", servertest.Bearer("bob")...); status != 200 {
		t.Errorf("another caller: %d", status)
	}
	if status, h, _ := servertest.Ask(t, "GET", url+"/livez", "", servertest.Bearer("ann")...); status != 200 || h.Get("RateLimit") != "" {
		t.Errorf("a probe: %d %v", status, h)
	}
}

// The table of routes has one line per method and path, each with a summary, and paths below / only.
func TestRouteTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range allRoutes(t) {
		key := r.Method + " " + r.Path
		if seen[key] {
			t.Errorf("%s stands twice", key)
		}
		seen[key] = true
		if r.Summary == "" || r.Tag == "" || !strings.HasPrefix(r.Path, "/") || r.Handle == nil {
			t.Errorf("%s lacks something: %+v", key, r)
		}
	}
	for _, want := range []string{"POST /api/v1/chat", "POST /api/v1/plan", "POST /mcp", "POST /stream", "POST /execute", "GET /mcp", "GET /sse", "GET /health", "GET /", "POST /v1/chat/completions", "GET /v1/models", "GET /metrics"} {
		if !seen[want] {
			t.Errorf("%s is missing", want)
		}
	}
}

// TestEveryRouteAsks: without a key each route but those that need none answers 401, in its protocol's shape, and says how to ask.
// It goes by the table, so that a new route is in it.
func TestEveryRouteAsks(t *testing.T) {
	s, url := keyed(t, func(o *server.Options) { o.Metrics = http.NotFoundHandler() })
	s.LetFail()
	for _, r := range allRoutes(t) {
		path := strings.NewReplacer("{", "", "}", "").Replace(r.Path)
		for key, status := range map[string]int{"": 401, "unknown": 401, "away": 503} {
			header := servertest.Bearer(key)
			if key == "" {
				header = nil
			}
			got, h, body := servertest.Ask(t, r.Method, url+path, "", header...)
			if r.Needs == server.NeedsNothing {
				if got == 401 || got == 403 {
					t.Errorf("%s %s with %q answers %d", r.Method, path, key, got)
				}
				continue
			}
			if got != status || strings.Contains(body, "secret") || strings.Contains(body, "inside") {
				t.Errorf("%s %s with %q answers %d %s", r.Method, path, key, got, body)
			}
			asks := h.Get("WWW-Authenticate")
			if status == 401 && (!strings.HasPrefix(asks, `Bearer realm="catena"`) || (key != "") != strings.Contains(asks, `error="invalid_token"`)) {
				t.Errorf("%s %s with %q asks with %q", r.Method, path, key, asks)
			}
			if shape := `"error":{`; strings.HasPrefix(path, "/v1/") != strings.Contains(body, shape) {
				t.Errorf("%s %s: the shape of %s", r.Method, path, body)
			}
		}
	}
}
