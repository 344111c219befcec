package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"catena/tools"
)

// web is an MCP server over HTTP, of one era.
type web struct {
	*httptest.Server
	t       *testing.T
	modern  bool
	handle  func(w http.ResponseWriter, r *http.Request, m request) bool // before what is usual; true when it has answered
	listen  func(w http.ResponseWriter, r *http.Request)                 // GET
	session atomic.Value                                                 // string
	mu      sync.Mutex
	seen    []request
	headers []http.Header
}

// request is a message that a server gets.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params map[string]any  `json:"params"`
	Result map[string]any  `json:"result"`
	Error  map[string]any  `json:"error"`
}

func newWeb(t *testing.T, modern bool) *web {
	t.Helper()
	w := &web{t: t, modern: modern}
	w.session.Store("")
	w.Server = httptest.NewServer(w)
	t.Cleanup(w.Close)
	return w
}

func (s *web) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		if r.Method == http.MethodGet && s.listen != nil {
			s.listen(w, r)
			return
		}
		http.Error(w, "no", http.StatusMethodNotAllowed)
		return
	}
	var m request
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.seen, s.headers = append(s.seen, m), append(s.headers, r.Header.Clone())
	s.mu.Unlock()
	if id := s.session.Load(); id != "" && m.Method != "initialize" && m.Method != "server/discover" && r.Header.Get("Mcp-Session-Id") != id {
		http.Error(w, "which session?", http.StatusNotFound)
		return
	}
	if s.handle != nil && s.handle(w, r, m) {
		return
	}
	if len(m.ID) == 0 || m.Method == "" {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	s.usual(w, m)
}

// usual answers what every server does.
func (s *web) usual(w http.ResponseWriter, m request) {
	switch {
	case m.Method == "server/discover" && s.modern:
		reply(w, m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"new","version":"1"},"ttlMs":0,"cacheScope":"private"}`)
	case m.Method == "initialize" && !s.modern:
		if id, _ := s.session.Load().(string); id != "" {
			w.Header().Set("Mcp-Session-Id", id)
		}
		reply(w, m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`)
	case m.Method == "tools/list":
		reply(w, m, `{"tools":[{"name":"do","inputSchema":`+trickySchema+`,"annotations":{"readOnlyHint":true}}]}`)
	case m.Method == "tools/call":
		reply(w, m, `{"content":[{"type":"text","text":"done"}]}`)
	default:
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"what is %s?"}}`, m.ID, m.Method)
	}
}

func reply(w http.ResponseWriter, m request, result string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// stream begins a stream of events and returns what writes one, a field a line.
func stream(w http.ResponseWriter) func(fields ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	flush := w.(http.Flusher).Flush
	flush()
	return func(fields ...string) {
		_, _ = io.WriteString(w, strings.Join(fields, "\n")+"\n\n")
		flush()
	}
}

// attach makes a registry with one server, "web", and waits for its first attempt.
func attach(t *testing.T, opt Options, cfg Config) (*tools.Registry, *Servers) {
	t.Helper()
	reg := tools.NewRegistry(tools.Options{})
	return reg, attachTo(t, reg, opt, cfg)
}

// attachTo is attach for a registry that is there.
func attachTo(t *testing.T, reg *tools.Registry, opt Options, cfg Config) *Servers {
	t.Helper()
	opt.Log, cfg.Name = slog.New(slog.DiscardHandler), "web"
	s, err := New(reg, opt, cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.pause = func(int) time.Duration { return 10 * time.Millisecond }
	s.Start(t.Context())
	t.Cleanup(func() { _ = s.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := s.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *web) methods() (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.seen {
		out = append(out, m.Method)
	}
	return out
}

// could gives what the requests of a method said that their client can do.
func (s *web) could(method string) (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.seen {
		if m.Method == method {
			meta, _ := m.Params["_meta"].(map[string]any)
			out = append(out, asJSON(meta["io.modelcontextprotocol/clientCapabilities"]))
		}
	}
	return out
}
