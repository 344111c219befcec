package profiler

import (
	"fmt"
	"testing"

	"catena/profiler/names"
)

// Eight names of which one has a part that no dictionary has, never seen before.
func BenchmarkReadNamesCold(b *testing.B) {
	ReadNames("", []string{"zqtrx_no", "x"}) // decodes the weights
	list := []string{"", "order_date", "cust_id", "region", "revenue_usd", "qty", "unit_price", "status"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		list[0] = fmt.Sprintf("shpmt%c%c%c_no", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26)
		readAll("", list)
	}
}

// The same names again and again.
func BenchmarkReadNamesWarm(b *testing.B) {
	list := []string{"shpmtxyz_no", "order_date", "cust_id", "region", "revenue_usd", "qty", "unit_price", "status"}
	b.ReportAllocs()
	for b.Loop() {
		ReadNames("", list)
	}
}

// twelve are the names of a table of which eleven have short forms.
var twelve = []string{"CustAcctNbr", "ord_dt", "shpmt_wt_lbs", "VndrNm", "qty_on_hnd", "unit_prc_usd", "rgn_cd", "dlvry_sts", "lst_upd_ts", "pymt_mthd", "wrhs_loc", "comments"}

// A table that was never seen, of names that were.
func BenchmarkReadNamesNewTable(b *testing.B) {
	readAll("shipments", twelve)
	b.ReportAllocs()
	for b.Loop() {
		readAll("shipments", twelve)
	}
}

// A table of names of which nothing was seen.
func BenchmarkReadNamesUnseen(b *testing.B) {
	names.Embedded()
	list := make([]string, len(twelve))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		for k, name := range twelve {
			list[k] = fmt.Sprintf("%s_shpm%c%c%c", name, 'a'+i%26, 'a'+i/26%26, 'a'+k)
		}
		readAll("shipments", list)
	}
}
