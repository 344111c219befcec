package data_test

import (
	"strings"
	"testing"
)

// TestSummariesAsRead: numbers of a summary are written as their columns write numbers, and few rows are said to be few.
func TestSummariesAsRead(t *testing.T) {
	reg, _ := kitchen(t, nil)
	res := call(t, reg, "summarize_table", `{"data":"region,revenue_usd\nNorth,1204551.25\nSouth,90100.5\n"}`)
	for _, want := range []string{"$1,204,551.25", "$90,100.50", "$1,294,651.75", "$647,325.88", "It sums up 2 rows only"} {
		if !strings.Contains(res.Text, want) {
			t.Errorf("no %q in %s", want, res.Text)
		}
	}
	if got := res.Table.Value(1, res.Table.Index("max")).Text(); got != "1204551.25" {
		t.Errorf("the table has %s", got)
	}
	res = call(t, reg, "summarize_table", `{"data":"x\n1\n2\n3\n4\n5\n6\n7\n9\n"}`)
	if strings.Contains(res.Text, "only") || !strings.Contains(res.Text, "|Standard Deviation|2.67|") {
		t.Errorf("of eight: %s", res.Text)
	}
	res = call(t, reg, "format_table_for_llm", `{"data":"x\n1\n2\n300\n","detect_anomalies":true}`)
	if !strings.Contains(res.Text, "3 rows are too few to tell") {
		t.Errorf("anomalies of three: %s", res.Text)
	}
}
