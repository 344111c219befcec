package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/server"
	"catena/tools"
)

// TestSecretsThatComeBack: what a model's server, an MCP server or a store answers may hold the secret that it was sent; it is seen nowhere. The
// settings' own ways are in testdata/script/secrets.txtar.
func TestSecretsThatComeBack(t *testing.T) {
	const mark = "canary-5f1c"
	var mu sync.Mutex
	var sent, spans bytes.Buffer
	parrot := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if strings.HasSuffix(r.URL.Path, "/v1/traces") {
			spans.Write(body)
			return
		}
		fmt.Fprintln(&sent, r.URL.Path, r.Header)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s","type":"invalid_request_error"}}`, r.Header.Get("Authorization")+r.Header.Get("X-Token"))
	}))
	defer parrot.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "catena.yaml")
	settings := strings.NewReplacer("MARK", mark, "PARROT", parrot.URL).Replace(`
llm: {provider: openai, model: m, base_url: PARROT/v1, api_key: sk-model-MARK, timeout: 2s}
embeddings: {provider: openai, model: m, base_url: PARROT/v1, api_key: sk-embed-MARK, timeout: 2s}
access: {key: key-MARK-key-MARK-key-MARK-key-MARK}
telemetry: {otlp_endpoint: PARROT}
mcpServers:
  parrot: {url: PARROT/mcp, headers: {Authorization: "Bearer header-MARK", X-Token: token-MARK}}
`)
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(t.Context(), e2etest.Settings(), file, nil, map[string][]string{"store.dir": {dir}, "log.level": {"debug"}, "data.demo": {"on"}})
	if err != nil {
		t.Fatal(err)
	}
	var logs e2etest.LogBuffer
	p, err := New(t.Context(), cfg, &logs)
	if err != nil {
		t.Fatal(err)
	}
	falls := tools.Tool{Def: mcp.NewToolWithRawSchema("falls", "Falls.", []byte(`{"type":"object"}`)), Toolset: "test", Handler: func(context.Context, tools.Call) (tools.Result, error) {
		panic(fmt.Sprintf("with %v, %+v and %#v", cfg.LLM.APIKey, cfg.Access, cfg))
	}}
	falls.Def.Annotations.ReadOnlyHint = new(true)
	if err := p.Registry.Register(falls); err != nil {
		t.Fatal(err)
	}
	s, err := p.Server(server.Options{Caller: server.Bearer(access.Identifier{Keys: p.Keys}, true)})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	var seen bytes.Buffer
	ask := func(method, path, body, accept string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, web.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", accept)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		fmt.Fprintln(&seen, method, path, res.StatusCode, res.Header)
		if _, err := io.Copy(&seen, res.Body); err != nil {
			t.Fatal(err)
		}
	}
	for end := time.Now().Add(10 * time.Second); p.Registry.Down()["parrot"] == "" || strings.Contains(p.Registry.Down()["parrot"], "connecting"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			break // its state, whatever it is, is looked at below
		}
	}
	for _, path := range []string{"/api/v1/chat", "/api/v1/plan"} {
		ask("POST", path, `{"message":"top 5 USA clients"}`, "application/json")
	}
	ask("POST", "/stream", `{"message":"top 5 USA clients"}`, "text/event-stream")
	ask("POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"Provide a concise, 5-word-or-less title for the conversation.\nUser: x"}]}`, "application/json")
	ask("POST", "/api/v1/tools/falls", `{}`, "application/json")
	if !strings.Contains(logs.String(), "with ***, ") {
		t.Error("the panic is not logged, so that nothing is tested", logs.String())
	}
	ask("POST", "/api/v1/tools/search_memory", `{"arguments":{"query":"tea"}}`, "application/json")
	for _, path := range []string{"/", "/health", "/readyz", "/metrics", "/openapi.json", "/api/v1/tools", "/api/v1/sessions"} {
		ask("GET", path, "", "application/json")
	}
	web.Close()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "catena.db"))
	if err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, secret := range []string{"sk-model-", "header-", "token-"} {
		if !strings.Contains(sent.String(), secret+mark) {
			t.Errorf("%s was not sent, so that nothing is tested: %s", secret, sent.String())
		}
	}
	if spans.Len() == 0 {
		t.Error("no traces came")
	}
	for where, text := range map[string]string{
		"an answer": seen.String(), "the log": logs.String(), "a trace": spans.String(), "the store": string(kept), "settings as printed": fmt.Sprintf("%+v %#v", cfg, cfg),
	} {
		if i := strings.Index(text, mark); i >= 0 {
			t.Errorf("%s has a secret: …%s…", where, text[max(0, i-200):min(len(text), i+100)])
		}
	}
}

// TestStorePassword: an address of a store that does not answer is told without the password.
func TestStorePassword(t *testing.T) {
	const mark = "canary-71aa"
	cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, map[string][]string{"store.dir": {":memory:"}, "store.url": {"redis://catena@127.0.0.1:1/0"}, "store.password": {mark}, "log.level": {"debug"}})
	if err != nil {
		t.Fatal(err)
	}
	var logs e2etest.LogBuffer
	p, err := New(t.Context(), cfg, &logs)
	if err == nil {
		t.Fatal(p.Close(), "a store that is not there was opened")
	}
	if text := err.Error() + logs.String(); strings.Contains(text, mark) {
		t.Errorf("the password is told: %s", text)
	}
}
