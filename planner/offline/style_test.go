package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

func TestNumberStyles(t *testing.T) {
	data := numberStyle{true, "as the data write numbers"}
	english := numberStyle{}
	for _, c := range []struct {
		style      numberStyle
		text, want string
		sure       bool
	}{
		{data, "over 1.000", "over 1000", false},
		{data, "over 1.000,00", "over 1000.00", true},
		{data, "over 1 000,50", "over 1000.50", true},
		{data, "over 2,5 and 1,234", "over 2.5 and 1.234", false},
		{data, "over 1.5", "over 1.5", true},
		{data, "called “A 1.000” or 'B 1.000' or „Typ 1.000“, over 2,5", "called “A 1.000” or 'B 1.000' or „Typ 1.000“, over 2.5", true},
		{data, "in 2,5 of 10 rows", "in 2.5 of 10 rows", true},
		{english, "over 1.000,00", "over 1000.00", true},
		{english, "over 1 000,50", "over 1000.50", true},
		{english, "over 1.000", "over 1.000", false},
		{english, "over 1.000.000", "over 1000000", true},
		{english, "over 1,000", "over 1,000", true},
		{english, "over 1,000.50", "over 1000.50", true},
		{english, "over 1 000", "over 1000", true},
		{english, "over 1’000’000", "over 1000000", true},
		{english, "clients 1,2 and 3", "clients 1,2 and 3", true},
		{english, "top 5 100 mile runs", "top 5 100 mile runs", true},
		{english, "in 2024 500 rows, 1.2.2025, 10.0.0.1, v1.2.3 and \"1.000,00\"", "in 2024 500 rows, 1.2.2025, 10.0.0.1, v1.2.3 and \"1.000,00\"", true},
		{numberStyle{false, "as locale en writes numbers"}, "over 1.000", "over 1.000", true},
	} {
		got, notes := c.style.rewrite(c.text)
		if got != c.want || (len(notes) == 0) != c.sure {
			t.Errorf("%q became %q with notes %q, want %q", c.text, got, notes, c.want)
		}
	}
}

func TestOfflineReadsNumbersAsWritten(t *testing.T) {
	shop := plan.TableInfo{Name: "shop", Rows: 30, Columns: []plan.ColumnInfo{
		{Name: "k", Type: "text", Role: "dimension", Distinct: 30},
		{Name: "sales", Type: "decimal", Role: "measure", Min: "2.50", Max: "1500.50", Distinct: 30},
	}}
	comma := shop
	comma.DecimalComma = true
	for _, c := range []struct {
		table                 plan.TableInfo
		locale, message, want string
		note                  string
	}{
		{comma, "", "k with sales over 1.000", `"value":1000}`, "“1.000” was read as 1000, as the data write numbers."},
		{shop, "de", "k with sales over 1.000", `"value":1000}`, "as locale de writes numbers"},
		{shop, "de-CH", "k with sales over 1.000", `"value":1.000}`, ""},
		{comma, "en", "k with sales over 1.000", `"value":1.000}`, ""},
		{shop, "fr", "k with sales over 1 000,50", `"value":1000.50}`, ""},
		{shop, "", "k with sales over 1.000,00", `"value":1000.00}`, ""},
		{shop, "", "k with sales over 1.000", `"value":1.000}`, "with a decimal point"},
		{shop, "", "top 1k by sales", `"limit":1000`, ""},
		{shop, "", "top 1 k by sales", "clarify: How many does “top 1 k” ask for", ""},
	} {
		req := plan.Request{Message: c.message, Now: testNow, Locale: c.locale, Tables: []plan.TableInfo{c.table}, Values: fakeValues{}, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		note := strings.Join(resp.Notes, " ")
		if got := stepsOf(resp.Plan); !strings.Contains(got, c.want) || !strings.Contains(note, c.note) || c.note == "" && note != "" {
			t.Errorf("%q in %q gave %s, noting %q; want %s, noting %q", c.message, c.locale, got, note, c.want, c.note)
		}
		if len(resp.Plan.Steps) > 0 && resp.Plan.Title != c.message {
			t.Errorf("the title of %q is %q", c.message, resp.Plan.Title)
		}
	}
}
