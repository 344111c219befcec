package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/server/servertest"
	"catena/tools"
)

// question asks for one text.
func question(message string) mcp.InputRequest {
	return mcp.NewElicitationInputRequest(mcp.ElicitationParams{Message: message,
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"text": map[string]any{"type": "string"}}}})
}

// addAsking registers a tool that asks twice, with what it was told in its state, and a prompt that asks once.
func addAsking(t *testing.T, s *testServer) {
	t.Helper()
	reg, _ := s.opt.Tools.(*tools.Registry)
	said := func(answers mcp.InputResponses, id string) string {
		if got := tools.Elicited(answers, id); got != nil {
			fields, _ := got.Content.(map[string]any)
			return fmt.Sprint(got.Action, " ", fields["text"])
		}
		return ""
	}
	asks := tools.Tool{Def: raw("asks"), Toolset: "demo", Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
		first, second := said(call.Answers, "first"), said(call.Answers, "second")
		switch {
		case second != "":
			return tools.Result{Text: call.State + ", " + second}, nil
		case first != "":
			return tools.Result{Needs: &tools.Needs{Requests: mcp.InputRequests{"second": question("And?")}, State: first}}, nil
		}
		return tools.Result{Needs: &tools.Needs{Requests: mcp.InputRequests{"first": question("What?")}, State: "nothing"}}, nil
	}}
	endless := tools.Tool{Def: raw("endless"), Toolset: "demo", Handler: func(context.Context, tools.Call) (tools.Result, error) {
		return tools.Result{Needs: &tools.Needs{Requests: mcp.InputRequests{"more": question("More?")}}}, nil
	}}
	prompt := tools.Prompt{Toolset: "demo", Def: mcp.NewPrompt("asking"), Get: func(_ context.Context, call tools.PromptCall) (*mcp.GetPromptResult, error) {
		if text := said(call.Answers, "about"); text != "" {
			return mcp.NewGetPromptResult("", []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))}), nil
		}
		out := &mcp.GetPromptResult{Result: mcp.Result{ResultType: mcp.ResultTypeInputRequired}}
		out.InputRequests = mcp.InputRequests{"about": question("About what?")}
		return out, nil
	}}
	def := mcp.NewResource("demo://asking", "asking")
	resource := tools.Resource{Toolset: "demo", Def: &def, Read: func(_ context.Context, call tools.ResourceCall) ([]mcp.ResourceContents, error) {
		if text := said(call.Answers, "which"); text != "" {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: call.URI, Text: call.State + ": " + text}}, nil
		}
		return nil, &tools.NeedsError{Name: "asking", Needs: &tools.Needs{Requests: mcp.InputRequests{"which": question("Which?")}, State: "state"}}
	}}
	if err := errors.Join(reg.Register(asks, endless), reg.RegisterPrompts(prompt), reg.RegisterResources(resource)); err != nil {
		t.Fatal(err)
	}
	s.mcp.meet(asks, endless) // while nobody listens: else the news of them come in between
	s.mcp.meetPrompts(prompt)
}

// person answers elicitations, one after the other, with her name for the time.
type person struct{ n int }

// Elicit implements mcp-go's handler.
func (p *person) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	p.n++
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionAccept,
		Content: map[string]any{"text": fmt.Sprint(r.Params.Message, p.n)}}}, nil
}

// withPerson makes a client over one of the ways that has somebody to ask.
func withPerson(t *testing.T, way string, s *testServer, url string, who client.ElicitationHandler) *client.Client {
	t.Helper()
	kind, _, old := strings.Cut(way, " before")
	var tr transport.Interface
	var err error
	switch kind {
	case "streamable":
		tr, err = transport.NewStreamableHTTP(url + "/mcp")
	case "sse":
		tr, err = transport.NewSSE(url + "/sse")
	case "stdio":
		tr = connect(t, kind, s, url).GetTransport()
	}
	if err != nil {
		t.Fatal(err)
	}
	c := client.NewClient(tr, client.WithElicitationHandler(who))
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	var init mcp.InitializeRequest
	if old {
		init.Params.ProtocolVersion = "2025-06-18"
	}
	if _, err := c.Initialize(t.Context(), init); err != nil {
		t.Fatal(err)
	}
	return c
}

