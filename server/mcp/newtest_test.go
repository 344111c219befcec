package mcp

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"catena/chat/runs"
	"catena/internal/access"
	"catena/server"
	"catena/server/servertest"
	"catena/tools"
)

// The real parts satisfy the interfaces.
var (
	_ Runs  = (*runs.Runs)(nil)
	_ Tools = (*tools.Registry)(nil)
)

// testOptions are those of the core and of the room.
type testOptions struct {
	server.Options
	Message func(ctx context.Context, method, target string, meta func(string) string) (context.Context, func(failed string))
	Tasks   *Tasks
	Stdio   access.Caller
}

// testServer is a server with its room.
type testServer struct {
	*server.Server
	mcp *Server
	opt testOptions
}

// ServeStdio serves the room's transport.
func (s *testServer) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.mcp.ServeStdio(ctx, in, out)
}

// newTest makes a server of the core's routes and the room's over a real registry with a few small tools, and the fakes.
func newTest(t testing.TB, change ...func(*testOptions)) (*testServer, *httptest.Server, *servertest.Runs) {
	t.Helper()
	runs, parts := servertest.NewRuns(), servertest.Parts{}
	reg := servertest.Registry(t, ChatTool(runs))
	if err := reg.RegisterResources(Resources(reg.Tables(), runs)...); err != nil {
		t.Fatal(err)
	}
	opt := testOptions{Options: server.Options{Version: "test", Runs: runs, Planner: parts, Tools: reg, Sessions: parts, Data: parts, Tables: reg.Tables(),
		Logger: slog.New(slog.DiscardHandler), Heartbeat: 30 * time.Millisecond}}
	for _, c := range change {
		c(&opt)
	}
	core, err := server.NewCore(opt.Options)
	if err != nil {
		t.Fatal(err)
	}
	served, _ := opt.Tools.(Tools)
	m := New(core, Options{Tools: served, Chat: core.PostChatBytes, CallerNow: runs.CallerNow, Message: opt.Message, Tasks: opt.Tasks, Stdio: opt.Stdio})
	s, err := server.New(core, server.Table{Routes: m.Routes(), Errors: []server.ErrorShape{Errors()}, Close: []func(){m.Close}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.Close(); h.CloseClientConnections(); h.Close() })
	return &testServer{s, m, opt}, h, runs
}

// keyed makes a server that asks for keys, and takes none on loopback.
func keyed(t *testing.T) (s *testServer, url string) {
	t.Helper()
	list := servertest.Identities{
		"ann": servertest.Who(t, "ann", "chat", "tools:*"), "tools": servertest.Who(t, "tools", "tools:crm"),
	}
	s, h, _ := newTest(t, func(o *testOptions) { o.Caller = server.Bearer(list, false) })
	return s, h.URL
}
