package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

// Months, quarters and days without a year are those of the data: of their only year, or of every year.
func TestTimesWithoutYear(t *testing.T) {
	several := bills
	several.Name, several.Columns = "takings", append([]plan.ColumnInfo(nil), bills.Columns...)
	several.Columns[1].Min, several.Columns[1].Max = "2024-11-05", "2026-03-05"
	cases := []struct {
		table         plan.TableInfo
		message, want string
	}{
		{bills, "total amount before March", `{"column":"date","op":"lt","value":"2026-03"}`},
		{bills, "total amount since March", `{"column":"date","op":"ge","value":"2026-03"}`},
		{bills, "total amount from January to February", `{"column":"date","op":"between","value":["2026-01","2026-02"]}`},
		{bills, "total amount between March and May", `{"column":"date","op":"between","value":["2026-03","2026-05"]}`},
		{bills, "change of amount from January to February", `{"column":"date","op":"in","value":["2026-01","2026-02"]}`},
		{bills, "total amount before 15 March", `{"column":"date","op":"lt","value":"2026-03-15"}`},
		{bills, "amount in first quarter", `{"column":"date","op":"eq","value":"2026-Q1"}`},
		{bills, "amount in the first quarter of 2026", `{"column":"date","op":"eq","value":"2026-Q1"}`},
		{bills, "amount in Q2", `{"column":"date","op":"eq","value":"2026-Q2"}`},
		{bills, "amount in first quarter vs second quarter", `{"column":"date","op":"in","value":["2026-Q1","2026-Q2"]}],"group_by":[{"column":"date","period":"quarter"}]`},
		{bills, "compare the first and second quarter", `{"column":"date","op":"in","value":["2026-Q1","2026-Q2"]}`},
		{bills, "total amount in the first half of 2026", `{"column":"date","op":"between","value":["2026-01","2026-06"]}`},
		{bills, "total amount in H1 2026", `{"column":"date","op":"between","value":["2026-01","2026-06"]}`},
		{several, "total amount before March", `{"column":"date","op":"in","period":"month_of_year","value":[1,2]}`},
		{several, "total amount since November", `{"column":"date","op":"ge","value":"2025-11"}`},
		{several, "total amount from November to January", `{"column":"date","op":"in","period":"month_of_year","value":[11,12,1]}`},
		{several, "total amount from January to February 2025", `{"column":"date","op":"between","value":["2025-01","2025-02"]}`},
		{several, "total amount from November 2025 to January", `{"column":"date","op":"between","value":["2025-11","2026-01"]}`},
		{several, "total amount in the first quarter", `{"column":"date","op":"in","value":["2024-Q1","2025-Q1","2026-Q1"]}`},
		{several, "total amount from November to January 2026", `{"column":"date","op":"between","value":["2025-11","2026-01"]}`},
		{several, "amount on March 5", `{"column":"date","op":"ends_with","value":"-03-05"}`},
		{several, "change of amount from January to February", `{"column":"date","op":"in","value":["2026-01","2026-02"]}`},
	}
	for _, c := range cases {
		req := plan.Request{Message: c.message, Now: testNow, Tables: []plan.TableInfo{c.table}, Values: fakeValues{}, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); !strings.Contains(got, c.want) {
			t.Errorf("%q of %s gave\n%s, want\n%s", c.message, c.table.Name, got, c.want)
		}
	}
}
