package agui

import (
	"fmt"
	"strings"
	"testing"

	"catena/chat"
	"catena/server/servertest"
)

// TestAGUI gives a client of AG-UI its own names back, finds its thread again, and takes its decisions.
func TestAGUI(t *testing.T) {
	_, h, runs := newTest(t)
	run := func(body string) (int, string) {
		t.Helper()
		status, _, text := servertest.Ask(t, "POST", h.URL+"/agui", body, "Accept", "text/event-stream")
		return status, text
	}
	status, body := run(`{"threadId":"t-1","runId":"r-1","state":{},"tools":[],"context":[],"forwardedProps":{},"messages":[{"id":"m1","role":"user","content":"hello"}]}`)
	for _, want := range []string{"id: 1\n", `"runId":"r-1"`, `"threadId":"t-1"`, `"type":"RUN_STARTED"`, `"type":"RUN_FINISHED"`, `"delta":"You said: "`} {
		if status != 200 || !strings.Contains(body, want) {
			t.Errorf("%d, no %s: %s", status, want, body)
		}
	}
	for i, c := range []struct{ name, body, session, after string }{
		{"after an answer", `{"threadId":"t-1","runId":"r-2","messages":[{"id":"m1","role":"user","content":"hello"},{"id":"run_1-answer","role":"assistant","content":"changed"},{"id":"m2","role":"user","content":"more"}]}`, "t-1", "run_1"},
		{"the first again", `{"threadId":"t-1","runId":"r-3","messages":[{"id":"m1","role":"user","content":"hello"}]}`, "t-1", "start"},
		{"another thread", `{"threadId":"t-2","runId":"r-4","messages":[{"id":"m1","role":"user","content":"hello"}]}`, "t-2", ""},
		{"a session", `{"threadId":"ses_1","runId":"r-5","messages":[{"id":"m1","role":"user","content":"hello"}]}`, "ses_1", ""},
	} {
		if status, body := run(c.body); status != 200 {
			t.Errorf("%s: %d %s", c.name, status, body)
			continue
		}
		if req := runs.ByID[fmt.Sprintf("run_%d", i+2)].Req; req.SessionID != c.session || req.AfterRun != c.after {
			t.Errorf("%s: session %s after %q", c.name, req.SessionID, req.AfterRun)
		}
	}
	run(`{"threadId":"t-3","runId":"r","messages":[{"id":"m1","role":"user","content":"destroy"}]}`)
	if status, body := run(`{"threadId":"t-3","runId":"r","messages":[],"resume":[{"interruptId":"s9","status":"resolved"}]}`); status != 409 || !strings.Contains(body, "step_not_waiting") {
		t.Errorf("a step that does not wait: %d %s", status, body)
	}
	for _, id := range []string{"s1", "s1:other"} { // an interrupt that was not shown
		if status, body := run(`{"threadId":"t-3","runId":"r","messages":[],"resume":[{"interruptId":"` + id + `","status":"resolved"}]}`); status != 409 || !strings.Contains(body, "args_changed") {
			t.Errorf("%s: %d %s", id, status, body)
		}
	}
	if status, body := run(`{"threadId":"t-3","runId":"r","messages":[],"resume":[{"interruptId":"s1:shown","status":"resolved","payload":{"approved":true}}]}`); status != 200 || runs.ByID["run_6"].Resp.Response != "s1 decided: run" {
		t.Errorf("%d %s: %s", status, runs.ByID["run_6"].Resp.Response, body)
	}
	for bad, want := range map[string]int{`{}`: 400, `{"threadId":"t","runId":"r","messages":[]}`: 404, `{"threadId":"t","runId":"r","messages":7}`: 400} {
		if status, body := run(bad); status != want {
			t.Errorf("%s: %d %s", bad, status, body)
		}
	}
}

func TestAGUIDecisions(t *testing.T) {
	for _, c := range []struct {
		resume resume
		want   string
	}{
		{resume{Status: "cancelled", Payload: true}, "skip"}, {resume{Status: "resolved"}, "run"},
		{resume{Status: "resolved", Payload: false}, "skip"}, {resume{Status: "resolved", Payload: map[string]any{"approved": false}}, "skip"},
		{resume{Status: "resolved", Payload: map[string]any{"decision": "done"}}, "done"}, {resume{Status: "resolved", Payload: map[string]any{"accepted": true}}, "run"},
	} {
		if got := c.resume.decision(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.resume, got, c.want)
		}
	}
}

// The key of a request belongs to its decision.
func TestApproveKey(t *testing.T) {
	_, h, runs := newTest(t)
	servertest.Ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"destroy"}`)
	servertest.Ask(t, "POST", h.URL+"/api/v1/runs/run_1/approve", `{"step":"s1","args_hash":"shown","decision":"run"}`, "Idempotency-Key", "k")
	servertest.Ask(t, "POST", h.URL+"/agui", `{"threadId":"t","runId":"r","messages":[{"id":"run_1-answer","role":"assistant","content":"x"}],
		"resume":[{"interruptId":"s1:shown","status":"resolved"},{"interruptId":"s1:shown","status":"resolved"}]}`, "Idempotency-Key", "k")
	if len(runs.Keys) != 3 || runs.Keys[0] != "k" || runs.Keys[1] != "k" || runs.Keys[2] == "k" || chat.CheckKey(runs.Keys[2]) != nil {
		t.Errorf("%q", runs.Keys)
	}
}
