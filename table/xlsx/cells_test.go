package xlsx

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/tabletest"
)

func TestParseFormat(t *testing.T) {
	for code, want := range map[string]numFormat{
		"General": {decimals: -1}, "0.00": {decimals: 2}, `#,##0.0" kg"`: {decimals: 1, unit: "kg"}, "0%": {decimals: 0, percent: true, unit: "%"}, `"$"#,##0.00_);[Red]\("$"#,##0.00\)`: {decimals: 2, unit: "USD", guessed: true},
		"[$$-C09]#,##0": {decimals: 0, unit: "AUD"}, "[$CHF] 0.00": {decimals: 2, unit: "CHF"}, "d mmm yyyy": {decimals: -1, date: true}, "mm:ss.0": {decimals: -1, clock: true}, "[h]:mm": {decimals: -1, clock: true, elapsed: true},
		`yyyy-mm-dd hh:mm "+02:00"`: {decimals: -1, date: true, clock: true, zone: "+02:00"}, "@": {decimals: -1, text: true}, "0.00E+00": {decimals: -1}, "# ?/?": {decimals: -1}, "[Red][>9]0": {decimals: 0},
	} {
		if diff := cmp.Diff(want, *parseFormat(code), cmp.AllowUnexported(numFormat{})); diff != "" {
			t.Errorf("%s: %s", code, diff)
		}
	}
}

// A text with an offset among date-times of a zone names its instant, one without what clocks there showed.
func TestSheetZones(t *testing.T) {
	s := &sheetTyper{name: "at", cells: []sheetCell{
		{kind: sheetNumber, text: "45292.5", format: &numFormat{date: true, clock: true, zone: "+02:00"}},
		{kind: sheetDate, text: "2024-01-01T10:00:00Z"}, {kind: sheetDate, text: "2024-01-01T12:00:00"}, {kind: sheetDate, text: "2024-01-01"},
	}}
	got := s.infer()
	if got.Column.Name = "at"; got.Column.Zone != "+02:00" {
		t.Fatalf("%+v", got.Column)
	}
	tab, err := table.New([]table.Column{got.Column}, []arrow.Array{got.Array})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"2024-01-01T12:00:00+02:00", "2024-01-01T12:00:00+02:00", "2024-01-01T12:00:00+02:00", "2024-01-01T00:00:00+02:00"}
	if diff := cmp.Diff(want, tabletest.Rows(tab)); diff != "" {
		t.Error(diff)
	}
}

// A text beside clocks that are no durations stays what it is.
func TestSpanBesideClocks(t *testing.T) {
	s := &sheetTyper{name: "at", cells: []sheetCell{
		{kind: sheetNumber, text: "0.5", format: &numFormat{clock: true}}, {kind: sheetText, text: "1h30m"},
	}}
	if got := s.infer(); got.Column.Type != table.Text {
		t.Errorf("column is %s", got.Column.Type)
	}
}
