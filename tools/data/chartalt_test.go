package data

import (
	"strings"
	"testing"

	"catena/profiler"
	"catena/table/loadtest"
	"catena/tools"
)

func TestChartInWords(t *testing.T) {
	src := loadtest.ReadCSV(t, "region,revenue_usd\nNorth,129293484.99\nSouth,21006240.82\nEast,30000000.00\n").Table
	c, err := plotOf(SourceTable{Table: src}, profiler.Describe(t.Context(), src), tools.Call{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"highest $129,293,484.99 at North", "lowest $21,006,240.82 at South", "All values: North: $129,293,484.99; South: $21,006,240.82; East: $30,000,000.00."} {
		if !strings.Contains(c.alt, want) {
			t.Errorf("%q is missing in %q", want, c.alt)
		}
	}
}

// TestChartOfPeriodsInText: periods that no date says are drawn as bars, where nobody asked for lines.
func TestChartOfPeriodsInText(t *testing.T) {
	src := loadtest.ReadCSV(t, "week,jam\n2026-W01,10\n2026-W02,12.5\n2026-W03,9\n").Table
	c, err := plotOf(SourceTable{Table: src}, profiler.Describe(t.Context(), src), tools.Call{})
	if err != nil || c.kind != "bar" || len(c.title) == 0 {
		t.Fatal(err)
	}
}
