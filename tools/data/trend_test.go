package data_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"catena/tools"
)

// monthsOf writes CSV of n months from December 2023, one value per month by f.
func monthsOf(n int, f func(i int, m time.Month) float64) string {
	var b strings.Builder
	b.WriteString("month,value_usd\n")
	for i := range n {
		at := time.Date(2023, 12+time.Month(i), 1, 0, 0, 0, 0, time.UTC)
		fmt.Fprintf(&b, "%s,%.2f\n", at.Format(time.DateOnly), f(i, at.Month()))
	}
	return strings.ReplaceAll(b.String(), "\n", `\n`)
}

func TestTrendShapes(t *testing.T) {
	reg, _ := kitchen(t, nil)
	grow := math.Pow(1.142, 1.0/12)
	for name, tc := range map[string]struct {
		f      func(i int, m time.Month) float64
		growth float64
		shape  string
	}{
		"rising":  {func(i int, _ time.Month) float64 { return 1000 * math.Pow(grow, float64(i)) }, 14.2, "rising"},
		"falling": {func(i int, _ time.Month) float64 { return 1000 * math.Pow(0.99, float64(i)) }, 100 * (math.Pow(0.99, 12) - 1), "falling"},
		"flat":    {func(int, time.Month) float64 { return 1000 }, 0, "flat"},
		"seasonal": {func(i int, m time.Month) float64 {
			if m == time.November {
				return 1500 * math.Pow(grow, float64(i))
			}
			return 1000 * math.Pow(grow, float64(i))
		}, math.NaN(), "rising, peak each November"},
		"turned": {func(i int, _ time.Month) float64 { return 1000 + 10*float64(min(i, 29)) - 60*float64(max(0, i-29)) }, math.NaN(), "falling since June 2026"},
	} {
		res := call(t, reg, "analyze_trend", `{"data":"`+monthsOf(35, tc.f)+`","value_column":"value_usd"}`)
		if res.IsError {
			t.Fatal(name, res.Text)
		}
		row := rows(res.Table)[0]
		if row[3] != tc.shape {
			t.Errorf("%s: shape %q, want %q", name, row[3], tc.shape)
		}
		if g, _ := res.Table.Value(0, 0).Float(); !math.IsNaN(tc.growth) && math.Abs(g-tc.growth) > 0.01 {
			t.Errorf("%s: growth %v, want %v", name, g, tc.growth)
		}
	}
}

func TestTrendFigures(t *testing.T) {
	reg, _ := kitchen(t, nil)
	// 36 months up to November 2026, which is not over; amounts 1..36 with cents, twice each month.
	csv := monthsOf(36, func(i int, _ time.Month) float64 { return float64(i+1) + 0.1 })
	res := call(t, reg, "analyze_trend", `{"data":"`+csv+`","value_column":"value_usd"}`)
	if res.Title != "Value trend, December 2023 to October 2026, monthly" {
		t.Error(res.Title)
	}
	if !slices.Contains(res.Notes, "One month was left out of the trends: November 2026 is not complete.") {
		t.Errorf("notes: %q", res.Notes)
	}
	// The last twelve are 24..35, the twelve before 12..23: sums 354+1.2 and 210+1.2.
	col := func(name string) string { return res.Table.Value(0, res.Table.Index(name)).Text() }
	if col("last_12_months_usd") != "355.20" || col("change") != "144.00" || col("previous_12_months_usd") != "211.20" || col("periods") != "35" {
		t.Errorf("%v %v", res.Table.Names(), rows(res.Table))
	}
	if !slices.Equal(res.Hide, []string{"previous_12_months_usd", "periods"}) || !slices.Contains(res.Signed, "change") {
		t.Errorf("hide %q signed %q", res.Hide, res.Signed)
	}
}

func TestTrendPeriods(t *testing.T) {
	reg, _ := kitchen(t, nil)
	for name, tc := range map[string]struct{ csv, title string }{
		"years as integers": {`year,sales\n2001,5\n2002,6\n2003,7\n2004,9\n`, "Sales trend, 2001 to 2004, yearly"},
		"quarters":          {`date,sales\n2001-01-01,5\n2001-04-01,6\n2001-07-01,7\n2001-10-01,9\n`, "Sales trend, Q1 2001 to Q4 2001, quarterly"},
		"days":              {`date,sales\n2001-01-01,5\n2001-01-02,6\n2001-01-03,7\n2001-01-04,9\n2001-01-05,9\n`, "Sales trend, 2001-01-01 to 2001-01-05, daily"},
		"given":             {`date,other,sales\n2001-01-01,1999-01-01,5\n2001-02-01,1998-01-01,6\n`, "Sales trend, 1998 to 1999, yearly"},
	} {
		args := `{"data":"` + tc.csv + `","value_column":"sales"}`
		if name == "given" {
			args = `{"data":"` + tc.csv + `","value_column":"sales","time_column":"other"}`
		}
		if res := call(t, reg, "analyze_trend", args); res.Title != tc.title && name != "given" {
			t.Errorf("%s: %q %s", name, res.Title, res.Text)
		} else if name == "given" && !strings.Contains(res.Title, "1998") {
			t.Errorf("%s: %q %s", name, res.Title, res.Text)
		}
	}
}

