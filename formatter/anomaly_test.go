package formatter

import (
	"fmt"
	"strings"
	"testing"
)

// A row that no single number gives away is told when its numbers do not belong together.
func TestUnusualRows(t *testing.T) {
	var b strings.Builder
	b.WriteString("shop,visits,orders,revenue_usd\n")
	for i := range 300 {
		visits := 1000 + 10*(i*29%300)
		orders := visits/10 + i%3
		if i == 41 {
			orders = 110 // as few as the smallest shops have
		}
		fmt.Fprintf(&b, "Shop %02d,%d,%d,%d.50\n", i, visits, orders, orders*20+i%7)
	}
	v := view(t, b.String(), Options{DetectAnomalies: true, Limit: 60})
	if len(v.Unusual) != 1 || v.Unusual[0].Row != 41 || v.Unusual[0].Label != "Shop 41" {
		t.Fatalf("unusual rows %+v", v.Unusual)
	}
	if text := v.Markdown(); !strings.Contains(text, "Unusual together: row 42, Shop 41 is unlike the other rows in ") {
		t.Error(text)
	}
	raw, err := v.JSON()
	if err != nil || !strings.Contains(string(raw), `"unusual_rows":[{"row":42,`) {
		t.Errorf("%s %v", raw, err)
	}
	if v = view(t, b.String(), Options{DetectAnomalies: true, Limit: 10}); len(v.Unusual) != 0 {
		t.Errorf("a row that is not shown is told: %+v", v.Unusual)
	}
}

// A cell that stands out is marked; one in a row that is not shown is told with its place.
func TestAnomaliesBeyondTheLimit(t *testing.T) {
	var b strings.Builder
	b.WriteString("city,visits\n")
	for i := range 40 {
		visits := 1000 + 7*(i*29%40)
		if i == 2 || i == 36 {
			visits *= 100
		}
		fmt.Fprintf(&b, "City %02d,%d\n", i, visits)
	}
	v := view(t, b.String(), Options{DetectAnomalies: true, Limit: 5})
	text := v.Markdown()
	for _, want := range []string{"|City 02|112,600 ⚠|", "- Unusual: Visits in row 3, City 02 is 112,600", "- Unusual: Visits in row 37, City 36 (not shown) is 102,800"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if n := strings.Count(text, "⚠"); n != 1 {
		t.Errorf("%d marks: %s", n, text)
	}
	raw, err := v.JSON()
	if err != nil || !strings.Contains(string(raw), `{"row":37,"not_shown":true,"column":"visits","value":102800,`) {
		t.Errorf("%s %v", raw, err)
	}
	if html := v.HTML(); strings.Count(html, "unusual") != 1 {
		t.Error(html)
	}
}

// Of a table that is cut to few columns the label, one time and the measures stay; the summary's label stands where no numbers are.
func TestColumnsThatStay(t *testing.T) {
	const text = "number,region,date,year,revenue_usd,units\n1,North,2025-01-01,2025,10.50,3\n2,South,2025-02-01,2025,20.00,4\n3,East,2025-03-01,2025,5.25,6\n"
	v := view(t, text, Options{MaxColumns: 4, SummaryRow: true})
	got := v.Markdown()
	if !strings.Contains(got, "|Region|Date|Revenue (USD)|Units|") || !strings.Contains(got, "|**Total**||**$35.75**|**13**|") {
		t.Error(got)
	}
	v = view(t, "units,region,revenue_usd\n3,North,10.50\n4,South,20.00\n", Options{SummaryRow: true})
	if got = v.Markdown(); !strings.Contains(got, "|**7**|**Total**|**$30.50**|") {
		t.Error(got)
	}
	v = view(t, "order_id,region,revenue_usd\n3,North,10.50\n4,South,20.00\n", Options{SummaryRow: true})
	if got = v.Markdown(); !strings.Contains(got, "||**Total**|**$30.50**|") {
		t.Error(got)
	}
}

// A row of plain means says so once.
func TestMeansAreSaidOnce(t *testing.T) {
	v := view(t, "item,unit_price_usd\nBolt,1.50\nNut,2.50\n", Options{SummaryRow: true})
	if got := v.Markdown(); !strings.Contains(got, "|**Mean**|**$2.00**|") {
		t.Error(got)
	}
}
