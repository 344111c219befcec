package server_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"catena/server"
	"catena/server/agui"
	"catena/server/mcp"
	"catena/server/openai"
	"catena/server/servertest"
	"catena/tools"
)

// newTest makes a server of all rooms over the fakes.
func newTest(t testing.TB, change ...func(*server.Options)) (*server.Server, *httptest.Server, *servertest.Runs) {
	t.Helper()
	runs, parts := servertest.NewRuns(), servertest.Parts{}
	reg := servertest.Registry(t, mcp.ChatTool(runs))
	if err := reg.RegisterResources(mcp.Resources(reg.Tables(), runs)...); err != nil {
		t.Fatal(err)
	}
	opt := server.Options{Version: "test", Runs: runs, Planner: parts, Tools: reg, Sessions: parts, Data: parts, Tables: reg.Tables(),
		Logger: slog.New(slog.DiscardHandler), Heartbeat: 30 * time.Millisecond}
	for _, c := range change {
		c(&opt)
	}
	core, err := server.NewCore(opt)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(core, tableOf(core, runs, reg))
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.Close(); h.CloseClientConnections(); h.Close() })
	return s, h, runs
}

// tableOf are the routes of all rooms.
func tableOf(core *server.Core, runs *servertest.Runs, reg *tools.Registry) server.Table {
	parts := servertest.Parts{}
	talks := server.NewConversations(core, runs, parts, nil)
	routes := openai.Routes(core, openai.Options{Runs: runs, Planner: parts, Sessions: parts, Conversations: talks})
	routes = append(routes, agui.Routes(core, agui.Options{Runs: runs, Sessions: parts, Conversations: talks})...)
	front := mcp.New(core, mcp.Options{Tools: reg, Chat: core.PostChatBytes})
	return server.Table{Routes: append(routes, front.Routes()...), Errors: []server.ErrorShape{openai.Errors(), mcp.Errors()}, Close: []func(){front.Close}}
}

// allRoutes are the routes of all rooms and of the core.
func allRoutes(t testing.TB) []server.Route {
	s, _, _ := newTest(t)
	all := tableOf(s.Core, servertest.NewRuns(), servertest.Registry(t))
	for _, end := range all.Close {
		end()
	}
	return append(server.Routes(), all.Routes...)
}

// keyed makes a server that asks for keys, and takes none on loopback.
func keyed(t *testing.T, more ...func(*server.Options)) (s *server.Server, url string) {
	t.Helper()
	list := servertest.Identities{
		"ann": servertest.Who(t, "ann", "chat", "tools:*"), "bob": servertest.Who(t, "bob", "chat", "tools:*"), "tools": servertest.Who(t, "tools", "tools:crm"),
		"reader": servertest.Who(t, "reader", "chat", "read:*"), "none": servertest.Who(t, "none"), "root": servertest.Who(t, "root", "admin"),
	}
	s, h, _ := newTest(t, append([]func(*server.Options){func(o *server.Options) { o.Caller = server.Bearer(list, false) }}, more...)...)
	return s, h.URL
}

// newMCPSession begins a session of a caller's; "" is who has no key.
func newMCPSession(t *testing.T, url, key string) string {
	t.Helper()
	header := []string{"Accept", "application/json, text/event-stream"}
	if key != "" {
		header = append(header, servertest.Bearer(key)...)
	}
	status, h, body := servertest.Ask(t, "POST", url+"/mcp", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, header...)
	if status != http.StatusOK {
		t.Fatal(status, body)
	}
	return h.Get("Mcp-Session-Id")
}
