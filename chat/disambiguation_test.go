package chat

import (
	"strings"
	"testing"

	"catena/chat/chattest"
	"catena/planner/plan"
)

// TestWhichOne: a step that takes the only row of a table with several is not run; the answer shows them and asks which is meant.
func TestWhichOne(t *testing.T) {
	w := newWorld(t)
	w.Planner.Answers["close"] = plan.Response{By: "offline", Plan: plan.Plan{Steps: []plan.Step{
		chattest.Step("s1", "get_top_clients", nil), chattest.Step("s2", "get_ids", map[string]any{"values": chattest.Ref("s1.rows[only].client_id")}),
	}, Answer: []any{chattest.Ref("s2")}}}
	resp := w.ask(t, "close")
	if resp.Outcome != OutcomeClarify || !strings.HasPrefix(resp.Question, "Which one do you mean? `get_top_clients` found 3") {
		t.Errorf("%s: %q", resp.Outcome, resp.Question)
	}
	if len(resp.Tables) != 1 || len(resp.ToolsExecuted) != 1 {
		t.Errorf("%d tables, ran %v", len(resp.Tables), resp.ToolsExecuted)
	}
}

// TestNothingFound: a step that takes the only row where nothing was found is not run; the answer says what was sought
// and asks what is meant, and nothing of how the plan is written.
func TestNothingFound(t *testing.T) {
	w := newWorld(t)
	w.Planner.Answers["none"] = plan.Response{By: "offline", Plan: plan.Plan{Steps: []plan.Step{
		chattest.Step("s1", "far__upstream", map[string]any{"data": `{"rows":[]}`}),
		chattest.Step("s2", "get_ids", map[string]any{"values": chattest.Ref("s1.rows[only].id")}),
	}, Answer: []any{chattest.Ref("s2")}}}
	resp := w.ask(t, "none")
	want := "`far__upstream` found nothing"
	asked := resp.Outcome == OutcomeClarify && strings.HasPrefix(resp.Question, want)
	if !asked || strings.Contains(resp.Response, "[only]") {
		t.Errorf("%s: %q\n%s", resp.Outcome, resp.Question, resp.Response)
	}
}

// TestNoValue: a step that needs a value which an earlier one did not find is not run without it; the answer asks for the value.
func TestNoValue(t *testing.T) {
	w := newWorld(t)
	w.Planner.Answers["empty"] = byModel(chattest.Step("s1", "far__upstream", map[string]any{"data": `{"id":null,"all":[null]}`}),
		chattest.Step("s2", "get_ids", map[string]any{"values": []any{chattest.Ref("s1.id")}}))
	r := &replans{f: func(plan.Ran) (plan.Plan, error) { return plan.Plan{}, nil }}
	w.opts.Replanner, w.opts.MaxReplans = r, 2
	resp := w.ask(t, "empty")
	want := "`far__upstream` found no value for id, which `get_ids` needs, so that was not run. Which one is it?"
	if resp.Outcome != OutcomeClarify || resp.Question != want || len(resp.ToolsExecuted) != 1 || len(r.asked) != 0 {
		t.Errorf("%s: %q, ran %v", resp.Outcome, resp.Question, resp.ToolsExecuted)
	}
}
