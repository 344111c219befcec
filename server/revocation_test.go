package server_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"catena/internal/access"
	"catena/server"
	"catena/server/servertest"
)

// keyring are callers whose keys a test can take away.
type keyring struct {
	t     *testing.T
	mu    sync.Mutex
	by    servertest.Identities
	gone  bool // the store does not answer
	count int  // how often it was asked
}

func (k *keyring) Identify(ctx context.Context, credential string) (access.Caller, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.count++; k.gone {
		credential = "away"
	}
	return k.by.Identify(ctx, credential)
}

func (k *keyring) away(gone bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.gone = gone
}

func (k *keyring) asked() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.count
}

// set gives a key its caller, or takes it away.
func (k *keyring) set(key string, c *access.Caller) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if delete(k.by, key); c != nil {
		k.by[key] = *c
	}
}

// shown is a caller who showed a key.
func (k *keyring) shown(id string, scopes ...string) *access.Caller {
	c := servertest.Who(k.t, id, scopes...)
	c.Key = "key of " + id
	return &c
}

// streaming is a request that is answered with a stream which does not end by itself.
type streaming struct {
	name, method, path, body string
	header                   []string
	begun                    string // what the stream has once it is open
	goesOn                   bool   // its run does, when nobody reads the stream any more
}

// streams are those of every surface. session is an MCP session of the caller's.
func streams(session string) []streaming {
	const mcpAccept = "application/json, text/event-stream"
	return []streaming{
		{"chat as events", "POST", "/api/v1/chat", `{"message":"slow"}`, []string{"Accept", "text/event-stream"}, "TEXT_MESSAGE_CONTENT", true},
		{"stream", "POST", "/stream", `{"message":"slow"}`, nil, "TEXT_MESSAGE_CONTENT", true},
		{"chat at mcp", "POST", "/mcp", `{"message":"slow"}`, []string{"Accept", "text/event-stream"}, "TEXT_MESSAGE_CONTENT", true},
		{"ag-ui", "POST", "/agui", `{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"slow"}]}`, nil, "TEXT_MESSAGE_CONTENT", true},
		{"completions", "POST", "/v1/chat/completions", `{"stream":true,"messages":[{"role":"user","content":"slow"}]}`, nil, "assistant", false},
		{"responses", "POST", "/v1/responses", `{"stream":true,"input":"slow"}`, nil, "response.in_progress", false},
		{"mcp listening", "GET", "/mcp", "", []string{"Accept", mcpAccept, "Mcp-Protocol-Version", "2025-11-25", "Mcp-Session-Id", session}, "", false},
		{"mcp subscriptions", "POST", "/mcp", `{"jsonrpc":"2.0","id":"L","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			[]string{"Accept", mcpAccept, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen"}, "acknowledged", false},
		{"mcp legacy", "GET", "/sse", "", []string{"Accept", "text/event-stream"}, "/message?sessionId=", false},
	}
}

// open sends a request and reads until its stream has begun. run is the id of its run, "" where it has none.
func (q streaming) open(ctx context.Context, t *testing.T, url, key string) (body *bufio.Reader, run string) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, q.method, url+q.path, strings.NewReader(q.body))
	if err != nil {
		t.Fatal(err)
	}
	header := append([]string{"Content-Type", "application/json", "Authorization", "Bearer " + key}, q.header...)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	body = bufio.NewReader(resp.Body)
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(body)
		t.Fatalf("%s: %s %s", q.name, resp.Status, text)
	}
	for line := ""; !strings.Contains(line, q.begun); {
		if line, err = body.ReadString('\n'); err != nil {
			t.Fatalf("%s: %v", q.name, err)
		}
	}
	return body, resp.Header.Get("X-Run-Id")
}

// ends reads a stream to its end, which must come.
func ends(t *testing.T, name string, body io.Reader) string {
	t.Helper()
	read := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(body)
		read <- string(b)
	}()
	select {
	case text := <-read:
		return text
	case <-time.After(time.Minute): // far more than it takes
		t.Fatalf("%s: the stream did not end", name)
		return ""
	}
}

// endings are what the streams say at their end when the key is not good any more.
var endings = map[string]string{
	"chat as events": `{"name":"catena.closed","type":"CUSTOM","value":{"type":"about:blank","title":"Unauthorized","status":401,`,
	"stream":         `"code":"invalid_key"`, "chat at mcp": `"code":"invalid_key"`,
	"ag-ui":       `"type":"RUN_ERROR","runId":"r","code":"invalid_key"`,
	"completions": `"type":"authentication_error"`, "responses": `event: response.failed`, "mcp subscriptions": `"error":{"code":-32001`,
}

// TestStreamsEndWithTheirKey: on every surface a stream ends, and says why where its protocol has a way to, when its key is revoked; those of
// other callers go on.
func TestStreamsEndWithTheirKey(t *testing.T) {
	ring := &keyring{t: t, by: servertest.Identities{}}
	s, h, runs := newTest(t, func(o *server.Options) { o.Caller = server.Bearer(ring, false) })
	s.WatchEvery(10*time.Millisecond, time.Now)
	ring.set("ann", ring.shown("ann", "chat", "tools:*"))
	ring.set("bob", ring.shown("bob", "chat", "tools:*"))
	others := newMCPSession(t, h.URL, "bob")
	for _, q := range streams(newMCPSession(t, h.URL, "ann")) {
		ring.set("ann", ring.shown("ann", "chat", "tools:*"))
		ring.set("bob", ring.shown("bob", "chat", "tools:*"))
		ctx, hangUp := context.WithCancel(t.Context())
		other, _ := streams(others)[0].open(ctx, t, h.URL, "bob")
		body, run := q.open(ctx, t, h.URL, "ann")
		ring.set("ann", nil)
		said := ends(t, q.name, body)
		if !strings.Contains(said, endings[q.name]) {
			t.Errorf("%s ended with %q", q.name, said)
		}
		if run != "" && runs.HasStopped(run) == q.goesOn {
			t.Errorf("%s: its run was stopped: %v", q.name, !q.goesOn)
		}
		if text, err := other.ReadString('\n'); err != nil {
			t.Errorf("%s: the stream of another ended: %q %v", q.name, text, err)
		}
		hangUp()
	}
	servertest.Eventually(t, "no stream to be watched", func() bool { return !s.Watching() })
}

// TestStreamsEnd: a stream ends at the end of its token, or when its key means another caller or lacks a right; a store that is away ends none.
func TestStreamsEnd(t *testing.T) {
	for _, c := range []struct {
		name string
		then func(*keyring, *server.Server)
		want string // "" is that it goes on
	}{
		{"a right is gone", func(k *keyring, _ *server.Server) { k.set("ann", k.shown("ann", "tools:*")) }, `"code":"insufficient_scope"`},
		{"another's key", func(k *keyring, _ *server.Server) { k.set("ann", k.shown("bob", "chat")) }, `"code":"invalid_key"`},
		{"more rights", func(k *keyring, _ *server.Server) { k.set("ann", k.shown("ann", "admin")) }, ""},
		{"the store is away", func(k *keyring, _ *server.Server) { k.away(true) }, ""},
	} {
		ring := &keyring{t: t, by: servertest.Identities{}}
		s, h, runs := newTest(t, func(o *server.Options) { o.Caller = server.Bearer(ring, false) })
		s.WatchEvery(10*time.Millisecond, time.Now)
		ring.set("ann", ring.shown("ann", "chat"))
		body, run := streams("")[0].open(t.Context(), t, h.URL, "ann")
		c.then(ring, s)
		if c.want == "" {
			asked := ring.asked()
			servertest.Eventually(t, "two looks", func() bool { return ring.asked() >= asked+2 })
			if err := runs.Cancel(t.Context(), access.Caller{ID: "ann"}, run); err != nil { // its last event follows
				t.Fatal(err)
			}
			c.want = "RUN_FINISHED"
		}
		if said := ends(t, c.name, body); !strings.Contains(said, c.want) {
			t.Errorf("%s: %s", c.name, said)
		}
	}
}

// TestStreamsEndWithTheirToken: the end of a token is that of its stream, without a word with who made it.
func TestStreamsEndWithTheirToken(t *testing.T) {
	ring := &keyring{t: t, by: servertest.Identities{}}
	s, h, _ := newTest(t, func(o *server.Options) { o.Caller = server.Bearer(ring, false) })
	var at atomic.Int64
	start := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	s.WatchEvery(10*time.Millisecond, func() time.Time { return start.Add(time.Duration(at.Load())) })
	c := servertest.Who(t, "user:ann", "chat")
	c.Until = start.Add(time.Hour)
	ring.set("ann", &c)
	body, _ := streams("")[0].open(t.Context(), t, h.URL, "ann")
	asked := ring.asked()
	for range 3 {
		if text, err := body.ReadString('\n'); err != nil {
			t.Fatalf("it ended early: %q %v", text, err)
		}
	}
	at.Store(int64(time.Hour))
	if said := ends(t, "token", body); !strings.Contains(said, "The token has expired.") || ring.asked() != asked {
		t.Errorf("%s; asked %d times", said, ring.asked()-asked)
	}
}
