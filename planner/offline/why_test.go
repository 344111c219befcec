package offline

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
)

var update = flag.Bool("update", false, "rewrite the golden file in testdata")

// What is said of each slot of plans for questions over tables, calls of tools and chains.
func TestWhy(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		message string
		tables  []plan.TableInfo
	}{
		{"top 3 german shops by sales in 2025", []plan.TableInfo{shops, ledger}},
		{"average rating by country, lowest first", []plan.TableInfo{shops, ledger}},
		{"how many shops have a rating over 4?", []plan.TableInfo{shops, ledger}},
		{"sales by month without France", []plan.TableInfo{shops}},
		{"Show me the top 5 german suppliers and analyze their invoice trends", []plan.TableInfo{shops}},
		{"unpaid supplier invoices of Norcom", nil},
		{"delete supplier S017", nil},
		{"total visitors per month as a line chart", []plan.TableInfo{shops}},
	} {
		req := plan.Request{Message: c.message, Now: testNow, Tables: c.tables, Values: testValues, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", c.message)
		slots := 0
		for _, r := range plan.Reasons(c.message, resp.Plan, testTools, c.tables, resp.Why) {
			fmt.Fprintf(&b, "  %s %s = %s <- %s %q\n", r.Step, r.Slot, r.Value, r.How, r.Words)
			slots++
		}
		if slots == 0 {
			fmt.Fprintf(&b, "  no plan: %s%s\n", resp.Plan.Refuse, resp.Plan.Clarify)
		}
	}
	golden := filepath.Join("testdata", "why.golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}