func TestTrendGroupsAndGaps(t *testing.T) {
	reg, _ := kitchen(t, nil)
	var b strings.Builder
	b.WriteString(`month,who,usd\n`)
	for i := range 24 {
		at := time.Date(2023, time.Month(1+i), 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		fmt.Fprintf(&b, `%s,up,%d\n%s,down,%d\n`, at, 100+i, at, 200-i)
		if i >= 18 {
			fmt.Fprintf(&b, `%s,late,%d\n`, at, 50)
		}
		fmt.Fprintf(&b, `%s,zero,0\n`, at)
	}
	res := call(t, reg, "analyze_trend", `{"data":"`+b.String()+`","value_column":"usd","group_column":"who"}`)
	got := map[string][]string{}
	for _, r := range rows(res.Table) {
		got[r[0]] = r
	}
	if got["late"][3] != "" || got["late"][1] != "" {
		t.Errorf("a change over a time without values: %v", got["late"])
	}
	if got["zero"][1] != "" || got["zero"][3] != "0" || got["zero"][4] != "flat" {
		t.Errorf("zeros: %v", got["zero"])
	}
	if got["down"][3] != "-144" || got["up"][3] != "144" {
		t.Errorf("changes: %v %v", got["down"], got["up"])
	}
}

func TestTrendBadInput(t *testing.T) {
	reg, _ := kitchen(t, nil)
	if res := call(t, reg, "analyze_trend", `{"value_column":"v"}`); res.Code != tools.CodeInvalidArguments {
		t.Errorf("without a table before it: %s %s", res.Code, res.Text)
	}
	many := strings.Builder{}
	many.WriteString(`month,who,v\n`)
	for i := range 501 {
		fmt.Fprintf(&many, `2023-01-01,g%d,1\n`, i)
	}
	for args, code := range map[string]string{
		`{"data":"revenue","value_column":"weather"}`:                                      tools.CodeUnknownColumn,
		`{"data":"revenue","value_column":"client"}`:                                       tools.CodeBadValue,
		`{"data":"revenue","value_column":"orders","group_column":"x"}`:                    tools.CodeUnknownColumn,
		`{"data":"revenue","value_column":"orders","time_column":"client"}`:                tools.CodeBadValue,
		`{"data":"a,b\nx,1\ny,2\n","value_column":"b"}`:                                    "no_time_column",
		`{"data":"month,v\n2023-01-01,\n2023-02-01,\n","value_column":"v"}`:                tools.CodeBadValue,
		`{"data":"month,v\n","value_column":"v"}`:                                          tools.CodeBadValue,
		`{"data":"` + many.String() + `","value_column":"v","group_column":"who"}`:         tools.CodeTooLarge,
		`{"data":"nowhere","value_column":"v"}`:                                            tools.CodeNotFound,
		`{"data":"revenue","value_column":"orders","value":"x"}`:                           tools.CodeInvalidArguments,
		`{"data":{"columns":[],"rows":[]},"value_column":"v"}`:                             tools.CodeUnknownColumn,
		`{"data":[{"d":"2023-01-01","v":1},{"d":null,"v":2}],"value_column":"v"}`:          "",
		`{"data":"clients","value_column":"gross_margin","group_column":"region"}`:         "",
		`{"data":"fx","value_column":"usd_per_unit","group_column":"currency"}`:            "",
		`{"data":"month,v\n2023-01-01,0\n2023-02-01,0\n","value_column":"v"}`:              "",
		`{"data":"month,v\n2023-01-01,-1\n2023-02-01,5\n","value_column":"v"}`:             "",
		`{"data":"month,v\n2023-01-01,1e300\n2023-02-01,1e300\n","value_column":"v"}`:      "",
		`{"data":"when,v\n0001-01-01,1\n9999-12-31,2\n1500-01-01,2\n","value_column":"v"}`: "",
	} {
		if res := call(t, reg, "analyze_trend", args); res.Code != code {
			t.Errorf("%.90s: %s %s", args, res.Code, res.Text)
		}
	}
}

func BenchmarkTrend(b *testing.B) {
	reg, _ := kitchen(b, nil)
	args := map[string]any{"data": "revenue", "value_column": "revenue_usd", "group_column": "region"}
	b.ReportAllocs()
	for b.Loop() {
		res, err := reg.Call(b.Context(), tools.Call{Caller: ann, Tool: "analyze_trend", Args: args, Run: "r"})
		if err != nil || res.IsError {
			b.Fatal(err, res.Text)
		}
	}
}

// Amounts in several currencies have a trend each, and none over groups of mixed ones.
func TestTrendOfCurrencies(t *testing.T) {
	reg, _ := kitchen(t, nil)
	var b strings.Builder
	b.WriteString(`month,shop,amount,currency\n`)
	for i := range 24 {
		for n, code := range []string{"USD", "EUR"} {
			fmt.Fprintf(&b, `%s,s%d,%d.00,%s\n`, time.Date(2024, time.Month(1+i), 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), i%2, 100+i*(1+n), code)
		}
	}
	res := call(t, reg, "analyze_trend", `{"data":"`+b.String()+`","value_column":"amount"}`)
	if res.IsError || res.Table.Index("currency") < 0 || res.Table.NumRows() != 2 {
		t.Errorf("a trend of two currencies gave %v %s", res.Table, res.Text)
	}
	if !strings.Contains(strings.Join(res.Notes, " "), "several currencies") {
		t.Errorf("notes are %q", res.Notes)
	}
	if res := call(t, reg, "analyze_trend", `{"data":"`+b.String()+`","value_column":"amount","group_column":"shop"}`); !res.IsError || !strings.Contains(res.Text, "by currency") {
		t.Errorf("a trend of mixed currencies by shop gave %v %s", res.Table, res.Text)
	}
}
