package server

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"catena/chat"
	"catena/chat/runs"
	"catena/server/servertest"
	"catena/tools"
)

// The real parts satisfy the interfaces.
var (
	_ allRuns  = (*runs.Runs)(nil)
	_ Planner  = (*chat.Engine)(nil)
	_ Sessions = (*chat.Engine)(nil)
	_ Tools    = (*tools.Registry)(nil)
)

// newTest makes a server over a real registry with a few small tools, and the fakes.
func newTest(t testing.TB, change ...func(*Options)) (*Server, *httptest.Server, *servertest.Runs) {
	t.Helper()
	runs := servertest.NewRuns()
	reg := servertest.Registry(t)
	parts := servertest.Parts{}
	opt := Options{Version: "test", Runs: runs, Planner: parts, Tools: reg, Sessions: parts, Data: parts, Tables: reg.Tables(),
		Logger: slog.New(slog.DiscardHandler), Heartbeat: 30 * time.Millisecond}
	for _, c := range change {
		c(&opt)
	}
	core, err := NewCore(opt)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(core, Table{})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.Close(); h.CloseClientConnections(); h.Close() })
	return s, h, runs
}

// keyed makes a server that asks for keys, and takes none on loopback.
func keyed(t *testing.T, more ...func(*Options)) (s *Server, url string) {
	t.Helper()
	list := servertest.Identities{
		"ann": servertest.Who(t, "ann", "chat", "tools:*"), "bob": servertest.Who(t, "bob", "chat", "tools:*"), "tools": servertest.Who(t, "tools", "tools:crm"),
		"reader": servertest.Who(t, "reader", "chat", "read:*"), "none": servertest.Who(t, "none"), "root": servertest.Who(t, "root", "admin"),
	}
	s, h, _ := newTest(t, append([]func(*Options){func(o *Options) { o.Caller = Bearer(list, false) }}, more...)...)
	return s, h.URL
}
