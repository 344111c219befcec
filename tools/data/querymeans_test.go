package data_test

import (
	"strings"
	"testing"

	"catena/tools/data"
)

// Means, medians and deviations of long decimals have no zeros that the data do not have.
func TestMeansOfLongDecimals(t *testing.T) {
	reg, _ := kitchen(t, nil)
	const csv = `k,amount\na,12345678901234567890.12\na,12345678901234567890.14\nb,22345678901234567890.25\nb,22345678901234567890.27\n`
	for args, want := range map[string]string{
		`"select":[{"expr":"mean","column":"amount"}]`:                                "17,345,678,901,234,567,890.20",
		`"select":[{"expr":"median","column":"amount"}]`:                              "17,345,678,901,234,567,890.20",
		`"select":[{"expr":"sum","column":"amount"}]`:                                 "69,382,715,604,938,271,560.78",
		`"select":["k",{"expr":"mean","column":"amount"}],"group_by":["k"],"limit":1`: "12,345,678,901,234,567,890.13",
	} {
		res := call(t, reg, "query_table", `{"data":"`+csv+`",`+args+`}`)
		if got := data.Render(res); res.IsError || !strings.Contains(got, want) {
			t.Errorf("%s: no %s in\n%s%s", args, want, got, res.Text)
		}
	}
	res := call(t, reg, "format_table_for_llm", `{"data":"`+strings.ReplaceAll(csv, "amount", "price")+`","add_summary_row":true}`)
	if !strings.Contains(res.Text, "17,345,678,901,234,567,890.2") {
		t.Errorf("summary row:\n%s", res.Text)
	}
}
