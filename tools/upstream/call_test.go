package upstream

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/tools"
)

// A call that fails while its server goes on says what can be done about it, and nothing of a restart.
func TestCallThatFails(t *testing.T) {
	w := newWeb(t, true)
	w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
		if m.Method == "tools/call" {
			http.Error(rw, "oops", http.StatusInternalServerError)
		}
		return m.Method == "tools/call"
	}
	reg, _ := attach(t, Options{}, Config{URL: w.URL})
	res := do(t, reg, "web__do", map[string]any{"n": json.Number("1")})
	if !strings.Contains(res.Text, "HTTP 500") || !strings.Contains(res.Text, "the call may be made again") || strings.Contains(res.Text, "restarted") {
		t.Errorf("%+v", res)
	}
	c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	if text := c.next(remoteTool{}, errNoAnswer); !strings.Contains(text, "not known") {
		t.Error(text)
	}
	c.end(errors.New("exit status 1"))
	if text := c.next(remoteTool{}, c.exitError()); !strings.Contains(text, "restarted") {
		t.Error(text)
	}
}

// A call that a change of the settings ends is told so.
func TestCallThatAChangeEnds(t *testing.T) {
	reg, s := start(t, "plain", time.Hour)
	got := make(chan tools.Result, 1)
	go func() {
		res, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("test"), Tool: "tiny__slow"})
		if err != nil {
			t.Error(err)
		}
		got <- res
	}()
	eventually(t, "the call is under way", func() bool { return underWay(s.list[0]) == 1 })
	if _, err := s.Apply(); err != nil {
		t.Fatal(err)
	}
	if res := <-got; res.Code != tools.CodeUnavailable || !strings.Contains(res.Text, "its settings have changed") || strings.Contains(res.Text, "restarted") {
		t.Errorf("%+v", res)
	}
}

func underWay(s *server) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// When a server is tried again is said as it is.
func TestAgain(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for phase, want := range map[tools.Phase]string{
		tools.PhaseResting:    "It ended: x. It is tried again at 03:04:05 UTC.",
		tools.PhaseRestarting: "It ended: x; it is being restarted.",
	} {
		if got := again(errors.New("x"), phase, at); got != want {
			t.Errorf("%s: %q", phase, got)
		}
	}
}

// A server whose call waits for a person is at work: it may answer no ping until then.
func TestParkedCallIsWork(t *testing.T) {
	w := newWeb(t, false)
	answered := make(chan request, 1)
	w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
		switch {
		case m.Method == "" && len(m.ID) > 0:
			answered <- m
		case m.Method == "tools/call":
			write := stream(rw)
			write(`data: {"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"sure?","requestedSchema":{"type":"object","properties":{}}}}`)
			<-answered
			write(fmt.Sprintf(`data: {"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"done"}]}}`, m.ID))
			return true
		}
		return false
	}
	reg, s := attach(t, Options{}, Config{URL: w.URL})
	call := tools.Call{Caller: access.Local("test"), Tool: "web__do", Args: map[string]any{"n": json.Number("1")}, Client: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{}}}
	res, err := reg.Call(t.Context(), call)
	if err != nil || res.Needs == nil {
		t.Fatalf("%+v, %v", res, err)
	}
	srv := s.list[0]
	if n := underWay(srv); n != 1 || srv.hopeless(true) || srv.unused(time.Now().Add(time.Hour)) {
		t.Errorf("%d calls under way while a person is asked", n)
	}
	call.State, call.Answers = res.Needs.State, mcp.InputResponses{}
	for id := range res.Needs.Requests {
		call.Answers[id] = mcp.InputResponse{Elicitation: &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: "decline"}}}
	}
	if res, err = reg.Call(t.Context(), call); err != nil || res.Text != "done" {
		t.Errorf("%+v, %v", res, err)
	}
	eventually(t, "no call is under way", func() bool { return underWay(srv) == 0 })
}

// Who waits in vain is told which setting gives more time.
func TestPatience(t *testing.T) {
	c := tiny("plain")
	c.Timeout = 50 * time.Millisecond
	reg := tools.NewRegistry(tools.Options{})
	run(t, reg, Options{}, c)
	if res := do(t, reg, "tiny__slow", nil); res.Code != tools.CodeTimeout || !strings.Contains(res.Text, "the setting timeouts of mcpServers.tiny") {
		t.Errorf("%+v", res)
	}
}

// Servers are asked for progress also where no asker wants to hear of it: it starts the timeout anew.
func TestProgressIsAskedFor(t *testing.T) {
	reg := tools.NewRegistry(tools.Options{})
	c := tiny("plain")
	c.Timeout, c.MaxTimeout = time.Minute, time.Hour
	run(t, reg, Options{}, c)
	if res := do(t, reg, "tiny__meta", nil); !strings.Contains(res.Text, "progressToken") {
		t.Errorf("the call had %s", res.Text)
	}
	if tool, _ := reg.Lookup("tiny__meta"); tool.MaxTimeout != time.Hour {
		t.Errorf("at most %s", tool.MaxTimeout)
	}
}

// A server of either era has a name.
func TestNameOfServer(t *testing.T) {
	for _, raw := range []string{`{"serverInfo":{"name":"x"}}`, `{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"x"}}}`} {
		c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
		if err := c.known(json.RawMessage(raw)); err != nil || c.serverName != "x" {
			t.Errorf("%s: %q, %v", raw, c.serverName, err)
		}
	}
}
