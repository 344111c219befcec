package langchain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"catena/planner"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-test-SECRET"

// endpoint is a scripted server: each request takes the next reply, the last one stays.
type endpoint struct {
	*httptest.Server
	mu      sync.Mutex
	bodies  []map[string]any
	headers []http.Header
	paths   []string
}

type reply func(w http.ResponseWriter, r *http.Request)

func serve(t *testing.T, replies ...reply) *endpoint {
	t.Helper()
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		var body map[string]any
		if err := json.Unmarshal(raw, &body); err != nil {
			t.Errorf("the request is no JSON: %v", err)
		}
		e.mu.Lock()
		n := len(e.bodies)
		e.bodies, e.headers, e.paths = append(e.bodies, body), append(e.headers, r.Header.Clone()), append(e.paths, r.URL.Path)
		e.mu.Unlock()
		replies[min(n, len(replies)-1)](w, r)
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) calls() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.bodies)
}

func status(code int, header, body string) reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		if k, v, ok := strings.Cut(header, ": "); ok {
			w.Header().Set(k, v)
		}
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

func jsonReply(body string) reply { return status(200, "Content-Type: application/json", body) }

func streamReply(lines ...string) reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, l := range lines {
			fmt.Fprint(w, l, "\n\n")
			w.(http.Flusher).Flush()
		}
	}
}

// aWire is what the tests need to know of a provider's format.
type aWire struct {
	provider, path, answer, long, empty, tooMany string
	deltas, cut, broken                          []string
}

var wires = []aWire{
	{
		provider: "openai", path: "/v1/chat/completions",
		answer:  `{"model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"{\"steps\":[]}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":5}}`,
		long:    `{"model":"m-1","choices":[{"message":{"role":"assistant","content":"{\"ste"},"finish_reason":"length"}]}`,
		empty:   `{"choices":[]}`,
		tooMany: `{"error":{"message":"Rate limit for sk-test-SECRET reached","type":"requests"}}`,
		deltas: []string{`data: {"model":"m-1","choices":[{"delta":{"role":"assistant","content":"{\"steps\""}}]}`, `: ping`,
			`data: {"choices":[{"delta":{"content":":[]}"}}]}`, `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`,
			`data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":5}}`, `data: [DONE]`},
		cut:    []string{`data: {"choices":[{"delta":{"content":"{\"steps\""}}]}`},
		broken: []string{`data: {"choices":[{"delta":{"content":"{"}}]}`, `data: {"error":{"message":"overloaded"}}`},
	},
	{
		provider: "anthropic", path: "/v1/messages",
		answer:  `{"type":"message","role":"assistant","model":"m-1","content":[{"type":"redacted_thinking","data":"x"},{"type":"text","text":"{\"steps\":[]}"}],"stop_reason":"end_turn","usage":{"input_tokens":7,"output_tokens":5}}`,
		long:    `{"type":"message","role":"assistant","model":"m-1","content":[{"type":"text","text":"{\"ste"}],"stop_reason":"max_tokens","usage":{"input_tokens":7,"output_tokens":5}}`,
		empty:   `{"type":"message","content":[]}`,
		tooMany: `{"type":"error","error":{"type":"rate_limit_error","message":"Rate limit for sk-test-SECRET reached"}}`,
		deltas: []string{"event: message_start\ndata: " + `{"type":"message_start","message":{"model":"m-1","usage":{"input_tokens":7}}}`,
			`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`, `data: {"type":"ping"}`, `data: {"type":"news"}`,
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"{\"steps\""}}`,
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":":[]}"}}`,
			`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}`, `data: {"type":"message_stop"}`},
		cut: []string{`data: {"type":"message_start","message":{}}`, `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"{"}}`},
		broken: []string{`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"{"}}`,
			`data: {"type":"error","error":{"type":"overloaded_error","message":"overloaded"}}`},
	},
}

// both runs a test for each provider's format.
func both(t *testing.T, f func(t *testing.T, w aWire)) {
	for _, w := range wires {
		t.Run(w.provider, func(t *testing.T) { f(t, w) })
	}
}

