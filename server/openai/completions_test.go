package openai

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/chat"
	"catena/server/servertest"
)

const completionsPath = "/v1/chat/completions"

// chunks reads the data lines of a stream of OpenAI's; the last is "[DONE]".
func chunks(t *testing.T, body string) []map[string]any {
	t.Helper()
	var list []map[string]any
	lines := strings.Split(strings.TrimSpace(body), "\n")
	for _, line := range lines {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var m map[string]any
		if err := json.Unmarshal([]byte(data), &m); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		list = append(list, m)
	}
	if len(lines) == 0 || lines[len(lines)-1] != "data: [DONE]" {
		t.Errorf("the stream does not end with [DONE]:\n%s", body)
	}
	return list
}

// TestChunkOrder holds the stream to the order that clients rely on: the role, then texts, then the reason, then the usage.
func TestChunkOrder(t *testing.T) {
	for _, usage := range []bool{false, true} {
		_, h, _ := newTest(t)
		_, _, body := servertest.Ask(t, "POST", h.URL+completionsPath, fmt.Sprintf(`{"stream":true,"stream_options":{"include_usage":%v},"messages":[{"role":"user","content":"hello"}]}`, usage))
		var got []string
		for _, c := range chunks(t, body) {
			if c["object"] != "chat.completion.chunk" || c["model"] != modelName || c["id"] != "chatcmpl-run_1" {
				t.Errorf("%v", c)
			}
			_, told := c["usage"]
			if told != usage {
				t.Errorf("usage asked for: %v; %v", usage, c)
			}
			choices, _ := c["choices"].([]any)
			if len(choices) == 0 {
				got = append(got, fmt.Sprint("usage ", c["usage"] != nil))
				continue
			}
			choice, _ := choices[0].(map[string]any)
			got = append(got, fmt.Sprintf("%v %v", choice["delta"], choice["finish_reason"]))
		}
		want := []string{"map[content: role:assistant] <nil>", "map[content:You said: hello] <nil>", "map[] stop"}
		if usage {
			want = append(want, "usage true")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("chunks (-want +got):\n%s", diff)
		}
	}
}

