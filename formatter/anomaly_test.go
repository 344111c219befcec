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
