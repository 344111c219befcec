package server

import (
	"encoding/json"
	"strings"
	"testing"

	"catena/chat"
	"catena/internal/access"
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
		"approve misspelt":      {completionsPath, first, `{"approve":"always","messages":[{"role":"user","content":"destroy"}]}`, `"code":"bad_`},
	} {
		t.Run(name, func(t *testing.T) {
			_, h, runs := newTest(t)
			path := c.path
			if path == "/v1/responses" && strings.Contains(c.before, "messages") {
				path = completionsPath
			}
			ask(t, "POST", h.URL+path, c.before)
			_, _, body := ask(t, "POST", h.URL+c.path, c.body)
			if !strings.Contains(body, c.want) {
				t.Errorf("want %s: %s", c.want, body)
			}
			if strings.Contains(c.body, `"auto"`) && runs.runs["run_2"].req.Approve != "auto" {
				t.Errorf("asked: %+v", runs.runs["run_2"].req)
			}
		})
	}
}

// TestReplyNeedsRight: who may change nothing decides nothing.
func TestReplyNeedsRight(t *testing.T) {
	runs := &fakeRuns{runs: map[string]*fakeRun{}}
	c := access.Caller{ID: "ann"}
	if _, _, err := startOrDecide(t.Context(), runs, c, chat.Request{Message: "destroy"}); err != nil {
		t.Fatal(err)
	}
	run, after, err := startOrDecide(t.Context(), runs, c, chat.Request{Message: "yes", SessionID: "ses_1"})
	if run != "run_2" || after != 0 || err != nil {
		t.Errorf("%s %d %v", run, after, err)
	}
}

// TestModelParams: what a model could do and nothing here can is refused by its name, over both protocols, and what asks for nothing is not.
func TestModelParams(t *testing.T) {
	for field, values := range map[string]map[string]bool{ // whether the value is refused
		"n":             {"1": false, "null": false, "2": true},
		"stop":          {"null": false, "[]": false, `"\n"`: true, `["a"]`: true},
		"logprobs":      {"false": false, "true": true},
		"top_logprobs":  {"0": false, "3": true},
		"audio":         {"null": false, `{"voice":"x"}`: true},
		"modalities":    {`["text"]`: false, `["text","audio"]`: true},
		"function_call": {`"auto"`: false, `{"name":"f"}`: true},
		"include":       {`["reasoning.encrypted_content"]`: false, `["message.output_text.logprobs"]`: true},
		"tool_choice":   {`"auto"`: false, `"required"`: true},
		"max_tokens":    {"5": false, "5.0": false, "null": false, "0": true, "-1": true, `"5"`: true, "2.5": true}, "max_completion_tokens": {"5": false, "0": true},
		"max_output_tokens": {"5": false, "0": true}, "temperature": {"2": false},
	} {
		for value, refused := range values {
			for path, rest := range map[string]string{completionsPath: `"messages":[{"role":"user","content":"hi"}]`, "/v1/responses": `"input":"hi"`} {
				_, h, _ := newTest(t)
				status, _, body := ask(t, "POST", h.URL+path, `{"`+field+`":`+value+`,`+rest+`}`)
				var answer struct {
					Error struct {
						Param   *string
						Message string
						Code    string
					}
				}
				if err := json.Unmarshal([]byte(body), &answer); err != nil {
					t.Fatal(err)
				}
				named := answer.Error.Param != nil && *answer.Error.Param == field && answer.Error.Code == "unsupported_parameter"
				if want := map[bool]int{true: 400, false: 200}[refused]; status != want || named != refused {
					t.Errorf("%s %s=%s: %d %s", path, field, value, status, body)
				}
			}
		}
	}
}
