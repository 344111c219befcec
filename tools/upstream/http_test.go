package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/access"
	"catena/tools"
	"catena/tools/upstream/oauth"
)

// Both eras are spoken, whichever the server knows; schemas come through byte for byte.
func TestErasOverHTTP(t *testing.T) {
	for _, modern := range []bool{true, false} {
		t.Run(fmt.Sprint(modern), func(t *testing.T) {
			w := newWeb(t, modern)
			if !modern {
				w.session.Store("s1")
			}
			reg, _ := attach(t, Options{}, Config{URL: w.URL, Headers: map[string]string{"X-Own": "ours"}})
			tool, ok := reg.Lookup("web__do")
			if !ok || string(tool.Def.RawInputSchema) != trickySchema {
				t.Fatalf("%v %s; down %v", ok, tool.Def.RawInputSchema, reg.Down())
			}
			if res := do(t, reg, "web__do", map[string]any{"n": json.Number("1")}); res.Text != "done" {
				t.Errorf("%+v", res)
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			// Beside the call it may listen for changes at any time.
			at := slices.IndexFunc(w.seen, func(m request) bool { return m.Method == "tools/call" })
			last, h := w.seen[at], w.headers[at]
			meta, _ := last.Params["_meta"].(map[string]any)
			version := map[bool]string{true: "2026-07-28", false: "2025-11-25"}[modern]
			if h.Get("Mcp-Protocol-Version") != version || h.Get("X-Own") != "ours" || (meta["io.modelcontextprotocol/protocolVersion"] == version) != modern || (h.Get("Mcp-Name") == "do") != modern {
				t.Errorf("headers %v, meta %v", h, meta)
			}
		})
	}
}

// A server that answers whatever it is asked is no server of the newer era.
func TestServerThatAnswersEverything(t *testing.T) {
	w := newWeb(t, false)
	w.handle = func(w http.ResponseWriter, _ *http.Request, m request) bool {
		if m.Method == "server/discover" {
			reply(w, m, `{}`)
			return true
		}
		return false
	}
	reg, _ := attach(t, Options{}, Config{URL: w.URL})
	if down := reg.Down(); len(down) > 0 {
		t.Error(down)
	}
}

// A session that the server has forgotten is begun anew, and the calls after it work.
func TestSessionGone(t *testing.T) {
	w := newWeb(t, false)
	w.session.Store("s1")
	reg, _ := attach(t, Options{}, Config{URL: w.URL})
	w.session.Store("s2")
	if res := do(t, reg, "web__do", map[string]any{"n": json.Number("1")}); res.Code != tools.CodeUnavailable {
		t.Errorf("%+v", res)
	}
	eventually(t, "the session is new", func() bool {
		res, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("test"), Tool: "web__do", Args: map[string]any{"n": json.Number("1")}})
		return err == nil && res.Text == "done"
	})
}

// A stream that breaks off is asked for again from where it stood, after the time that the server says.
func TestStreamResumes(t *testing.T) {
	w := newWeb(t, false)
	var broke atomic.Value
	w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
		if m.Method != "tools/call" {
			return false
		}
		write := stream(rw)
		broke.Store(m.ID)
		write("id: e1", "retry: 50", "data:")
		return true
	}
	w.listen = func(rw http.ResponseWriter, r *http.Request) {
		write := stream(rw)
		if r.Header.Get("Last-Event-Id") == "e1" {
			write("id: e2", fmt.Sprintf(`data: {"jsonrpc":"2.0","id":%s,`, broke.Load()), `data: "result":{"content":[{"type":"text","text":"resumed"}]}}`)
		}
		<-r.Context().Done()
	}
	reg, _ := attach(t, Options{}, Config{URL: w.URL})
	if res := do(t, reg, "web__do", map[string]any{"n": json.Number("1")}); res.Text != "resumed" {
		t.Errorf("%+v", res)
	}
}

// What the server must not do ends the call, and says what it was.
func TestLimitsOverHTTP(t *testing.T) {
	elsewhere := newWeb(t, false)
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request, m request)
		want   string
	}{
		"long": {func(w http.ResponseWriter, _ *http.Request, _ request) {
			_, _ = io.Copy(w, io.LimitReader(endless{}, maxMessage+100))
		}, "longer than"},
		"deep": {func(w http.ResponseWriter, _ *http.Request, m request) {
			reply(w, m, strings.Repeat("[", 2000)+strings.Repeat("]", 2000))
		}, "nested deeper"},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request, _ request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, "another place"},
		"no answer": {func(w http.ResponseWriter, _ *http.Request, _ request) {
			stream(w)(`data: {"jsonrpc":"2.0","method":"x"}`)
		}, "without an answer"},
		"a page": {func(w http.ResponseWriter, _ *http.Request, _ request) {
			http.Error(w, "<html>", http.StatusBadGateway)
		}, "HTTP 502 Bad Gateway"},
		"refused": {func(w http.ResponseWriter, _ *http.Request, m request) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"not so"}}`, m.ID)
		}, "not so (-32602)"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWeb(t, true)
			w.handle = func(rw http.ResponseWriter, r *http.Request, m request) bool {
				if m.Method == "tools/call" {
					c.answer(rw, r, m)
				}
				return m.Method == "tools/call"
			}
			reg, _ := attach(t, Options{}, Config{URL: w.URL})
			res := do(t, reg, "web__do", map[string]any{"n": json.Number("1")})
			if !res.IsError || !strings.Contains(res.Text, c.want) {
				t.Errorf("%.300s", res.Text)
			}
			if len(elsewhere.methods()) > 0 {
				t.Error("another server was asked")
			}
		})
	}
}

// endless reads as blanks.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// In the newer era a long request carries what changes.
func TestListensForChanges(t *testing.T) {
	w := newWeb(t, true)
	var two atomic.Bool
	w.handle = func(rw http.ResponseWriter, r *http.Request, m request) bool {
		switch m.Method {
		case "subscriptions/listen":
			write := stream(rw)
			time.Sleep(50 * time.Millisecond)
			two.Store(true)
			write(`data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			<-r.Context().Done()
			return true
		case "tools/list":
			if two.Load() {
				reply(rw, m, `{"tools":[{"name":"do","inputSchema":{"type":"object"}},{"name":"more","inputSchema":{"type":"object"}}]}`)
				return true
			}
		}
		return false
	}
	reg, _ := attach(t, Options{}, Config{URL: w.URL})
	eventually(t, "there is a second tool", func() bool { _, ok := reg.Lookup("web__more"); return ok })
}

