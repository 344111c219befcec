package openai

import (
	"strings"
	"testing"

	"catena/chat"
	"catena/server/servertest"
)

// TestReplyDecides: a reply to a step that waits decides about it over each protocol that takes messages, and approve in the body spares the question.
func TestReplyDecides(t *testing.T) {
	const first = `{"messages":[{"role":"user","content":"destroy"}]}`
	waits := `{"role":"user","content":"destroy"},{"role":"assistant","content":"You said: destroy"},`
	for name, c := range map[string]struct{ path, before, body, want string }{
		"completions":           {completionsPath, first, `{"messages":[` + waits + `{"role":"user","content":"yes"}]}`, "s1 decided: run"},
		"completions, streamed": {completionsPath, first, `{"stream":true,"messages":[` + waits + `{"role":"user","content":"no"}]}`, "s1 decided: skip"},
		"responses":             {"/v1/responses", `{"input":"destroy"}`, `{"input":"yes","previous_response_id":"resp_1"}`, "s1 decided: run"},
		"responses, streamed":   {"/v1/responses", `{"input":"destroy"}`, `{"input":"no","stream":true,"previous_response_id":"resp_1"}`, "s1 decided: skip"},
		"chat":                  {"/api/v1/chat", `{"message":"destroy"}`, `{"message":"yes","session_id":"ses_1"}`, "s1 decided: run"},
		"another message":       {"/api/v1/chat", `{"message":"destroy"}`, `{"message":"yes but","session_id":"ses_1"}`, "You said: yes but"},
		"another session":       {"/api/v1/chat", `{"message":"destroy"}`, `{"message":"yes"}`, "You said: yes"},
		"approved at once":      {completionsPath, first, `{"approve":"auto","messages":[{"role":"user","content":"destroy"}]}`, "You said: destroy"},
		"approved in responses": {"/v1/responses", first, `{"approve":"auto","input":"destroy"}`, "You said: destroy"},
		"approved by true":      {completionsPath, first, `{"approve":true,"messages":[{"role":"user","content":"destroy"}]}`, "You said: destroy"},
		"true in responses":     {"/v1/responses", first, `{"approve":true,"input":"destroy"}`, "You said: destroy"},
		"true in chat":          {"/api/v1/chat", `{"message":"hello"}`, `{"approve":true,"message":"destroy"}`, "You said: destroy"},
		"approve as a number":   {completionsPath, first, `{"approve":1,"messages":[{"role":"user","content":"destroy"}]}`, "wrong_type"},
		"approve misspelt":      {completionsPath, first, `{"approve":"always","messages":[{"role":"user","content":"destroy"}]}`, `"code":"bad_`},
	} {
		t.Run(name, func(t *testing.T) {
			_, h, runs := newTest(t)
			path := c.path
			if path == "/v1/responses" && strings.Contains(c.before, "messages") {
				path = completionsPath
			}
			servertest.Ask(t, "POST", h.URL+path, c.before)
			_, _, body := servertest.Ask(t, "POST", h.URL+c.path, c.body)
			if !strings.Contains(body, c.want) {
				t.Errorf("want %s: %s", c.want, body)
			}
			if (strings.Contains(c.body, `"auto"`) || strings.Contains(c.body, `"approve":true`)) && runs.ByID["run_2"].Req.Approve != "auto" {
				t.Errorf("asked: %+v", runs.ByID["run_2"].Req)
			}
		})
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
		servertest.Ask(t, "POST", h.URL+map[bool]string{true: completionsPath, false: "/api/v1/chat"}[strings.HasPrefix(path, "/v1/")], first)
		if status, header, got := servertest.Ask(t, "POST", h.URL+path, body, "Accept", "text/event-stream"); status != 200 || header.Get("X-Run-Id") != "run_1" || header.Get("X-Run-After") != "3" {
			t.Errorf("%s: %d %v %s", path, status, header, got)
		}
	}
}

// A conversation that is found by the user's words alone may be another person's with the same key: nothing is decided there.
func TestReplyByWords(t *testing.T) {
	_, h, runs := newTest(t)
	servertest.Ask(t, "POST", h.URL+completionsPath, `{"messages":[{"role":"user","content":"destroy"}]}`)
	status, _, body := servertest.Ask(t, "POST", h.URL+completionsPath, `{"messages":[{"role":"user","content":"destroy"},{"role":"assistant","content":"Hello."},{"role":"user","content":"yes"}]}`)
	if status != 409 || !strings.Contains(body, "reply_unplaced") || runs.ByID["run_1"].Resp.Outcome != chat.OutcomeApproval {
		t.Errorf("%d %s", status, body)
	}
}

// A reply that may be for one of several conversations decides nothing, and is no question of its own; any other
// message is one.
func TestReplyToOneOfSeveral(t *testing.T) {
	for reply, want := range map[string]int{"no": 409, "yes": 409, "how many clients": 200} {
		_, h, runs := newTest(t)
		for range 2 {
			servertest.Ask(t, "POST", h.URL+completionsPath, `{"messages":[{"role":"user","content":"destroy"}]}`)
		}
		status, _, body := servertest.Ask(t, "POST", h.URL+completionsPath, `{"messages":[{"role":"user","content":"destroy"},{"role":"assistant","content":"Cut"},{"role":"user","content":"`+reply+`"}]}`)
		if status != want || want == 409 && (!strings.Contains(body, "reply_unplaced") || len(runs.ByID) != 2) {
			t.Errorf("%s: %d %s", reply, status, body)
		}
	}
}