// TestSteps shows steps in each of the ways, streamed and not, and never as tool calls.
func TestSteps(t *testing.T) {
	for steps, want := range map[string][2]string{
		StepsReasoning: {"count · 5 rows · 1.5 ms", "You said: hello"},
		StepsDetails:   {"", "<details>\n<summary>1 step</summary>\n\n- count · 5 rows · 1.5 ms\n\n</details>\n\nYou said: hello"},
		StepsOff:       {"", "You said: hello"},
	} {
		t.Run(steps, func(t *testing.T) {
			_, h, runs := newTest(t, func(o *testOptions) { o.Steps = steps })
			runs.Steps = true
			_, _, body := servertest.Ask(t, "POST", h.URL+completionsPath, `{"messages":[{"role":"user","content":"hello"}]}`)
			var whole struct {
				Choices []struct {
					Message struct {
						Content   string
						Reasoning string `json:"reasoning_content"`
						ToolCalls any    `json:"tool_calls"`
					}
				}
			}
			if err := json.Unmarshal([]byte(body), &whole); err != nil {
				t.Fatal(err, body)
			}
			m := whole.Choices[0].Message
			if diff := cmp.Diff(want, [2]string{m.Reasoning, m.Content}); diff != "" || m.ToolCalls != nil {
				t.Errorf("whole (-want +got):\n%s", diff)
			}
			_, _, body = servertest.Ask(t, "POST", h.URL+completionsPath, `{"stream":true,"messages":[{"role":"user","content":"hello"}]}`)
			var got [2]string
			for _, c := range chunks(t, body) {
				choice, _ := c["choices"].([]any)[0].(map[string]any)
				delta, _ := choice["delta"].(map[string]any)
				for i, key := range []string{"reasoning_content", "content"} {
					text, _ := delta[key].(string)
					got[i] += text
				}
			}
			got[0] = strings.TrimSpace(got[0])
			if diff := cmp.Diff(want, got); diff != "" || strings.Contains(body, "tool_calls") {
				t.Errorf("streamed (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOpenAIRequests are what clients send beside the plain case.
func TestOpenAIRequests(t *testing.T) {
	csv := base64.StdEncoding.EncodeToString([]byte("a,b\n1,2\n"))
	for name, c := range map[string]struct {
		body   string
		status int
		has    string
		check  func(chat.Request) bool
	}{
		"fields of no meaning here": {`{"model":"m","temperature":2,"n":1,"logit_bias":{},"seed":1,"made_up":[],"messages":[{"role":"developer","content":"be kind"},{"role":"user","name":"x","content":"hi"}]}`, 200, "You said: hi", nil},
		"tools of the client":       {`{"tools":[{"type":"function","function":{"name":"f","parameters":{}}}],"tool_choice":"auto","messages":[{"role":"user","content":"hi"}]}`, 200, `"finish_reason":"stop"`, nil},
		"a tool demanded":           {`{"tool_choice":"required","messages":[{"role":"user","content":"hi"}]}`, 400, `"param":"tool_choice"`, nil},
		"one tool demanded":         {`{"tool_choice":{"type":"function","function":{"name":"f"}},"messages":[{"role":"user","content":"hi"}]}`, 400, `"code":"unsupported_parameter"`, nil},
		"a schema":                  {`{"response_format":{"type":"json_schema","json_schema":{}},"messages":[{"role":"user","content":"hi"}]}`, 400, `"param":"response_format"`, nil},
		"JSON":                      {`{"response_format":{"type":"json_object"},"messages":[{"role":"user","content":"hi"}]}`, 200, "You said", func(r chat.Request) bool { return r.OutputFormat == "json" }},
		"no message of the user":    {`{"messages":[{"role":"system","content":"hi"}]}`, 400, `"code":"no_message"`, nil},
		"no messages":               {`{}`, 400, `"type":"invalid_request_error"`, nil},
		"parts":                     {`{"messages":[{"role":"user","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}]}`, 200, `You said: one\ntwo`, nil},
		"a picture":                 {`{"messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"image_url","image_url":{"url":"data:"}}]}]}`, 400, `"code":"unsupported_content"`, nil},
		"an old picture":            {`{"messages":[{"role":"user","content":[{"type":"image_url"}]},{"role":"assistant","content":null},{"role":"user","content":"hi"}]}`, 200, "You said: hi", nil},
		"a file": {`{"messages":[{"role":"user","content":[{"type":"file","file":{"filename":"t.csv","file_data":"data:text/csv;base64,` + csv + `"}},{"type":"text","text":"sum b"}]}]}`, 200, "You said: sum b",
			func(r chat.Request) bool {
				return len(r.Attachments) == 1 && r.Attachments[0].Name == "t.csv" && r.Attachments[0].MediaType == "text/csv" && string(r.Attachments[0].Data) == "a,b\n1,2\n"
			}},
		"a file that is elsewhere": {`{"messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"file-1"}},{"type":"text","text":"x"}]}]}`, 400, `"code":"unsupported_content"`, nil},
		"documents around the words": {`{"messages":[{"role":"user","content":"### Task:\nRespond to the user query using the provided context.\n<context>\nlong\n</context>\n\nhow many rows?"}]}`, 200, "You said: how many rows?",
			func(r chat.Request) bool { return r.Message == "how many rows?" }},
		"words that begin like a task": {`{"messages":[{"role":"user","content":"### Task: total by title"}]}`, 200, "You said: ### Task: total by title", nil},
		"an answer that failed":        {`{"messages":[{"role":"user","content":"fail"}]}`, 500, `"type":"server_error"`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, h, runs := newTest(t)
			status, header, body := servertest.Ask(t, "POST", h.URL+completionsPath, c.body)
			if status != c.status || !strings.Contains(body, c.has) {
				t.Errorf("%d, want %d with %s: %s", status, c.status, c.has, body)
			}
			if c.check != nil && (runs.ByID["run_1"] == nil || !c.check(runs.ByID["run_1"].Req)) {
				t.Errorf("what was asked: %+v", runs.ByID["run_1"])
			}
			if status == 500 && header.Get("X-Should-Retry") != "false" {
				t.Error("an SDK would run it again")
			}
		})
	}
}

// TestStreamFails: a stream that has begun says its error in the stream, and has no end of an answer.
func TestStreamFails(t *testing.T) {
	_, h, _ := newTest(t)
	status, _, body := servertest.Ask(t, "POST", h.URL+completionsPath, `{"stream":true,"messages":[{"role":"user","content":"fail"}]}`)
	if status != 200 || !strings.Contains(body, `"code":"planner_down"`) || strings.Contains(body, "[DONE]") || strings.Contains(body, `"stop"`) {
		t.Errorf("%d %s", status, body)
	}
}

// TestBackgroundTasks: what chat programs ask on their own account starts no run.
func TestBackgroundTasks(t *testing.T) {
	const head, history = "### Task:\n", "\n### Output:\nJSON format: { %s }\n### Chat History:\n<chat_history>\nUSER: what did the USA clients buy last year?\nASSISTANT: Much.\n</chat_history>"
	for name, c := range map[string][2]string{
		"title":           {head + "Generate a concise, 3-5 word title with an emoji summarizing the chat history." + fmt.Sprintf(history, `"title": "your title"`), `{"title":"What did the USA clients buy"}`},
		"title as text":   {head + "Generate a concise title summarizing the chat history." + fmt.Sprintf(history, "a title"), "What did the USA clients buy"},
		"tags":            {head + "Generate 1-3 broad tags categorizing the main themes of the chat history" + fmt.Sprintf(history, `"tags": ["a"]`), `{"tags":["General"]}`},
		"follow-ups":      {head + "Suggest 3-5 relevant follow-up questions or prompts" + fmt.Sprintf(history, `"follow_ups": ["a"]`), `{"follow_ups":[]}`},
		"queries":         {head + "Analyze the chat history to determine the necessity of generating search queries" + fmt.Sprintf(history, `"queries": ["a"]`), `{"queries":[]}`},
		"completion":      {head + "You are an autocompletion system. Continue the text in `<text>`" + fmt.Sprintf(history, `"text": "a"`), `{"text":""}`},
		"emoji":           {"Your task is to reflect the speaker's likely facial expression through a fitting emoji. Interpret emotions from the message.\n\nMessage: ```that is great```", "💬"},
		"LibreChat":       {"Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title itself.\n\nConversation:\nUser: total by region\nAI: Here.", "Total by region"},
		"no words":        {"Provide a concise, 5-word-or-less title for the conversation.\n\nConversation:\nUser: ...?\nAI: Here.", "Chat"},
		"LibreChat again": {"Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title in the detected language (5 words or less)\n\nUser: total by region", "Total by region"},
	} {
		t.Run(name, func(t *testing.T) {
			_, h, runs := newTest(t)
			message, err := json.Marshal(c[0])
			if err != nil {
				t.Fatal(err)
			}
			status, _, body := servertest.Ask(t, "POST", h.URL+completionsPath, `{"messages":[{"role":"user","content":`+string(message)+`}]}`)
			var whole struct {
				Choices []struct{ Message struct{ Content string } }
			}
			if err := json.Unmarshal([]byte(body), &whole); err != nil || status != 200 || whole.Choices[0].Message.Content != c[1] {
				t.Errorf("%d %v %s", status, err, body)
			}
			_, _, body = servertest.Ask(t, "POST", h.URL+completionsPath, `{"stream":true,"messages":[{"role":"user","content":`+string(message)+`}]}`)
			if list := chunks(t, body); len(list) != 3 {
				t.Errorf("%d chunks: %s", len(list), body)
			}
			if len(runs.ByID) != 0 {
				t.Error("a run was started")
			}
		})
	}
}

// memory is a Cache.
type memory map[string][]byte

func (m memory) Get(_ context.Context, key string) ([]byte, bool, error) {
	v, ok := m[key]
	return v, ok, nil
}

func (m memory) Put(_ context.Context, key string, value []byte, _ time.Duration) error {
	m[key] = value
	return nil
}

// TestConversationCutAtItsFront: a client that sends the end of a long conversation goes on in its session, when two
// whole exchanges tell which that is; another owner, or one exchange, finds nothing.
func TestConversationCutAtItsFront(t *testing.T) {
	turn := func(words ...string) string {
		var list []string
		for i, w := range words {
			list = append(list, fmt.Sprintf(`{"role":"user","content":%q}`, w))
			if i < len(words)-1 {
				list = append(list, fmt.Sprintf(`{"role":"assistant","content":%q}`, "You said: "+w))
			}
		}
		return `{"messages":[` + strings.Join(list, ",") + `]}`
	}
	_, h, runs := newTest(t)
	for _, whole := range [][]string{{"a"}, {"a", "b"}, {"a", "b", "c"}, {"a", "b", "c", "d"}} {
		servertest.Ask(t, "POST", h.URL+completionsPath, turn(whole...))
	}
	for i, c := range []struct {
		name, body, session, branch string
	}{
		{"cut", turn("c", "d", "e"), "ses_1", "run_4"},
		{"cut again", turn("d", "e", "f"), "ses_1", "run_5"},
		{"a system prompt above", strings.Replace(turn("d", "e", "g"), "[", `[{"role":"system","content":"Be brief."},`, 1), "ses_1", "run_5"},
		{"one exchange", turn("f", "h"), "", ""},
		{"another end", strings.Replace(turn("d", "e", "i"), "You said: e", "No.", 1), "", ""},
	} {
		status, _, body := servertest.Ask(t, "POST", h.URL+completionsPath, c.body)
		got := runs.ByID[fmt.Sprintf("run_%d", 5+i)].Req
		if c.session == "" {
			if status != 200 || got.AfterRun != "" || !got.ContextUnknown {
				t.Errorf("%s: %d %+v %s", c.name, status, got, body)
			}
			continue
		}
		if status != 200 || got.SessionID != c.session || got.AfterRun != c.branch || got.ContextUnknown {
			t.Errorf("%s: %d, session %s after %q, unknown %v: %s", c.name, status, got.SessionID, got.AfterRun, got.ContextUnknown, body)
		}
	}
	// Two sessions with the same end: nobody knows which is meant.
	for _, whole := range [][]string{{"x"}, {"x", "b"}, {"x", "b", "c"}, {"x", "b", "c", "d"}} {
		servertest.Ask(t, "POST", h.URL+completionsPath, turn(whole...))
	}
	servertest.Ask(t, "POST", h.URL+completionsPath, turn("c", "d", "j"))
	if got := runs.ByID["run_14"].Req; got.AfterRun != "" || !got.ContextUnknown {
		t.Errorf("the end of two: %+v", got)
	}
}

// TestConversationPlace: a conversation goes on where it stands, by what was said, or by the client's name for it; also in another process.
func TestConversationPlace(t *testing.T) {
	cache := memory{}
	shared := func(o *testOptions) { o.Cache = cache }
	_, one, first := newTest(t, shared)
	servertest.Ask(t, "POST", one.URL+completionsPath, `{"messages":[{"role":"user","content":"one"}]}`, "X-OpenWebUI-Chat-Id", "chat-7")
	servertest.Ask(t, "POST", one.URL+completionsPath, `{"messages":[{"role":"user","content":"other"}],"metadata":{"thread_id":"t-1"}}`)
	if len(first.ByID) != 2 {
		t.Fatal(first.ByID)
	}
	_, two, runs := newTest(t, shared)
	runs.N = 10
	for i, c := range []struct {
		name, body      string
		header          []string
		session, branch string
	}{
		{"what was said", `{"messages":[{"role":"user","content":"one"},{"role":"assistant","content":"<details>x</details>You  said: one"},{"role":"user","content":"two"}]}`, nil, "chat-7", "run_1"},
		{"by name", `{"messages":[{"role":"user","content":"more"}],"metadata":{"thread_id":"t-1"}}`, nil, "t-1", ""},
		{"by header", `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`, []string{"X-OpenWebUI-Chat-Id", "chat-7"}, "chat-7", ""},
		{"the first asked again", `{"messages":[{"role":"user","content":"one"}]}`, []string{"X-OpenWebUI-Chat-Id", "chat-7"}, "chat-7", chat.AtStart},
		{"a session", `{"messages":[{"role":"user","content":"one"}],"metadata":{"session_id":"ses_9"}}`, nil, "ses_9", ""},
		{"another name", `{"messages":[{"role":"user","content":"one"}],"metadata":{"thread_id":"t-2"}}`, nil, "t-2", ""},
		{"none", `{"messages":[{"role":"user","content":"one"}]}`, nil, "ses_17", ""},
		{"rewritten", `{"messages":[{"role":"user","content":"other"},{"role":"assistant","content":"cut …"},{"role":"user","content":"two"}]}`, nil, "t-1", "run_2"},
		{"in two sessions", `{"messages":[{"role":"user","content":"one"},{"role":"assistant","content":"cut …"},{"role":"user","content":"two"}]}`, nil, "ses_19", ""},
		{"never said", `{"messages":[{"role":"user","content":"nine"},{"role":"assistant","content":"Yes."},{"role":"user","content":"two"}]}`, nil, "ses_20", ""},
	} {
		if status, _, body := servertest.Ask(t, "POST", two.URL+completionsPath, c.body, c.header...); status != 200 {
			t.Errorf("%s: %d %s", c.name, status, body)
			continue
		}
		got := runs.ByID[fmt.Sprintf("run_%d", 11+i)].Req
		if got.SessionID != c.session || got.AfterRun != c.branch {
			t.Errorf("%s: session %s after %q", c.name, got.SessionID, got.AfterRun)
		}
		if want := c.name == "in two sessions" || c.name == "never said"; got.ContextUnknown != want {
			t.Errorf("%s: an unknown context is told: %v", c.name, !want)
		}
	}
	// What is found and gone is no reason to refuse.
	runs.Gone = "chat-7"
	if status, _, body := servertest.Ask(t, "POST", two.URL+completionsPath, `{"messages":[{"role":"user","content":"one"},{"role":"assistant","content":"You said: one"},{"role":"user","content":"two"}]}`); status != 200 {
		t.Errorf("a deleted session: %d %s", status, body)
	}
	runs.Gone = "ses_1"
	if status, _, body := servertest.Ask(t, "POST", two.URL+completionsPath, `{"messages":[{"role":"user","content":"one"}]}`, "X-Session-Id", "ses_1"); status != 404 {
		t.Errorf("a deleted session by its id: %d %s", status, body)
	}
}
