package table

import (
	"bytes"
	"catena/table/tabletest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A sheet's count of days has no microseconds for long durations: they are written as texts, and are durations again beside others, be these few or many.
func TestLongDurationsOfSheets(t *testing.T) {
	for _, others := range []int{2, 30} {
		b := NewBuilder(Column{Name: "worked", Type: Duration})
		if err := b.Append(DurationValue(2170207*time.Hour + 56*time.Minute + 10_450_354*time.Microsecond)); err != nil {
			t.Fatal(err)
		}
		for i := range others {
			if err := b.Append(DurationValue(time.Duration(i) * 90 * time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		want := b.Table()
		var out bytes.Buffer
		if err := WriteSheet(&out, "x", want); err != nil {
			t.Fatal(err)
		}
		got, err := ReadBytes(out.Bytes(), "x.xlsx", Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tabletest.Rows(want), tabletest.Rows(got.Table)); diff != "" || got.Table.Column(0).Type != Duration {
			t.Errorf("beside %d: column is %s: %s", others, got.Table.Column(0).Type, diff)
		}
	}
}

// A text beside clocks that are no durations stays what it is.
func TestSpanBesideClocks(t *testing.T) {
	s := &sheetTyper{name: "at", cells: []sheetCell{
		{kind: sheetNumber, text: "0.5", format: &numFormat{clock: true}}, {kind: sheetText, text: "1h30m"},
	}}
	if got := s.infer(); got.Column.Type != Text {
		t.Errorf("column is %s", got.Column.Type)
	}
}
