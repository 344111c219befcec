package data_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// monthlySales are 24 months up to October 2026 with two rows each that add up to 100, 110, 120 ..., and some days of
// November 2026. b sells in some months alone, and c began late.
func monthlySales() string {
	var s strings.Builder
	s.WriteString("day,shop,amount,price\n")
	for m := range 24 {
		day := time.Date(2024, time.Month(11+m), 5, 0, 0, 0, 0, time.UTC)
		fmt.Fprintf(&s, "%s,a,%d,2.50\n%s,a,%d,3.50\n", day.Format(time.DateOnly), 40+10*m, day.AddDate(0, 0, 9).Format(time.DateOnly), 60)
		if m%2 == 0 {
			fmt.Fprintf(&s, "%s,b,7,1.00\n", day.Format(time.DateOnly))
		}
		if m > 20 {
			fmt.Fprintf(&s, "%s,c,1,1.00\n", day.Format(time.DateOnly))
		}
	}
	return s.String() + "2026-11-02,a,1,2.50\n"
}

func TestForecast(t *testing.T) {
	reg, _ := kitchen(t, nil)
	sales := monthlySales()
	only := func(shop string) string {
		var out []string
		for i, line := range strings.Split(sales, "\n") {
			if i == 0 || strings.Contains(line, ","+shop+",") {
				out = append(out, line)
			}
		}
		return strings.Join(out, "\n")
	}
	month := map[string]any{"column": "day", "period": "month"}
	for _, test := range []struct {
		name  string
		args  map[string]any
		want  []string
		note  string
		title string
		fault string
	}{
		{
			name: "a line, the month that is not over left out",
			args: map[string]any{"data": only("a"), "value": "amount", "over": month, "ahead": 2},
			want: []string{"2026-11-01|340|340|340|0|straight line", "2026-12-01|350|350|350|0|straight line"},
			note: "November 2026 is left out: it is not complete.", title: "Forecast of Amount, November 2026 to December 2026, monthly",
		},
		{
			name: "the period is found",
			args: map[string]any{"data": only("a"), "value": "amount", "over": "day", "ahead": 1},
			want: []string{"2026-11-01|340|340|340|0|straight line"},
			note: "Back-test: from 18 points in the past, forecasts were off by",
		},
		{
			name: "rates are averaged",
			args: map[string]any{"data": only("a"), "value": "price", "over": month, "ahead": 1},
			want: []string{"2026-11-01|3|3|3|0|last value"},
			note: "price does not add up, so means are shown",
		},
		{
			name: "groups with gaps and short ones are told",
			args: map[string]any{"data": sales, "value": "amount", "over": month, "by": []any{"shop"}, "ahead": 1},
			want: []string{"a|2026-11-01|340|340|340|0|straight line"},
			note: "Not forecast, as there is not enough data: b has no value after September 2026; " +
				"c has 3 whole months, and a forecast of 1 needs 10.",
		},
		{
			name: "gaps that count as zero",
			args: map[string]any{"data": only("b"), "over": month, "ahead": 1, "fill": "zero"},
			note: "11 months without rows counted as 0.",
		},
		{
			name:  "a mean has no zeros",
			args:  map[string]any{"data": only("b"), "value": "price", "over": month, "fill": "zero"},
			fault: "zero for a period without rows needs amounts whose parts add up",
		},
		{
			name:  "not enough data",
			args:  map[string]any{"data": only("c"), "value": "amount", "over": month},
			fault: "not enough data: has 3 whole months, and a forecast of 6 needs 15",
		},
		{
			name:  "a gap",
			args:  map[string]any{"data": only("b") + "\n2026-10-20,b,1,1", "value": "amount", "over": month},
			fault: "not enough data: has no value for December 2024",
		},
		{
			name:  "a period that comes again",
			args:  map[string]any{"data": sales, "over": map[string]any{"column": "day", "period": "weekday"}},
			fault: "not by weekday",
		},
		{
			name:  "no dates",
			args:  map[string]any{"data": sales, "over": "shop"},
			fault: "shop holds texts, and a forecast needs dates",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			raw, err := json.Marshal(test.args)
			if err != nil {
				t.Fatal(err)
			}
			res := call(t, reg, "forecast", string(raw))
			if test.fault != "" {
				if !res.IsError || !strings.Contains(res.Text, test.fault) {
					t.Errorf("got %v %q, want %q", res.IsError, res.Text, test.fault)
				}
				return
			}
			if res.IsError {
				t.Fatalf("%s: %s", res.Code, res.Text)
			}
			if got := shownRows(res.Table); test.want != nil && got != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, strings.Join(test.want, "\n"))
			}
			if notes := strings.Join(res.Notes, "\n"); !strings.Contains(notes, test.note) {
				t.Errorf("no %q in %s", test.note, notes)
			}
			if test.title != "" && res.Title != test.title {
				t.Errorf("title %q", res.Title)
			}
		})
	}
}
