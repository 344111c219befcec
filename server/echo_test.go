package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// longestRefusal is how long an answer may be that refuses a request, in bytes.
const longestRefusal = 8 << 10

// echoed sends a request and returns an answer that refuses it; "" for any other.
func echoed(t *testing.T, req *http.Request) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if strings.HasSuffix(req.URL.Path, "/sse") && req.Method == http.MethodGet {
		go cancel() // what is open for ever has said all it says of the request
	}
	resp, err := http.DefaultClient.Do(req.WithContext(ctx))
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s %.80s: %v", req.Method, req.URL, err)
		}
		return ""
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("%s %.80s: %v", req.Method, req.URL, err)
	}
	head := 0
	for name, values := range resp.Header {
		head += len(name) + len(strings.Join(values, ""))
	}
	if head > longestRefusal {
		t.Errorf("%s %.80s: %d bytes of headers", req.Method, req.URL, head)
	}
	text := string(body)
	if resp.StatusCode < 400 && !strings.Contains(text, `"error":{"code":`) && !strings.Contains(text, `"isError":true`) && !strings.Contains(text, `"is_error":true`) {
		return ""
	}
	return text
}

// TestErrorsEchoLittle: whatever is sent, in whichever place, the answer that refuses it stays short.
func TestErrorsEchoLittle(t *testing.T) {
	_, h, _ := newTest(t)
	values := map[string]string{
		"one word":   strings.Repeat("x", 50_000),
		"many words": strings.Repeat("ab \u00e9 ", 10_000),
		"quotes":     strings.Repeat(`"`, 25_000),
	}
	headers := []string{"Accept", "Authorization", "Content-Encoding", "Content-Type", "Idempotency-Key", "Last-Event-ID", "Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version",
		"Mcp-Session-Id", "Origin", "X-Conversation-Id", "X-Request-Id", "X-Session-Id", "X-OpenWebUI-Chat-Id"}
	refused := 0
	send := func(what, method, address, body string, header ...string) {
		t.Helper()
		req, err := http.NewRequest(method, h.URL+address, strings.NewReader(body))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if body != "" {
			req.Header.Set("Content-Type", "application/json")
		}
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		answer := echoed(t, req)
		if answer != "" {
			refused++
		}
		if len(answer) > longestRefusal {
			t.Errorf("%s: %d bytes: %.300s", what, len(answer), answer)
		}
	}
	for name, long := range values {
		escaped := strings.NewReplacer(" ", "%20", `"`, "%22", "\u00e9", "%C3%A9").Replace(long)
		quoted, err := json.Marshal(long)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range allRoutes(t) {
			plain := plainPath(r.Path, "x")
			what := fmt.Sprintf("%s %s, %s", r.Method, r.Path, name)
			if r.Path != plain {
				send(what+" in the path", r.Method, plainPath(r.Path, escaped), map[bool]string{true: "{}"}[r.Body.Name != ""])
			}
			for _, q := range r.Query {
				send(what+" in the query, "+q.Name, r.Method, plain+"?"+q.Name+"="+escaped, "")
			}
			send(what+" behind the path", r.Method, plain+"/"+escaped, "")
			for _, header := range headers {
				send(what+" in the header "+header, r.Method, plain, `{}`, header, strings.ReplaceAll(long, "\u00e9", "e"))
			}
			if r.Body.Name == "" {
				continue
			}
			for _, body := range longBodies(string(quoted)) {
				send(what+" in the body "+body[:min(len(body), 60)], r.Method, plain, body)
			}
		}
	}
	if refused < 1000 {
		t.Errorf("only %d requests were refused", refused)
	}
}

// plainPath puts a value in the place of the variables of a path.
func plainPath(pattern, value string) string {
	parts := strings.Split(pattern, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			parts[i] = value
		}
	}
	return strings.Join(parts, "/")
}

// longBodies have a long text, as JSON, in each place that a body has for one.
func longBodies(long string) []string {
	list := []string{long, "[" + long + "]", "{" + long + ":1}", "{" + long, `{"a":` + long + `x}`, `{"arguments":{` + long + `:1}}`, `{"tool_name":"count","arguments":{` + long + `:1}}`, `{"arguments":{"n":` + long + `}}`,
		`{"messages":[{"role":` + long + `}]}`, `{"messages":[{"role":"user","content":[{"type":` + long + `}]}]}`, `{"steps":[{"id":"s1","tool":` + long + `,"args":{}}]}`,
		`{"steps":[{"id":"s1","tool":"count","args":{` + long + `:1}}]}`, `{"attachments":[{"name":` + long + `}],"message":"x"}`, `{` + long + `:1,` + long + `:1}`}
	for _, field := range []string{"message", "now", "time_zone", "locale", "mode", "on_conflict", "session_id", "after_run", "step", "decision", "title", "tool_name", "text", "name", "approve", "arguments", "threadId", "input",
		"previous_response_id", "tool_choice", "jsonrpc", "id", "method", "stream", "plan"} {
		list = append(list, `{`+`"`+field+`":`+long+`}`)
	}
	rpc := `{"jsonrpc":"2.0","id":1,"method":`
	meta := `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	return append(list, rpc+long+`}`, rpc+long+`,"params":{`+meta[1:]+`}}`, `{"jsonrpc":"2.0","id":`+long+`,"method":"ping"}`,
		rpc+`"tools/call","params":{"name":`+long+meta+`}}`, rpc+`"tools/call","params":{"name":"count","arguments":{"n":`+long+`}`+meta+`}}`,
		rpc+`"tools/call","params":{"name":"count","arguments":{`+long+`:1}`+meta+`}}`, rpc+`"resources/read","params":{"uri":`+long+meta+`}}`,
		rpc+`"prompts/get","params":{"name":`+long+meta+`}}`, rpc+`"tools/list","params":{"cursor":`+long+meta+`}}`,
		rpc+`"initialize","params":{"protocolVersion":`+long+`,"capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`)
}
