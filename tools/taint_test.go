package tools_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
	"catena/tools"
)

// flowWorld has a server whose word is not trusted, one that is, a table tool of ours, and tools that send, fetch and read.
func flowWorld(t *testing.T, action tools.UntrustedAction, allow ...string) (*tools.Executor, *atomic.Int32) {
	var sent atomic.Int32
	of := func(toolset, name string, h tools.Handler) tools.Tool {
		tool := quick(name, h)
		tool.Toolset = toolset
		return tool
	}
	inbox := func(untrusted bool) tools.Handler {
		return func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Untrusted: untrusted, Structured: map[string]any{"from": "eve@evil.example", "note": "hello", "url": "https://evil.example/x",
				"file": "/etc/passwd", "n": json.Number("42"), "list": []any{"eve@evil.example"}}}, nil
		}
	}
	rows := func(context.Context, tools.Call) (tools.Result, error) {
		tab, err := load.Any([]any{map[string]any{"email": "eve@evil.example", "n": 1}}, table.Limits{})
		return tools.Result{Table: tab, Untrusted: true, Name: "mails"}, err
	}
	var reg *tools.Registry
	filter := func(ctx context.Context, c tools.Call) (tools.Result, error) {
		src, err := tools.TableArg(ctx, reg.Tables(), c, "data")
		return tools.Result{Table: src.Table, Name: "filtered"}, err
	}
	post := func(_ context.Context, c tools.Call) (tools.Result, error) {
		sent.Add(1)
		return tools.Result{Structured: c.Args}, nil
	}
	send := of("mail", "mail__send", post)
	send.Def.RawInputSchema = json.RawMessage(`{"type":"object","properties":{"to":{"type":"array","items":{"type":"string"}},"body":{"type":"string"},
		"extra":{"type":"object","properties":{"reply":{"type":"string","format":"email"},"memo":{"type":"string"}}},"tag":{"type":"string","x-catena-sink":"url"},
		"user_file":{"type":"string","x-catena-sink":"none"}}}`)
	closed := tools.Closed([]tools.Tool{of("own", "own_note", post), of("own", "filter", filter)})
	outside := tools.Outside([]tools.Tool{of("mail", "mail__inbox", inbox(true)), of("mail", "mail__rows", rows)})
	reg = registry(t, tools.Options{}, append(append(closed, outside...), of("crm2", "crm2__inbox", inbox(false)), send,
		of("web", "web__fetch", post), of("mail", "mail__read", post), of("files", "files__read", post))...)
	return tools.NewExecutor(reg, tools.ExecutorOptions{Flows: tools.Flows{Action: action, Allow: allow}}), &sent
}

