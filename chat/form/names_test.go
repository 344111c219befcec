package form

import (
	"encoding/json"
	"testing"

	"catena/profiler"
)

// TestMeantColumns: a field is the one column that says the same, computed or in a unit; of several none is.
func TestMeantColumns(t *testing.T) {
	column := func(name, unit string) profiler.ColumnMetadata {
		return profiler.ColumnMetadata{OriginalName: name, Units: unit, DType: "int"}
	}
	table := func(columns ...profiler.ColumnMetadata) Answer {
		rows := make([]int, len(columns))
		for i := range rows {
			rows[i] = i + 1
		}
		cells, err := json.Marshal([][]int{rows})
		if err != nil {
			t.Fatal(err)
		}
		return Answer{Tables: []Table{{Title: "Bread", Columns: columns, Rows: cells, RowCount: 1, TotalRows: 1}}}
	}
	for _, c := range []struct {
		field  string
		answer Answer
		want   string
	}{
		{"loaves", table(column("day", ""), column("sum_loaves", "")), `{"loaves":2}`},
		{"totalRevenue", table(column("sum of revenue_usd", "USD")), `{"totalRevenue":1}`},
		{"revenue", table(column("sum_revenue_usd", "USD"), column("sum_revenue_eur", "EUR")), ""},
		{"average_revenue", table(column("sum_revenue", "")), ""},
		{"loaves", table(column("sum_loaves", ""), column("loaves", "")), `{"loaves":2}`},
		{"loaves", table(column("sum_loaves", ""), column("mean_loaves", "")), ""},
		{"total", table(column("sum_loaves", "")), ""},
	} {
		s, err := Read(json.RawMessage(`{"type":"object","properties":{"` + c.field + `":{"type":"integer"}},"required":["` + c.field + `"]}`))
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := s.ByNames(t.Context(), c.answer)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %s, want %s: %v", c.field, got, c.want, err)
		}
	}
}
