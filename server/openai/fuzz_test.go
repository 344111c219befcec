package openai

import (
	"encoding/json"
	"testing"

	"catena/server"
)

// Whatever a client of OpenAI's protocols sends, it is read or refused, and what a chat program asks on its own account has a task and a title.
func FuzzRequests(f *testing.F) {
	for _, s := range []string{
		`{"messages":[{"role":"user","content":"hi"}]}`, `{"input":"hi"}`, `{"input":[{"role":"user","content":[{"type":"input_text","text":"a"}]},{"type":"reasoning"}],"conversation":{"id":"x"}}`,
		`{"messages":[{"role":"user","content":null}]}`, `{"tool_choice":{"type":"function"},"metadata":{"thread_id":1}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var completion completionRequest
		var response responseRequest
		lists := [][]server.Message{nil, nil}
		if json.Unmarshal(b, &completion) == nil {
			lists[0] = completion.Messages
			_ = completion.check(true)
		}
		if json.Unmarshal(b, &response) == nil {
			lists[1] = response.Input
			_, _ = response.check(true), response.named()
		}
		for _, list := range lists {
			last := server.Newest(list)
			if last < 0 {
				continue
			}
			text := list[last].Content.Text
			if task := backgroundTaskOf("", text, answerFormat{}); task != nil && (len(task.kinds) == 0 || titleOf(text) == "") {
				t.Errorf("nothing is asked, or no title is made, of %q", text)
			}
		}
	})
}
