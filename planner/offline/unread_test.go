package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

// A column of dates that stayed text answers no question about times, and no other table or column does instead.
func TestOfflineUnreadDates(t *testing.T) {
	bills := plan.TableInfo{Name: "bills", Rows: 30, Columns: []plan.ColumnInfo{
		{Name: "due", Type: "text", Role: "dimension", Distinct: 30, Unread: plan.UnreadAmbiguous},
		{Name: "cost", Type: "decimal", Role: "measure", Min: "1.00", Max: "90.00", Distinct: 30},
	}}
	visits := plan.TableInfo{Name: "visits", Rows: 30, Columns: []plan.ColumnInfo{
		{Name: "seen", Type: "date", Role: "time", Min: "2024-01-01", Max: "2025-12-01", Distinct: 30},
		{Name: "noted", Type: "text", Role: "dimension", Distinct: 30, Unread: plan.UnreadMixed},
		{Name: "fee", Type: "decimal", Role: "measure", Min: "1.00", Max: "90.00", Distinct: 30},
	}}
	ties := plan.TableInfo{Name: "ties", Live: true, Source: "live", Columns: []plan.ColumnInfo{
		{Name: "tie", Type: "text", Role: "dimension"}, {Name: "last_met", Type: "datetime", Role: "time"},
	}}
	for message, want := range map[string]string{
		"total cost in 2025":           "refuse: The dates in due are ambiguous (day or month first)",
		"total cost by month":          "refuse: The dates in due are ambiguous",
		"cost in March 2025":           "refuse: The dates in due are ambiguous",
		"cost over time":               "refuse: The dates in due are ambiguous",
		"rows with noted in May 2025":  "refuse: The dates in noted are written in several ways",
		"count visits by noted month":  "refuse: The dates in noted are written in several ways",
		"total fee in 2025":            `{"filter":[{"column":"seen"`,
		"total cost":                   `{"select":[{"column":"cost","expr":"sum"}]`,
		"average cost of bills by due": `{"group_by":["due"]`,
	} {
		req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{bills, visits, ties}, Values: fakeValues{}, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); !strings.HasPrefix(got, want) {
			t.Errorf("%q gave %s, want %s", message, got, want)
		}
	}
}