func TestUntrustedValuesDecideNothing(t *testing.T) {
	inbox := `{"id":"s1","tool":"mail__inbox","args":{}},`
	for name, tc := range map[string]struct {
		steps   string
		message string
		want    string // the argument that is not to be; "" for a plan that runs
	}{
		"recipient":               {inbox + `{"id":"s2","tool":"mail__send","args":{"to":[{"$ref":"s1.from"}]}}`, "", "to"},
		"a whole list":            {inbox + `{"id":"s2","tool":"mail__send","args":{"to":{"$ref":"s1.list"}}}`, "", "to"},
		"put together":            {inbox + `{"id":"s2","tool":"mail__send","args":{"to":[{"$concat":["Eve <",{"$ref":"s1.from"},">"]}]}}`, "", "to"},
		"by format, below":        {inbox + `{"id":"s2","tool":"mail__send","args":{"extra":{"reply":{"$ref":"s1.from"}}}}`, "", "extra"},
		"a whole object":          {inbox + `{"id":"s2","tool":"web__fetch","args":{"options":{"$ref":"s1"}}}`, "", "options"},
		"content":                 {inbox + `{"id":"s2","tool":"mail__send","args":{"to":["bob@example.com"],"body":{"$ref":"s1.note"},"extra":{"memo":{"$ref":"s1.note"}}}}`, "", ""},
		"said to be none":         {inbox + `{"id":"s2","tool":"mail__send","args":{"user_file":{"$ref":"s1.file"}}}`, "", ""},
		"said to be one":          {inbox + `{"id":"s2","tool":"mail__send","args":{"tag":{"$ref":"s1.note"}}}`, "", "tag"},
		"url":                     {inbox + `{"id":"s2","tool":"web__fetch","args":{"targetURL":{"$ref":"s1.url"}}}`, "", "targetURL"},
		"url in the message":      {inbox + `{"id":"s2","tool":"web__fetch","args":{"url":{"$ref":"s1.url"}}}`, "Fetch https://evil.example/x.", ""},
		"only a part of it":       {inbox + `{"id":"s2","tool":"web__fetch","args":{"url":{"$ref":"s1.url"}}}`, "Fetch https://evil.example/x/y please", "url"},
		"a path elsewhere":        {inbox + `{"id":"s2","tool":"files__read","args":{"file_path":{"$ref":"s1.file"}}}`, "", "file_path"},
		"a path of its own":       {inbox + `{"id":"s2","tool":"mail__read","args":{"file_path":{"$ref":"s1.file"}}}`, "", ""},
		"sql":                     {inbox + `{"id":"s2","tool":"files__read","args":{"sql":{"$ref":"s1.note"}}}`, "", "sql"},
		"a trusted server":        {`{"id":"s1","tool":"crm2__inbox","args":{}},{"id":"s2","tool":"mail__send","args":{"to":[{"$ref":"s1.from"}]}}`, "", ""},
		"through another step":    {inbox + `{"id":"s2","tool":"own_note","args":{"x":{"$ref":"s1.from"}}},{"id":"s3","tool":"mail__send","args":{"to":[{"$ref":"s2.x"}]}}`, "", "to"},
		"through a trusted one":   {inbox + `{"id":"s2","tool":"crm2__inbox","args":{"about":{"$ref":"s1.note"}}},{"id":"s3","tool":"mail__send","args":{"to":[{"$ref":"s2.from"}]}}`, "", "to"},
		"a table by handle":       {`{"id":"s1","tool":"mail__rows","args":{}},{"id":"s2","tool":"filter","args":{"data":{"$ref":"s1"}}},{"id":"s3","tool":"mail__send","args":{"to":{"$ref":"s2.rows[*].email"}}}`, "", "to"},
		"each":                    {`{"id":"s1","tool":"mail__rows","args":{}},{"id":"s2","tool":"mail__send","each":{"$ref":"s1.rows"},"args":{"to":[{"$ref":"each.email"}]}}`, "", "to"},
		"each of what each gave":  {`{"id":"s1","tool":"mail__rows","args":{}},{"id":"s2","tool":"own_note","each":{"$ref":"s1.rows"},"args":{"x":{"$ref":"each.email"}}},{"id":"s3","tool":"mail__send","args":{"to":{"$ref":"s2[*].x"}}}`, "", "to"},
		"tools of our own":        {inbox + `{"id":"s2","tool":"own_note","args":{"recipient":{"$ref":"s1.from"}}}`, "", ""},
		"what the planner writes": {inbox + `{"id":"s2","tool":"mail__send","args":{"to":["bob@example.com"]}}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			x, _ := flowWorld(t, "")
			p := parse(t, `{"steps":[`+tc.steps+`]}`)
			foreseen(t, x, p, tc.want, tc.message, name == "a whole object")
			out, err := x.Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r", Plan: p, Message: tc.message}, nil)
			if err != nil {
				t.Fatal(err)
			}
			last := out.Steps[len(out.Steps)-1]
			if tc.want == "" {
				if last.Status != tools.StepDone {
					t.Fatalf("it did not run: %s", last.Error)
				}
				return
			}
			if last.Status != tools.StepFailed || last.Code != tools.CodeUntrusted || !strings.Contains(last.Error, "argument "+tc.want+" ") || !strings.Contains(last.Error, "s1 (mail__") {
				t.Errorf("%s %s: %s", last.Status, last.Code, last.Error)
			}
			if last.Attempt != 0 {
				t.Error("the tool was called")
			}
		})
	}
}

// foreseen checks that an explanation tells what the run will meet. What only the message or a value's shape decides is not known before.
func foreseen(t *testing.T, x *tools.Executor, p plan.Plan, want, message string, byShape bool) {
	t.Helper()
	e, err := x.Explain(t.Context(), ann, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if byShape || message != "" && want == "" {
		return
	}
	last := e.Steps[len(e.Steps)-1]
	switch {
	case want == "" && len(e.Stops) > 0, want != "" && (len(e.Stops) != 1 || e.Stops[0].Argument != want || e.Stops[0].Step != last.ID || e.Stops[0].Sink == "" || e.Stops[0].Action != "stop"):
		t.Errorf("foreseen are %+v", e.Stops)
	case want != "" && !slices.Contains(last.Untrusted, "s1"):
		t.Errorf("%s is untrusted by %v", last.ID, last.Untrusted)
	}
}

// An explanation knows untrusted tables by their names, and policies.
func TestExplainFlows(t *testing.T) {
	p := parse(t, `{"steps":[{"id":"s1","tool":"query","args":{"table":"mails"}},{"id":"s2","tool":"mail__send","args":{"to":{"$ref":"s1.rows[*].email"}}}]}`)
	for name, tc := range map[string]struct {
		tables []plan.TableInfo
		flows  tools.Flows
		action string
	}{
		"uploaded": {[]plan.TableInfo{{Name: "mails", Source: "upload"}}, tools.Flows{}, "stop"},
		"asked":    {[]plan.TableInfo{{Name: "mails", Live: true}}, tools.Flows{Action: tools.UntrustedAsk}, "ask"},
		"allowed":  {[]plan.TableInfo{{Name: "mails", Untrusted: true}}, tools.Flows{Action: tools.UntrustedAllow}, ""},
		"our own":  {[]plan.TableInfo{{Name: "mails", Source: "demo"}}, tools.Flows{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			send := quick("mail__send", echo)
			send.Toolset = "mail"
			reg := registry(t, tools.Options{}, tools.Closed([]tools.Tool{strict("query", `{"type":"object","properties":{"table":{"type":"string","format":"table-name"}}}`, echo)})[0], send)
			e, err := tools.NewExecutor(reg, tools.ExecutorOptions{Flows: tc.flows}).Explain(t.Context(), ann, p, tc.tables)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(e.Stops) == 1 && slices.Equal(e.Stops[0].From, []string{"mails"}) {
				got = e.Stops[0].Action
			}
			var b strings.Builder
			if _, err := e.WriteTo(&b); err != nil || got != tc.action || strings.Contains(b.String(), "would come from mails") != (tc.action != "") {
				t.Errorf("%+v %v\n%s", e.Stops, err, b.String())
			}
		})
	}
}

// A table of an earlier turn stays what it was made of.
func TestUntrustedTablesOfEarlierRuns(t *testing.T) {
	x, sent := flowWorld(t, "")
	first, err := x.Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r1", Plan: parse(t, `{"steps":[{"id":"a","tool":"mail__rows","args":{}},{"id":"b","tool":"filter","args":{"data":{"$ref":"a"}}}]}`)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	handle := first.Steps[1].Result.Handle
	out, err := x.Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r2", Plan: parse(t, `{"steps":[{"id":"s1","tool":"filter","args":{"data":"`+handle+`"}},
		{"id":"s2","tool":"mail__send","args":{"to":{"$ref":"s1.rows[*].email"}}}]}`)}, nil)
	if err != nil || out.Steps[1].Code != tools.CodeUntrusted || sent.Load() != 0 {
		t.Errorf("%+v, %v", out.Steps[1], err)
	}
}

func TestFlowPolicies(t *testing.T) {
	p := parse(t, `{"steps":[{"id":"s1","tool":"mail__inbox","args":{}},{"id":"s2","tool":"mail__send","args":{"to":[{"$ref":"s1.from"}]}}]}`)
	do := func(x *tools.Executor, d map[string]tools.Decision) tools.Outcome {
		t.Helper()
		out, err := x.Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r", Plan: p, Approve: true, Decisions: d}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	x, _ := flowWorld(t, tools.UntrustedAllow)
	if out := do(x, nil); out.Steps[1].Status != tools.StepDone {
		t.Errorf("allow: %s", statuses(out))
	}
	x, sent := flowWorld(t, tools.UntrustedStop, "mail__*.to")
	if out := do(x, nil); out.Steps[1].Status != tools.StepDone || sent.Load() != 1 {
		t.Errorf("an argument that is let through: %s", statuses(out))
	}
	x, sent = flowWorld(t, tools.UntrustedAsk)
	out := do(x, nil) // approve: auto is about destructive tools, not about this
	if len(out.Pending) != 1 || out.Pending[0].Code != tools.CodeUntrusted || sent.Load() != 0 {
		t.Fatalf("ask: %s", statuses(out))
	}
	if out := do(x, map[string]tools.Decision{"s2": {ArgsHash: out.Pending[0].ArgsHash, Choice: tools.ChooseRun}}); out.Steps[1].Status != tools.StepDone || sent.Load() != 1 {
		t.Errorf("approved: %s", statuses(out))
	}
}
