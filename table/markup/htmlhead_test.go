package markup

import (
	"strings"
	"testing"

	"catena/table"
)

// Rows without content name no columns, however many there are.
func TestEmptyHeadRows(t *testing.T) {
	r := htmlReader{lim: table.DefaultLimits}
	if err := r.read("<table>" + strings.Repeat("<tr><td>", 3000) + "</table>"); err != nil || headRows(r.tables[0].rows) != 0 {
		t.Errorf("%d empty rows name columns (%v)", headRows(r.tables[0].rows), err)
	}
}
