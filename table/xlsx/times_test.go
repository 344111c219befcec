package xlsx_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/load"
	"catena/table/tabletest"
	"catena/table/xlsx"
)

// A sheet's count of days has no microseconds for long durations: they are written as texts, and are durations again
// beside others, be these few or many.
func TestLongDurationsOfSheets(t *testing.T) {
	for _, others := range []int{2, 30} {
		b := table.NewBuilder(table.Column{Name: "worked", Type: table.Duration})
		if err := b.Append(table.DurationValue(2170207*time.Hour + 56*time.Minute + 10_450_354*time.Microsecond)); err != nil {
			t.Fatal(err)
		}
		for i := range others {
			if err := b.Append(table.DurationValue(time.Duration(i) * 90 * time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		want := b.Table()
		var out bytes.Buffer
		if err := xlsx.Write(t.Context(), &out, xlsx.Sheet{Name: "x", Table: want}); err != nil {
			t.Fatal(err)
		}
		got, err := load.Bytes(out.Bytes(), "x.xlsx", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tabletest.Rows(want), tabletest.Rows(got.Table)); diff != "" || got.Table.Column(0).Type != table.Duration {
			t.Errorf("beside %d: column is %s: %s", others, got.Table.Column(0).Type, diff)
		}
	}
}
