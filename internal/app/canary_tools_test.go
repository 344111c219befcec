package app

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
	"testing"
	"time"

	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/server"
)

// TestSecretsThatToolsRepeat: a tool that answers with the secret of its server, in a success, an error or a cell of a table, shows it nowhere.
func TestSecretsThatToolsRepeat(t *testing.T) {
	const secret = "canary-77ab-of-the-server"
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage       `json:"id"`
			Method string                `json:"method"`
			Params struct{ Name string } `json:"params"`
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		result := `{}`
		switch m.Method {
		case "server/discover":
			result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}`
		case "tools/list":
			var list []string
			for _, name := range []string{"tell_success", "tell_failure", "tell_table"} {
				list = append(list, fmt.Sprintf(`{"name":%q,"description":"Tells %s.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`, name, token))
			}
			result = `{"tools":[` + strings.Join(list, ",") + `]}`
		case "tools/call":
			result = map[string]string{
				"tell_success": `{"content":[{"type":"text","text":"it is ` + token + `"}],"structuredContent":{"token":"` + token + `"}}`,
				"tell_failure": `{"isError":true,"content":[{"type":"text","text":"refused: ` + token + `"}]}`,
				"tell_table":   `{"content":[{"type":"text","text":"[{\"n\":1,\"token\":\"` + token + `\"},{\"n\":2,\"token\":\"x\"}]"}]}`,
			}[m.Params.Name]
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}))
	defer echo.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "catena.yaml")
	settings := fmt.Sprintf("mcpServers: {web: {url: %q, headers: {Authorization: \"Bearer %s\"}}}\n", echo.URL, secret)
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(t.Context(), e2etest.Settings(), file, nil, map[string][]string{"store.dir": {dir}, "log.level": {"debug"}, "data.demo": {"off"}})
	if err != nil {
		t.Fatal(err)
	}
	var logs e2etest.LogBuffer
	p, err := New(t.Context(), cfg, &logs)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Server(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	p.AwaitServers(t.Context(), 30*time.Second, io.Discard)
	var seen bytes.Buffer
	ask := func(path, body, accept string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", accept)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if _, err := io.Copy(&seen, res.Body); err != nil {
			t.Fatal(err)
		}
	}
	for _, tool := range []string{"tell_success", "tell_failure", "tell_table"} {
		message := "call web__" + tool
		ask("/api/v1/tools/web__"+tool, `{"arguments":{}}`, "application/json")
		ask("/api/v1/chat", `{"message":"`+message+`"}`, "application/json")
		ask("/stream", `{"message":"`+message+`"}`, "text/event-stream")
		ask("/v1/chat/completions", `{"stream":true,"messages":[{"role":"user","content":"`+message+`"}]}`, "text/event-stream")
		ask("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"web__`+tool+`","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, "application/json, text/event-stream")
	}
	web.Close()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "catena.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"it is ***", "refused: ***"} {
		if !strings.Contains(seen.String(), said) {
			t.Errorf("nothing says %q, so that nothing is tested:\n%s", said, seen.String())
		}
	}
	for where, text := range map[string]string{"an answer": seen.String(), "the log": logs.String(), "the store": string(kept)} {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("%s has the secret: …%s…", where, text[max(0, i-200):min(len(text), i+100)])
		}
	}
}