func connect(t *testing.T, w aWire, base string, change func(*Config)) *Completer {
	t.Helper()
	cfg := Config{Provider: w.provider, BaseURL: base + "/v1", Model: "m-1", APIKey: key, Timeout: 5 * time.Second}
	if change != nil {
		change(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c.client.sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	t.Cleanup(func() { c.Close() })
	return c
}

var ask = planner.Prompt{System: "You plan.", Schema: json.RawMessage(`{"type":"object"}`), MaxTokens: 99,
	Messages: []planner.Message{{Role: "user", Text: "one"}, {Role: "assistant", Text: "two"}, {Role: "user", Text: "three"}}}

func TestComplete(t *testing.T) {
	both(t, func(t *testing.T, w aWire) {
		e := serve(t, jsonReply(w.answer))
		got, err := connect(t, w, e.URL, nil).Complete(t.Context(), ask)
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != `{"steps":[]}` || got.Model != "m-1" || got.Truncated || got.Usage.Calls != 1 || got.Usage.PromptTokens != 7 || got.Usage.CompletionTokens != 5 {
			t.Errorf("got %+v", got)
		}
		if e.paths[0] != w.path {
			t.Errorf("path %s, want %s", e.paths[0], w.path)
		}
		body := e.bodies[0]
		if body["model"] != "m-1" || body["temperature"] != 0.0 || body["max_tokens"] != 99.0 || body["tools"] != nil || body["top_p"] != nil {
			t.Errorf("body %v", body)
		}
		all := fmt.Sprint(body["messages"])
		for _, text := range []string{"one", "two", "three"} {
			if !strings.Contains(all, text) {
				t.Errorf("%q was not sent: %s", text, all)
			}
		}
		if strings.Contains(fmt.Sprint(body), key) {
			t.Error("the key is in the body")
		}
	})
}

func TestCompleteOpenAIFields(t *testing.T) {
	e := serve(t, jsonReply(wires[0].answer))
	c := connect(t, wires[0], e.URL, func(c *Config) { c.TopP = 0.5; c.Temperature = 0.3 })
	if _, err := c.Complete(t.Context(), ask); err != nil {
		t.Fatal(err)
	}
	body := e.bodies[0]
	format, _ := body["response_format"].(map[string]any)
	if format["type"] != "json_schema" || fmt.Sprint(format["json_schema"]) != "map[name:answer schema:map[type:object]]" {
		t.Errorf("response_format %v", format)
	}
	if body["top_p"] != 0.5 || body["temperature"] != 0.3 {
		t.Errorf("sampling %v %v", body["top_p"], body["temperature"])
	}
	if got := e.headers[0].Get("Authorization"); got != "Bearer "+key {
		t.Errorf("Authorization %q", got)
	}
	plain := ask
	plain.Schema = nil
	if _, err := c.Complete(t.Context(), plain); err != nil || e.bodies[1]["response_format"] != nil {
		t.Errorf("without a schema: %v %v", err, e.bodies[1]["response_format"])
	}
}

func TestCompleteAnthropicFields(t *testing.T) {
	e := serve(t, jsonReply(wires[1].answer))
	if _, err := connect(t, wires[1], e.URL, nil).Complete(t.Context(), ask); err != nil {
		t.Fatal(err)
	}
	system, _ := e.bodies[0]["system"].(string)
	if !strings.HasPrefix(system, "You plan.") || !strings.Contains(system, `{"type":"object"}`) {
		t.Errorf("system %q", system)
	}
	if e.headers[0].Get("X-Api-Key") != key || e.headers[0].Get("Anthropic-Version") == "" {
		t.Errorf("headers %v", e.headers[0])
	}
}

func TestWithoutKey(t *testing.T) {
	both(t, func(t *testing.T, w aWire) {
		t.Setenv("OPENAI_API_KEY", "sk-of-the-environment")
		t.Setenv("ANTHROPIC_API_KEY", "sk-of-the-environment")
		e := serve(t, jsonReply(w.answer))
		if _, err := connect(t, w, e.URL, func(c *Config) { c.APIKey = "" }).Complete(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
		if h := e.headers[0]; h.Get("Authorization") != "" || h.Get("X-Api-Key") != "" {
			t.Errorf("a key was sent: %v", h)
		}
	})
}

// TestJSONModes: an endpoint that refuses structured output is asked with less, and remembered.
func TestJSONModes(t *testing.T) {
	var e *endpoint
	e = serve(t, func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		format := e.bodies[len(e.bodies)-1]["response_format"]
		e.mu.Unlock()
		if format != nil {
			status(400, "", `{"error":{"message":"response_format is not supported"}}`)(w, r)
			return
		}
		jsonReply(wires[0].answer)(w, r)
	})
	c := connect(t, wires[0], e.URL, nil)
	for range 2 {
		if _, err := c.Complete(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
	}
	var formats []string
	for _, b := range e.bodies {
		f, _ := b["response_format"].(map[string]any)
		formats = append(formats, fmt.Sprint(f["type"]))
	}
	if got := strings.Join(formats, " "); got != "json_schema json_object <nil> <nil>" {
		t.Errorf("asked with %s", got)
	}
	if last := fmt.Sprint(e.bodies[3]["messages"]); !strings.Contains(last, "JSON Schema") {
		t.Errorf("the schema is not in the prompt: %s", last)
	}
}

func TestFieldsThatAnEndpointRefuses(t *testing.T) {
	e := serve(t,
		status(400, "", `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`),
		status(400, "", `{"error":{"message":"'temperature' does not support 0"}}`),
		jsonReply(wires[0].answer))
	if _, err := connect(t, wires[0], e.URL, nil).Complete(t.Context(), ask); err != nil {
		t.Fatal(err)
	}
	last := e.bodies[2]
	if last["max_completion_tokens"] != 99.0 || last["max_tokens"] != nil || last["temperature"] != nil {
		t.Errorf("last body %v", last)
	}
}

func TestFaults(t *testing.T) {
	both(t, func(t *testing.T, w aWire) {
		html := status(200, "Content-Type: text/html", "<html>Sign in</html>")
		tests := []struct {
			name    string
			replies []reply
			status  int
			reason  string
			calls   int
		}{
			{"429 forever", []reply{status(429, "Retry-After: 1", w.tooMany)}, 429, "Rate limit for *** reached", 3},
			{"429 that asks for too long", []reply{status(429, "Retry-After: 3600", w.tooMany)}, 429, "Rate limit", 1},
			{"503 forever", []reply{status(503, "", "")}, 503, "", 3},
			{"401", []reply{status(401, "", `{"error":{"message":"bad key `+key+`"}}`)}, 401, "bad key ***", 1},
			{"404 as HTML", []reply{status(404, "Content-Type: text/html", "<html>")}, 404, "HTML", 1},
			{"redirect", []reply{status(302, "Location: http://127.0.0.1:1/", "")}, 302, "", 1},
			{"HTML", []reply{html}, 0, "HTML instead of JSON", 1},
			{"half a JSON", []reply{jsonReply(w.answer[:len(w.answer)/2])}, 0, "not whole JSON", 1},
			{"no choices", []reply{jsonReply(w.empty)}, 0, "", 1},
			{"an error as 200", []reply{jsonReply(`{"error":{"message":"model not loaded"}}`)}, 0, "model not loaded", 1},
			{"not a completion", []reply{jsonReply(`{"hello":1}`)}, 0, "check the base URL", 1},
			{"a list", []reply{jsonReply(`[1]`)}, 0, "check the base URL", 1},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				e := serve(t, tt.replies...)
				_, err := connect(t, w, e.URL, nil).Complete(t.Context(), ask)
				var ce *planner.CompletionError
				if !errors.As(err, &ce) {
					t.Fatalf("error %v is no CompletionError", err)
				}
				if ce.Status != tt.status || !strings.Contains(ce.Reason+ce.Words, tt.reason) {
					t.Errorf("status %d reason %q words %q, want %d and %q", ce.Status, ce.Reason, ce.Words, tt.status, tt.reason)
				}
				if strings.Contains(err.Error(), key) {
					t.Errorf("the key is in the error: %v", err)
				}
				if e.calls() != tt.calls {
					t.Errorf("%d calls, want %d", e.calls(), tt.calls)
				}
			})
		}
	})
}

func TestRetries(t *testing.T) {
	both(t, func(t *testing.T, w aWire) {
		e := serve(t, status(429, "Retry-After: 2", w.tooMany), status(500, "", ""), jsonReply(w.answer))
		c := connect(t, w, e.URL, nil)
		var waits []time.Duration
		c.client.sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
		got, err := c.Complete(t.Context(), ask)
		if err != nil || got.Text != `{"steps":[]}` {
			t.Fatalf("got %q %v", got.Text, err)
		}
		if len(waits) != 2 || waits[0] != 2*time.Second || waits[1] < firstWait || waits[1] > 3*firstWait {
			t.Errorf("waits %v", waits)
		}
		if fmt.Sprint(e.bodies[0]) != fmt.Sprint(e.bodies[2]) {
			t.Error("the retry sent another body")
		}
	})
}

func TestDown(t *testing.T) {
	both(t, func(t *testing.T, w aWire) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		_, err = connect(t, w, "http://"+l.Addr().String(), nil).Complete(t.Context(), ask)
		var ce *planner.CompletionError
		if !errors.As(err, &ce) || ce.Status != 0 || !strings.Contains(ce.Reason, "nobody listens") {
			t.Errorf("error %v", err)
		}
	})
}

