package chat

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"catena/planner/plan"
)

// fixedPlanner answers with one response.
type fixedPlanner struct{ res plan.Response }

func (f fixedPlanner) Plan(context.Context, plan.Request) (plan.Response, error) {
	return f.res, nil
}

// TestModelTexts: every text of a model's plan that a person reads has no link, image or HTML, and no figure that nobody knows.
func TestModelTexts(t *testing.T) {
	const evil = `See ![x](http://evil.test/a.png) <img src=http://evil.test> [here](http://evil.test). It was $431,996,943.`
	for _, by := range []string{"llm", "cache", ""} {
		for name, p := range map[string]plan.Response{
			"clarify": {Plan: plan.Plan{Clarify: evil}},
			"refuse":  {Plan: plan.Plan{Refuse: evil}},
			"title":   {Plan: plan.Plan{Title: evil, Refuse: "No."}},
			"only":    {Plan: plan.Plan{Clarify: "It was $431,996,943."}},
			"direct":  {Direct: strings.ReplaceAll(evil, "$431,996,943", "much")},
			"answer": {Plan: plan.Plan{Title: evil, Steps: []plan.Step{{ID: "s1", Tool: "get_ids"}},
				Answer: []any{strings.ReplaceAll(evil, "$431,996,943", "much"), plan.Ref{Step: "s1"}}}},
		} {
			p.By = by
			w := newWorld(t)
			w.opts.Planner = fixedPlanner{p}
			resp, err := w.engine().Turn(t.Context(), ann, Request{Message: "what was it?"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := json.Marshal(resp)
			if err != nil {
				t.Fatal(err)
			}
			for _, bad := range []string{"evil.test", "431,996,943", "img src"} {
				if strings.Contains(string(raw), bad) {
					t.Errorf("%s by %q: %q in %s", name, by, bad, raw)
				}
			}
			if resp.Response == "" || resp.Title == "" {
				t.Errorf("%s: nothing is left: %s", name, raw)
			}
		}
	}
}

// TestModelFigures: figures of the message, the tables and the plan's arguments stay.
func TestModelFigures(t *testing.T) {
	req := plan.Request{Message: "top 5 of 2024", Tables: []plan.TableInfo{{Name: "sales", Rows: 960, Columns: []plan.ColumnInfo{{Name: "n", Max: "77.5"}}}}}
	for text, want := range map[string]string{
		"The top 5 of 2024.": "The top 5 of 2024.", "Which of the 960 rows?": "Which of the 960 rows?", "Up to 77.5.": "Up to 77.5.",
		"Do you mean a or b? It was 12,345.": "Do you mean a or b?",
	} {
		if got := modelText(plan.Response{By: "llm", Plan: plan.Plan{Clarify: text}}, req).Plan.Clarify; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
