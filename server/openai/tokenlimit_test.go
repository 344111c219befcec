package openai

import (
	"strings"
	"testing"

	"catena/server/servertest"
)

// TestWithinTokens: a text is cut between lines or words, never in a figure, and only where it is longer than asked.
func TestWithinTokens(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
		cut  bool
	}{
		{"Revenue is 1,204.50 in all.", 0, "Revenue is 1,204.50 in all.", false},
		{"Revenue is 1,204.50 in all.", 100, "Revenue is 1,204.50 in all.", false},
		{"Revenue is 1,204.50 in all.", 5, "Revenue is", true},
		{"| a |\n|---|\n| 12345 |", 12, "| a |\n|---|", true},
		{"12345", 1, "", true},
		{`{"a":12345678}`, 4, `{"a"`, true},
		{`{"a":12345678}`, 6, `{"a":`, true},
		{"**Revenue** by region", 3, "**Reve", true},
		{"Internationalisation of 3 clients", 3, "Internationa", true},
		{"日本語日本", 2, "日本", true},
		{"-1,204.50 in all", 3, "", true},
		{"日本語 日本", 4, "日本語", true},
		{"", 1, "", false},
	} {
		if got, cut := withinTokens(c.text, c.most); got != c.want || cut != c.cut {
			t.Errorf("%q, %d: %q %v", c.text, c.most, got, cut)
		}
	}
}

// TestTokenLimit: an answer that is longer than asked is cut, and both protocols say so, streamed, whole and read again.
func TestTokenLimit(t *testing.T) {
	const message = "tell me all about it"
	long := strings.Repeat(message+" ", 20)
	for _, streamed := range []string{"false", "true"} {
		for _, field := range []string{"max_tokens", "max_completion_tokens"} {
			_, h, _ := newTest(t)
			for limit, reason := range map[string]string{"12": `"finish_reason":"length"`, "5000": `"finish_reason":"stop"`} {
				_, _, body := servertest.Ask(t, "POST", h.URL+completionsPath, `{"stream":`+streamed+`,"`+field+`":`+limit+`,"messages":[{"role":"user","content":"`+long+`"}]}`)
				if !strings.Contains(body, reason) || strings.Contains(body, long) != (limit == "5000") || !strings.Contains(body, "You said: tell me") {
					t.Errorf("%s %s, streamed %s: %s", field, limit, streamed, body)
				}
			}
		}
		_, h, _ := newTest(t)
		_, header, body := servertest.Ask(t, "POST", h.URL+"/v1/responses", `{"stream":`+streamed+`,"max_output_tokens":12,"input":"`+long+`"}`)
		ended := `"status":"incomplete"`
		if streamed == "true" {
			ended = "event: response.incomplete\n"
		}
		if !strings.Contains(body, ended) || !strings.Contains(body, `"incomplete_details":{"reason":"max_output_tokens"}`) || strings.Contains(body, long) {
			t.Errorf("response, streamed %s: %s", streamed, body)
		}
		run := header.Get("X-Run-Id")
		if _, _, body = servertest.Ask(t, "GET", h.URL+"/v1/responses/"+responseID(run), ""); !strings.Contains(body, `"status":"incomplete"`) || !strings.Contains(body, `"max_output_tokens":12`) {
			t.Errorf("read again: %s", body)
		}
	}
}
