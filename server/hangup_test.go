package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"catena/server"
	"catena/server/servertest"
)

// dial sends a request over a connection of its own, and reads until a text has come, "" for none.
func dial(t *testing.T, url, method, path, body, until string, header ...string) net.Conn {
	t.Helper()
	address := strings.TrimPrefix(url, "http://")
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", method, path, address, len(body))
	for i := 0; i+1 < len(header); i += 2 {
		fmt.Fprintf(&b, "%s: %s\r\n", header[i], header[i+1])
	}
	if _, err := io.WriteString(conn, b.String()+"\r\n"+body); err != nil {
		t.Fatal(err)
	}
	got, part := "", make([]byte, 4096)
	for !strings.Contains(got, until) {
		_ = conn.SetReadDeadline(time.Now().Add(time.Minute)) // far more than it takes
		n, err := conn.Read(part)
		if got += string(part[:n]); err != nil {
			t.Fatalf("%s %s: %v after %s", method, path, err, got)
		}
	}
	return conn
}

// TestHangUp: what a dropped connection does to the run behind it, on each surface: a run that was started as an event stream goes on, all
// others are cancelled.
func TestHangUp(t *testing.T) {
	var list []streaming
	for _, q := range streams("") {
		if !strings.HasPrefix(q.name, "mcp ") {
			list = append(list, q)
		}
	}
	list = append(list,
		streaming{"chat", "POST", "/api/v1/chat", `{"message":"slow"}`, nil, "", false},
		streaming{"chat at mcp as JSON", "POST", "/mcp", `{"message":"slow"}`, nil, "", false},
		streaming{"completions as JSON", "POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"slow"}]}`, nil, "", false},
		streaming{"responses as JSON", "POST", "/v1/responses", `{"input":"slow"}`, nil, "", false},
		streaming{"chat with a key to come back by", "POST", "/api/v1/chat", `{"message":"slow"}`, []string{"Idempotency-Key", "again"}, "", true},
		streaming{"completions with a key", "POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"slow"}]}`, []string{"Idempotency-Key", "again"}, "", true},
		streaming{"completions as a stream with a key", "POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"slow"}],"stream":true}`,
			[]string{"Idempotency-Key", "again"}, "assistant", true},
	)
	for _, q := range list {
		t.Run(q.name, func(t *testing.T) {
			_, h, runs := newTest(t)
			conn := dial(t, h.URL, q.method, q.path, q.body, q.begun, q.header...)
			servertest.Eventually(t, "the run", func() bool { return runs.HasStarted("run_1") })
			if runs.HasStopped("run_1") {
				t.Fatal("it was stopped before the connection was dropped")
			}
			if err := conn.Close(); err != nil {
				t.Fatal(err)
			}
			if !q.goesOn {
				servertest.Eventually(t, "the end of the run", func() bool { return runs.HasStopped("run_1") })
				return
			}
			servertest.Eventually(t, "the end of the reading", func() bool { return runs.Reading() == 0 })
			time.Sleep(20 * time.Millisecond) // for a cancel that must not come
			if runs.HasStopped("run_1") {
				t.Error("the run was stopped")
			}
		})
	}
}

// TestHangUpStopsCalls: a tool that is called over MCP, in both eras, or directly, is told to stop when its caller's connection is dropped.
func TestHangUpStopsCalls(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"%s}}`
	modern := `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for _, c := range []struct {
		name, path, body string
		header           func(url string) []string
	}{
		{"2026-07-28", "/mcp", fmt.Sprintf(call, modern), func(string) []string {
			return []string{"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "wait"}
		}},
		{"2025-11-25", "/mcp", fmt.Sprintf(call, ""), func(url string) []string {
			return []string{"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2025-11-25", "Mcp-Session-Id", newMCPSession(t, url, "")}
		}},
		{"directly", "/api/v1/tools/wait", "{}", func(string) []string { return nil }},
		{"by the alias", "/execute", `{"tool_name":"wait"}`, func(string) []string { return nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			begun := make(chan struct{}, 1)
			_, h, _ := newTest(t, func(o *server.Options) {
				o.Request = func(r *http.Request) (context.Context, func(string, string, int)) {
					begun <- struct{}{}
					return r.Context(), func(string, string, int) {}
				}
			})
			header := c.header(h.URL)
			select {
			case <-begun: // the session's
			default:
			}
			waits := servertest.Waits(t)
			conn := dial(t, h.URL, "POST", c.path, c.body, "", header...)
			servertest.Within(t, begun)
			waits()
			select {
			case <-servertest.Waited:
				t.Fatal("it was stopped before the connection was dropped")
			default:
			}
			if err := conn.Close(); err != nil {
				t.Fatal(err)
			}
			servertest.Within(t, servertest.Waited)
		})
	}
}

func TestJSONHangUpCancels(t *testing.T) {
	_, h, runs := newTest(t)
	for i, path := range []string{"/api/v1/chat", "/v1/chat/completions"} {
		id := []string{"run_1", "run_2"}[i]
		body := []string{`{"message":"slow"}`, `{"messages":[{"role":"user","content":"slow"}]}`}[i]
		ctx, cancel := context.WithCancel(t.Context())
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, h.URL+path, strings.NewReader(body))
		answered := make(chan bool, 1)
		go func() {
			resp, err := http.DefaultClient.Do(req)
			if err == nil {
				_ = resp.Body.Close()
			}
			answered <- err == nil
		}()
		servertest.Eventually(t, "the run of "+path, func() bool { return runs.HasStarted(id) })
		cancel()
		if <-answered {
			t.Fatal("a slow turn answered")
		}
		servertest.Eventually(t, "the end of the run of "+path, func() bool { return runs.HasStopped(id) })
	}
}

// A client that waits for an answer when the server stops is told that its run goes on, and where; the run is not cancelled.
func TestStopping(t *testing.T) {
	for path, tc := range map[string]struct{ body, want string }{
		"/api/v1/chat":         {`{"message":"slow"}`, `"run_id":"run_1"`},
		"/v1/chat/completions": {`{"messages":[{"role":"user","content":"slow"}]}`, `/api/v1/runs/run_1`},
	} {
		t.Run(path, func(t *testing.T) {
			s, _, runs := newTest(t, func(o *server.Options) { o.Grace = 2 * time.Second })
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			ended := make(chan error, 1)
			go func() { ended <- s.Serve(ctx, l) }()
			go func() {
				for runs.Count() == 0 {
					time.Sleep(time.Millisecond)
				}
				stop()
			}()
			resp, err := http.Post("http://"+l.Addr().String()+path, "application/json", strings.NewReader(tc.body))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			var body json.RawMessage
			if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
				t.Fatal(err)
			}
			h := resp.Header
			if resp.StatusCode != http.StatusServiceUnavailable || h.Get("Retry-After") == "" || h.Get("X-Run-Id") != "run_1" || h.Get("X-Should-Retry") != "false" ||
				!strings.Contains(string(body), tc.want) || !strings.Contains(string(body), `"closing"`) {
				t.Errorf("%d %v %s", resp.StatusCode, h, body)
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if runs.Cancelled("run_1") {
				t.Error("the run was cancelled")
			}
		})
	}
}
