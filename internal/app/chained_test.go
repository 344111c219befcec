package app

import (
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/server"
)

// chained serves a Catena that uses the MCP server at an address, under the name of inner.
func chained(t *testing.T, inner string) (url string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "catena.yaml")
	if err := os.WriteFile(file, []byte("mcpServers:\n  inner: {url: "+inner+"/mcp}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(t.Context(), e2etest.Settings(), file, nil, map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}, "data.demo": {"on"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(t.Context(), cfg, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Upstream.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := p.Server(server.Options{Caller: server.Anyone})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return web.URL
}

// The chat of a Catena that is another's MCP server asks the person of the other's client, in the newest era, and goes on with the answer.
func TestChatAsksThroughAnotherCatena(t *testing.T) {
	url, _ := schemaWorld(t)
	w := &mcpWire{t: t, url: chained(t, url), can: map[string]any{"elicitation": map[string]any{}}}
	var kept struct {
		ID string `json:"memory_id"`
	}
	stored := w.ask("tools/call", map[string]any{"name": "inner__store_memory", "arguments": map[string]any{"content": "The kitchen is painted green."}})
	if err := json.Unmarshal(stored["structuredContent"], &kept); err != nil || kept.ID == "" {
		t.Fatalf("%s, %v", stored, err)
	}
	args := map[string]any{"message": "forget " + kept.ID}
	first := w.ask("tools/call", map[string]any{"name": "inner__chat", "arguments": args})
	var requests map[string]struct {
		Method string
		Params struct{ Message string }
	}
	if err := json.Unmarshal(first["inputRequests"], &requests); err != nil || len(requests) != 1 {
		t.Fatalf("no question: %s, %v", first, err)
	}
	answers := map[string]any{}
	for id, q := range requests {
		if q.Method != "elicitation/create" || !strings.Contains(q.Params.Message, "delete_memory") {
			t.Errorf("%+v", q)
		}
		answers[id] = map[string]any{"action": "accept", "content": map[string]any{"decision": "skip"}}
	}
	last := w.ask("tools/call", map[string]any{"name": "inner__chat", "arguments": args, "inputResponses": answers, "requestState": first["requestState"]})
	var got struct {
		Pending  []any
		Outcome  string
		Response string
	}
	if err := json.Unmarshal(last["structuredContent"], &got); err != nil || len(got.Pending) != 0 || got.Outcome == "approval" {
		t.Errorf("%s, %v", last, err)
	}
}
