package data_test

import (
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
