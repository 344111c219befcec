package offline

import (
	"slices"
	"strings"
	"testing"

	"catena/planner/plan"
)

// measured is a table of what does not add up, beside amounts; staffed one of what is there at each time.
var (
	measured = plan.TableInfo{Name: "venues", Rows: 90, Columns: []plan.ColumnInfo{
		{Name: "venue", Type: "text", Role: "dimension", Distinct: 90},
		{Name: "town", Type: "text", Role: "dimension", Distinct: 9},
		{Name: "rating", Type: "decimal", Role: "measure", Min: "1.0", Max: "5.0", Distinct: 40, NoSum: "a rating"},
		{Name: "score", Type: "integer", Role: "measure", Min: "10", Max: "99", Distinct: 60, NoSum: "a score"},
		{Name: "phone", Type: "integer", Role: "measure", Min: "4930000000", Max: "4990000000", Distinct: 90, NoSum: "a phone number", NoMean: true},
		{Name: "num", Type: "integer", Role: "measure", Min: "20250101", Max: "20251231", Distinct: 88, NoSum: "a date", NoMean: true},
		{Name: "margin", Type: "decimal", Role: "measure", Min: "0.1", Max: "0.6", Distinct: 80},
		{Name: "guests", Type: "integer", Role: "measure", Min: "1", Max: "900", Distinct: 80},
	}}
	staffed = plan.TableInfo{Name: "staffing", Rows: 36, Columns: []plan.ColumnInfo{
		{Name: "month", Type: "date", Role: "time", Min: "2025-01-01", Max: "2025-12-01", Distinct: 12},
		{Name: "team", Type: "text", Role: "dimension", Distinct: 3},
		{Name: "headcount", Type: "integer", Role: "measure", Min: "3", Max: "40", Distinct: 20},
	}}
	census = plan.TableInfo{Name: "census", Rows: 40, Columns: []plan.ColumnInfo{
		{Name: "year", Type: "integer", Role: "time", Min: "2010", Max: "2020", Distinct: 10},
		{Name: "country", Type: "text", Role: "dimension", Distinct: 4},
		{Name: "population", Type: "integer", Role: "measure", Min: "50", Max: "110", Distinct: 38},
	}}
	stocked = plan.TableInfo{Name: "stocked", Rows: 40, Columns: []plan.ColumnInfo{
		{Name: "date", Type: "date", Role: "time", Min: "2026-01-01", Max: "2026-02-01", Distinct: 10},
		{Name: "item", Type: "text", Role: "dimension", Distinct: 4},
		{Name: "stock", Type: "integer", Role: "measure", Min: "1", Max: "110", Distinct: 38},
	}}
	products = plan.TableInfo{Name: "catalogue", Rows: 40, Columns: []plan.ColumnInfo{
		{Name: "product", Type: "text", Role: "dimension", Distinct: 40},
		{Name: "added", Type: "date", Role: "time", Min: "2026-01-01", Max: "2026-02-01", Distinct: 10},
		{Name: "stock", Type: "integer", Role: "measure", Min: "1", Max: "110", Distinct: 38},
	}}
)

func additivePlan(t testing.TB, message string) (string, string) {
	t.Helper()
	req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{measured, staffed}, Values: fakeValues{}, Tools: testTools}
	resp, err := New().Plan(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return stepsOf(resp.Plan), strings.Join(resp.Notes, " ")
}

