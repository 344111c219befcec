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

// What is said behind an answer changes its parts, and nothing else of it.
func TestChanges(t *testing.T) {
	r := New(WithRisk(1))
	for _, talk := range [][]string{
		{"average age of clients by country", "Average of age for each country, of clients",
			"and the maximum?", "Highest age for each country, of clients",
			"highest first", "Highest age for each country, of clients, by highest age from the highest",
			"only the first 3", "Highest age for each country, of clients, by highest age from the highest, the first 3"},
		{"country with the highest average age",
			"Average of age for each country, of clients, by average of age from the highest, the first one and those equal" +
				" to the last",
			"number of clients by country", "Number of rows for each country, of clients",
			"average age by country", "Average of age for each country, of clients"},
		{"number of clients", "Number of rows of all clients",
			"now by country", "Number of rows for each country, of clients",
			"as a percentage", "Share of number of rows in the total times 100 for each country, of clients"},
		{"clients older than 40", "Name, age of clients where age is more than 40",
			"how many is that?", "Number of rows of all clients where age is more than 40",
			"what is the average age of them?", "Average of age of all clients where age is more than 40"},
	} {
		var history []plan.Turn
		for i := 0; i < len(talk); i += 2 {
			req := shopRequest(talk[i])
			req.History = history
			got, err := r.Plan(t.Context(), req)
			if err != nil || got.Plan.Reading != talk[i+1] {
				t.Errorf("%q\n got %q %v\nwant %q", talk[i], got.Plan.Reading, err, talk[i+1])
			}
			history = append(history, plan.Turn{Message: talk[i], Plan: &got.Plan, Outcome: "answer"})
		}
	}
}
