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

// A number of periods that no calendar has is no period: it turned into a month to come.
func TestPeriodsBeyondCalendars(t *testing.T) {
	for _, n := range []string{"200000", "99999999999999999", "99999999999999999999", strings.Repeat("9", 3000)} {
		if p := planFor(t, "visitors in the last "+n+" months"); p.Refuse == "" {
			t.Errorf("%.30s: %s", n, stepsOf(p))
		}
	}
}
