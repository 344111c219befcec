package chat

import (
	"fmt"
	"strings"
	"testing"

	"catena/chat/chattest"
	"catena/table"
	"catena/tools"
)

func TestCallResult(t *testing.T) {
	wide := table.NewBuilder(func() (cols []table.Column) {
		for i := range 14 {
			cols = append(cols, table.Column{Name: fmt.Sprintf("c%d", i), Type: table.Text})
		}
		return cols
	}()...)
	row := make([]table.Value, 14)
	for i := range row {
		row[i] = table.TextValue(strings.Repeat("x|", 100))
	}
	for range 9 {
		if err := wide.Append(row...); err != nil {
			t.Fatal(err)
		}
	}
	const handle = "tbl_abcdefghijklmnopqrstuvwxyz"
	tests := []struct {
		name   string
		event  tools.StepEvent
		want   []string
		at     int // most bytes
		exact  bool
		refuse string
	}{
		{"table", tools.StepEvent{Status: tools.StepDone, Result: &tools.Result{Table: chattest.TopClients(t), Handle: handle}},
			[]string{"done: 3 rows\n\n| client_id | client | revenue_usd | contracts |\n|---|---|---|---|\n| 007 | Northwind Freight | 4120339.10 | 12 |\n" +
				"| 012 | Abbott & Lane | 3902004.75 | 7 |\n| 100 | secret cell text | 1204551.25 | 3 |\n\nThe whole table: /api/v1/tables/" + handle}, 1000, true, ""},
		{"wide", tools.StepEvent{Status: tools.StepPartial, Error: "one failed", Result: &tools.Result{Table: wide.Table()}},
			[]string{"partial: one failed: 9 rows\n\n|", "2 of 9 rows and 12 of 14 columns."}, 5000, false, "The whole"},
		{"text", tools.StepEvent{Status: tools.StepDone, Result: &tools.Result{Text: strings.Repeat("ä", 5000)}}, []string{"done: ää", "…"}, 2100, false, ""},
		{"value", tools.StepEvent{Status: tools.StepDone, Result: &tools.Result{Structured: map[string]any{"n": 3}}}, []string{"|n|3|"}, 100, false, ""},
		{"nothing", tools.StepEvent{Status: tools.StepDone, Result: &tools.Result{}}, []string{"done"}, 4, true, ""},
		{"failed", tools.StepEvent{Status: tools.StepFailed, Error: "There is no column weather."}, []string{"failed: There is no column weather."}, 100, true, ""},
	}
	for _, test := range tests {
		got := callResult(test.event)
		for _, want := range test.want {
			if !strings.Contains(got, want) || test.exact && got != want {
				t.Errorf("%s: no %q in %q", test.name, want, got)
			}
		}
		if len(got) > test.at || test.refuse != "" && strings.Contains(got, test.refuse) {
			t.Errorf("%s: %d bytes: %q", test.name, len(got), got)
		}
	}
}
