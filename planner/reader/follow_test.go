package reader

import (
	"testing"

	"catena/planner/plan"
)

// A follow-up changes the reading that the last turn was answered by. What another planner answered is built on by none.
func TestFollowsWhatWasAnswered(t *testing.T) {
	r := New(WithRisk(1))
	first := shopRequest("average age of clients")
	answered, err := r.Plan(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	other := answered.Plan
	other.Reading = ""
	asked := plan.Plan{Clarify: "which?", Alternatives: []plan.Alternative{{Reading: answered.Plan.Reading, Plan: answered.Plan}}}
	const changed = "Average of age for each country, of clients"
	for name, tc := range map[string]struct {
		history []plan.Turn
		want    bool
	}{
		"answered":          {[]plan.Turn{{Message: first.Message, Plan: &answered.Plan}}, true},
		"nothing is stored": {[]plan.Turn{{Message: first.Message}}, true},
		"by another":        {[]plan.Turn{{Message: first.Message, Plan: &other}}, false},
		"chosen":            {[]plan.Turn{{Message: first.Message, Plan: &asked, Outcome: outcomeClarify}, {Message: "1", Plan: &answered.Plan}}, true},
	} {
		next := shopRequest("now by country")
		next.History = tc.history
		got, err := r.Plan(t.Context(), next)
		if err != nil || (got.Plan.Reading == changed) != tc.want {
			t.Errorf("%s: %q %v", name, got.Plan.Reading, err)
		}
	}
}
