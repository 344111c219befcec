package xlsx_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/columnar"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/tabletest"
	"catena/table/xlsx"
)

func TestParquetRoundTrip(t *testing.T) {
	for name, want := range map[string]*table.Table{"typed": loadtest.Typed(t), "sample": loadtest.Sample(t), "no rows": loadtest.Typed(t).Slice(0, 0)} {
		t.Run(name, func(t *testing.T) {
			var buf bytes.Buffer
			if err := columnar.WriteParquet(t.Context(), &buf, want); err != nil {
				t.Fatal(err)
			}
			loadtest.SameTable(t, loadtest.LoadOne(t, buf.Bytes(), "x.parquet").Table, want)
		})
	}
}

func TestXLSXRoundTrip(t *testing.T) {
	all := loadtest.Typed(t) // but for a row without cells, which a sheet has not
	want, err := table.Concat(all.Slice(0, 2), all.Slice(3, 1))
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := xlsx.Write(t.Context(), &buf, xlsx.Sheet{Name: "All of [it]", Table: want}, xlsx.Sheet{Table: loadtest.CSVTable(t, "a,b", "1,x", "2,y")}); err != nil {
		t.Fatal(err)
	}
	tables, err := load.Tables(buf.Bytes(), "book.xlsx", table.Limits{})
	if err != nil || len(tables) != 2 {
		t.Fatal(len(tables), err)
	}
	loadtest.SameTable(t, tables[0].Table, want)
	if got := loadtest.Names(tables); got != "book book_Sheet2" || !strings.Contains(strings.Join(tables[0].Report.Notes, "\n"), `"All of _it_"`) {
		t.Errorf("%s, %q", got, tables[0].Report.Notes)
	}
	if diff := cmp.Diff([]table.FoundTable{{Name: "book_Sheet2", Rows: 2, Columns: 2}}, tables[0].Report.More); diff != "" {
		t.Error(diff)
	}
}

// Numbers that a sheet would round are texts there, and come back as what they were.
func TestXLSXLongNumbers(t *testing.T) {
	want := loadtest.CSVTable(t, "n,d", "12345678901234567,0.12345678901234567891", "1,2.5")
	var buf bytes.Buffer
	if err := xlsx.Write(t.Context(), &buf, xlsx.Sheet{Table: want}); err != nil {
		t.Fatal(err)
	}
	got := loadtest.LoadOne(t, buf.Bytes(), "x.xlsx")
	if diff := cmp.Diff(tabletest.Rows(want), tabletest.Rows(got.Table)); diff != "" {
		t.Error(diff)
	}
}
