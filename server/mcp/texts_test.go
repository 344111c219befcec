package mcp

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"catena/server/servertest"
	"catena/tools"
)

// What a client reads of a refused request is JSON-RPC with what to do, never mcp-go's own words.
func TestMCPTexts(t *testing.T) {
	s, h, _ := newTest(t)
	reg, _ := s.opt.Tools.(*tools.Registry)
	reg.SetServer(tools.ServerStatus{Name: "notes", Phase: tools.PhaseResting, Detail: "It failed three times.", Transport: "stdio"})
	session := s.mcp.ids.as("local").Generate()
	const old = "2025-11-25"
	for name, c := range map[string]struct {
		method, version, session, body string
		status                         int
		want                           []string
	}{
		"old version":                            {"POST", "1999-01-01", session, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 400, []string{`"code":-32022`, "1999-01-01", old, `"id":1`}},
		"old version, GET":                       {"GET", "1999-01-01", session, "", 400, []string{`"code":-32022`}},
		"GET now":                                {"GET", "2026-07-28", "", "", 405, []string{"subscriptions/listen"}},
		"DELETE now":                             {"DELETE", "2026-07-28", "", "", 405, []string{"no sessions"}},
		"no session":                             {"POST", old, "made up", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 404, []string{`"code":-32001`, "initialize"}},
		"no session, with an old version within": {"POST", old, "made up", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}}`, 404, []string{`"code":-32001`, "initialize"}},
		"unknown tool":                           {"POST", old, session, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cuont"}}`, 200, []string{`"code":-32602`, "did you mean count?", "tools/list"}},
		"a server is down":                       {"POST", old, session, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes__find"}}`, 200, []string{`"code":-32602`, "notes", "It failed three times."}},
		"cursor of no list":                      {"POST", old, session, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"%"}}`, 200, []string{`"code":-32602`, "The cursor"}},
		"initialize with {}":                     {"POST", "", "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, 200, []string{`"code":-32602`, "capabilities, clientInfo, protocolVersion"}},
		"initialize, no name":                    {"POST", "", "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{}}}`, 200, []string{`"code":-32602`, "missing clientInfo."}},
	} {
		header := []string{"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", c.version, "Mcp-Session-Id", c.session}
		status, head, body := servertest.Ask(t, c.method, h.URL+"/mcp", c.body, header...)
		if status != c.status || !strings.HasPrefix(head.Get("Content-Type"), "application/json") {
			t.Errorf("%s: %d %s %s", name, status, head.Get("Content-Type"), body)
		}
		for _, want := range c.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %q in %s", name, want, body)
			}
		}
		for _, never := range []string{"tool not found", "illegal base64", "Invalid session"} {
			if strings.Contains(body, never) {
				t.Errorf("%s: %s", name, body)
			}
		}
	}
}

// A message may be as long as a file, over every transport; what is longer is refused with the setting's name.
func TestMCPLimit(t *testing.T) {
	s, h, _ := newTest(t, func(o *testOptions) { o.BodyLimit, o.UploadLimit = 1<<10, 8<<10 })
	header := []string{"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2025-11-25", "Mcp-Session-Id", s.mcp.ids.as("local").Generate()}
	message := func(n int) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"people","arguments":{"x":"` + strings.Repeat("x", n) + `"}}}`
	}
	if status, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", message(4<<10), header...); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	status, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", message(9<<10), header...)
	if status != 413 || !strings.Contains(body, "listen.max_upload_mb") || !strings.Contains(body, "/api/v1/tables") || !strings.Contains(body, `"jsonrpc"`) {
		t.Errorf("%d %s", status, body)
	}
	var out strings.Builder
	if err := s.ServeStdio(t.Context(), strings.NewReader(message(4<<10)+"\n"), &out); err != nil || !strings.Contains(out.String(), "Grace") {
		t.Errorf("stdio: %v %s", err, out.String())
	}
}

// A call that the end of the server cuts off is answered, in both eras.
func TestStoppingIsAnswered(t *testing.T) {
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(era, func(t *testing.T) {
			s, _, _ := newTest(t, func(o *testOptions) { o.Grace = 400 * time.Millisecond })
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			served := make(chan error, 1)
			go func() { served <- s.Serve(ctx, l) }()
			meta := ""
			header := []string{"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", era}
			if era == "2026-07-28" {
				meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
				header = append(header, "Mcp-Method", "tools/call", "Mcp-Name", "wait")
			} else {
				header = append(header, "Mcp-Session-Id", s.mcp.ids.as("local").Generate())
			}
			type answer struct {
				status int
				head   http.Header
				body   string
			}
			answered, begun := make(chan answer, 1), servertest.Waits(t)
			go func() {
				status, head, body := servertest.Ask(t, "POST", "http://"+l.Addr().String()+"/mcp", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wait"`+meta+`}}`, header...)
				answered <- answer{status, head, body}
			}()
			begun()
			stop()
			got := <-answered
			if got.status != 200 || !strings.Contains(got.body, `"id":7`) || !strings.Contains(got.body, "Try again") || !strings.Contains(got.body, `"code":"closing"`) {
				t.Errorf("%d %s", got.status, got.body)
			}
			if err := <-served; err != nil {
				t.Error(err)
			}
			<-servertest.Waited
		})
	}
}
