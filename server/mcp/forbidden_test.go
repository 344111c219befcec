package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"catena/internal/access"
	"catena/server"
	"catena/server/servertest"
	"catena/tools"
)

// denials are the calls that a registry has refused.
type denials struct {
	mu  sync.Mutex
	all []string
}

func (d *denials) note(_ context.Context, call tools.Call, _ error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = append(d.all, call.Caller.ID+" "+call.Caller.Via+" "+call.Tool)
}

func (d *denials) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := d.all
	d.all = nil
	return out
}

// guarded makes a server with addToolkit's toolkit and the tool chat, whose callers have a few rights each.
func guarded(t *testing.T, change ...func(*testOptions)) (s *testServer, url string, denied *denials) {
	t.Helper()
	denied = &denials{}
	reg := tools.NewRegistry(tools.Options{Log: slog.New(slog.DiscardHandler), Policy: access.Granted{}, Hooks: tools.Hooks{Denied: denied.note}})
	list := servertest.Identities{"ann": servertest.Who(t, "ann", "chat", "tools:*"), "demo": servertest.Who(t, "demo", "read:demo"), "none": servertest.Who(t, "none")}
	s, h, runs := newTest(t, append([]func(*testOptions){func(o *testOptions) {
		o.Caller, o.Tools, o.Tables, o.Issuer, o.Stdio = server.Bearer(list, false), reg, reg.Tables(), "https://id.example", list["demo"]
	}}, change...)...)
	if err := reg.Register(ChatTool(runs)); err != nil {
		t.Fatal(err)
	}
	addToolkit(t, reg)
	return s, h.URL, denied
}

// forbidden requests are for what is there, and not for who has read:demo.
var forbiddenRequests = []struct{ method, params, name, scope string }{
	{"tools/call", `{"name":"picky","arguments":{"n":1}}`, "picky", "write:demo:picky"},
	{"tools/call", `{"name":"demo:picky","arguments":{"n":"no number"}}`, "demo:picky", "write:demo:picky"},
	{"tools/call", `{"name":"chat","arguments":{"message":"hello"}}`, "chat", "chat"},
	{"prompts/get", `{"name":"secret"}`, "secret", "read:hidden:secret"},
	{"resources/read", `{"uri":"demo://shut"}`, "demo://shut", "read:hidden:shut"},
	{"resources/subscribe", `{"uri":"demo://shut"}`, "", "read:hidden:shut"}, // of the old protocol only
}

// TestForbiddenOverMCP: what there is and the caller's scopes do not cover is refused with 403 in both eras, as MCP's authorization has it,
// and told to the audit once. What there is not stays unknown, and what belongs to others not found.
func TestForbiddenOverMCP(t *testing.T) {
	s, url, denied := guarded(t)
	for _, era := range []string{"2025-06-18", "2026-07-28"} {
		session := ""
		if era == "2025-06-18" {
			session = mcpSession(t, url, "demo")
		}
		send := func(method, params, name string) (int, string, string) {
			header := append(servertest.Bearer("demo"), "Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", era)
			if session != "" {
				header = append(header, "Mcp-Session-Id", session)
			} else {
				header = append(header, "Mcp-Method", method, "Mcp-Name", name)
				params = strings.TrimSuffix(params, "}") + `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}`
			}
			status, h, body := servertest.Ask(t, "POST", url+"/mcp", `{"jsonrpc":"2.0","id":"q","method":"`+method+`","params":`+params+`}`, header...)
			return status, h.Get("WWW-Authenticate"), body
		}
		for round := range 2 { // the second comes when others have used it, and mcp-go knows it
			for _, r := range forbiddenRequests {
				if session == "" && r.name == "" {
					continue
				}
				status, asks, body := send(r.method, r.params, r.name)
				var got answerOf
				if err := json.Unmarshal([]byte(body), &got); err != nil || status != 403 || got.ID != "q" || got.Error.Code != codeForbidden || got.Error.Data.Scope != r.scope || got.Error.Data.Code != "not_permitted" {
					t.Errorf("%s %s %s: %d %s", era, r.method, r.params, status, body)
				}
				if want := `Bearer realm="catena", error="insufficient_scope", error_description="The key's scopes do not cover this.", scope="` + r.scope +
					`", resource_metadata="` + s.opt.Resource; !strings.HasPrefix(asks, want) || !strings.HasSuffix(asks, `/.well-known/oauth-protected-resource/mcp"`) {
					t.Errorf("%s %s: asks with %s", era, r.method, asks)
				}
				if got := denied.take(); len(got) != 1 || !strings.HasPrefix(got[0], "demo mcp ") {
					t.Errorf("%s %s %s: the audit has %q", era, r.method, r.params, got)
				}
			}
			for _, r := range [][3]string{{"tools/call", `{"name":"nothing"}`, "nothing"}, {"prompts/get", `{"name":"nothing"}`, "nothing"},
				{"resources/read", `{"uri":"demo://items/none"}`, "demo://items/none"}, {"resources/read", `{"uri":"table://tbl_x"}`, "table://tbl_x"}} {
				if status, asks, body := send(r[0], r[1], r[2]); status == 403 || asks != "" || !strings.Contains(body, `"error"`) {
					t.Errorf("%s %s: %d %s %s", era, r[1], status, asks, body)
				}
			}
			if status, _, body := send("tools/call", `{"name":"touch"}`, "touch"); status != 200 || !strings.Contains(body, "touched") {
				t.Errorf("%s: what is allowed: %d %s", era, status, body)
			}
			if round == 0 { // somebody else uses all of it
				other := mcpSession(t, url, "ann")
				for _, r := range forbiddenRequests {
					_, _, _ = servertest.Ask(t, "POST", url+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+r.method+`","params":`+r.params+`}`,
						append(servertest.Bearer("ann"), "Accept", "application/json, text/event-stream", "Mcp-Session-Id", other)...)
				}
			}
		}
	}
}

