package data

import (
	"strings"
	"testing"
	"time"

	"catena/formatter/picture"
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

// TestChartTicks: percentages have percent signs at their axis, and the last period that is not over is dashed.
func TestChartTicks(t *testing.T) {
	for _, c := range []struct {
		csv, args, want string
		percent         float64
		dashes          bool
	}{
		{"region,margin_pct\nNorth,12.5\nSouth,40\n", "", ">40%</text>", 1, false},
		{"month,revenue_usd\n2026-01-01,10\n2026-02-01,12\n2026-03-01,5\n", "2026-03-10", ">10</text>", 0, true},
		{"month,revenue_usd\n2026-01-01,10\n2026-02-01,12\n2026-03-01,5\n", "2026-05-10", ">10</text>", 0, false},
	} {
		src := loadtest.ReadCSV(t, c.csv).Table
		call := tools.Call{}
		if c.args != "" {
			call.Now, _ = time.Parse(time.DateOnly, c.args)
		}
		chart, err := plotOf(SourceTable{Table: src}, profiler.Describe(t.Context(), src), call)
		if err != nil {
			t.Fatal(err)
		}
		svg := chart.svg()
		if d, err := picture.Parse(svg); err != nil || d.SVG() != svg {
			t.Errorf("%s is read as another drawing: %v", c.csv, err)
		}
		if chart.percent != c.percent || !strings.Contains(svg, c.want) {
			t.Errorf("percentages times %v, without %s: %s", chart.percent, c.want, svg)
		}
		if dashes := strings.Count(svg, `stroke-width="2"`) > 3; dashes != c.dashes || chart.open != c.dashes {
			t.Errorf("%s, now %s: dashed is %t, of an open period %t", c.csv, c.args, dashes, chart.open)
		}
	}
}