// A protected server is told as one that needs a login, with the command; once somebody has signed in elsewhere it is there. The token of
// who calls a tool of ours is never passed on.
func TestNeedsLogin(t *testing.T) {
	w := newWeb(t, true)
	var prm *httptest.Server
	w.handle = func(rw http.ResponseWriter, r *http.Request, _ request) bool {
		if r.Header.Get("Authorization") == "Bearer good" {
			return false
		}
		rw.Header().Set("Www-Authenticate", `Bearer resource_metadata="`+prm.URL+`"`)
		rw.WriteHeader(http.StatusUnauthorized)
		return true
	}
	prm = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			_, _ = io.WriteString(rw, `{"resource":"`+w.URL+`","authorization_servers":["`+prm.URL+`"]}`)
		case "/.well-known/oauth-authorization-server":
			_, _ = io.WriteString(rw, `{"issuer":"`+prm.URL+`","token_endpoint":"`+prm.URL+`/token","authorization_endpoint":"`+prm.URL+`/a","code_challenge_methods_supported":["S256"]}`)
		default:
			http.NotFound(rw, r)
		}
	}))
	defer prm.Close()
	store := &plainStore{}
	reg, _ := attach(t, Options{Tokens: store}, Config{URL: w.URL, OAuth: oauth.Config{Allowed: []string{prm.URL}}})
	status := reg.Servers()[0]
	if diff := cmp.Diff(tools.PhaseNeedsLogin, status.Phase); diff != "" || !strings.Contains(status.Detail, "catena tools login web") {
		t.Errorf("%s %+v", diff, status)
	}
	_ = store.Put(t.Context(), w.URL, []byte(`{"resource":"`+w.URL+`","issuer":"`+prm.URL+`","access_token":"good"}`))
	eventually(t, "the server is there", func() bool { return reg.Servers()[0].Phase == tools.PhaseReady })
	canary := access.Local("the-canary-in-the-callers-token")
	if _, err := reg.Call(t.Context(), tools.Call{Caller: canary, Tool: "web__do", Args: map[string]any{"n": json.Number("1")}}); err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if b, _ := json.Marshal([]any{w.seen, w.headers}); bytes.Contains(b, []byte("canary")) {
		t.Error("the caller's own went to the server")
	}
}

// plainStore is an oauth.Store in memory.
type plainStore struct {
	mu   sync.Mutex
	data []byte
}

func (s *plainStore) Get(context.Context, string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.data, nil
}

func (s *plainStore) Put(_ context.Context, _ string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data = bytes.Clone(data)
	return nil
}

var _ oauth.Store = (*plainStore)(nil)

// The transport of before Streamable HTTP is found where the newer one is not.
func TestLegacyEvents(t *testing.T) {
	out := make(chan string, 8)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sse", func(rw http.ResponseWriter, r *http.Request) {
		write := stream(rw)
		write("event: endpoint", "data: /message?id=1")
		for {
			select {
			case text := <-out:
				write("event: message", "data: "+text)
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("POST /message", func(rw http.ResponseWriter, r *http.Request) {
		var m request
		_ = json.NewDecoder(r.Body).Decode(&m)
		rw.WriteHeader(http.StatusAccepted)
		if len(m.ID) > 0 {
			rec := httptest.NewRecorder()
			(&web{}).usual(rec, m)
			out <- rec.Body.String()
		}
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	reg, servers := attach(t, Options{}, Config{URL: s.URL + "/sse"})
	if res := do(t, reg, "web__do", map[string]any{"n": json.Number("1")}); res.Text != "done" {
		t.Errorf("%+v; down %v", res, reg.Down())
	}
	_ = servers.Close() // or s would wait for its stream
	if _, err := endpoint("http://a/sse", "http://b/x"); err == nil {
		t.Error("messages may go to another place")
	}
}

func TestHeaderText(t *testing.T) {
	for in, want := range map[string]string{"plain text": "plain text", "": "", " x": "=?base64?IHg=?=", "ü": "=?base64?w7w=?=", "a\tb": "=?base64?YQli?=", "=?base64?x?=": "=?base64?PT9iYXNlNjQ/eD89?="} {
		if got := headerText(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzReceive holds that no message of a server brings the connection down.
func FuzzReceive(f *testing.F) {
	for _, s := range []string{`{"jsonrpc":"2.0","id":1,"result":{}}`, `[{"id":1},[[]]]`, `{"method":"notifications/progress","params":{"progressToken":[]}}`, `{"id":"x","method":"ping"}`, `{"id":1,"error":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(_ *testing.T, raw []byte) {
		c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
		c.wire = deaf{}
		c.receive(raw, 0)
	})
}

// deaf is a wire to nobody.
type deaf struct{}

func (deaf) start(context.Context) error          { return nil }
func (deaf) send(context.Context, outgoing) error { return nil }
func (deaf) shaken()                              {}
func (deaf) close()                               {}
