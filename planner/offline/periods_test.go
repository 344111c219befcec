package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

// Months of a table without times are refused, not dropped.
func TestPeriodsNeedTimes(t *testing.T) {
	info := plan.TableInfo{Name: "trips", Rows: 40, Columns: []plan.ColumnInfo{{Name: "d", Type: "text", Distinct: 40}, {Name: "cost", Type: "integer", Min: "1", Max: "90", Role: "measure"}}}
	for _, message := range []string{"total cost by month", "total cost per quarter"} {
		got, err := New().Plan(t.Context(), plan.Request{Message: message, Tables: []plan.TableInfo{info}})
		if err != nil || !strings.Contains(got.Plan.Refuse, "no column of dates") {
			t.Errorf("%s: %v, plan %+v", message, err, got.Plan)
		}
	}
}
