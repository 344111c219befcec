package app

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"catena/internal/access"
)

// post is a request with headers of its own; it returns the run that answered.
func (h *house) post(who, path, body string, headers map[string]string) (status int, run, text string) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.url+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+h.keys[who])
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return res.StatusCode, res.Header.Get("X-Run-Id"), string(raw)
}

// answerText is the text of a run's answer, as JSON.
func answerText(t *testing.T, run string) string {
	t.Helper()
	var info struct {
		Response struct {
			Response json.RawMessage `json:"response"`
		} `json:"response"`
	}
	if err := json.Unmarshal([]byte(run), &info); err != nil {
		t.Fatal(err)
	}
	return string(info.Response.Response)
}

// keyedWays are the ways in which a message says where it belongs: bodies with its text for M, and what may be added for a stream for S.
var keyedWays = map[string]struct {
	path, body string
	headers    map[string]string
	stream     string
}{
	"header":           {"/v1/chat/completions", `{"messages":[{"role":"user","content":"M"}]S}`, map[string]string{"X-Conversation-Id": "one"}, `,"stream":true`},
	"web UI":           {"/v1/chat/completions", `{"messages":[{"role":"user","content":"M"}]S}`, map[string]string{"X-OpenWebUI-Chat-Id": "two"}, `,"stream":true`},
	"metadata":         {"/v1/chat/completions", `{"messages":[{"role":"user","content":"M"}],"metadata":{"thread_id":"three"}S}`, nil, `,"stream":true`},
	"nothing":          {"/v1/chat/completions", `{"messages":[{"role":"user","content":"M"}]S}`, nil, `,"stream":true`},
	"conversation":     {"/v1/responses", `{"input":"M","conversation":"four"S}`, nil, `,"stream":true`},
	"responses, plain": {"/v1/responses", `{"input":"M"S}`, nil, `,"stream":true`},
	"a thread":         {"/agui", `{"threadId":"five","runId":"r","messages":[{"id":"m","role":"user","content":"M"}]}`, nil, ""},
}

// A message that is sent again under its key gets the answer that it had, wherever it says that it belongs, and whatever was said there since.
func TestKeyedConversations(t *testing.T) {
	for name, way := range keyedWays {
		for _, stream := range []string{"", way.stream} {
			t.Run(name+stream, func(t *testing.T) {
				h := newHouse(t, access.Key{Name: "ann"})
				send := func(key, message string) (int, string, string) {
					headers := map[string]string{"Idempotency-Key": key}
					maps.Copy(headers, way.headers)
					return h.post("ann", way.path, strings.ReplaceAll(strings.ReplaceAll(way.body, "S}", stream+"}"), "M", message), headers)
				}
				status, first, text := send("k", "top 3 clients by revenue")
				if status != 200 || first == "" {
					t.Fatal(status, text)
				}
				for range 2 {
					if status, again, text := send("k", "top 3 clients by revenue"); status != 200 || again != first || !strings.Contains(text, first[len("run_"):]) {
						t.Errorf("again: %d %s, not %s: %s", status, again, first, text)
					}
				}
				if status, run, text := send("k2", "revenue by region"); status != 200 || run == first {
					t.Fatal(status, text)
				}
				if status, again, _ := send("k", "top 3 clients by revenue"); status != 200 || again != first {
					t.Errorf("after another message: %d %s, not %s", status, again, first)
				}
				if status, _, text := send("k", "top 4 clients by revenue"); status != 422 {
					t.Errorf("another message: %d %s", status, text)
				}
			})
		}
	}
}

// What was said before, what it answers and where it is said are part of a message: another under the key is refused.
func TestKeyedHistory(t *testing.T) {
	h := newHouse(t, access.Key{Name: "ann"})
	const ask = `{"role":"user","content":"top 3 clients by revenue"}`
	_, run, _ := h.post("ann", "/v1/chat/completions", `{"messages":[`+ask+`]}`, nil)
	_, body := h.ask("ann", "GET", "/api/v1/runs/"+run, "")
	said := answerText(t, body)
	history := `{"messages":[` + ask + `,{"role":"assistant","content":` + said + `},{"role":"user","content":"revenue by region"}]}`
	key := map[string]string{"Idempotency-Key": "k"}
	status, first, text := h.post("ann", "/v1/chat/completions", history, key)
	if again, run, said := h.post("ann", "/v1/chat/completions", history, key); status != 200 || again != 200 || run != first {
		t.Errorf("history: %d %s, again %d %s", status, text, again, said)
	}
	if status, _, text := h.post("ann", "/v1/chat/completions", `{"messages":[{"role":"user","content":"revenue by region"}]}`, key); status != 422 {
		t.Errorf("without its history: %d %s", status, text)
	}
	key["X-Conversation-Id"] = "elsewhere"
	if status, _, text := h.post("ann", "/v1/chat/completions", history, key); status != 422 {
		t.Errorf("in another conversation: %d %s", status, text)
	}
	key = map[string]string{"Idempotency-Key": "k2"}
	after := `{"input":"revenue by region","previous_response_id":"resp_` + strings.TrimPrefix(run, "run_") + `"}`
	status, first, text = h.post("ann", "/v1/responses", after, key)
	if again, run, said := h.post("ann", "/v1/responses", after, key); status != 200 || again != 200 || run != first {
		t.Errorf("after a response: %d %s, again %d %s", status, text, again, said)
	}
	if status, _, text := h.post("ann", "/v1/responses", `{"input":"revenue by region"}`, key); status != 422 {
		t.Errorf("after none: %d %s", status, text)
	}
}

// What was done under a key is not done again for want of its reply: where it was not to be kept, and where its session was deleted.
func TestKeyedReplyNotKept(t *testing.T) {
	h := newHouse(t, access.Key{Name: "ann"})
	for _, stream := range []string{"", `,"stream":true`} {
		key := map[string]string{"Idempotency-Key": "store" + stream}
		body := `{"input":"top 3 clients by revenue","store":false` + stream + `}`
		status, run, text := h.post("ann", "/v1/responses", body, key)
		if status != 200 {
			t.Fatal(status, text)
		}
		for range 2 {
			if status, _, text := h.post("ann", "/v1/responses", body, key); status != 409 || !strings.Contains(text, "reply_not_kept") || !strings.Contains(text, "store was false") {
				t.Errorf("again: %d %s", status, text)
			}
		}
		if status, _, text := h.post("ann", "/v1/responses", `{"input":"top 4 clients","store":false}`, key); status != 422 {
			t.Errorf("another: %d %s", status, text)
		}
		if status, text := h.ask("ann", "GET", "/api/v1/runs/"+run, ""); status != 404 {
			t.Errorf("it is kept: %d %s", status, text)
		}
	}
	key := map[string]string{"Idempotency-Key": "k"}
	_, _, text := h.post("ann", "/api/v1/chat", `{"message":"top 3 clients by revenue"}`, key)
	var answer struct {
		Session string `json:"session_id"`
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatal(err, text)
	}
	if status, text := h.ask("ann", "DELETE", "/api/v1/sessions/"+answer.Session, ""); status != 204 {
		t.Fatal(status, text)
	}
	if status, _, text := h.post("ann", "/api/v1/chat", `{"message":"top 3 clients by revenue"}`, key); status != 409 || !strings.Contains(text, "reply_not_kept") {
		t.Errorf("deleted: %d %s", status, text)
	}
	if status, _, text := h.post("ann", "/api/v1/chat", `{"message":"top 4 clients by revenue"}`, key); status != 422 {
		t.Errorf("deleted, another: %d %s", status, text)
	}
}
