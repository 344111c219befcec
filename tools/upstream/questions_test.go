package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/tools"
)

// Questions go to the asker of the call, in either era, and what the answer leaves out is filled in from the question's defaults. Where
// nobody can be asked nothing is accepted.
func TestQuestions(t *testing.T) {
	const question = `{"message":"sure?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","default":"Ann"},"n":{"type":"integer"}}}}`
	for _, modern := range []bool{true, false} {
		t.Run(fmt.Sprint(modern), func(t *testing.T) {
			w := newWeb(t, modern)
			answers := make(chan request, 4)
			w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
				switch {
				case m.Method == "" && len(m.ID) > 0:
					answers <- m
				case m.Method == "tools/call" && !modern:
					write := stream(rw)
					write(`data: {"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":` + question + `}`)
					a := <-answers
					write(fmt.Sprintf(`data: {"jsonrpc":"2.0","id":%s,"result":{"content":[],"structuredContent":{"got":%s}}}`, m.ID, asJSON(a.Result)))
					return true
				case m.Method == "tools/call" && m.Params["inputResponses"] == nil:
					reply(rw, m, `{"resultType":"input_required","requestState":"a \"state\"","inputRequests":{"q":{"method":"elicitation/create","params":`+question+`}}}`)
					return true
				case m.Method == "tools/call":
					all, _ := m.Params["inputResponses"].(map[string]any)
					if m.Params["requestState"] != `a "state"` {
						http.Error(rw, "another state", http.StatusBadRequest)
						return true
					}
					reply(rw, m, fmt.Sprintf(`{"content":[],"structuredContent":{"got":%s}}`, asJSON(all["q"])))
					return true
				}
				return false
			}
			reg, _ := attach(t, Options{}, Config{URL: w.URL})
			call := tools.Call{Caller: access.Local("test"), Tool: "web__do", Args: map[string]any{"n": json.Number("1")}, Client: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{}}}
			res, err := reg.Call(t.Context(), call)
			if err != nil || res.Needs == nil {
				t.Fatalf("%+v, %v", res, err)
			}
			call.State, call.Answers = res.Needs.State, mcp.InputResponses{}
			for id, q := range res.Needs.Requests {
				if q.Elicitation == nil || q.Elicitation.Message != "The server web asks: sure?" {
					t.Errorf("question %+v", q)
				}
				call.Answers[id] = mcp.InputResponse{Elicitation: &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: "accept", Content: map[string]any{"n": 2}}}}
			}
			res, err = reg.Call(t.Context(), call)
			if got := asJSON(res.Structured); err != nil || got != `{"got":{"action":"accept","content":{"n":2,"name":"Ann"}}}` {
				t.Errorf("%s, %+v, %v", got, res, err)
			}
			if res, err = reg.Call(t.Context(), call); !modern && (err != nil || !strings.Contains(res.Text, "no longer open")) {
				t.Errorf("a second answer: %+v, %v", res, err)
			}
			call.Client, call.State, call.Answers = nil, "", nil
			res, err = reg.Call(t.Context(), call)
			if got := asJSON(res.Structured); err != nil || modern && res.Code != tools.CodeInputRequired || !modern && got != `{"got":{"action":"cancel"}}` {
				t.Errorf("%s, %+v, %v", got, res, err)
			}
			if modern {
				if got := w.could("tools/call"); !slices.Equal(got, []string{`{"elicitation":{}}`, `{"elicitation":{}}`, `{"elicitation":{}}`, `{}`}) {
					t.Errorf("the calls said that their client can do %v", got)
				}
			}
		})
	}
}

