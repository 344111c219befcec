package formatter

import (
	"strings"
	"testing"
	"unicode"

	"catena/table"
	"catena/table/csv"
	"catena/table/load"
)

// FuzzCSV writes a view as CSV and loads it: each cell says what it did, but for the apostrophe before what a spreadsheet would run.
func FuzzCSV(f *testing.F) {
	f.Add("plain", "a;b", int64(5))
	f.Add("=1+1", "-2+3", int64(-5))
	f.Add("a \"quoted\" one", "Zürich, CH", int64(1)<<60)
	f.Fuzz(func(t *testing.T, one, two string, n int64) {
		for _, s := range []string{one, two} {
			if s != strings.Join(strings.Fields(s), " ") || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
				return // space that loaders tidy, and what makes a text binary
			}
		}
		b := table.NewBuilder(table.Column{Name: "row", Type: table.Int}, table.Column{Name: "amount", Type: table.Int}, table.Column{Name: "remark", Type: table.Text})
		for i, s := range []string{"first words", one + " x", two + " x", "last words"} {
			if err := b.Append(table.IntValue(int64(i)+1), table.IntValue(n), table.TextValue(s)); err != nil {
				t.Fatal(err)
			}
		}
		want := b.Table()
		v, err := Format(want, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		named, err := load.Bytes([]byte(v.CSV()), "x.csv", table.Limits{})
		if err != nil {
			t.Fatalf("%v: %q", err, v.CSV())
		}
		got := named.Table
		if got.NumRows() != want.NumRows() || got.NumCols() != want.NumCols() {
			t.Fatalf("%d x %d: %q", got.NumRows(), got.NumCols(), v.CSV())
		}
		for r := range want.NumRows() {
			for c := range want.NumCols() {
				was, is := want.Value(r, c).Text(), got.Value(r, c).Text()
				if was != is && csv.Harmless(was) != is {
					t.Fatalf("row %d: %q became %q: %q", r, was, is, v.CSV())
				}
			}
		}
	})
}
