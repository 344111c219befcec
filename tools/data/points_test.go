package data_test

import (
	"strings"
	"testing"

	"catena/tools/data"
)

// The change of a percentage is in percentage points, whichever tool computes it and however the percentages are written.
func TestChangesOfPercentages(t *testing.T) {
	reg, _ := kitchen(t, nil)
	for name, churn := range map[string][]string{"points": {"15.2%", "11.0%", "9.2%", "8.0%"}, "ratios": {"0.152", "0.11", "0.092", "0.08"}, "numbers": {"15.2", "11.0", "9.2", "8.0"}} {
		csv := `month,churn_pct,target_pct\n`
		for i, month := range []string{"2025-01", "2025-02", "2025-03", "2025-04"} {
			csv += month + "," + churn[i] + "," + churn[3-i] + `\n`
		}
		for _, q := range []struct{ tool, args, want string }{
			{"query_table", `"change":{"column":"churn_pct","order":"month"}`, "|15.2%|8.0%|−7.2|−47.4%|"},
			{"query_table", `"derive":[{"as":"gap","op":"sub","left":"churn_pct","right":"target_pct"}],"select":["month","gap"]`, "Gap (pp)|"},
			{"query_table", `"derive":[{"as":"gap","op":"sub","left":"churn_pct","right":"target_pct"}],"select":["month","gap"]`, "|+7.2|"},
			{"analyze_trend", `"value_column":"churn_pct"`, "Difference (pp)|"},
			{"analyze_trend", `"value_column":"churn_pct"`, "|8.6%|−4.5|"},
			{"format_table_for_llm", `"change":["churn_pct"]`, "|9.2%|−1.8|"},
			{"generate_insights", `"question":"how did churn change?"`, "percentage points"},
		} {
			res := call(t, reg, q.tool, `{"data":"`+csv+`",`+q.args+`}`)
			text := res.Text
			if text == "" {
				text = data.Render(res)
			}
			if res.IsError || !strings.Contains(text, q.want) {
				t.Errorf("%s of %s: no %q in\n%s", q.tool, name, q.want, text)
			}
		}
	}
}
