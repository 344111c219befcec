package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

const trendQuestion = "Show me the top 5 USA accounts and analyze their turnover trends"

// shownTrend is what the answer to trendQuestion shows.
var shownTrend = []plan.TableInfo{
	{Name: "top_accounts", Handle: "tbl_top", Rows: 5, Columns: []plan.ColumnInfo{
		{Name: "account_id", Type: "text", Role: "identifier", Distinct: 5}, {Name: "account", Type: "text", Role: "dimension", Distinct: 5}, {Name: "turnover", Type: "decimal", Role: "measure"}}},
	{Name: "trend", Handle: "tbl_trend", Rows: 5, Columns: []plan.ColumnInfo{
		{Name: "account", Type: "text", Role: "dimension", Distinct: 5}, {Name: "growth_per_year", Type: "float", Role: "measure"}, {Name: "shape", Type: "text", Role: "dimension"}}},
}

func TestOfflineChangesChains(t *testing.T) {
	first, _ := firmPlan(t, trendQuestion)
	if len(first.Steps) != 3 {
		t.Fatalf("the chain is %s", stepsOf(first))
	}
	turn := plan.Turn{Message: trendQuestion, Plan: &first, Outcome: "answer", Tables: shownTrend}
	sorted := plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: queryTool, Args: map[string]any{"table": "tbl_trend"}}}}
	second := plan.Turn{Message: "sort that by growth", Plan: &sorted, Outcome: "answer", Tables: []plan.TableInfo{{Name: "trend", Handle: "tbl_sorted", Rows: 5, Columns: shownTrend[1].Columns}}}
	german := strings.Replace(stepsOf(first), `"region":"USA"`, `"region":"Germany"`, 1)
	cases := []struct {
		message string
		history []plan.Turn
		want    string
	}{
		{"and for Germany?", []plan.Turn{turn}, german},
		{"and for Germany?", []plan.Turn{turn, second}, german},
		{"sort that by growth", []plan.Turn{turn}, `{"order_by":[{"column":"growth_per_year","desc":true}],"table":"tbl_trend"}`},
		{"sort that by growth ascending", []plan.Turn{turn}, `{"order_by":[{"column":"growth_per_year"}],"table":"tbl_trend"}`},
		{"as a bar chart", []plan.Turn{turn, second}, `visualize_data {"chart_type":"bar","data":"tbl_sorted"}`},
		{"only the enterprise ones", []plan.Turn{turn, second}, `{"filter":[{"column":"tier","op":"eq","value":"Enterprise"}],"join":[{"how":"left","on":[["account","account"]],"table":"accounts"}],"select":["account","growth_per_year","shape"],"table":"tbl_sorted"}`},
	}
	for _, c := range cases {
		p, _ := firmPlan(t, c.message, c.history...)
		if got := stepsOf(p); got != c.want {
			t.Errorf("%q gave\n%s\nwant\n%s", c.message, got, c.want)
		}
	}
	p, _ := firmPlan(t, "only the purple ones", turn)
	if !strings.Contains(p.Refuse, "does not fit what was shown last") || !strings.Contains(p.Refuse, "growth_per_year") {
		t.Errorf("purple gave %s", stepsOf(p))
	}
	if p, _ := firmPlan(t, "number of calls per tier", turn); len(p.Steps) != 1 || p.Steps[0].Args["table"] != "calls" {
		t.Errorf("a question of its own gave %s", stepsOf(p))
	}
}

// One place replaces another, whatever columns hold them.
func TestOfflinePlacesReplaceEachOther(t *testing.T) {
	before := "top 5 accounts in the USA by turnover in 2025"
	first, _ := firmPlan(t, before)
	turn := plan.Turn{Message: before, Plan: &first, Outcome: "answer"}
	p, _ := firmPlan(t, "and for Germany?", turn)
	got := stepsOf(p)
	if strings.Contains(got, "USA") || !strings.Contains(got, `"value":"Germany"`) || !strings.Contains(got, `"limit":5`) {
		t.Errorf("and for Germany? gave %s", got)
	}
	p, _ = firmPlan(t, "only the enterprise ones", turn)
	if got := stepsOf(p); !strings.Contains(got, `"value":"Enterprise"`) || !strings.Contains(got, `"value":"USA"`) || !strings.Contains(got, `"table":"invoices"`) {
		t.Errorf("only the enterprise ones gave %s", got)
	}
}
