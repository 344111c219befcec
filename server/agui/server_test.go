package agui

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"catena/server"
	"catena/server/servertest"
)

// newTest makes a server of the core's routes and the room's over the fakes.
func newTest(t testing.TB) (*server.Server, *httptest.Server, *servertest.Runs) {
	t.Helper()
	runs, parts := servertest.NewRuns(), servertest.Parts{}
	reg := servertest.Registry(t)
	core, err := server.NewCore(server.Options{Version: "test", Runs: runs, Planner: parts, Tools: reg, Sessions: parts, Data: parts, Tables: reg.Tables(),
		Logger: slog.New(slog.DiscardHandler), Heartbeat: 30 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(core, server.Table{Routes: Routes(core, Options{Runs: runs, Sessions: parts, Conversations: server.NewConversations(core, runs, parts, nil)})})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.Close(); h.CloseClientConnections(); h.Close() })
	return s, h, runs
}
