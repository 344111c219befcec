package runs

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"catena/chat"
	"catena/chat/chattest"
	"catena/planner/plan"
	"catena/tools"
)

// A step that was approved and would do something else by now is asked about again, which is said; approved as it is shown then, it runs.
func TestApprovedIsWhatWasShown(t *testing.T) {
	w := newWorld(t)
	var level, ran atomic.Int32
	raise := chattest.Tools(t)[0]
	raise.Def.Name, raise.Def.Annotations.ReadOnlyHint, raise.Def.Annotations.DestructiveHint = "raise", new(false), new(true)
	raise.Effect = func(context.Context, tools.Call) (tools.Effect, error) {
		return tools.Effect{What: "Raise the level", Lines: []tools.EffectLine{tools.Change("level", level.Load(), level.Load()+1)}}, nil
	}
	raise.Handler = func(context.Context, tools.Call) (tools.Result, error) {
		ran.Add(1)
		return tools.Result{Text: "Raised."}, nil
	}
	if err := w.Registry.Register(raise); err != nil {
		t.Fatal(err)
	}
	w.Planner.Answers["raise"] = plan.Response{Plan: plan.Plan{Steps: []plan.Step{chattest.Step("s1", "raise", nil)}}, By: "llm"}
	r := w.runs(t, Options{})
	run, resp := waits(t, r, "raise")
	approve := func() {
		t.Helper()
		p := resp.Pending[0]
		if _, err := r.Approve(t.Context(), chattest.Ann, run, Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: "run"}); err != nil {
			t.Fatal(err)
		}
		var err error
		if resp, err = r.Wait(t.Context(), chattest.Ann, run); err != nil {
			t.Fatal(err)
		}
	}
	level.Store(7)
	approve()
	if resp.Outcome != chat.OutcomeApproval || ran.Load() != 0 || !strings.Contains(resp.Response, "- level: `7` → `8`") || !strings.Contains(resp.Response, "asked about again") {
		t.Fatalf("%d times: %s", ran.Load(), resp.Response)
	}
	approve()
	if resp.Outcome != chat.OutcomeAnswer || ran.Load() != 1 {
		t.Errorf("%d times: %s", ran.Load(), resp.Response)
	}
}
