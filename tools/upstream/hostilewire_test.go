package upstream

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"catena/internal/access"
	"catena/tools"
)

// one is the argument of a call.
func one() map[string]any { return map[string]any{"n": json.Number("1")} }

// Servers that lie about their tasks: each call ends, with what was wrong and nothing of another task.
func TestHostileTasks(t *testing.T) {
	const works = `{"taskId":"mine","status":"working","pollInterval":1}`
	for name, tt := range map[string]struct {
		created, state, result string
		want                   string // of the answer
	}{
		"of another":       {works, `{"taskId":"another","status":"completed"}`, `{"content":[{"type":"text","text":"secret of another"}]}`, "answers for the task"},
		"an endless id":    {`{"taskId":"` + strings.Repeat("x", 2000) + `","status":"working"}`, works, `{}`, "bytes, at most 1024"},
		"never over":       {works, works, `{}`, "did not end within"},
		"no state":         {works, `{"taskId":"mine"}`, `{"content":[{"type":"text","text":"done"}]}`, "done"},
		"no JSON object":   {works, `["mine"]`, `{}`, "tasks/get"},
		"a task of a task": {works, `{"taskId":"mine","status":"completed"}`, `{"task":{"taskId":"again","status":"working"}}`, ""},
		"a numeric id":     {`{"taskId":7,"status":"working"}`, works, `{}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWeb(t, false)
			var mu sync.Mutex
			var asked []string
			w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
				switch m.Method {
				case "initialize":
					reply(rw, m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"old","version":"1"}}`)
				case "tools/list":
					reply(rw, m, `{"tools":[{"name":"do","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]}`)
				case "tools/call":
					reply(rw, m, `{"task":`+tt.created+`}`)
				case "tasks/get", "tasks/result", "tasks/cancel":
					mu.Lock()
					asked = append(asked, fmt.Sprint(m.Params["taskId"]))
					mu.Unlock()
					reply(rw, m, map[string]string{"tasks/get": tt.state, "tasks/result": tt.result, "tasks/cancel": `{}`}[m.Method])
				default:
					return false
				}
				return true
			}
			reg, _ := attach(t, Options{}, Config{URL: w.URL, Timeout: 300 * time.Millisecond, MaxTimeout: 600 * time.Millisecond, Protocol: "2025-11-25"})
			began := time.Now()
			res, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("test"), Tool: "web__do", Approve: true})
			if err != nil || !strings.Contains(res.Text, tt.want) || strings.Contains(res.Text, "secret") || len(res.Text) > 4<<10 {
				t.Errorf("%+.300v, %v", res, err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			mu.Lock()
			defer mu.Unlock()
			if slices.ContainsFunc(asked, func(id string) bool { return id != "mine" }) {
				t.Errorf("the tasks %q are asked for", asked)
			}
		})
	}
}

// A stream of events without an end and without an answer ends with its call, and the server is told so.
func TestEndlessEvents(t *testing.T) {
	for name, line := range map[string]string{
		"comments": ": x", "progress": `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"none","progress":1}}`,
		"answers of nobody": `data: {"jsonrpc":"2.0","id":99999,"result":{"content":[{"type":"text","text":"secret"}]}}`, "events of other names": "event: other\ndata: x",
		"places": "id: 1\nretry: 0", "questions": `data: {"jsonrpc":"2.0","id":"q","method":"ping"}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWeb(t, false)
			over := make(chan struct{})
			w.handle = func(rw http.ResponseWriter, r *http.Request, m request) bool {
				if m.Method != "tools/call" || fmt.Sprint(m.Params["arguments"]) == "map[n:2]" {
					return false
				}
				defer close(over)
				for write := stream(rw); r.Context().Err() == nil; {
					write(line)
				}
				return true
			}
			reg, _ := attach(t, Options{}, Config{URL: w.URL, Timeout: 300 * time.Millisecond, Protocol: "2025-11-25"})
			if res := do(t, reg, "web__do", one()); res.Code != tools.CodeTimeout || strings.Contains(res.Text, "secret") {
				t.Errorf("%+v", res)
			}
			<-over
			eventually(t, "another call has its answer", func() bool { return do(t, reg, "web__do", map[string]any{"n": json.Number("2")}).Text == "done" })
		})
	}
}

// The session is the one that the handshake named, whatever later answers say.
func TestWrongSessions(t *testing.T) {
	w := newWeb(t, false)
	w.session.Store("first")
	w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
		if m.Method != "initialize" {
			rw.Header().Set("Mcp-Session-Id", "another")
		}
		return false
	}
	reg, _ := attach(t, Options{}, Config{URL: w.URL, Protocol: "2025-11-25"})
	for range 2 {
		if res := do(t, reg, "web__do", one()); res.Text != "done" {
			t.Errorf("%+v", res)
		}
	}
}

// oldServer is a server of the transport before Streamable HTTP, whose stream a test writes.
type oldServer struct {
	*httptest.Server
	out   chan string // fields of events
	posts chan request
}

func newOldServer(t *testing.T) *oldServer {
	t.Helper()
	s := &oldServer{out: make(chan string, 100), posts: make(chan request, 100)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sse", func(rw http.ResponseWriter, r *http.Request) {
		write := stream(rw)
		write("event: endpoint", "data: /message")
		for {
			select {
			case fields := <-s.out:
				write(fields)
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("POST /message", func(rw http.ResponseWriter, r *http.Request) {
		var m request
		_ = json.NewDecoder(r.Body).Decode(&m)
		rw.WriteHeader(http.StatusAccepted)
		switch {
		case m.Method == "tools/call":
			s.posts <- m
		case len(m.ID) > 0 && m.Method != "":
			rec := httptest.NewRecorder()
			(&web{}).usual(rec, m)
			s.out <- "data: " + rec.Body.String()
		}
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// Over the older stream, too, each call gets its own answer, once: whatever else comes on it, of other ids, twice, in
// batches, under other names, or as another address for messages.
func TestHostileOldStream(t *testing.T) {
	s := newOldServer(t)
	reg, servers := attach(t, Options{}, Config{URL: s.URL + "/sse", Type: SSE})
	defer func() { _ = servers.Close() }() // or the server would wait for its stream
	text := func(id, text string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%q}]}}`, id, text)
	}
	got := make(chan string, 2)
	for _, caller := range []string{"ann", "bob"} {
		go func() {
			res, err := reg.Call(t.Context(), tools.Call{Caller: access.Local(caller), Tool: "web__do", Args: one()})
			if err != nil {
				t.Error(err)
			}
			got <- res.Text
		}()
	}
	first, second := <-s.posts, <-s.posts
	s.out <- "event: endpoint\ndata: http://127.0.0.1:9/elsewhere"
	s.out <- "data: " + text("12345", "of nobody")
	s.out <- "data: " + text(`"x"`, "of no number")
	s.out <- "event: other\ndata: " + text(string(first.ID), "under another name")
	s.out <- "data: {\ndata: "
	s.out <- "data: " + text(string(first.ID), "one")
	if res := <-got; res != "one" {
		t.Errorf("the first call got %q", res)
	}
	s.out <- "data: " + text(string(first.ID), "one again")
	s.out <- "data: [" + text(string(first.ID), "and again") + "," + text(string(second.ID), "two") + "]"
	if res := <-got; res != "two" {
		t.Errorf("the second call got %q", res)
	}
	go func() { s.out <- "data: " + text(string((<-s.posts).ID), "three") }()
	if res := do(t, reg, "web__do", one()); res.Text != "three" {
		t.Errorf("a call after another address was named: %+v", res)
	}
}
