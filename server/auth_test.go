package server

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"catena/internal/access"
)

// identities are the callers of tests by their credentials.
type identities map[string]access.Caller

func (i identities) Identify(_ context.Context, credential string) (access.Caller, error) {
	if credential == "away" {
		return access.Caller{}, errors.New("the store is at /secret/place")
	}
	if c, ok := i[credential]; ok {
		return c, nil
	}
	return access.Caller{}, &access.CredentialError{Reason: "The key is unknown, or was revoked.", Err: errors.New("inside")}
}

// who makes a caller with scopes.
func who(t testing.TB, id string, scopes ...string) access.Caller {
	t.Helper()
	rights, err := access.ParseRights(scopes, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return access.Caller{ID: id, Rights: rights}
}

// keyed makes a server that asks for keys, and takes none on loopback.
func keyed(t *testing.T, more ...func(*Options)) (s *Server, url string) {
	t.Helper()
	list := identities{
		"ann": who(t, "ann", "chat", "tools:*"), "bob": who(t, "bob", "chat", "tools:*"), "tools": who(t, "tools", "tools:crm"),
		"reader": who(t, "reader", "chat", "read:*"), "none": who(t, "none"), "root": who(t, "root", "admin"),
	}
	s, h, _ := newTest(t, append([]func(*Options){func(o *Options) { o.Caller = Bearer(list, false) }}, more...)...)
	return s, h.URL
}

func bearer(key string) []string { return []string{"Authorization", "Bearer " + key} }

// TestEveryRouteAsks: without a key each route but those that need none answers 401, in its protocol's shape, and says how to ask.
// It goes by the table, so that a new route is in it.
func TestEveryRouteAsks(t *testing.T) {
	s, url := keyed(t, func(o *Options) { o.Metrics = http.NotFoundHandler() })
	s.failures = access.NewBuckets(access.Rate{PerMinute: 6000, Burst: 1000}, nil)
	for _, r := range Routes() {
		path := strings.NewReplacer("{", "", "}", "").Replace(r.Path)
		for key, status := range map[string]int{"": 401, "unknown": 401, "away": 503} {
			header := bearer(key)
			if key == "" {
				header = nil
			}
			got, h, body := ask(t, r.Method, url+path, "", header...)
			if r.Needs == NeedsNothing {
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

func TestScopes(t *testing.T) {
	_, url := keyed(t, func(o *Options) {
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
		status, h, body := ask(t, c.method, url+c.path, c.body, bearer(c.key)...)
		if status != c.status || !strings.Contains(body, c.part) {
			t.Errorf("%s: %s %s: %d %s", c.key, c.method, c.path, status, body)
		}
		if (status == http.StatusForbidden) != strings.Contains(h.Get("WWW-Authenticate"), `error="insufficient_scope"`) {
			t.Errorf("%s: %s: %q", c.key, c.path, h.Get("WWW-Authenticate"))
		}
	}
	status, _, body := ask(t, "GET", url+"/api/v1/tools", "", bearer("tools")...)
	if status != 200 || strings.Contains(body, `"people"`) || strings.Contains(body, `"chat"`) {
		t.Errorf("tools that may not be called are listed: %s", body)
	}
}

func TestBearer(t *testing.T) {
	list := identities{"ann": {ID: "ann"}}
	for _, c := range []struct {
		name    string
		local   bool
		remote  string
		header  []string
		id      string
		refused error
	}{
		{"a key", false, "192.0.2.1:1", []string{"Authorization", "bearer  ann"}, "ann", nil},
		{"a key on loopback", true, "127.0.0.1:1", []string{"Authorization", "Bearer ann"}, "ann", nil},
		{"no key on loopback", true, "127.0.0.1:1", nil, "local", nil},
		{"no key from elsewhere", true, "192.0.2.1:1", nil, "", errNotLocal},
		{"no key", false, "127.0.0.1:1", nil, "", errNoKey},
		{"a proxy on this machine", true, "127.0.0.1:1", []string{"X-Forwarded-For", "192.0.2.1"}, "", errNoKey},
		{"another proxy", true, "127.0.0.1:1", []string{"Forwarded", "for=192.0.2.1"}, "", errNoKey},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr = c.remote
		for i := 0; i+1 < len(c.header); i += 2 {
			r.Header.Add(c.header[i], c.header[i+1])
		}
		got, err := Bearer(list, c.local)(r)
		if got.ID != c.id || !errors.Is(err, c.refused) {
			t.Errorf("%s: %+v %v", c.name, got, err)
		}
	}
	// A bad key on loopback is refused, never taken for the local user.
	for _, given := range [][]string{{"Bearer x"}, {"Basic YTpi"}, {"Bearer "}, {"ann"}, {"Bearer ann", "Bearer ann"}, {"Bearer " + strings.Repeat("x", maxCredential+1)}} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr = "127.0.0.1:1"
		r.Header["Authorization"] = given
		var bad *access.CredentialError
		if c, err := Bearer(list, true)(r); !errors.As(err, &bad) || c.ID != "" {
			t.Errorf("%v: %+v %v", given, c, err)
		}
	}
}

// TestMCPHides: over MCP a caller sees and calls what its scopes cover.
func TestMCPHides(t *testing.T) {
	_, url := keyed(t)
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"people","arguments":{}}}`
	for key, want := range map[string][2]string{"tools": {`"count"`, `"people"`}, "ann": {`"people"`, "\x00"}} {
		session := mcpSession(t, url, key)
		header := append(bearer(key), "Mcp-Session-Id", session, "Accept", "application/json, text/event-stream")
		_, _, body := ask(t, "POST", url+"/mcp", list, header...)
		if !strings.Contains(body, want[0]) || strings.Contains(body, want[1]) {
			t.Errorf("%s: %s", key, body)
		}
		_, _, body = ask(t, "POST", url+"/mcp", call, header...)
		if got := strings.Contains(body, "Ada"); got != (key == "ann") {
			t.Errorf("%s: %s", key, body)
		}
	}
	if status, _, _ := ask(t, "POST", url+"/mcp", list); status != 401 {
		t.Errorf("nobody lists tools: %d", status)
	}
}

func mcpSession(t *testing.T, url, key string) string {
	t.Helper()
	status, h, body := ask(t, "POST", url+"/mcp", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		append(bearer(key), "Accept", "application/json, text/event-stream")...)
	if status != 200 {
		t.Fatal(status, body)
	}
	return h.Get("Mcp-Session-Id")
}

// TestRateLimit: a caller's requests are counted, told, and refused in each protocol's shape; others' are not touched.
func TestRateLimit(t *testing.T) {
	_, url := keyed(t, func(o *Options) { o.Limiter = access.NewBuckets(access.Rate{PerMinute: 6, Burst: 3}, nil) })
	for i, path := range []string{"/api/v1/tools", "/v1/models", "/api/v1/sessions"} {
		status, h, body := ask(t, "GET", url+path, "", bearer("ann")...)
		if left := []string{"2", "1", "0"}[i]; status != 200 || h.Get("RateLimit-Policy") != `"requests";q=3;w=30` || !strings.HasPrefix(h.Get("RateLimit"), `"requests";r=`+left+`;t=`) {
			t.Errorf("%s: %d %v %s", path, status, h, body)
		}
	}
	for path, part := range map[string]string{"/v1/models": `"type":"rate_limit_error"`, "/api/v1/tools": `"code":"rate_limited"`, "/mcp": `"code":"rate_limited"`} {
		status, h, body := ask(t, "GET", url+path, "", bearer("ann")...)
		if status != 429 || !strings.Contains(body, part) || h.Get("Retry-After") != "10" || !strings.HasPrefix(h.Get("RateLimit"), `"requests";r=0;`) {
			t.Errorf("%s: %d %v %s", path, status, h, body)
		}
	}
	for _, path := range []string{"/mcp", "/message"} {
		status, h, body := ask(t, "POST", url+path, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, bearer("ann")...)
		if status != 429 || !strings.HasPrefix(body, `{"error":{"code":-32029,"data":{"code":"rate_limited","retry_after":"10"}`) || !strings.Contains(body, `"jsonrpc":"2.0"`) || h.Get("Retry-After") != "10" {
			t.Errorf("%s: %d %v %s", path, status, h, body)
		}
	}
	if status, _, _ := ask(t, "GET", url+"/api/v1/tools", "", bearer("bob")...); status != 200 {
		t.Errorf("another caller: %d", status)
	}
	if status, h, _ := ask(t, "GET", url+"/livez", "", bearer("ann")...); status != 200 || h.Get("RateLimit") != "" {
		t.Errorf("a probe: %d %v", status, h)
	}
}

// TestGuessing: an address that shows bad keys for long hears 429, and good keys from there are still good.
func TestGuessing(t *testing.T) {
	_, url := keyed(t)
	seen := map[int]int{}
	for range 2 * failures.Burst {
		status, _, _ := ask(t, "GET", url+"/api/v1/tools", "", bearer("guess")...)
		seen[status]++
	}
	if seen[401] < failures.Burst || seen[429] == 0 {
		t.Errorf("%v", seen)
	}
	if status, _, body := ask(t, "GET", url+"/api/v1/tools", "", bearer("ann")...); status != 200 {
		t.Errorf("a good key: %d %s", status, body)
	}
}

func TestAddress(t *testing.T) {
	for remote, want := range map[string]string{"192.0.2.1:5": "192.0.2.1", "[2001:db8:1:2:3::4]:5": "2001:db8:1:2::/64", "[fe80::1%eth0]:5": "fe80::/64", "[::ffff:192.0.2.1]:5": "::ffff:192.0.2.1", "pipe": "pipe"} {
		if got := address(remote); got != want {
			t.Errorf("%s: %s", remote, got)
		}
	}
}

// BenchmarkIdentified is what a key costs a request, beside the same request without.
func BenchmarkIdentified(b *testing.B) {
	store := recordsOf{}
	keys := access.NewKeys(store, access.KeysOptions{})
	secret, _, err := keys.Create(b.Context(), access.Key{Name: "ann", Scopes: []string{"chat", "tools:*"}})
	if err != nil {
		b.Fatal(err)
	}
	for name, key := range map[string]string{"none": "", "key": secret} {
		s, _, _ := newTest(b, func(o *Options) {
			o.Caller = Bearer(access.Identifier{Keys: keys}, true)
			o.Limiter = access.NewBuckets(access.Rate{PerMinute: 1e6, Burst: 1e6}, nil)
		})
		b.Run(name, func(b *testing.B) {
			r, _ := http.NewRequestWithContext(b.Context(), http.MethodGet, "http://127.0.0.1/v1/models", nil)
			r.RemoteAddr = "127.0.0.1:1"
			if key != "" {
				r.Header.Set("Authorization", "Bearer "+key)
			}
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				s.Handler().ServeHTTP(w, r)
				if w.Code != 200 {
					b.Fatal(w.Body)
				}
			}
		})
	}
}

// recordsOf is a store of records.
type recordsOf map[string][]byte

func (r recordsOf) PutRecord(_ context.Context, kind, id string, data []byte) error {
	if kind == "key" {
		r[id] = data
	}
	return nil
}
func (r recordsOf) DeleteRecord(context.Context, string, string) error { return nil }
func (r recordsOf) Records(_ context.Context, kind string, each func(string, []byte) error) error {
	for id, data := range r {
		if kind == "key" {
			return each(id, data)
		}
	}
	return nil
}

// TestResourceMetadata: an MCP client that is refused learns who gives tokens.
func TestResourceMetadata(t *testing.T) {
	_, url := keyed(t, func(o *Options) { o.Issuer = "https://idp.example" })
	_, h, _ := ask(t, "POST", url+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if want := `Bearer realm="catena", resource_metadata="` + url + `/.well-known/oauth-protected-resource/mcp"`; h.Get("WWW-Authenticate") != want {
		t.Errorf("%s", h.Get("WWW-Authenticate"))
	}
	for path, resource := range map[string]string{"": url, "/mcp": url + "/mcp"} {
		status, _, body := ask(t, "GET", url+"/.well-known/oauth-protected-resource"+path, "")
		if status != 200 || !strings.Contains(body, `"resource":"`+resource+`"`) || !strings.Contains(body, `"authorization_servers":["https://idp.example"]`) {
			t.Errorf("%d %s", status, body)
		}
	}
	_, plain := keyed(t, func(o *Options) { o.Resource = "https://catena.example.com/" })
	if status, h, _ := ask(t, "GET", plain+"/.well-known/oauth-protected-resource", ""); status != 404 || strings.Contains(h.Get("WWW-Authenticate"), "resource_metadata") {
		t.Errorf("without an issuer: %d", status)
	}
}

// TestProbesTellLittle: without a key the probes say which part is not well, and no more.
func TestProbesTellLittle(t *testing.T) {
	_, url := keyed(t, func(o *Options) {
		o.Health = func(context.Context) []Component {
			return []Component{{Name: "store", Status: Down, Detail: "inside information"}}
		}
		o.Info = func() map[string]any { return map[string]any{"planner": "inside information"} }
	})
	for _, path := range []string{"/health", "/readyz", "/"} {
		for _, key := range []string{"", "ann"} {
			header := []string{"Accept", "application/json"}
			if key != "" {
				header = append(header, bearer(key)...)
			}
			if _, _, body := ask(t, "GET", url+path, "", header...); strings.Contains(body, "inside") != (key != "") {
				t.Errorf("%s with %q: %s", path, key, body)
			}
		}
	}
}
