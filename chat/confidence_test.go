package chat

import (
	"testing"

	"catena/chat/chattest"
	"catena/planner/plan"
)

// So it is wherever an answer or a plan is given.
func TestConfidenceOfPlans(t *testing.T) {
	w := newWorld(t)
	const exact, rounded = 11. / 12, .92
	beside := []plan.Alternative{{Reading: "another", Plan: plan.Plan{Confidence: exact}}}
	w.Planner.Answers["sure"] = plan.Response{By: "offline", Plan: plan.Plan{
		Confidence: exact, Alternatives: beside, Steps: []plan.Step{chattest.Step("s1", "get_top_clients", nil)},
	}}
	resp := w.ask(t, "sure")
	routed, err := w.engine().Plan(t.Context(), chattest.Ann, Request{Message: "sure"})
	if err != nil {
		t.Fatal(err)
	}
	for what, got := range map[string]float64{
		"the answer": resp.Confidence, "its plan": resp.Plan.Confidence, "its other plan": resp.Alternatives[0].Plan.Confidence,
		"the routing": routed.Confidence, "the routing's plan": routed.Plan.Confidence,
	} {
		if got != rounded {
			t.Errorf("%s: %v, want %v", what, got, rounded)
		}
	}
}

// A confidence is shown with two digits.
func TestConfidenceIsRounded(t *testing.T) {
	for f, want := range map[float64]float64{0.8999999999999999: 0.9, 0.5: 0.5, 1: 1, 0: 0, 0.987: 0.99} {
		if got := hundredths(f); got != want {
			t.Errorf("%v is %v, want %v", f, got, want)
		}
	}
}
