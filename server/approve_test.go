package server

import (
	"strings"
	"testing"

	"catena/server/servertest"
)

// What goes on after a decision comes as JSON, or as the events after those that were seen.
func TestApprove(t *testing.T) {
	_, h, _ := newTest(t)
	servertest.Ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"hi"}`)
	const decision = `{"step":"s1","args_hash":"shown","decision":"run"}`
	if status, _, body := servertest.Ask(t, "POST", h.URL+"/api/v1/runs/run_1/approve", decision); status != 200 || !strings.Contains(body, `"response":"You said: hi"`) {
		t.Errorf("%d %s", status, body)
	}
	status, header, body := servertest.Ask(t, "POST", h.URL+"/api/v1/runs/run_1/approve", decision, "Accept", "text/event-stream")
	if status != 200 || header.Get("X-Run-Id") != "run_1" || !strings.HasPrefix(body, ": open\n\nid: 4\n") || strings.Contains(body, "RUN_STARTED") {
		t.Errorf("%d %v %s", status, header, body)
	}
	if header.Get("X-Run-After") != "3" {
		t.Errorf("%v", header)
	}
	if status, _, body := servertest.Ask(t, "POST", h.URL+"/api/v1/runs/run_1/resume", "", "Accept", "text/event-stream"); status != 200 || !strings.HasPrefix(body, ": open\n\nid: 1\n") {
		t.Errorf("%d %s", status, body)
	}
}
