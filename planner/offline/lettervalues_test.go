package offline

import (
	"context"
	"regexp"
	"testing"

	"catena/planner/plan"
)

// notNull is the condition that leaves out empty cells, which add nothing to a sum.
var notNull = regexp.MustCompile(`,\{"column":"\w+","op":"not_null"\}`)

// A value of one letter is a condition wherever it cannot be an article or a pronoun, and never passed over.
func TestSingleLetterValues(t *testing.T) {
	quarters := plan.TableInfo{Name: "regions", Rows: 2, Columns: []plan.ColumnInfo{
		{Name: "region", Type: "text", Role: "dimension", Distinct: 2},
		{Name: "Q1", Type: "integer", Role: "measure", Min: "1", Max: "5", Distinct: 2},
		{Name: "Q3", Type: "integer", Role: "measure", Min: "3", Max: "7", Distinct: 2},
		{Name: "2024", Type: "integer", Role: "measure", Min: "3", Max: "7", Distinct: 2},
	}}
	const south, all = `{"filter":[{"column":"region","op":"eq","value":"S"}],"select":[`, `{"select":[`
	sum := func(c string) string { return `{"column":"` + c + `","expr":"sum"}` }
	for message, want := range map[string]string{
		"Q3 for S":         south + sum("Q3") + `],"table":"regions"}`,
		"q3 for s":         south + sum("Q3") + `],"table":"regions"}`,
		"S Q3":             south + sum("Q3") + `],"table":"regions"}`,
		"total Q3 of S":    south + sum("Q3") + `],"table":"regions"}`,
		"Q1 and Q3 for S":  south + sum("Q1") + "," + sum("Q3") + `],"table":"regions"}`,
		"2024 for S":       south + sum("2024") + `],"table":"regions"}`,
		"S in 2024":        south + sum("2024") + `],"table":"regions"}`,
		"total Q3 for A":   `{"filter":[{"column":"region","op":"eq","value":"A"}],"select":[` + sum("Q3") + `],"table":"regions"}`,
		"a total of Q3":    all + sum("Q3") + `],"table":"regions"}`,
		"what's total Q3":  all + sum("Q3") + `],"table":"regions"}`,
		"I want total Q3":  all + sum("Q3") + `],"table":"regions"}`,
		"give me a Q3 sum": all + sum("Q3") + `],"table":"regions"}`,
	} {
		req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{quarters}, Values: caseValues{"S": exact("regions", "region", "S"), "A": exact("regions", "region", "A")}, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := notNull.ReplaceAllString(stepsOf(resp.Plan), ""); got != want {
			t.Errorf("%q gave\n%s, want\n%s", message, got, want)
		}
	}
}

// caseValues finds values as they are written only, as the index does with short ones.
type caseValues map[string]plan.Hit

func (f caseValues) Find(_ context.Context, phrase string) []plan.Hit {
	if h, ok := f[phrase]; ok {
		return []plan.Hit{h}
	}
	return nil
}