// A tool's questions reach the person of its client over every transport and in both eras, and the answers the tool.
func TestQuestions(t *testing.T) {
	for _, way := range []string{"streamable", "streamable before 2026", "stdio", "stdio before 2026"} {
		t.Run(way, func(t *testing.T) {
			s, h, _ := newTest(t)
			addAsking(t, s)
			c := withPerson(t, way, s, h.URL, &person{})
			var call mcp.CallToolRequest
			call.Params.Name = "asks"
			res, err := c.CallTool(t.Context(), call)
			if err != nil {
				t.Fatal(err)
			}
			if got := textIn(res); got != "accept What?1, accept And?2" || res.IsError {
				t.Errorf("%q", got)
			}
			var get mcp.GetPromptRequest
			get.Params.Name = "asking"
			p, err := c.GetPrompt(t.Context(), get)
			if err != nil {
				t.Fatal(err)
			}
			if b, _ := json.Marshal(p.Messages); !strings.Contains(string(b), "accept About what?3") {
				t.Errorf("%s", b)
			}
			var read mcp.ReadResourceRequest
			read.Params.URI = "demo://asking"
			r, err := c.ReadResource(t.Context(), read)
			if err != nil {
				t.Fatal(err)
			}
			if b, _ := json.Marshal(r.Contents); !strings.Contains(string(b), "state: accept Which?4") {
				t.Errorf("%s", b)
			}
			if n := len(s.mcp.asks.open); n != 0 {
				t.Errorf("%d questions are left open", n)
			}
		})
	}
}

// A client that cannot answer is told what it would have to declare; a tool that never stops asking is stopped.
func TestQuestionsWithoutAnswers(t *testing.T) {
	s, h, _ := newTest(t)
	addAsking(t, s)
	for method, name := range map[string]string{"tools/call": "asks", "prompts/get": "asking"} {
		if status, body := now(t, h.URL, method, name, meta("streamable")); status != 400 || !strings.Contains(body, `"code":-32021`) || !strings.Contains(body, `"requiredCapabilities":{"elicitation":{}}`) {
			t.Errorf("%s: %d %s", method, status, body)
		}
	}
	for _, way := range []string{"streamable before 2026", "stdio"} {
		c, _ := join(t, way, s, h.URL)
		var call mcp.CallToolRequest
		call.Params.Name = "asks"
		res, err := c.CallTool(t.Context(), call)
		if modern(way) {
			if bad := refusedWith(t, c, "tools/call", map[string]any{"name": "asks", "_meta": meta(way)}); bad == nil || bad.Code != mcp.MISSING_REQUIRED_CLIENT_CAPABILITY {
				t.Errorf("%s: %+v", way, bad)
			}
		} else if err != nil || !res.IsError || !strings.Contains(textIn(res), "elicitation") {
			t.Errorf("%s: %v, %+v", way, err, res)
		}
		for method, params := range map[string]map[string]any{"prompts/get": {"name": "asking"}, "resources/read": {"uri": "demo://asking"}} {
			params["_meta"] = meta(way)
			if bad := refusedWith(t, c, method, params); bad == nil || bad.Code != mcp.MISSING_REQUIRED_CLIENT_CAPABILITY {
				t.Errorf("%s: %+v", way, bad)
			}
		}
	}
	c := withPerson(t, "streamable before 2026", s, h.URL, &person{})
	if bad := refusedWith(t, c, "tools/call", map[string]any{"name": "endless"}); bad == nil || bad.Code != mcp.INTERNAL_ERROR {
		t.Errorf("%+v", bad)
	}
	res, err := s.opt.Tools.Call(t.Context(), tools.Call{Caller: access.Local("http"), Tool: "asks"})
	if err != nil || res.Code != tools.CodeInputRequired || !res.NotCalled {
		t.Errorf("without MCP: %+v, %v", res, err)
	}
	var needs *tools.NeedsError
	if _, err := s.mcp.opt.Tools.Read(t.Context(), tools.ResourceCall{Caller: access.Local("http"), URI: "demo://asking"}); !errors.As(err, &needs) {
		t.Errorf("without MCP: %v", err)
	}
}