func TestOfflineWhatDoesNotAddUp(t *testing.T) {
	cases := []struct{ message, want, note string }{
		{"total rating", `{"select":[{"column":"rating","expr":"mean"}],"table":"venues"}`, "rating is a rating, which does not add up: the mean is shown"},
		{"total score by town", `{"group_by":["town"],"select":["town",{"column":"score","expr":"mean"}],"table":"venues"}`, "the mean is shown"},
		{"total margin by town", `{"group_by":["town"],"select":["town",{"column":"margin","expr":"mean"}],"table":"venues"}`, "the mean is shown"},
		{"total guests and total rating by town", `{"group_by":["town"],"select":["town",{"column":"guests","expr":"sum"},{"column":"rating","expr":"mean"}],"table":"venues"}`, "rating is a rating"},
		{"top 3 towns by total rating", `{"group_by":["town"],"limit":3,"order_by":[{"column":"mean_rating","desc":true}],"select":["town",{"column":"rating","expr":"mean"}],"table":"venues"}`, "the mean is shown"},
		{"sum of rating", `{"select":[{"column":"rating","expr":"sum"}],"table":"venues"}`, "the sum that was asked for says little"},
		{"sum of margin", `{"select":[{"column":"margin","expr":"sum"}],"table":"venues"}`, "margin is a percentage or ratio, which does not add up: the sum that was asked for says little"},
		{"towns with total rating over 50", "clarify: rating is a rating, which does not add up", ""},
		{"which towns total more than 50 rating", "clarify: rating is a rating, which does not add up", ""},
		{"towns with total rating under 50 and total guests over 10", "clarify: rating is a rating, which does not add up", ""},
		{"towns with total margin over 2", "clarify: margin is a percentage or ratio, which does not add up", ""},
		{"towns with sum of rating over 50", `{"group_by":["town"],"having":[{"column":"sum_rating","op":"gt","value":50}],"select":["town",{"column":"rating","expr":"sum"}],"table":"venues"}`, "the sum that was asked for says little"},
		{"towns with average rating over 4", `{"group_by":["town"],"having":[{"column":"mean_rating","op":"gt","value":4}],"select":["town",{"column":"rating","expr":"mean"}],"table":"venues"}`, ""},
		{"towns with total guests over 50", `{"group_by":["town"],"having":[{"column":"sum_guests","op":"gt","value":50}],"select":["town",{"column":"guests","expr":"sum"}],"table":"venues"}`, ""},
		{"total guests by town over 50", `{"group_by":["town"],"having":[{"column":"sum_guests","op":"gt","value":50}],"select":["town",{"column":"guests","expr":"sum"}],"table":"venues"}`, ""},
		{"average rating", `{"select":[{"column":"rating","expr":"mean"}],"table":"venues"}`, ""},
		{"total guests", `{"select":[{"column":"guests","expr":"sum"}],"table":"venues"}`, ""},
		{"sum of phone", "refuse: phone is a phone number", ""},
		{"average phone", "refuse: phone is a phone number", ""},
		{"total num", "refuse: num is a date", ""},
		{"share of rating by town", "refuse: rating is a rating, which does not add up, so that there is no whole", ""},
	}
	for _, c := range cases {
		got, note := additivePlan(t, c.message)
		if !strings.HasPrefix(got, c.want) || !strings.Contains(note, c.note) || c.note == "" && note != "" {
			t.Errorf("%q gave %s, noting %q; want %s, noting %q", c.message, got, note, c.want, c.note)
		}
	}
}

func TestOfflineLevelsOverTime(t *testing.T) {
	cases := []struct{ message, want, note string }{
		{"total headcount", `{"filter":[{"column":"month","op":"eq","value":"2025-12-01"}],"select":[{"column":"headcount","expr":"sum"}],"table":"staffing"}`, "for 2025-12-01"},
		{"headcount by team", `{"filter":[{"column":"month","op":"eq","value":"2025-12-01"}],"group_by":["team"],"select":["team",{"column":"headcount","expr":"sum"}],"table":"staffing"}`, "for 2025-12-01"},
		{"total headcount by month", `{"group_by":[{"column":"month","period":"month"}],"order_by":[{"column":"month"}],"select":["month",{"column":"headcount","expr":"sum"}],"table":"staffing"}`, ""},
		{"total headcount in march 2025", `{"filter":[{"column":"month","op":"eq","value":"2025-03"}],"select":[{"column":"headcount","expr":"sum"}],"table":"staffing"}`, ""},
		{"total headcount by quarter", "clarify: headcount is what there is at one time", ""},
		{"average headcount by team", `{"group_by":["team"],"select":["team",{"column":"headcount","expr":"mean"}],"table":"staffing"}`, ""},
	}
	for _, c := range cases {
		got, note := additivePlan(t, c.message)
		if !strings.HasPrefix(got, c.want) || !strings.Contains(note, c.note) || c.note == "" && note != "" {
			t.Errorf("%q gave %s, noting %q; want %s, noting %q", c.message, got, note, c.want, c.note)
		}
	}
}

