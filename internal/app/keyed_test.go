package app

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"catena/internal/access"
)

// send is a request with an Idempotency-Key.
func (h *house) send(who, path, media, key, body string) (int, string) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.url+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Content-Type", media)
	req.Header.Set("Idempotency-Key", key)
	req.Header.Set("Authorization", "Bearer "+h.keys[who])
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Error(err)
		return 0, ""
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Error(err)
	}
	return res.StatusCode, string(text)
}

// A call of a tool, and an upload, that is sent again under its Idempotency-Key is done once and answered alike, to its caller only.
func TestKeyedCalls(t *testing.T) {
	h := newHouse(t, access.Key{Name: "ann"}, access.Key{Name: "bob"})
	const media = "application/json"
	remember := func(text string) string { return `{"arguments":{"content":"` + text + `"}}` }
	for _, c := range []struct{ key, path, media, body, other string }{
		{"a call", "/api/v1/tools/store_memory", media, remember("tea"), remember("milk")},
		{"the alias", "/execute", media, `{"tool_name":"store_memory","arguments":{"content":"coffee"}}`, `{"tool_name":"store_memory","arguments":{"content":"water"}}`},
		{"an upload", "/api/v1/tables?name=a.csv", "text/csv", "a,b\n1,2\n", "a,b\n1,3\n"},
		{"a wrong call", "/api/v1/tools/store_memory", media, `{"arguments":{"con":1}}`, `{}`},
	} {
		status, first := h.send("ann", c.path, c.media, c.key, c.body)
		if again, text := h.send("ann", c.path, c.media, c.key, c.body); again != status || text != first || status >= 500 {
			t.Errorf("%s: %d %s, again %d %s", c.key, status, first, again, text)
		}
		if other, text := h.send("ann", c.path, c.media, c.key, c.other); other != 422 || !strings.Contains(text, "idempotency_key_reused") {
			t.Errorf("%s: another under the key: %d %s", c.key, other, text)
		}
		if his, text := h.send("bob", c.path, c.media, c.key, c.other); his == 422 || text == first {
			t.Errorf("%s: another caller's: %d %s", c.key, his, text)
		}
	}
	if status, text := h.send("ann", "/execute", media, "ü", `{"tool_name":"list_tables"}`); status != 400 || !strings.Contains(text, "bad_idempotency_key") {
		t.Errorf("a bad key: %d %s", status, text)
	}
	forms := map[string]bool{}
	for _, boundary := range []string{"one", "two"} {
		body := "--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f.csv\"\r\n\r\na\n1\n\r\n--" + boundary + "--\r\n"
		status, text := h.send("ann", "/api/v1/tables", "multipart/form-data; boundary="+boundary, "form", body)
		if forms[text] = true; status != 201 || len(forms) != 1 {
			t.Errorf("a form: %d %s", status, text)
		}
	}
}

// Of many who send the same at once one has it done; the others are told so, or get its reply.
func TestKeyedCallsAtOnce(t *testing.T) {
	h := newHouse(t, access.Key{Name: "ann"})
	var all sync.WaitGroup
	var mu sync.Mutex
	replies := map[string]bool{}
	for range 30 {
		all.Go(func() {
			status, text := h.send("ann", "/api/v1/tools/store_memory", "application/json", "k", `{"arguments":{"content":"once"}}`)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case status == 200:
				replies[text] = true
			case status != 409 || !strings.Contains(text, "idempotency_key_in_flight"):
				t.Errorf("%d %s", status, text)
			}
		})
	}
	all.Wait()
	if len(replies) != 1 {
		t.Errorf("%d different replies: %v", len(replies), replies)
	}
	if status, text := h.ask("ann", "POST", "/execute", `{"tool_name":"list_memories","arguments":{}}`); status != 200 || strings.Count(text, `"once"`) != 1 {
		t.Errorf("what is remembered: %d %s", status, text)
	}
}
