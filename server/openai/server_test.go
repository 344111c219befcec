package openai

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"catena/server"
	"catena/server/servertest"
)

// testOptions are those of the core and of the room.
type testOptions struct {
	server.Options
	Steps string
	Cache server.Cache
}

// newTest makes a server of the core's routes and the room's over the fakes.
func newTest(t testing.TB, change ...func(*testOptions)) (*server.Server, *httptest.Server, *servertest.Runs) {
	t.Helper()
	runs, parts := servertest.NewRuns(), servertest.Parts{}
	reg := servertest.Registry(t)
	opt := testOptions{Options: server.Options{Version: "test", Runs: runs, Planner: parts, Tools: reg, Sessions: parts, Data: parts, Tables: reg.Tables(),
		Logger: slog.New(slog.DiscardHandler), Heartbeat: 30 * time.Millisecond}}
	for _, c := range change {
		c(&opt)
	}
	core, err := server.NewCore(opt.Options)
	if err != nil {
		t.Fatal(err)
	}
	talks := server.NewConversations(core, runs, parts, opt.Cache)
	s, err := server.New(core, server.Table{Errors: []server.ErrorShape{Errors()},
		Routes: Routes(core, Options{Runs: runs, Planner: parts, Sessions: parts, Conversations: talks, Steps: opt.Steps})})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.Close(); h.CloseClientConnections(); h.Close() })
	return s, h, runs
}
