package formatter

import (
	"strings"
	"testing"

	"catena/profiler"
	"catena/table"
	"catena/table/csv"
)

func TestPeriods(t *testing.T) {
	tests := []struct {
		value        table.Value
		format, want string
	}{
		{table.DateValue(2026, 1, 1), "date:quarter", "2026 Q1"},
		{table.DateValue(2026, 12, 31), "date:quarter", "2026 Q4"},
		{table.IntValue(1), "weekday", "Monday"},
		{table.IntValue(7), "weekday", "Sunday"},
		{table.IntValue(8), "weekday", "8"},
		{table.IntValue(2), "month", "February"},
		{table.IntValue(0), "month", "0"},
		{table.NullValue, "month", ""},
	}
	for _, tt := range tests {
		s, err := profiler.ParseSuggestion(tt.format)
		if err != nil {
			t.Fatal(err)
		}
		if got := Value(tt.value, s, LocaleFor(""), Minus); got != tt.want {
			t.Errorf("%s as %s reads %q, want %q", tt.value.Text(), tt.format, got, tt.want)
		}
	}
}

// A decimal reads the same alone and beside others.
func TestDecimalAlone(t *testing.T) {
	for _, rows := range []string{"18.50", "18.50\n18.25", "18.00\n2.00"} {
		named, err := csv.Read(strings.NewReader("score\n"+rows+"\n"), "t.csv", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		view, err := Format(named.Table, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := view.Cell(0, 0), strings.SplitN(rows, "\n", 2)[0]; got != want {
			t.Errorf("of %q the first cell reads %q", rows, got)
		}
	}
}