// Of several questions the model answers its own, and the asker of the call the rest.
func TestQuestionsOfBothKinds(t *testing.T) {
	w := newWeb(t, true)
	w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
		switch all, _ := m.Params["inputResponses"].(map[string]any); {
		case m.Method != "tools/call":
			return false
		case all == nil:
			reply(rw, m, `{"resultType":"input_required","inputRequests":{"p":{"method":"elicitation/create","params":{"message":"sure?","requestedSchema":{"type":"object","properties":{}}}},
				"m":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"1+1?"}}],"maxTokens":5}}}}`)
		default:
			reply(rw, m, fmt.Sprintf(`{"content":[],"structuredContent":{"got":%s}}`, asJSON(all)))
		}
		return true
	}
	model := func() Model {
		return func(context.Context, string, string, int) (string, bool, error) { return "2", false, nil }
	}
	for _, cfg := range []Config{{URL: w.URL}, {URL: w.URL, Sampling: true}} { // what its settings do not allow, and what there is not
		opt := Options{Model: model}
		if cfg.Sampling {
			opt.Model = nil
		}
		reg, _ := attach(t, opt, cfg)
		res := do(t, reg, "web__do", map[string]any{"n": json.Number("1")})
		if res.Code != tools.CodeInputRequired || !strings.Contains(res.Text, "No model may be asked") {
			t.Errorf("%+v", res)
		}
	}
	reg, _ := attach(t, Options{Model: model}, Config{URL: w.URL, Sampling: true})
	call := tools.Call{Caller: access.Local("test"), Tool: "web__do", Args: map[string]any{"n": json.Number("1")}, Client: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{}}}
	res, err := reg.Call(t.Context(), call)
	if err != nil || res.Needs == nil || len(res.Needs.Requests) != 1 {
		t.Fatalf("%+v, %v", res, err)
	}
	call.State, call.Answers = res.Needs.State, mcp.InputResponses{"p": {Elicitation: &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: "decline"}}}}
	res, err = reg.Call(t.Context(), call)
	if got := asJSON(res.Structured); err != nil || got != `{"got":{"m":{"content":{"text":"2","type":"text"},"model":"catena","role":"assistant","stopReason":"endTurn"},"p":{"action":"decline"}}}` {
		t.Errorf("%s, %+v, %v", got, res, err)
	}
}

