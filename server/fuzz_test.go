package server

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// Whatever a client of OpenAI's protocols or AG-UI sends, what is read of it is text that was sent, and files are whole or refused.
func FuzzConversation(f *testing.F) {
	for _, s := range []string{
		`{"messages":[{"role":"user","content":"hi"}]}`, `{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"file","file":{"filename":"t.csv","file_data":"data:text/csv;base64,YQ=="}}]}]}`,
		`{"input":"hi"}`, `{"input":[{"role":"user","content":[{"type":"input_text","text":"a"}]},{"type":"reasoning"}],"conversation":{"id":"x"}}`,
		`{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"x"}],"resume":[{"interruptId":"s1","status":"resolved","payload":{"approved":true}}]}`,
		`{"messages":[{"role":"user","content":null}]}`, `{"messages":[{"role":"user","content":7}]}`, `{"tool_choice":{"type":"function"},"metadata":{"thread_id":1}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if checkJSON("The body", b, ofRequest) != nil {
			return
		}
		var completion completionRequest
		var response responseRequest
		var run runAgentInput
		messages := [][]openAIMessage{nil, nil, nil}
		if decodeBytes(b, &completion, true) == nil {
			messages[0] = completion.Messages
			_ = completion.check(true)
		}
		if decodeBytes(b, &response, true) == nil {
			messages[1] = response.Input
			_, _ = response.check(true), response.named()
		}
		if decodeBytes(b, &run, true) == nil {
			for _, m := range run.Messages {
				messages[2] = append(messages[2], m.openAIMessage)
			}
			lastRun(run.Messages)
			for _, r := range run.Resume {
				r.decision()
			}
		}
		for _, list := range messages {
			last := newest(list)
			if last < 0 {
				continue
			}
			text := list[last].Content.text
			if own := ownWords(text); !strings.Contains(text, own) {
				t.Errorf("%q was made of %q", own, text)
			}
			if files, err := list[last].Content.files(); err == nil {
				for _, file := range files {
					if file.Name == "" {
						t.Error("a file without a name")
					}
				}
			}
			if task := backgroundTaskOf("", text, answerFormat{}); task != nil && (len(task.kinds) == 0 || titleOf(text) == "") {
				t.Errorf("nothing is asked, or no title is made, of %q", text)
			}
			historyKey("ann", list)
		}
	})
}

// No Host but a loopback one passes, however it is written.
func FuzzKnownHost(f *testing.F) {
	for _, s := range []string{"localhost", "127.0.0.1:80", "[::1]:1", "evil.example", "127.0.0.1.evil.example", "localhost.", "[::1", "::1", "0x7f.1", "2130706433", "localhost:80:80"} {
		f.Add(s)
	}
	s := &Server{}
	s.Admit(Admission{})
	f.Fuzz(func(t *testing.T, host string) {
		if !s.knownHost(host) {
			return
		}
		u, err := url.Parse("http://" + host + "/")
		if err != nil {
			return // no browser can be led to it
		}
		name := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
		if addr, err := netip.ParseAddr(name); name != "localhost" && (err != nil || !addr.Unmap().IsLoopback()) {
			t.Errorf("%q passed, and is the host %q", host, name)
		}
	})
}

// The pipe gives each line that is fit to be read as it came, and answers each other one with one error; empty lines are nothing.
func FuzzPipe(f *testing.F) {
	for _, s := range []string{"{}\n{\"id\":1}", "", "{\"jsonrpc\":\"2.0\",\"id\":1}\n{\"jsonrpc\":\"2.0\",\"id\":null}", "A\n\n[1]", "{\"id\":1,\"id\":2}\n7\n", "\xff\r\n \t\n[["} {
		f.Add(s, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		var want strings.Builder
		refused := 0
		for line := range strings.SplitSeq(text, "\n") {
			switch line += "\n"; {
			case headOf([]byte(line)).Method != "":
				return // would wait for answers
			case strings.TrimSpace(line) == "":
			case checkLine([]byte(line)) != nil:
				refused++
			default:
				want.WriteString(line)
			}
		}
		var got, answers bytes.Buffer
		// A reader of few bytes at a time: hiding WriteTo and ReadFrom makes the buffer of this size be used.
		from := struct{ io.Reader }{newPipe(t.Context(), strings.NewReader(text), &answers)}
		if _, err := io.CopyBuffer(struct{ io.Writer }{&got}, from, make([]byte, int(size)+1)); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("%q became %q", text, got.String())
		}
		for answer := range strings.Lines(answers.String()) {
			refused--
			if !json.Valid([]byte(answer)) || !strings.Contains(answer, `"error"`) {
				t.Errorf("%q was answered by %q", text, answer)
			}
		}
		if refused != 0 {
			t.Errorf("%q had %d answers too few", text, refused)
		}
	})
}

// The table of routes has one line per method and path, each with a summary, and paths below / only.
func TestRouteTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Routes() {
		key := r.Method + " " + r.Path
		if seen[key] {
			t.Errorf("%s stands twice", key)
		}
		seen[key] = true
		if r.Summary == "" || r.Tag == "" || !strings.HasPrefix(r.Path, "/") || r.handle == nil {
			t.Errorf("%s lacks something: %+v", key, r)
		}
	}
	for _, want := range []string{"POST /api/v1/chat", "POST /api/v1/plan", "POST /mcp", "POST /stream", "POST /execute", "GET /mcp", "GET /sse", "GET /health", "GET /", "POST /v1/chat/completions", "GET /v1/models", "GET /metrics"} {
		if !seen[want] {
			t.Errorf("%s is missing", want)
		}
	}
}

func TestProblemTitles(t *testing.T) {
	if p := newProblem(http.StatusConflict, "x", "y", ""); p.Title != "Conflict" || p.Error() != "y" {
		t.Errorf("%+v", p)
	}
}