// answerOf is an answer of JSON-RPC with the error that tests look at.
type answerOf struct {
	ID    any `json:"id"`
	Error struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    struct {
			Code  string `json:"code"`
			Scope string `json:"scope"`
		} `json:"data"`
	} `json:"error"`
}

// TestForbiddenOnLines: transports without statuses say it by the error's code.
func TestForbiddenOnLines(t *testing.T) {
	s, _, denied := guarded(t)
	in := `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"
	for i, r := range forbiddenRequests {
		in += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", i, r.method, r.params)
	}
	var out bytes.Buffer
	if err := s.ServeStdio(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for d := json.NewDecoder(&out); ; {
		var got answerOf
		if err := d.Decode(&got); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		i, ok := got.ID.(float64)
		if !ok {
			continue
		}
		if r := forbiddenRequests[int(i)]; got.Error.Code != codeForbidden || got.Error.Data.Scope != r.scope || !strings.Contains(got.Error.Message, "the scope "+r.scope) {
			t.Errorf("%s %s: %+v", r.method, r.params, got)
		}
		seen++
	}
	if seen != len(forbiddenRequests) || len(denied.take()) != seen {
		t.Errorf("%d answers", seen)
	}
}

// TestForbiddenTools: plain HTTP tells the scope too, in the challenge and in the hint.
func TestForbiddenTools(t *testing.T) {
	_, url, denied := guarded(t)
	for _, c := range [][2]string{{"/api/v1/tools/picky", `{"arguments":{"n":1}}`}, {"/execute", `{"tool_name":"demo:picky"}`}} {
		status, h, body := servertest.Ask(t, "POST", url+c[0], c[1], servertest.Bearer("demo")...)
		if status != 403 || !strings.Contains(h.Get("WWW-Authenticate"), `error="insufficient_scope"`) || !strings.Contains(h.Get("WWW-Authenticate"), `scope="write:demo:picky"`) ||
			!strings.Contains(body, `"code":"not_permitted"`) || !strings.Contains(body, "the scope write:demo:picky, and without read-only") {
			t.Errorf("%s: %d %q %s", c[0], status, h.Get("WWW-Authenticate"), body)
		}
		if got := denied.take(); len(got) != 1 {
			t.Errorf("%s: the audit has %q", c[0], got)
		}
	}
	if status, h, _ := servertest.Ask(t, "POST", url+"/api/v1/tools/nothing", `{}`, servertest.Bearer("demo")...); status != 404 || h.Get("WWW-Authenticate") != "" {
		t.Errorf("an unknown tool: %d %v", status, h)
	}
}
