package app

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"catena/internal/access"
	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/server"
)

// TestRoles: what a role does not have is neither seen nor called nor read, by tools, resources, prompts and plans alike.
func TestRoles(t *testing.T) {
	h := newHouse(t, access.Key{Name: "viewer", Roles: []string{"relationship_viewer"}, Scopes: []string{"chat"}},
		access.Key{Name: "recorder", Roles: []string{"interaction_recorder"}, Scopes: []string{"chat"}},
		access.Key{Name: "talker", Scopes: []string{"chat", "tools:data"}}, access.Key{Name: "user"})
	rpc := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	}
	const change = `{"name":"update_relationship_metrics","arguments":{"persona1_id":"lila","persona2_id":"don","trust_delta":1}}`
	for _, c := range []struct{ who, method, params, has, hasNot string }{
		{"viewer", "tools/list", `{}`, "analyze_persona_compatibility", `"name":"update_relationship_metrics"`},
		{"viewer", "tools/list", `{}`, "analyze_persona_compatibility", "query_table"},
		{"viewer", "resources/list", `{}`, "neo4j://relationships/all", "mimir://"},
		{"viewer", "resources/read", `{"uri":"neo4j://personas/all"}`, "lila", "not found"},
		{"viewer", "prompts/list", `{}`, "assess_attachment_style", "venom_identity"},
		{"viewer", "tools/call", change, "the scope write:persona:update_relationship_metrics", `"success":true`},
		{"talker", "prompts/get", `{"name":"assess_attachment_style","arguments":{}}`, "the scope read:persona:assess_attachment_style", "messages"},
		{"talker", "tools/call", `{"name":"get_top_clients","arguments":{}}`, "the scope read:crm:get_top_clients", "rows"},
		{"recorder", "resources/read", `{"uri":"neo4j://relationships/all"}`, "the scope read:persona:relationships", "trust_level"},
		{"recorder", "tools/list", `{}`, "record_interaction", `"name":"update_relationship_metrics"`},
		{"talker", "resources/read", `{"uri":"neo4j://personas/all"}`, "the scope read:persona:personas", "attachment"},
		{"user", "tools/call", change, "success", "not permitted"},
	} {
		status, body := h.ask(c.who, "POST", "/mcp", rpc(c.method, c.params))
		if refused := strings.HasPrefix(c.has, "the scope "); (status == 403) != refused {
			t.Errorf("%s %s %s: %d %s", c.who, c.method, c.params, status, body)
		}
		if !strings.Contains(body, c.has) || strings.Contains(body, c.hasNot) {
			t.Errorf("%s %s %s: %s", c.who, c.method, c.params, body)
		}
	}
	if status, body := h.ask("viewer", "POST", "/api/v1/tools/update_relationship_metrics", `{"arguments":{"persona1_id":"lila","persona2_id":"don"}}`); status != 403 {
		t.Errorf("%d %s", status, body)
	}
	for who, sees := range map[string]bool{"talker": false, "user": true} {
		if _, body := h.ask(who, "POST", "/api/v1/plan", `{"message":"top 5 USA clients"}`); strings.Contains(body, "get_top_clients") != sees {
			t.Errorf("%s: the plan is %s", who, body)
		}
		if _, body := h.ask(who, "POST", "/api/v1/plan/check", `{"steps":[{"id":"s1","tool":"get_top_clients","args":{}}]}`); strings.Contains(body, "unknown_tool") == sees {
			t.Errorf("%s: the check is %s", who, body)
		}
	}
}

// TestTenantTokens: the settings' identity provider is asked, its claims become callers, and tenants' data are apart.
func TestTenantTokens(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	issuer := httptest.NewServer(mux)
	defer issuer.Close()
	answer := func(v any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(v) }
	}
	mux.Handle("/.well-known/openid-configuration", answer(map[string]string{"issuer": issuer.URL, "jwks_uri": issuer.URL + "/keys"}))
	mux.Handle("/keys", answer(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "k", Algorithm: "ES256", Use: "sig"}}}))
	cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}, "data.demo": {"on"},
		"access.oidc.issuer": {issuer.URL}, "access.oidc.audience": {"catena"}, "access.oidc.tenant_claim": {"org"}, "access.oidc.default_roles": {"user"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(t.Context(), cfg, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	l, err := server.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p.Cfg.Access.Require = "always"
	caller, err := p.callers(t.Context(), l.Addr())
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Server(server.Options{Caller: caller, Issuer: issuer.URL})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	defer func() {
		web.CloseClientConnections()
		web.Close()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: "k"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, url: web.URL, keys: map[string]string{"nobody": ""}}
	for _, org := range []string{"acme", "other"} {
		claims := map[string]any{"iss": issuer.URL, "aud": "catena", "sub": "ann", "org": org, "exp": time.Now().Add(time.Hour).Unix()}
		if h.keys[org], err = jwt.Signed(signer).Claims(claims).Serialize(); err != nil {
			t.Fatal(err)
		}
	}
	mine := h.things("acme")
	for who, want := range map[string]int{"nobody": 401, "other": 404, "acme": 200} {
		for _, path := range []string{"/api/v1/sessions/" + mine["sessions"], "/api/v1/runs/" + mine["runs"], "/api/v1/tables/" + mine["tables"]} {
			if status, body := h.ask(who, "GET", path, ""); status != want {
				t.Errorf("%s %s: %d %s", who, path, status, body)
			}
		}
	}
}
