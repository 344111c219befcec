package chat

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"catena/chat/chattest"
	"catena/planner/plan"
)

// askWith answers a request.
func (w *world) askWith(t *testing.T, req Request) (Response, error) {
	t.Helper()
	return w.engine().Turn(context.Background(), chattest.Ann, req, nil)
}

func encoded(t *testing.T, p plan.Plan) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestGivenPlan runs the plan that comes with a message, and no other: no planner is asked, what is invalid does not run, what deletes waits for
// approval, and what fails is not planned anew.
func TestGivenPlan(t *testing.T) {
	w := newWorld(t)
	w.opts.Replanner, w.opts.MaxReplans = &replans{f: func(plan.Ran) (plan.Plan, error) {
		t.Error("the plan was made anew")
		return plan.Plan{}, errors.New("no")
	}}, 2
	given := func(steps ...plan.Step) Request {
		return Request{Message: "as shown", Plan: encoded(t, plan.Plan{Steps: steps})}
	}
	resp, err := w.askWith(t, given(chattest.Step("s1", "get_top_clients", nil)))
	if err != nil || resp.Outcome != OutcomeAnswer || resp.PlannedBy != "given" || !slices.Equal(resp.ToolsExecuted, []string{"get_top_clients"}) {
		t.Errorf("%v %+v", err, resp)
	}
	resp, err = w.askWith(t, given(chattest.Step("s1", "delete_all", nil)))
	if err != nil || resp.Outcome != OutcomeApproval || len(resp.ToolsExecuted) != 0 || len(resp.Pending) != 1 {
		t.Errorf("%v %+v", err, resp)
	}
	resp, err = w.askWith(t, given(chattest.Step("s1", "get_top_clients", nil), chattest.Step("s2", "break", map[string]any{"data": chattest.Ref("s1")})))
	if err != nil || len(resp.Steps) != 2 || resp.Steps[1].Status != "failed" {
		t.Errorf("%v %+v", err, resp)
	}
	for _, steps := range [][]plan.Step{
		{chattest.Step("s1", "no_such_tool", nil)},
		{chattest.Step("s1", "break", map[string]any{"data": chattest.Ref("s9")})},
	} {
		resp, err = w.askWith(t, given(steps...))
		if err != nil || resp.Outcome != OutcomeError || resp.Error.Code != "invalid_plan" || len(resp.ToolsExecuted) != 0 {
			t.Errorf("%v %+v", err, resp)
		}
	}
	for _, text := range []string{`"s1"`, `{"steps":[]}`, `{"clarify":"which?"}`} {
		var input *InputError
		if _, err := w.askWith(t, Request{Message: "as shown", Plan: json.RawMessage(text)}); !errors.As(err, &input) || input.Code != "bad_plan" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestToolsOff: a turn is planned, and a plan of its own held, without the tools that are switched off.
func TestToolsOff(t *testing.T) {
	w := newWorld(t)
	offered := func(req Request) (names []string) {
		if _, err := w.askWith(t, req); err != nil {
			t.Fatal(err)
		}
		for _, tool := range w.Planner.Asked[len(w.Planner.Asked)-1].Tools {
			names = append(names, tool.Name)
		}
		return names
	}
	all := offered(Request{Message: "top"})
	less := offered(Request{Message: "top", ToolsOff: []string{"get_top_clients"}})
	if slices.Contains(less, "get_top_clients") || len(less) != len(all)-1 {
		t.Errorf("offered %v of %v", less, all)
	}
	tool, ok := plan.FindTool(w.Registry.Planning(chattest.Ann), "get_top_clients")
	if !ok {
		t.Fatal("there is no such tool")
	}
	if names := offered(Request{Message: "top", ToolsOff: []string{tool.Toolset}}); slices.Contains(names, "get_top_clients") {
		t.Errorf("without the toolset %s there are %v", tool.Toolset, names)
	}
	resp, err := w.askWith(t, Request{Message: "top", ToolsOff: []string{"get_top_clients"},
		Plan: encoded(t, plan.Plan{Steps: []plan.Step{chattest.Step("s1", "get_top_clients", nil)}})})
	if err != nil || resp.Outcome != OutcomeError || len(resp.ToolsExecuted) != 0 {
		t.Errorf("%v %+v", err, resp)
	}
	var input *InputError
	if _, err := w.askWith(t, Request{Message: "top", ToolsOff: make([]string, 1001)}); !errors.As(err, &input) {
		t.Error(err)
	}
}
