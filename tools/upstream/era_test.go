package upstream

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/tools"
)

// bothEras is a server like those of FastMCP 4: a tool of its that asks in the middle of a call can do so in the older era alone.
func bothEras(t *testing.T, older bool, refusal string) *web {
	w := newWeb(t, true)
	answers := make(chan request, 1)
	w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
		meta, _ := m.Params["_meta"].(map[string]any)
		switch {
		case m.Method == "" && m.Result != nil:
			answers <- m
			rw.WriteHeader(http.StatusAccepted)
		case m.Method == "initialize" && older:
			reply(rw, m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"both","version":"1"}}`)
		case m.Method == "tools/list":
			reply(rw, m, `{"tools":[{"name":"do","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"change","inputSchema":{"type":"object"}}]}`)
		case m.Method == "tools/call" && meta["io.modelcontextprotocol/protocolVersion"] != nil:
			rw.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(rw, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, refusal)
		case m.Method == "tools/call":
			write := stream(rw)
			write(`data: {"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"sure?","requestedSchema":{"type":"object","properties":{}}}}`)
			answer := <-answers
			write(fmt.Sprintf(`data: {"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%v"}]}}`, m.ID, answer.Result["action"]))
		default:
			return false
		}
		return true
	}
	return w
}

// refusals are how servers say that they cannot ask: FastMCP, and what is built on Python's mcp 2, in a result or as an error.
var refusals = []string{
	`"result":{"resultType":"complete","isError":true,"content":[{"type":"text","text":"elicitation via server-initiated requests is unavailable on 2026-07-28 connections."}]}`,
	`"result":{"resultType":"complete","isError":true,"content":[{"type":"text","text":"Error executing tool do: Cannot send 'elicitation/create': this transport has no way back."}]}`,
	`"error":{"code":-32600,"message":"Cannot send 'elicitation/create': unavailable on this connection."}`,
}

// What a server cannot ask in the newer era it asks in the older one, which is spoken with it from then on.
func TestQuestionsThatTheEraLacks(t *testing.T) {
	ask := &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{}}
	for name, refusal := range map[string]string{"do": refusals[0], "change": refusals[0], "do, by method": refusals[1], "do, by error": refusals[2]} {
		t.Run(name, func(t *testing.T) {
			tool, _, _ := strings.Cut(name, ",")
			w := bothEras(t, true, refusal)
			reg, _ := attach(t, Options{}, Config{URL: w.URL, Timeout: 20 * time.Second})
			call := tools.Call{Caller: access.Local("test"), Tool: "web__" + tool, Approve: true, Client: ask}
			res, err := reg.Call(t.Context(), call)
			if tool == "change" {
				if err != nil || res.Code != tools.CodeUnavailable || !strings.Contains(res.Text, "2025-11-25") {
					t.Fatalf("%+v, %v", res, err)
				}
				res, err = reg.Call(t.Context(), call)
			}
			if err != nil || res.Needs == nil {
				t.Fatalf("%+v, %v", res, err)
			}
			call.State, call.Answers = res.Needs.State, mcp.InputResponses{}
			for id := range res.Needs.Requests {
				call.Answers[id] = mcp.InputResponse{Elicitation: &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: "accept"}}}
			}
			if res, err = reg.Call(t.Context(), call); err != nil || res.Text != "accept" {
				t.Errorf("%+v, %v", res, err)
			}
			if n := strings.Count(strings.Join(w.methods(), " "), "initialize"); n < 1 {
				t.Errorf("methods: %v", w.methods())
			}
		})
	}
}

// A tool whose question nobody can answer, in a plan or over HTTP, hears so in the older era, and has its own way on.
func TestQuestionsToNobody(t *testing.T) {
	w := bothEras(t, true, refusals[0])
	reg, _ := attach(t, Options{}, Config{URL: w.URL, Timeout: 20 * time.Second})
	for range 2 {
		res, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("test"), Tool: "web__do"})
		if err != nil || res.IsError || res.Text != "cancel" {
			t.Errorf("%+v, %v", res, err)
		}
	}
}

// Where the owner has chosen the version, and at a server that does not know the older era, the newer one stays.
func TestEraThatStays(t *testing.T) {
	ask := &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{}}
	for name, c := range map[string]struct {
		older    bool
		client   *mcp.ClientCapabilities
		protocol string
	}{"chosen": {true, ask, "2026-07-28"}, "unknown": {false, ask, ""}} {
		t.Run(name, func(t *testing.T) {
			w := bothEras(t, c.older, refusals[0])
			reg, _ := attach(t, Options{}, Config{URL: w.URL, Protocol: c.protocol, Timeout: 20 * time.Second})
			call := tools.Call{Caller: access.Local("test"), Tool: "web__do", Client: c.client}
			var res tools.Result
			var err error
			for range 100 { // a server that is tried in the older era is not there for a moment
				if res, err = reg.Call(t.Context(), call); err != nil || strings.Contains(res.Text, "unavailable on") {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			if err != nil || !strings.Contains(res.Text, "unavailable on") {
				t.Errorf("%+v, %v", res, err)
			}
		})
	}
}
