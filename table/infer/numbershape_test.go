package infer_test

import (
	"fmt"
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

// Numbers with exponents are floats where these keep them, exact where not, and what cannot be kept is told.
func TestExponents(t *testing.T) {
	for _, tt := range []struct {
		name, cells, kind string
		rows              string
		note              string
	}{
		{"floats", "1e3|2|0.5", "float", "1000|2|0.5", ""},
		{"doubles with all their digits", "0.30000000000000004|1.7976931348623157e308|5e-324|2.5E-7", "float", "0.30000000000000004|1.7976931348623157e+308|5e-324|2.5e-07", ""},
		{"beside long integers", "1E5|9007199254740993|-2e+0", "integer", "100000|9007199254740993|-2", ""},
		{"beyond 64 bits", "1E5|90071992547409930000", "decimal0", "100000|90071992547409930000", ""},
		{"beside long decimals", "1.5e-3|1234567890123.4567891|-.25e1", "decimal7", "0.0015000|1234567890123.4567891|-2.5000000", ""},
		{"a long one with an exponent", "1234567890123456789e-3|1e2", "decimal3", "1234567890123456.789|100.000", ""},
		{"too far apart", "1e30|0.0000000001234567890123456789", "float", "1e+30|1.2345678901234568e-10", "1 cells lost some"},
		{"nothing left", "1e-400|1e2", "float", "0|100", "1 cells lost some"},
		{"too many digits", "12345678901234567890.12345678901234567890|1.5", "float", "12345678901234567000|1.5", "1 cells lost some"},
		{"too many zeros", "1.500000000000000000000000000000000000000|10", "float", "1.5|10", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cells := strings.Split(tt.cells, "|")
			for _, again := range []int{1, 600} { // a long text is read in another way
				text := "k,n\n" + strings.Repeat("x,"+strings.Join(cells, "\nx,")+"\n", again)
				named, err := load.Bytes([]byte(text), "x.csv", table.Limits{})
				loadtest.Check(t, named, err, 1, tt.kind, tt.rows, strings.Replace(tt.note, "1 cells", fmt.Sprint(again, " cells"), 1))
				list := `[{"n":` + strings.Join(cells, `},{"n":`) + "}"
				list = strings.ReplaceAll(strings.ReplaceAll(list, ":-.", ":-0."), ":.", ":0.")
				named, err = load.Bytes([]byte(list+strings.Repeat(","+list[1:], again-1)+"]"), "x.json", table.Limits{})
				loadtest.Check(t, named, err, 0, tt.kind, tt.rows, strings.Replace(tt.note, "1 cells", fmt.Sprint(again, " cells"), 1))
			}
		})
	}
}

// A sheet with more merged cells than are looked at says so.
func TestMergedMost(t *testing.T) {
	merges := "<mergeCells>" + strings.Repeat(`<mergeCell ref="A2:A3"/>`, 100_007) + "</mergeCells>"
	named, err := load.Bytes(tabletest.Book("", tabletest.RowsXML("a;b", "x;|1", ";|2")+merges), "b.xlsx", table.Limits{})
	if err != nil || !strings.Contains(strings.Join(named.Report.Notes, "\n"), "further ones") {
		t.Errorf("%q, %v", named.Report.Notes, err)
	}
}