// What is there at each of several times is shown for the last one, whatever it is called and however it is asked for.
func TestOfflineLevelsOfThings(t *testing.T) {
	last := `{"column":"year","op":"eq","value":2020}`
	for _, c := range []struct {
		table               plan.TableInfo
		message, want, note string
	}{
		{census, "total population", `"filter":[` + last + `]`, "for 2020"},
		{census, "population by country", `"filter":[` + last + `]`, "for 2020"},
		{census, "which country has the highest population", last, "for 2020"},
		{census, "share of population by country", `"filter":[` + last + `]`, "for 2020"},
		{census, "population by year", `"group_by":["year"]`, ""},
		{census, "population in 2015", `"value":2015`, ""},
		{stocked, "total stock", `"value":"2026-02-01"`, "for 2026-02-01"},
		{stocked, "current stock by item", `"value":"2026-02-01"`, "for 2026-02-01"},
		{stocked, "current stock", `"value":"2026-02-01"`, "for 2026-02-01"},
		{stocked, "which item has the most stock", `"value":"2026-02-01"`, "for 2026-02-01"},
		{stocked, "average stock by item", `"expr":"mean"`, ""},
		{products, "total stock", `{"select":[{"column":"stock","expr":"sum"}],"table":"catalogue"}`, ""},
	} {
		req := plan.Request{Message: c.message, Now: testNow, Tables: []plan.TableInfo{c.table}, Values: fakeValues{}, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got, note := stepsOf(resp.Plan), strings.Join(resp.Notes, " "); !strings.Contains(got, c.want) || !strings.Contains(note, c.note) || c.note == "" && note != "" {
			t.Errorf("%q gave %s, noting %q; want %s, noting %q", c.message, got, note, c.want, c.note)
		}
	}
}

// A column of which too many cells are no numbers is not computed with, and no other column is instead.
func TestOfflinePartlyNumbers(t *testing.T) {
	stock := plan.TableInfo{Name: "stock", Rows: 10, Columns: []plan.ColumnInfo{
		{Name: "item", Type: "text", Role: "dimension", Distinct: 10},
		{Name: "qty", Type: "text", Role: "measure", Distinct: 9, NotNumbers: 1},
		{Name: "size", Type: "text", Role: "dimension", Distinct: 9, NotNumbers: 4},
		{Name: "price", Type: "decimal", Role: "measure", Min: "1.00", Max: "9.00", Distinct: 9},
	}}
	for message, want := range map[string]string{
		"total qty":          `{"select":[{"column":"qty","expr":"sum"}],"table":"stock"}`,
		"average size":       "refuse: 4 of the 10 filled cells of size are no numbers",
		"total qty by item":  `{"group_by":["item"],"select":["item",{"column":"qty","expr":"sum"}],"table":"stock"}`,
		"total size by item": "refuse: 4 of the 10 filled cells of size are no numbers",
	} {
		req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{stock}, Values: fakeValues{}, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); !strings.HasPrefix(got, want) {
			t.Errorf("%q gave %s, want %s", message, got, want)
		}
	}
}

// Columns to group by are looked for once, whatever number of measures a table has, and no further than they are needed.
func TestGroupColumns(t *testing.T) {
	v := &view{}
	for i, distinct := range []int{1, 7, 500, 3, 4} {
		info := plan.ColumnInfo{Name: "c", Type: "text", Distinct: distinct}
		if i == 3 {
			info.Role = "identifier"
		}
		v.cols = append(v.cols, viewColumn{info: info}, viewColumn{info: plan.ColumnInfo{Name: "n", Type: "int", Distinct: 9}})
	}
	for most, want := range map[int][]int{1: {2}, 2: {2, 8}, 3: {2, 8}} {
		if got := groupColumns(v, most); !slices.Equal(got, want) {
			t.Errorf("%d at the most: %v, want %v", most, got, want)
		}
	}
}
