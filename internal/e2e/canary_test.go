package e2e

import (
	"bytes"
	"encoding/json"
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
)

// What a caller shows to Catena to be let in goes to no MCP server, neither by the API nor by MCP.
func TestCallersTokenStaysHere(t *testing.T) {
	const canary = "canary-canary-canary-canary-canary-2"
	var mu sync.Mutex
	var seen bytes.Buffer
	calls := 0
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		_ = r.Header.Write(&seen)
		seen.Write(body)
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		_ = json.Unmarshal(body, &m)
		result := `{}`
		switch m.Method {
		case "server/discover":
			result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}`
		case "tools/list":
			result = `{"tools":[{"name":"do","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`
		case "tools/call":
			calls++
			result = `{"content":[{"type":"text","text":"done"}]}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}))
	defer upstream.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "catena.yaml"), []byte(fmt.Sprintf("mcpServers: {web: {url: %q}}\n", upstream.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	s, url, err := startProgram(dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CATENA_ACCESS_REQUIRE=always", "CATENA_ACCESS_KEY=" + canary},
		"--config", "catena.yaml", "--store", filepath.Join(dir, "store"), "--demo", "off")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	}()
	send := func(path, body string) string {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+canary)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("X-Api-Key", canary)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		answer, _ := io.ReadAll(resp.Body)
		return string(answer)
	}
	answer := ""
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end) && !strings.Contains(answer, "done"); time.Sleep(20 * time.Millisecond) {
		answer = send("/api/v1/tools/web__do", `{"arguments":{}}`)
	}
	if !strings.Contains(answer, "done") {
		t.Fatal(answer)
	}
	send("/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	send("/execute", `{"tool_name":"web__do","arguments":{}}`)
	mu.Lock()
	defer mu.Unlock()
	if calls < 2 || bytes.Contains(seen.Bytes(), []byte("canary")) {
		t.Errorf("%d calls; the server saw\n%s", calls, seen.Bytes())
	}
}
