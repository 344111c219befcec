package profiler

import (
	"fmt"
	"testing"
)

// Eight names of which one has a part that no dictionary has, never seen before.
func BenchmarkReadNamesCold(b *testing.B) {
	ReadNames([]string{"zqtrx_no", "x"}) // decodes the weights
	list := []string{"", "order_date", "cust_id", "region", "revenue_usd", "qty", "unit_price", "status"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		list[0] = fmt.Sprintf("shpmt%c%c%c_no", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26)
		readAll(list)
	}
}

// The same names again and again.
func BenchmarkReadNamesWarm(b *testing.B) {
	list := []string{"shpmtxyz_no", "order_date", "cust_id", "region", "revenue_usd", "qty", "unit_price", "status"}
	b.ReportAllocs()
	for b.Loop() {
		ReadNames(list)
	}
}
