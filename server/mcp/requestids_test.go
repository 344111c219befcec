package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"catena/server/servertest"
	"catena/tools"
)

// oddNumbers are ids that float64 cannot keep as they are written.
var oddNumbers = []string{"9007199254740993", "1.0", "1e3", "-0", "18446744073709551616", `"catena-id:5"`, `"catena-id:x"`, "7"}

// A request's id and its arguments are the client's to the last digit, in both eras and over every transport.
func TestNumbersStay(t *testing.T) {
	s, h, _ := newTest(t)
	reg, _ := s.opt.Tools.(*tools.Registry)
	def := raw("keeps")
	def.RawInputSchema = json.RawMessage(`{"type":"object"}`)
	if err := reg.Register(tools.Tool{Def: def, Toolset: "demo", Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
		return tools.Result{Text: fmt.Sprint(call.Args["n"])}, nil
	}}); err != nil {
		t.Fatal(err)
	}
	const now = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for _, id := range oddNumbers {
		for _, n := range []string{"9007199254740993", "1.10", "12345678901234567890.5"} {
			call := func(more string) string {
				return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"keeps","arguments":{"n":%s}%s}}`, id, n, more)
			}
			check := func(way, body string) {
				t.Helper()
				if !strings.Contains(body, `"id":`+id) || !strings.Contains(body, `"text":"`+n+`"`) {
					t.Errorf("%s, id %s, argument %s: %s", way, id, n, body)
				}
			}
			_, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", call(""), "Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2025-11-25", "Mcp-Session-Id", s.mcp.ids.as("local").Generate())
			check("2025", body)
			_, _, body = servertest.Ask(t, "POST", h.URL+"/mcp", call(now), "Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "keeps")
			check("2026", body)
			var out strings.Builder
			s2, _, _ := newTest(t, func(o *testOptions) { o.Tools = reg })
			if err := s2.ServeStdio(t.Context(), io.NopCloser(strings.NewReader(call("")+"\n")), &out); err != nil {
				t.Fatal(err)
			}
			check("stdio", out.String())
		}
	}
}

// What is cancelled is found by the id as it was written.
func TestOddIDsAreCancelled(t *testing.T) {
	s, h, _ := newTest(t)
	session := s.mcp.ids.as("local").Generate()
	header := []string{"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2025-11-25", "Mcp-Session-Id", session}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"wait"}}`, header...)
	}()
	for stopped := false; !stopped; {
		servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}`, header...)
		select {
		case <-servertest.Waited:
			stopped = true
		default:
		}
	}
	servertest.Within(t, ended)
}

func TestMapIDs(t *testing.T) {
	for in, want := range map[string]string{
		`{"id":1,"method":"ping"}`:                  `{"id":1,"method":"ping"}`,
		`{"id":1.0,"x":1.10}`:                       `{"id":"catena-id:1.0","x":1.10}`,
		`{"params":{"requestId":9007199254740993}}`: `{"params":{"requestId":"catena-id:9007199254740993"}}`,
		`{"id":null}`:                               `{"id":null}`,
		`[1]`:                                       `[1]`,
	} {
		got, _ := mapIDs([]byte(in), exact)
		if string(got) != want {
			t.Errorf("%s: %s", in, got)
		}
		if back, _ := mapIDs(got, original); string(back) != in {
			t.Errorf("%s came back as %s", in, back)
		}
	}
	event := "event: message\ndata: " + `{"jsonrpc":"2.0","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"catena-id:1.0"}}}` + "\n\n"
	if got := string(originalIDs([]byte(event))); !strings.Contains(got, `subscriptionId":1.0}`) || !strings.HasSuffix(got, "\n\n") {
		t.Errorf("%q", got)
	}
}
