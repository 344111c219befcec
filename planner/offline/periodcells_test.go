package offline

import (
	"context"
	"strings"
	"testing"

	"catena/planner/plan"
)

// A column of texts that name quarters is asked by them: no condition on a time is passed over.
func TestPeriodsInTexts(t *testing.T) {
	quarters := plan.TableInfo{Name: "takings", Rows: 3, Columns: []plan.ColumnInfo{
		{Name: "quarter", Type: "text", Role: "dimension", Distinct: 3},
		{Name: "revenue", Type: "integer", Role: "measure", Min: "5", Max: "7", Distinct: 3},
	}}
	values := fakeValues{
		"q1 2026": {Table: "takings", Column: "quarter", Value: "Q1 2026", Match: plan.Exact, Score: 1, Rows: 1, Values: 1},
		"q2 2026": {Table: "takings", Column: "quarter", Value: "Q2 2026", Match: plan.Exact, Score: 1, Rows: 1, Values: 1},
		"2026":    {Table: "takings", Column: "quarter", Value: "Q1 2026", Match: plan.Word, Score: 0.8, Rows: 2, Values: 2},
	}
	first := `{"column":"quarter","op":"eq","value":"Q1 2026"}`
	for message, want := range map[string]string{
		"total revenue in Q1 2026":                   `{"filter":[` + first + `],"select":[{"column":"revenue","expr":"sum"}],"table":"takings"}`,
		"total revenue in the first quarter of 2026": "",
		"total revenue in Q1 2026 and Q2 2026":       `{"filter":[{"any":[` + first + `,{"column":"quarter","op":"eq","value":"Q2 2026"}]}],"select":[{"column":"revenue","expr":"sum"}],"table":"takings"}`,
		"total revenue in 2026":                      `{"filter":[{"column":"quarter","op":"contains","value":"2026"}],"select":[{"column":"revenue","expr":"sum"}],"table":"takings"}`,
		"total revenue since Q1 2026":                "refuse",
		"total revenue in Q3 2026":                   "refuse",
		"total revenue in March 2026":                "refuse",
		"revenue by year":                            "refuse",
	} {
		req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{quarters}, Values: values, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); want != "" && !strings.HasPrefix(got, want) || strings.HasSuffix(got, `"select":[{"column":"revenue","expr":"sum"}],"table":"takings"}`) && !strings.Contains(got, "filter") {
			t.Errorf("%q gave\n%s, want\n%s", message, got, want)
		}
	}
}

// One letter is a value like any other where it stands in a list.
func TestLettersAsValues(t *testing.T) {
	months := plan.TableInfo{Name: "wide", Rows: 3, Columns: []plan.ColumnInfo{
		{Name: "customer", Type: "text", Role: "dimension", Distinct: 3},
		{Name: "Feb", Type: "integer", Role: "measure", Min: "2", Max: "20", Distinct: 3},
	}}
	const both = `{"filter":[{"column":"customer","op":"in","value":["A","B"]}],"select":[{"column":"Feb","expr":"sum"}],"table":"wide"}`
	months.Columns = append(months.Columns, plan.ColumnInfo{Name: "revenue", Type: "integer", Role: "measure", Min: "2", Max: "20", Distinct: 3})
	for message, want := range map[string]string{
		"total revenue for B":    `{"filter":[{"column":"customer","op":"eq","value":"B"}],"select":[{"column":"revenue","expr":"sum"}],"table":"wide"}`,
		"total revenue for A?":   `{"filter":[{"column":"customer","op":"eq","value":"A"}],"select":[{"column":"revenue","expr":"sum"}],"table":"wide"}`,
		"total Feb for A and B":  both,
		"total Feb of B and A":   `{"filter":[{"column":"customer","op":"in","value":["B","A"]}],"select":[{"column":"Feb","expr":"sum"}],"table":"wide"}`,
		"give me a total of Feb": `{"select":[{"column":"Feb","expr":"sum"}],"table":"wide"}`,
	} {
		req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{months}, Values: letters{}, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); got != want {
			t.Errorf("%q gave\n%s, want\n%s", message, got, want)
		}
	}
}

// letters holds the values A and B.
type letters struct{}

func (letters) Find(_ context.Context, phrase string) []plan.Hit {
	if p := strings.ToUpper(phrase); p == "A" || p == "B" {
		return []plan.Hit{{Table: "wide", Column: "customer", Value: p, Match: plan.Exact, Score: 1, Rows: 1, Values: 1}}
	}
	return nil
}