// now sends a request of the protocol of 2026-07-28 over HTTP.
func now(t *testing.T, url, method, name string, meta map[string]any) (int, string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": map[string]any{"name": name, "_meta": meta}})
	if err != nil {
		t.Fatal(err)
	}
	status, _, answer := servertest.Ask(t, "POST", url+"/mcp", string(body), "Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name)
	return status, answer
}

// The legacy transport has one stream for all; an answer to a question comes like any message.
func TestQuestionOverSSE(t *testing.T) {
	s, h, _ := newTest(t)
	addAsking(t, s)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+"/sse", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	next := func(what string) string {
		t.Helper()
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && strings.Contains(data, what) {
				return data
			}
		}
		t.Fatalf("%s did not come: %v", what, lines.Err())
		return ""
	}
	address := next("/message")
	if strings.HasPrefix(address, "/") {
		address = h.URL + address
	}
	send := func(body string) {
		t.Helper()
		if status, _, answer := servertest.Ask(t, "POST", address, body); status != 202 {
			t.Fatalf("%d %s", status, answer)
		}
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
	next(`"id":1`)
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"asks"}}`)
	for _, text := range []string{"one", "two"} {
		var question struct{ ID string }
		if err := json.Unmarshal([]byte(next("elicitation/create")), &question); err != nil {
			t.Fatal(err)
		}
		send(`{"jsonrpc":"2.0","id":"` + question.ID + `","result":{"action":"accept","content":{"text":"` + text + `"}}}`)
	}
	if got := next(`"id":2`); !strings.Contains(got, "accept one, accept two") {
		t.Error(got)
	}
}

const canAsk = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

// The state of a call comes back as it was, from the caller it was given to, with the same arguments, or it is refused.
func TestStatesAreSigned(t *testing.T) {
	s, h, _ := newTest(t, func(o *testOptions) {
		o.Caller = func(r *http.Request) (access.Caller, error) {
			c := access.Local("http")
			if who := r.Header.Get("Authorization"); who != "" {
				c.ID = who
			}
			return c, nil
		}
	})
	addAsking(t, s)
	call := func(who, tool, args, rest string) (int, string) {
		status, _, body := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+args+`,`+rest+canAsk+`}}`,
			"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool, "Authorization", who)
		return status, body
	}
	_, body := call("ann", "asks", `{"a":1}`, "")
	var asked struct {
		Result struct {
			ResultType   string `json:"resultType"`
			RequestState string `json:"requestState"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(body), &asked); err != nil || asked.Result.RequestState == "" || asked.Result.ResultType != "input_required" {
		t.Fatalf("%v %s", err, body)
	}
	if strings.Contains(asked.Result.RequestState, "nothing") {
		t.Error("the state is plain to see")
	}
	state := asked.Result.RequestState
	answer := func(state string) string {
		return `"inputResponses":{"first":{"action":"accept","content":{"text":"x"}},"extra":{}},"requestState":"` + state + `",`
	}
	for name, c := range map[string]struct {
		who, tool, args, rest string
		status                int
	}{
		"as it was":         {"ann", "asks", `{"a":1}`, answer(state), 200},
		"other numbers":     {"ann", "asks", `{"a":1.0}`, answer(state), 200}, // the same number
		"longer":            {"ann", "asks", `{"a":1}`, answer(state + "x"), 400},
		"cut":               {"ann", "asks", `{"a":1}`, answer(state[:len(state)-2]), 400},
		"made up":           {"ann", "asks", `{"a":1}`, answer("bm90aGluZw"), 400},
		"another's":         {"bob", "asks", `{"a":1}`, answer(state), 400},
		"another call's":    {"ann", "asks", `{"a":2}`, answer(state), 400},
		"another tool's":    {"ann", "endless", `{"a":1}`, answer(state), 400},
		"no object":         {"ann", "asks", `{"a":1}`, `"inputResponses":{"first":5},`, 400},
		"no action, a list": {"ann", "asks", `{"a":1}`, `"inputResponses":{"first":[]},`, 400},
	} {
		status, body := call(c.who, c.tool, c.args, c.rest)
		if status != c.status || status == 400 && !strings.Contains(body, "-32602") || status == 200 && !strings.Contains(body, `"second"`) {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	// A state has one spelling: what a lenient decoder reads as the same bytes is another state, and none of ours.
	content, sum, _ := strings.Cut(state, ".")
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for i, part := range []string{content, sum} {
		spelt := []string{part + "=", part + `\n`, `\r\n` + part, part[:4] + `\n` + part[4:], part + " ", strings.ReplaceAll(part, "_", "/"), strings.ReplaceAll(part, "-", "+")}
		for _, last := range letters {
			spelt = append(spelt, part[:len(part)-1]+string(last))
		}
		for _, other := range spelt {
			all := []string{content, sum}
			if all[i] = other; other == part {
				continue
			}
			if status, body := call("ann", "asks", `{"a":1}`, answer(strings.Join(all, "."))); status != 400 || !strings.Contains(body, "-32602") {
				t.Errorf("another spelling, %.12q ... %q: %d %s", other, other[len(other)-4:], status, body)
			}
		}
	}
}

// A question goes out on the stream of its call; only who was asked can answer it, and it is taken back when the call ends.
func TestQuestionOnTheWire(t *testing.T) {
	s, h, _ := newTest(t)
	addAsking(t, s)
	status, header, body := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
	if status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	session := header.Get("Mcp-Session-Id")
	call := func(ctx context.Context) (*http.Response, string) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"asks"}}`))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Session-Id": session} {
			req.Header.Set(name, value)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 4096)
		n, err := resp.Body.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		_, data, _ := strings.Cut(string(b[:n]), "data: ")
		data, _, _ = strings.Cut(data, "\n\n")
		var question struct{ ID, Method string }
		if err := json.Unmarshal([]byte(data), &question); err != nil || question.Method != "elicitation/create" {
			t.Fatalf("%v %s", err, b[:n])
		}
		return resp, question.ID
	}
	resp, id := call(t.Context())
	defer resp.Body.Close()
	other := s.mcp.ids.as("local").Generate()
	reply := func(session, id, answer string) int {
		status, _, _ := servertest.Ask(t, "POST", h.URL+"/mcp", `{"jsonrpc":"2.0","id":"`+id+`",`+answer+`}`, "Mcp-Session-Id", session)
		return status
	}
	const yes = `"result":{"action":"decline"}`
	if got := reply(other, id, yes); got == 202 {
		t.Errorf("another session answered: %d", got)
	}
	if got := reply(session, "ask-nothing", yes); got == 202 {
		t.Errorf("an answer to no question: %d", got)
	}
	if got := reply(session, id, `"error":{"code":-1,"message":"nobody is at home"}`); got != 202 {
		t.Errorf("%d", got)
	}
	rest, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(string(rest), "nobody is at home") || !strings.Contains(string(rest), `"isError":true`) {
		t.Errorf("%v %s", err, rest)
	}
	ctx, hangUp := context.WithCancel(t.Context())
	resp, _ = call(ctx)
	hangUp()
	_ = resp.Body.Close()
	servertest.Eventually(t, "the end of the question", func() bool {
		s.mcp.asks.mu.Lock()
		defer s.mcp.asks.mu.Unlock()
		return len(s.mcp.asks.open) == 0
	})
	time.Sleep(10 * time.Millisecond)
}
