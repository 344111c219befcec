package offline

import (
	"strings"
	"testing"
)

// What is asked for period over period is a change, whether or not that word is said.
func TestPeriodOverPeriod(t *testing.T) {
	month := `"change":{"column":"amount_usd","every":true,"order":"date"},"group_by":[{"column":"date","period":"month"}]`
	count := `"change":{"column":"count","every":true,"order":"date"},"group_by":[{"column":"date","period":"month"}]`
	for message, want := range map[string]string{
		"amount month over month":                   month,
		"month over month amount":                   month,
		"amount MoM":                                month,
		"amount vs the previous month":              month,
		"amount compared to the month before":       month,
		"amount week over week":                     `"group_by":[{"column":"date","period":"week"}]`,
		"amount month over month by status":         `"change":{"by":["status"],"column":"amount_usd","every":true,"order":"date"},"group_by":["status",{"column":"date","period":"month"}]`,
		"number of bills month over month":          count,
		"month to month change of number of bills":  count,
		"monthly change in bills":                   count,
		"how did the number of bills grow by month": count,
		"amount in March vs the previous month":     `"filter":[{"column":"date","op":"in","value":["2026-02","2026-03"]}]`,
		"amount year over year":                     "clarify: The data hold fewer than two full years",
	} {
		if got, _ := billPlan(t, message); !strings.Contains(got, want) {
			t.Errorf("%q gave\n%s, want\n%s", message, got, want)
		}
	}
}
