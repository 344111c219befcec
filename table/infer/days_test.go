package infer

import (
	"testing"
	"time"

	"catena/table"
)

// Every layout that columns are read by reads back the days that it writes.
func TestDateLayouts(t *testing.T) {
	for _, layout := range dateLayouts {
		for day := time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2069; day = day.AddDate(0, 0, 97) {
			want := day
			if text := day.Format(layout); time.Date(2006, 1, 3, 0, 0, 0, 0, time.UTC).Format(layout) == time.Date(2006, 1, 2, 0, 0, 0, 0, time.UTC).Format(layout) {
				want = time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC) // months without a day
			} else if got, ok := parseDay(text, layout); !ok || got != table.FloorDiv(want.Unix(), 86400) {
				t.Fatalf("%q by %q is day %d, %v; want %d", text, layout, got, ok, table.FloorDiv(want.Unix(), 86400))
			}
			if got, ok := parseDay(day.Format(layout), layout); !ok || got != table.FloorDiv(want.Unix(), 86400) {
				t.Fatalf("%q by %q is day %d, %v; want %d", day.Format(layout), layout, got, ok, table.FloorDiv(want.Unix(), 86400))
			}
		}
	}
}
