package agui

import (
	"strings"
	"testing"

	"catena/server/servertest"
)

// TestAGUIHistory: a client that opens a thread, or goes on with one whose messages it does not show, is sent what was said there; one that shows it is
// not, and another's thread is not there.
func TestAGUIHistory(t *testing.T) {
	_, h, _ := newTest(t)
	servertest.Ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"x"}`) // run_1, which the session ses_1 has
	const said = `{"id":"run_1-question","role":"user","content":"x"},{"id":"run_1-answer","role":"assistant","content":"You said: x"}`
	const own = `{"id":"m","role":"user","content":"next","more":1}`
	for _, c := range []struct {
		name, body string
		want, not  string
	}{
		{"goes on", `{"threadId":"ses_1","runId":"r","messages":[` + own + `]}`, `data: {"type":"MESSAGES_SNAPSHOT","messages":[` + said + `,` + own + `]}`, ""},
		{"opens", `{"threadId":"ses_1","runId":"r","messages":[]}`, `data: {"type":"MESSAGES_SNAPSHOT","messages":[` + said + `]}`, "run_2"},
		{"shows it", `{"threadId":"ses_1","runId":"r","messages":[{"id":"run_1-answer","role":"assistant","content":"You said: x"},` + own + `]}`, `RUN_FINISHED`, "MESSAGES_SNAPSHOT"},
		{"begins", `{"threadId":"mine","runId":"r","messages":[` + own + `]}`, `RUN_FINISHED`, "MESSAGES_SNAPSHOT"},
		{"opens what is not there", `{"threadId":"ses_2","runId":"r","messages":[]}`, `"code":"session_not_found"`, "RUN_STARTED"},
		{"opens nothing", `{"threadId":"mine too","runId":"r"}`, `"code":"no_message"`, "RUN_STARTED"},
	} {
		_, _, body := servertest.Ask(t, "POST", h.URL+"/agui", c.body)
		if !strings.Contains(body, c.want) || c.not != "" && strings.Contains(body, c.not) {
			t.Errorf("%s:\n%s", c.name, body)
		}
		if at := strings.Index(body, "MESSAGES_SNAPSHOT"); at >= 0 && (at < strings.Index(body, "RUN_STARTED") || strings.Contains(body[:at], "TEXT_MESSAGE")) {
			t.Errorf("%s: the snapshot does not follow RUN_STARTED:\n%s", c.name, body)
		}
	}
}
