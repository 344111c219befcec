package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
	"catena/internal/access"
	"catena/planner/plan"
	"catena/server/servertest"
	"catena/tools"
)

// rough are runs in which all goes as it seldom does: the plan is mended, a step is tried again and fails, a server is down.
type rough struct {
	*servertest.Runs
	state string
}

func (r rough) Follow(_ context.Context, _ access.Caller, _ string, after uint64, emit func(chat.Event) error) error {
	step := func(kind, status string, attempt int) chat.Payload {
		return chat.Payload{Type: kind, StepName: "s1", Metadata: &chat.Metadata{Catena: chat.StepMetadata{StepID: "s1", Kind: "tool", Tool: "count", Attempt: attempt, Status: status, Error: "secret of a tool"}}}
	}
	mended := plan.Plan{Repairs: []plan.Repair{{Path: "/steps/0/args/n", Code: "type_mismatch", From: "a long value", To: 1, Why: "it is a number"}}}
	for i, p := range []chat.Payload{
		{Type: chat.RunStarted},
		{Type: chat.ActivitySnapshot, ActivityType: chat.ActivityPlan, Content: &mended},
		{Type: chat.ActivitySnapshot, ActivityType: chat.ActivityTable, Content: []string{"no object"}},
		step(chat.StepStarted, "started", 1), step(chat.StepStarted, "started", 2), step(chat.StepFinished, "failed", 2),
		{Type: chat.RunFinished},
	} {
		data, err := json.Marshal(p)
		if err != nil {
			return err
		}
		if seq := uint64(i + 1); seq > after {
			if err := emit(chat.Event{Seq: seq, Data: data}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r rough) Wait(ctx context.Context, c access.Caller, id string) (chat.Response, error) {
	resp, err := r.Runs.Wait(ctx, c, id)
	resp.Completeness = chat.Completeness{State: r.state, Detail: "The server files is down (it exited).", Down: []string{"files"}}
	return resp, err
}

// roughly serves the tool chat over such runs, under another name.
func roughly(t *testing.T, state string) (*testServer, string) {
	t.Helper()
	s, h, runs := newTest(t, func(o *testOptions) {
		fakes, _ := o.Runs.(*servertest.Runs)
		tool := ChatTool(rough{fakes, state})
		tool.Def.Name = "talk"
		reg, _ := o.Tools.(*tools.Registry)
		if err := reg.Register(tool); err != nil {
			t.Fatal(err)
		}
	})
	_ = runs
	return s, h.URL
}

// What happens on the way of a turn reaches the client of the tool chat at the level that it has set, before the answer.
func TestChatLogs(t *testing.T) {
	for _, way := range []string{"streamable", "streamable before 2026", "sse before 2026", "stdio", "stdio before 2026"} {
		t.Run(way, func(t *testing.T) {
			for state, all := range map[string]string{"partial": "info info warning warning", "complete": "info info warning info"} {
				s, url := roughly(t, state)
				c, heard := join(t, way, s, url)
				for _, level := range []mcp.LoggingLevel{mcp.LoggingLevelDebug, mcp.LoggingLevelWarning, mcp.LoggingLevelError} {
					want := strings.Fields(all)
					if level != mcp.LoggingLevelDebug {
						want = slices.DeleteFunc(want, func(l string) bool { return l == "info" || level == mcp.LoggingLevelError })
					}
					m := meta(way)
					delete(m, "progressToken")
					if modern(way) {
						m["io.modelcontextprotocol/logLevel"] = level
					} else {
						//nolint:staticcheck // clients of the earlier protocol versions set it this way
						if err := c.SetLevel(t.Context(), mcp.SetLevelRequest{Params: mcp.SetLevelParams{Level: level}}); err != nil {
							t.Fatal(err)
						}
					}
					if way == "streamable" {
						checkStream(t, url, level, len(want), m)
						continue
					}
					heard.forget()
					if bad := refusedWith(t, c, "tools/call", map[string]any{"name": "talk", "arguments": map[string]any{"message": "hello"}, "_meta": m}); bad != nil {
						t.Fatalf("%+v", bad)
					}
					if got := heard.list(); fmt.Sprint(got) != fmt.Sprint(want) {
						t.Errorf("%s at %s: heard %s instead of %s", state, level, got, want)
					}
				}
			}
		})
	}
}

// checkStream reads a call's stream as it is on the wire.
func checkStream(t *testing.T, url string, level mcp.LoggingLevel, want int, m map[string]any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 7, "method": "tools/call",
		"params": map[string]any{"name": "talk", "arguments": map[string]any{"message": "hello"}, "_meta": m}})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/mcp", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": mcp.LATEST_PROTOCOL_VERSION, "Mcp-Method": "tools/call", "Mcp-Name": "talk"} {
		req.Header.Set(key, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	if got := strings.Count(text, "notifications/message"); res.StatusCode != http.StatusOK || got != want || !strings.Contains(text, "structuredContent") ||
		strings.Contains(text, "secret of a tool") || strings.Contains(text, "a long value") {
		t.Errorf("level %s: %d, %d of %d messages: %s", level, res.StatusCode, got, want, text)
	}
}

// The text of an answer names the servers that are down, once.
func TestChatSaysWhoIsDown(t *testing.T) {
	const said = "Servers that are down, so that their tools could not be used: files."
	resp := chat.Response{Response: "Two rows.", Completeness: chat.Completeness{State: "complete", Detail: "The server files is down (x).", Down: []string{"files"}}}
	if got := chatResult(resp).Text; got != "Two rows.\n\n"+said {
		t.Errorf("%q", got)
	}
	resp.Response = "Two rows.\n\n- The server files is down (x), so its tools could not be used."
	if got := chatResult(resp).Text; got != resp.Response {
		t.Errorf("%q", got)
	}
}

// What the tool chat gives fits what it declares, whatever the outcome and however little there is.
func TestChatFitsItsSchema(t *testing.T) {
	for outcome, resp := range map[string]chat.Response{
		"bare":     {Outcome: chat.OutcomeRefuse},
		"clarify":  {Outcome: chat.OutcomeClarify, Question: "Which?"},
		"approval": {Outcome: chat.OutcomeApproval, Pending: []chat.Pending{{Step: "s1", Tool: "wipe"}}},
		"error":    {Outcome: chat.OutcomeError, Error: &chat.Problem{Code: "x", Detail: "y"}},
		"answer": {Outcome: chat.OutcomeAnswer, Steps: []chat.StepInfo{{ID: "s1"}}, Tables: []chat.AnswerTable{{}}, Charts: []chat.AnswerChart{{PNG: []byte("x")}},
			Plan: &plan.Plan{Steps: []plan.Step{{ID: "s1", Args: map[string]any{"x": plan.Ref{Step: "s0"}}}}}},
	} {
		out, err := callResult(chatResult(resp), false)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(out.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		if err := tools.CheckJSON(t.Context(), json.RawMessage(chatOutput), readAny(t, b)); err != nil {
			t.Errorf("%s: %v\n%s", outcome, err, b)
		}
	}
}

func readAny(t *testing.T, b []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// A tool of ours that may give any value gives an object over MCP, also of null, and its schema on the wire says so.
func TestValuesThatAreNoObjects(t *testing.T) {
	var give any
	s, h, _ := newTest(t, func(o *testOptions) {
		reg, _ := o.Tools.(*tools.Registry)
		def := raw("give")
		def.RawOutputSchema = json.RawMessage(`{"type":["object","array","string","null"]}`)
		if err := reg.Register(tools.Tool{Def: def, Toolset: "demo", Handler: func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Structured: give}, nil
		}}); err != nil {
			t.Fatal(err)
		}
	})
	for _, way := range []string{"streamable", "streamable before 2026", "stdio"} {
		c, _ := join(t, way, s, h.URL)
		list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(list.Tools, func(x mcp.Tool) bool { return x.Name == "give" })
		schema, err := json.Marshal(list.Tools[at])
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(schema), `"outputSchema":{`) || !strings.Contains(string(schema), `"type":"object"`) {
			t.Errorf("%s: %s", way, schema)
		}
		for _, tc := range []struct {
			give any
			want string
		}{{nil, `{"result":null}`}, {[]any{"a"}, `{"result":["a"]}`}, {"x", `{"result":"x"}`}, {map[string]any{"n": 1}, `{"n":1}`}} {
			give = tc.give
			got, err := json.Marshal(callTool(t.Context(), t, c, "give", nil).StructuredContent)
			if err != nil || string(got) != tc.want {
				t.Errorf("%s: %v gave %s, %v", way, tc.give, got, err)
			}
			if err := tools.CheckJSON(t.Context(), wireSchema(tools.Tool{Def: mcp.Tool{RawOutputSchema: json.RawMessage(`{"type":["object","array","string","null"]}`)}}), readAny(t, got)); err != nil {
				t.Errorf("%s: %s: %v", way, got, err)
			}
		}
	}
}
