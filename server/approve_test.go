package server

import (
	"strings"
	"testing"

	"catena/chat"
)

// What goes on after a decision comes as JSON, or as the events after those that were seen.
func TestApprove(t *testing.T) {
	_, h, _ := newTest(t)
	ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"hi"}`)
	const decision = `{"step":"s1","args_hash":"shown","decision":"run"}`
	if status, _, body := ask(t, "POST", h.URL+"/api/v1/runs/run_1/approve", decision); status != 200 || !strings.Contains(body, `"response":"You said: hi"`) {
		t.Errorf("%d %s", status, body)
	}
	status, header, body := ask(t, "POST", h.URL+"/api/v1/runs/run_1/approve", decision, "Accept", "text/event-stream")
	if status != 200 || header.Get("X-Run-Id") != "run_1" || !strings.HasPrefix(body, ": open\n\nid: 4\n") || strings.Contains(body, "RUN_STARTED") {
		t.Errorf("%d %v %s", status, header, body)
	}
	if header.Get("X-Run-After") != "3" {
		t.Errorf("%v", header)
	}
	if status, _, body := ask(t, "POST", h.URL+"/api/v1/runs/run_1/resume", "", "Accept", "text/event-stream"); status != 200 || !strings.HasPrefix(body, ": open\n\nid: 1\n") {
		t.Errorf("%d %s", status, body)
	}
}

// The key of a request belongs to its decision.
func TestApproveKey(t *testing.T) {
	_, h, runs := newTest(t)
	ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"destroy"}`)
	ask(t, "POST", h.URL+"/api/v1/runs/run_1/approve", `{"step":"s1","args_hash":"shown","decision":"run"}`, "Idempotency-Key", "k")
	ask(t, "POST", h.URL+"/agui", `{"threadId":"t","runId":"r","messages":[{"id":"run_1-answer","role":"assistant","content":"x"}],
		"resume":[{"interruptId":"s1:shown","status":"resolved"},{"interruptId":"s1:shown","status":"resolved"}]}`, "Idempotency-Key", "k")
	if len(runs.keys) != 3 || runs.keys[0] != "k" || runs.keys[1] != "k" || runs.keys[2] == "k" || chat.CheckKey(runs.keys[2]) != nil {
		t.Errorf("%q", runs.keys)
	}
}

// The stream that a reply has a run go on with says behind which event it begins, over each protocol.
func TestReplyStreamsAfter(t *testing.T) {
	const history = `{"role":"user","content":"destroy"},{"role":"assistant","content":"You said: destroy"},{"role":"user","content":"yes"}`
	for path, body := range map[string]string{
		"/api/v1/chat": `{"message":"yes","session_id":"ses_1"}`, "/stream": `{"message":"yes","session_id":"ses_1"}`,
		completionsPath: `{"stream":true,"messages":[` + history + `]}`,
		"/v1/responses": `{"stream":true,"input":"yes","previous_response_id":"resp_1"}`,
	} {
		_, h, _ := newTest(t)
		first := `{"message":"destroy"}`
		if strings.HasPrefix(path, "/v1/") {
			first = `{"messages":[{"role":"user","content":"destroy"}]}`
		}
		ask(t, "POST", h.URL+map[bool]string{true: completionsPath, false: "/api/v1/chat"}[strings.HasPrefix(path, "/v1/")], first)
		if status, header, got := ask(t, "POST", h.URL+path, body, "Accept", "text/event-stream"); status != 200 || header.Get("X-Run-Id") != "run_1" || header.Get("X-Run-After") != "3" {
			t.Errorf("%s: %d %v %s", path, status, header, got)
		}
	}
}

// A conversation that is found by the user's words alone may be another person's with the same key: nothing is decided there.
func TestReplyByWords(t *testing.T) {
	_, h, runs := newTest(t)
	ask(t, "POST", h.URL+completionsPath, `{"messages":[{"role":"user","content":"destroy"}]}`)
	status, _, body := ask(t, "POST", h.URL+completionsPath, `{"messages":[{"role":"user","content":"destroy"},{"role":"assistant","content":"Hello."},{"role":"user","content":"yes"}]}`)
	if status != 409 || !strings.Contains(body, "reply_unplaced") || runs.runs["run_1"].resp.Outcome != chat.OutcomeApproval {
		t.Errorf("%d %s", status, body)
	}
}
