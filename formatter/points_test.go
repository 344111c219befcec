package formatter

import (
	"context"
	"strings"
	"testing"

	"catena/profiler"
	"catena/table"
	"catena/table/load"
)

// formatted is a text read as CSV and written as Markdown.
func formatted(t *testing.T, text string, opt Options) string {
	t.Helper()
	named, err := load.Tables([]byte(text), "t.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	tab := named[0].Table
	view, err := Format(tab, profiler.Profile(context.Background(), tab), opt)
	if err != nil {
		t.Fatal(err)
	}
	return view.Markdown()
}

func TestChangeOfPercentages(t *testing.T) {
	for name, text := range map[string]string{"points": "month,churn_rate\n2025-01,15.2%\n2025-02,8.0%\n", "ratios": "month,churn_rate\n2025-01,0.152\n2025-02,0.080\n"} {
		got := formatted(t, text, Options{Change: []string{"churn_rate"}})
		if !strings.Contains(got, "(pp)") || !strings.Contains(got, "|−7.2|") || !strings.Contains(got, "−47.4%") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestSmallLargeAndLongNumbers(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"small":    {"gene,p_value\na,1e-9\nb,0.04\n", []string{"0.000000001", "0.04"}},
		"prices":   {"token,price_usd\na,0.0000012\nb,0.0000034\n", []string{"0.0000012", "0.0000034"}},
		"large":    {"client,amt\na,12345678901234567890.123\nb,22345678901234567890.125\n", []string{"12,345,678,901,234,567,890.12"}},
		"accounts": {"client,acct\na,12345678901234567890123456789012345678\nb,22345678901234567890123456789012345678\n", []string{"12345678901234567890123456789012345678"}},
	}
	for name, tt := range tests {
		got := formatted(t, tt.text, Options{})
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %s in\n%s", name, want, got)
			}
		}
	}
}
