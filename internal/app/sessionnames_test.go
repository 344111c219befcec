package app

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// TestChosenSessions: a client may name its session itself, on every way that takes a message or a file, and shares the name with nobody.
func TestChosenSessions(t *testing.T) { chosenSessions(t, newHouse(t, neighbours...)) }

func chosenSessions(t *testing.T, h *house) {
	t.Helper()
	for way, w := range map[string]struct{ path, body, read string }{
		"mcp alias": {"/mcp", `{"message":"top 5 USA clients","session_id":"NAME"}`, "session_id"},
		"stream":    {"/stream", `{"message":"top 5 USA clients","session_id":"NAME"}`, "threadId"},
		"chat":      {"/api/v1/chat", `{"message":"top 5 USA clients","session_id":"NAME"}`, "session_id"},
		"chat tool": {"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chat","arguments":{"message":"top 5 USA clients","session_id":"NAME"}}}`, "session_id"},
		"agui":      {"/agui", `{"threadId":"NAME","runId":"r","messages":[{"id":"m","role":"user","content":"top 5 USA clients"}]}`, "threadId"},
		"openai":    {"/v1/chat/completions", `{"messages":[{"role":"user","content":"top 5 USA clients"}],"metadata":{"conversation_id":"NAME"}}`, ""},
		"responses": {"/v1/responses", `{"input":"top 5 USA clients","conversation":"NAME"}`, ""},
		"upload":    {"/api/v1/tables", `{"name":"a.csv","text":"client,n\nA,1\n","session_id":"NAME"}`, "session_id"},
		"tool":      {"/execute", `{"tool_name":"list_tables","arguments":{},"session_id":"NAME"}`, ""},
	} {
		t.Run(way, func(t *testing.T) {
			name := "chat 16/" + way + ".md"
			one := "/api/v1/sessions/" + url.PathEscape(name)
			put := func(name string) string {
				text, err := json.Marshal(name)
				if err != nil {
					t.Fatal(err)
				}
				return strings.ReplaceAll(w.body, "NAME", strings.Trim(string(text), `"`))
			}
			for _, who := range []string{"ann", "bob"} {
				if status, text := h.ask(who, "GET", one, ""); status != 404 {
					t.Errorf("%s reads an unused name: %d %s", who, status, text)
				}
				status, text := h.ask(who, "POST", w.path, put(name))
				said := w.read == "" || strings.Contains(strings.ReplaceAll(text, " ", ""), `"`+w.read+`":"`+strings.ReplaceAll(name, " ", "")+`"`)
				if status >= 300 || !said {
					t.Errorf("%s: %d, its name is given back: %t: %s", who, status, said, text)
				}
				if status, text := h.ask(who, "GET", one, ""); status != 200 || strings.Count(text, `"run_id"`) > 1 {
					t.Errorf("%s reads the session: %d %s", who, status, text)
				}
			}
			if status, _ := h.ask("bob", "DELETE", one, ""); status != 204 {
				t.Errorf("delete: %d", status)
			}
			if status, _ := h.ask("ann2", "GET", one, ""); status != 200 {
				t.Errorf("the other's session went too: %d", status)
			}
			foreign := h.things("ann")["sessions"]
			for id, want := range map[string]string{strings.Repeat("n", 257): "400", "a\u200bb": "400", foreign: "404"} {
				status, text := h.ask("bob", "POST", w.path, put(id))
				refused := status == 400 && want == "400" || status == 404 && want == "404" || strings.Contains(text, `"isError":true`)
				own := id == foreign && (w.path == "/agui" || way == "openai") // a name that is not known there begins a session of another name
				if !refused && (!own || strings.Contains(text, "revenue over")) {
					t.Errorf("%.20q: %d %s", id, status, text)
				}
			}
		})
	}
	status, text := h.ask("ann", "POST", "/mcp", `{"message":"and for Germany?","session_id":"chat 16/chat.md"}`)
	if status != 200 || !strings.Contains(text, "Germany") {
		t.Errorf("a follow-up: %d %s", status, text)
	}
}