// In the newer era prompts and resources ask like tools: the person of the asker, and the model where it may be asked. What nobody
// answers is refused with the reason.
func TestQuestionsBeforeReading(t *testing.T) {
	const (
		mine   = `"p":{"method":"elicitation/create","params":{"message":"which?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer","default":7}}}}}`
		models = `"m":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"1+1?"}}],"maxTokens":5}}`
	)
	asks := mine
	w := newWeb(t, true)
	w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
		answers := m.Params["inputResponses"]
		switch {
		case m.Method == "server/discover":
			reply(rw, m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"prompts":{},"resources":{}},"serverInfo":{"name":"new","version":"1"},"ttlMs":0,"cacheScope":"private"}`)
		case m.Method == "prompts/list":
			reply(rw, m, `{"prompts":[{"name":"ask"}]}`)
		case m.Method == "resources/list":
			reply(rw, m, `{"resources":[{"uri":"x://ask","name":"ask"}]}`)
		case m.Method != "prompts/get" && m.Method != "resources/read":
			return false
		case answers == nil:
			reply(rw, m, `{"resultType":"input_required","requestState":"s","inputRequests":{`+asks+`}}`)
		case m.Params["requestState"] != "s":
			http.Error(rw, "another state", http.StatusBadRequest)
		case m.Method == "prompts/get":
			reply(rw, m, fmt.Sprintf(`{"messages":[{"role":"user","content":{"type":"text","text":%q}}]}`, asJSON(answers)))
		default:
			reply(rw, m, fmt.Sprintf(`{"contents":[{"uri":"x://ask","text":%q}]}`, asJSON(answers)))
		}
		return true
	}
	model := func() Model {
		return func(context.Context, string, string, int) (string, bool, error) { return "2", false, nil }
	}
	reg, _ := attach(t, Options{Model: model}, Config{URL: w.URL, Sampling: true})
	me, able := access.Local("test"), &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{}}
	// Each gives the text, or the questions.
	ways := map[string]func(reg *tools.Registry, answers mcp.InputResponses, state string) (string, *tools.Needs, error){
		"prompt": func(reg *tools.Registry, answers mcp.InputResponses, state string) (string, *tools.Needs, error) {
			got, err := reg.GetPrompt(t.Context(), "web__ask", tools.PromptCall{Caller: me, Client: able, Answers: answers, State: state})
			switch {
			case err != nil:
				return "", nil, err
			case got.NeedsInput():
				return "", &tools.Needs{Requests: got.InputRequests, State: got.RequestState}, nil
			}
			return asJSON(got.Messages), nil, nil
		},
		"resource": func(reg *tools.Registry, answers mcp.InputResponses, state string) (string, *tools.Needs, error) {
			got, err := reg.Read(t.Context(), tools.ResourceCall{Caller: me, URI: "mcp://web/x://ask", Client: able, Answers: answers, State: state})
			var needs *tools.NeedsError
			if errors.As(err, &needs) {
				return "", needs.Needs, nil
			}
			return asJSON(got), nil, err
		},
	}
	for name, get := range ways {
		asks = mine + "," + models
		_, needs, err := get(reg, nil, "")
		if err != nil || needs == nil || len(needs.Requests) != 1 {
			t.Fatalf("%s: %+v, %v", name, needs, err)
		}
		if q := needs.Requests["p"].Elicitation; q == nil || q.Message != "The server web asks: which?" {
			t.Errorf("%s: question %+v", name, q)
		}
		answer := mcp.InputResponses{"p": {Elicitation: &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: "accept", Content: map[string]any{}}}}}
		text, _, err := get(reg, answer, needs.State)
		if err != nil || !strings.Contains(text, `\"n\":7`) || !strings.Contains(text, `\"text\":\"2\"`) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
		asks = models
		none, _ := attach(t, Options{}, Config{URL: w.URL})
		var unanswered *tools.UnansweredError
		if _, _, err := get(none, nil, ""); !errors.As(err, &unanswered) || !strings.Contains(err.Error(), "No model may be asked") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func asJSON(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// The model answers only servers that may ask it; what is not declared is refused with the protocol's code.
func TestSampling(t *testing.T) {
	params := json.RawMessage(`{"systemPrompt":"be brief","messages":[{"role":"user","content":{"type":"text","text":"1+1?"}}],"maxTokens":5}`)
	cut := false
	var model Model = func(_ context.Context, system, prompt string, maxTokens int) (string, bool, error) {
		if !strings.Contains(system, "be brief") || !strings.Contains(system, `"web"`) || prompt != "user: 1+1?\n\n" || maxTokens != 5 {
			return "", false, fmt.Errorf("asked %q, %q, for %d", system, prompt, maxTokens)
		}
		return "2", cut, nil
	}
	chosen := model
	allowed := mind{"web", func() Model { return chosen }}
	got, err := allowed.ask(t.Context(), "sampling/createMessage", params)
	if err != nil || asJSON(got) != `{"content":{"text":"2","type":"text"},"model":"catena","role":"assistant","stopReason":"endTurn"}` {
		t.Errorf("%s, %v", asJSON(got), err)
	}
	cut = true
	if got, err = allowed.ask(t.Context(), "sampling/createMessage", params); err != nil || !strings.Contains(asJSON(got), `"stopReason":"maxTokens"`) {
		t.Errorf("cut: %s, %v", asJSON(got), err)
	}
	if allowed.capabilities()["sampling"] == nil || (mind{}).capabilities()["sampling"] != nil {
		t.Error("sampling is declared wrongly")
	}
	for method, want := range map[string]int{"sampling/createMessage": errDeclined, "roots/list": codeMethodNotFound} {
		var refused *protocolError
		if _, err := (mind{server: "web"}).ask(t.Context(), method, params); !errors.As(err, &refused) || refused.code != want {
			t.Errorf("%s: %v", method, err)
		}
	}
	chosen = nil // it is given up while the connection stands, and chosen again
	if _, err := allowed.ask(t.Context(), "sampling/createMessage", params); err == nil || allowed.samples() {
		t.Error("no model answers")
	}
	chosen = model
	if _, err := allowed.ask(t.Context(), "sampling/createMessage", params); err != nil || !allowed.samples() {
		t.Error(err)
	}
	for _, bad := range []string{`{}`, `{"messages":[{"role":"user","content":{"type":"image"}}]}`, `{"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"tools":[{}]}`} {
		if _, err := allowed.ask(t.Context(), "sampling/createMessage", json.RawMessage(bad)); err == nil {
			t.Errorf("%s was answered", bad)
		}
	}
}

// A question that comes during the calls of several callers is put to nobody but whose call it belongs to: one of a call whose asker cannot be
// asked is not another's.
func TestQuestionsOfOthers(t *testing.T) {
	const question = `data: {"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Ann's password?","requestedSchema":{"type":"object","properties":{}}}}`
	for _, other := range []string{"tools/call", "prompts/get"} {
		t.Run(other, func(t *testing.T) {
			w := newWeb(t, false)
			answers, asked, bobs := make(chan request, 4), make(chan struct{}), make(chan struct{})
			w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
				args, _ := m.Params["arguments"].(map[string]any)
				switch {
				case m.Method == "" && len(m.ID) > 0:
					answers <- m
				case m.Method == "initialize":
					reply(rw, m, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"prompts":{}},"serverInfo":{"name":"old","version":"1"}}`)
					return true
				case m.Method == "prompts/list":
					reply(rw, m, `{"prompts":[{"name":"ask"}]}`)
					return true
				case m.Method == "tools/call" && fmt.Sprint(args["n"]) == "1": // Bob's
					close(bobs)
					<-asked
					reply(rw, m, `{"content":[{"type":"text","text":"done"}]}`)
					return true
				case m.Method == other:
					write := stream(rw)
					write(question)
					a := <-answers
					if close(asked); other == "tools/call" {
						write(fmt.Sprintf(`data: {"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%v"}]}}`, m.ID, a.Result["action"]))
					} else {
						write(fmt.Sprintf(`data: {"jsonrpc":"2.0","id":%s,"result":{"messages":[{"role":"user","content":{"type":"text","text":"%v"}}]}}`, m.ID, a.Result["action"]))
					}
					return true
				}
				return false
			}
			reg, _ := attach(t, Options{}, Config{URL: w.URL})
			bob := make(chan tools.Result, 1)
			go func() {
				res, err := reg.Call(t.Context(), tools.Call{Caller: access.Caller{ID: "bob"}, Tool: "web__do", Args: map[string]any{"n": json.Number("1")},
					Client: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{}}})
				if err != nil {
					t.Error(err)
				}
				if res.Needs != nil { // let the server go on
					answers <- request{Result: map[string]any{"action": "accept"}}
				}
				bob <- res
			}()
			<-bobs
			var got string
			if other == "tools/call" {
				res, err := reg.Call(t.Context(), tools.Call{Caller: access.Caller{ID: "ann"}, Tool: "web__do", Args: map[string]any{"n": json.Number("2")}})
				if got = res.Text; err != nil {
					t.Error(err)
				}
			} else {
				res, err := reg.GetPrompt(t.Context(), "web__ask", tools.PromptCall{Caller: access.Caller{ID: "ann"}})
				if err != nil {
					t.Fatal(err)
				}
				got = res.Messages[0].Content.(mcp.TextContent).Text
			}
			if res := <-bob; got != "cancel" || res.Needs != nil {
				t.Errorf("Ann's question was answered %q; Bob's call gave %+v", got, res)
			}
		})
	}
}
