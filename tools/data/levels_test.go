package data_test

import (
	"fmt"
	"strings"
	"testing"
)

// What is there at a time is not added up over time, whoever sums.
func TestLevelsOverTime(t *testing.T) {
	reg, _ := kitchen(t, nil)
	const csv = `year,city,population,births\n2023,A,1000,11\n2023,B,2000,23\n2024,A,1100,13\n2024,B,2200,29\n`
	for _, q := range []struct{ tool, args string }{{"generate_insights", ""}, {"summarize_table", ""}, {"format_table_for_llm", `,"add_summary_row":true`}} {
		res := call(t, reg, q.tool, `{"data":"`+csv+`"`+q.args+`}`)
		var all strings.Builder
		for _, r := range rows(res.Table) {
			all.WriteString(strings.Join(r, " ") + " ")
		}
		all.WriteString(res.Text)
		if got := strings.ReplaceAll(all.String(), ",", ""); res.IsError || strings.Contains(got, "6300") || !strings.Contains(got, "76") {
			t.Errorf("%s adds up levels over time, or no births:\n%s", q.tool, got)
		}
	}
}

// A trend of levels takes the latest of each period, and adds up no periods.
func TestTrendOfLevels(t *testing.T) {
	reg, _ := kitchen(t, nil)
	var b strings.Builder
	b.WriteString(`date,warehouse,stock,sold\n`)
	for i := range 24 {
		for _, day := range []int{10, 20} { // the second is the one that counts
			fmt.Fprintf(&b, `%[1]d-%02[2]d-%02[3]d,A,%[4]d,3\n%[1]d-%02[2]d-%02[3]d,B,%[5]d,4\n`, 2024+i/12, 1+i%12, day, 100+10*i+day, 500+day)
		}
	}
	for by, want := range map[string]string{"": "870 750 120", `,"group_column":"warehouse"`: "350 230 120"} {
		res := call(t, reg, "analyze_trend", `{"data":"`+b.String()+`","value_column":"stock"`+by+`}`)
		if res.IsError || res.Table.Index("latest_stock") < 0 || res.Table.Index("previous_stock") < 0 {
			t.Fatalf("%s: %v %s", by, res.Table, res.Text)
		}
		col := func(name string) string { return res.Table.Value(0, res.Table.Index(name)).Text() }
		if got := col("latest_stock") + " " + col("previous_stock") + " " + col("difference"); got != want {
			t.Errorf("%s: %s, want %s", by, got, want)
		}
		if notes := strings.Join(res.Notes, " "); !strings.Contains(notes, "Stock is what is there at a time") || !strings.Contains(notes, "12 months before") {
			t.Errorf("notes: %s", notes)
		}
	}
	if res := call(t, reg, "analyze_trend", `{"data":"`+b.String()+`","value_column":"sold"}`); res.Table.Value(0, res.Table.Index("last_12_months_sold")).Text() != "168" {
		t.Errorf("what was sold is added: %v %v", res.Table.Names(), rows(res.Table))
	}
}
