package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"catena/server/servertest"
)

func TestOpenAI(t *testing.T) {
	_, h, _ := newTest(t)
	status, _, body := servertest.Ask(t, "POST", h.URL+"/v1/chat/completions", `{"model":"x","temperature":1,"messages":[{"role":"system","content":"be kind"},{"role":"user","content":[{"type":"text","text":"hello"}]}]}`)
	var resp struct {
		ID, Object string
		Choices    []struct {
			Message struct {
				Role, Content string
				ToolCalls     any `json:"tool_calls"`
			}
			FinishReason string `json:"finish_reason"`
		}
	}
	if err := json.Unmarshal([]byte(body), &resp); err != nil || status != 200 {
		t.Fatalf("%d %v: %s", status, err, body)
	}
	if c := resp.Choices[0]; c.Message.Content != "You said: hello" || c.FinishReason != "stop" || c.Message.ToolCalls != nil {
		t.Errorf("%s", body)
	}
	_, _, body = servertest.Ask(t, "POST", h.URL+"/v1/chat/completions", `{"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hello"}]}`)
	for _, want := range []string{`"delta":{"content":"You said: hello"}`, `"finish_reason":"stop"`, `"usage":{"prompt_tokens":0`, "data: [DONE]\n\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("the stream lacks %s:\n%s", want, body)
		}
	}
	if status, _, body = servertest.Ask(t, "POST", h.URL+"/v1/chat/completions", `{"messages":[{"role":"user","content":"fail"}]}`); status != 500 || !strings.Contains(body, `"code":"planner_down"`) {
		t.Errorf("failure: %d %s", status, body)
	}
	if _, _, body = servertest.Ask(t, "GET", h.URL+"/v1/models", ""); !strings.Contains(body, `"id":"catena"`) {
		t.Errorf("models: %s", body)
	}
}

// A client that sends the whole conversation each time goes on in the session it began.
func TestOpenAIConversation(t *testing.T) {
	_, h, runs := newTest(t)
	servertest.Ask(t, "POST", h.URL+"/v1/chat/completions", `{"messages":[{"role":"user","content":"one"}]}`)
	servertest.Ask(t, "POST", h.URL+"/v1/chat/completions", `{"messages":[{"role":"system","content":"now"},{"role":"user","content":"one"},{"role":"assistant","content":"You said: one\n"},{"role":"user","content":"two"}]}`)
	servertest.Ask(t, "POST", h.URL+"/v1/chat/completions", `{"messages":[{"role":"user","content":"other"},{"role":"assistant","content":"You said: one"},{"role":"user","content":"two"}]}`)
	if got := runs.ByID["run_2"].Req.SessionID; got != "ses_1" {
		t.Errorf("the follow-up went to %s", got)
	}
	if got := runs.ByID["run_3"].Req.SessionID; got != "ses_3" {
		t.Errorf("another conversation went to %s", got)
	}
}
