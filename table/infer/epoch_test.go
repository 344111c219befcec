package infer_test

import (
	"strings"
	"testing"

	"catena/table/loadtest"
)

func TestCompactDays(t *testing.T) {
	tests := []struct{ header, cells, want string }{
		{"date", "20260101,20261231", "date:date"},
		{"order_date", "20240229,19000101", "order_date:date"},
		{"saleDate", "20240229,21001231", "saleDate:date"},
		{"d", "20260101,20260102", "d:date"},
		{"date", "20260101,20260230", "date:integer"},
		{"date", "20260101,1", "date:integer"},
		{"date", "18991231,20260101", "date:integer"},
		{"date_id", "20260101,20260102", "date_id:integer"},
		{"order", "20260101,20260102", "order:integer"},
		{"update", "20260101,20260102", "update:integer"},
	}
	for _, tt := range tests {
		text := tt.header + ",v\n" + strings.ReplaceAll(tt.cells, ",", ",1\n") + ",2\n"
		for _, list := range []string{text, strings.Replace(text, ",v\n", ",\"v\nw\"\n", 1)} { // plain text and text with quotes are read by code of their own
			if got, _, _ := strings.Cut(loadtest.Kinds(loadtest.ReadCSV(t, list).Table), " "); got != tt.want {
				t.Errorf("%s %s: got %s, want %s", tt.header, tt.cells, got, tt.want)
			}
		}
	}
}

func TestMixedCellsAreCounted(t *testing.T) {
	got := strings.Join(loadtest.ReadJSON(t, `[{"a":1},{"a":2},{"a":"x"}]`).Report.Notes, "\n")
	if want := "2 numbers and 1 string are mixed"; !strings.Contains(got, want) {
		t.Errorf("notes %q, want %q in them", got, want)
	}
}