func TestSlow(t *testing.T) {
	both(t, func(t *testing.T, w aWire) {
		e := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		c := connect(t, w, e.URL, func(c *Config) { c.Timeout = 30 * time.Millisecond })
		_, err := c.Complete(t.Context(), ask)
		var ce *planner.CompletionError
		if !errors.As(err, &ce) || !errors.Is(err, context.DeadlineExceeded) || ce.Reason != "no answer came in time" {
			t.Errorf("error %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Millisecond, cancel)
		if _, err := connect(t, w, e.URL, nil).Complete(ctx, ask); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

func TestTruncated(t *testing.T) {
	both(t, func(t *testing.T, w aWire) {
		e := serve(t, jsonReply(w.long))
		got, err := connect(t, w, e.URL, nil).Complete(t.Context(), ask)
		if err != nil || !got.Truncated || got.Text != `{"ste` {
			t.Errorf("got %+v, error %v", got, err)
		}
	})
}

func TestThoughtsAreDropped(t *testing.T) {
	for in, want := range map[string]string{"<think>{\"a\"</think>\n{}": "{}", "<think>no end": "", "{}": "{}", "a <think>": "a <think>"} {
		if got := withoutThoughts(in); got != want {
			t.Errorf("withoutThoughts(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for name, cfg := range map[string]Config{
		"provider": {Provider: "acme", Model: "m"},
		"model":    {Provider: "openai"},
		"scheme":   {Provider: "openai", Model: "m", BaseURL: "ftp://x"},
		"user":     {Provider: "openai", Model: "m", BaseURL: "http://u:p@x/v1"},
		"key":      {Provider: "openai", Model: "m", APIKey: "a\nb"},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestConfigHidesTheKey(t *testing.T) {
	c := Config{Provider: "openai", Model: "m", APIKey: key}
	for _, s := range []string{fmt.Sprint(c), fmt.Sprintf("%+v %#v", c, c), c.LogValue().String()} {
		if strings.Contains(s, key) {
			t.Errorf("the key is in %q", s)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)
	for h, want := range map[string]time.Duration{"": 0, "3": 3 * time.Second, "-1": 0, "soon": 0,
		"Thu, 05 Mar 2026 12:00:10 GMT": 10 * time.Second, "Thu, 05 Mar 2026 11:00:00 GMT": 0, "999999999999": 24 * time.Hour} {
		if got := retryAfter(h, now); got != want {
			t.Errorf("retryAfter(%q) = %v, want %v", h, got, want)
		}
	}
}
