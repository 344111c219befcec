package csv

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
)

func TestReadCSVTypes(t *testing.T) {
	for _, tt := range []struct{ name, cells, kind, rows string }{
		{"integers", "1,-2,+3,0", "integer", "1 -2 3 0"},
		{"the largest integer", "9223372036854775807,1", "integer", "9223372036854775807 1"},
		{"wide integers", "9223372036854775808,1", "decimal0", "9223372036854775808 1"},
		{"forty digits are an identifier", strings.Repeat("9", 40) + ",1", "text", strings.Repeat("9", 40) + " 1"},
		{"leading zeros are codes", "007,12", "text", "007 12"},
		{"one scale", "1.5,2,-.25", "decimal2", "1.50 2.00 -0.25"},
		{"exponents", "1e-9,2.5E3", "float", "1e-09 2500"},
		{"forty digits and a point", strings.Repeat("9", 39) + ".5,1", "float", "1e+39 1"},
		{"thousands", `"1,234.50","12,345.00",7`, "decimal2", "1234.50 12345.00 7.00"},
		{"wrong thousands", `"1,23","12,345"`, "text", "1,23 12,345"},
		{"dollars", `"$1,234.50",-$3,($4.00)`, "decimal2[USD]", "1234.50 -3.00 -4.00"},
		{"euros behind", "12 €,3.5 €", "decimal1[EUR]", "12.0 3.5"},
		{"codes", "USD 12,USD 5", "integer[USD]", "12 5"},
		{"mixed signs", "$1,€2", "text", "$1 €2"},
		{"some without a sign", "$1,2", "text", "$1 2"},
		{"percent", "12%,3.5%", "decimal1[%]", "12.0 3.5"},
		{"true minus", "−5,7", "integer", "-5 7"},
		{"decimal commas", `"3,14","2,50"`, "decimal2", "3.14 2.50"},
		{"labels in parentheses", "(1),(2)", "text", "(1) (2)"},
		{"booleans", "true,FALSE,true", "boolean", "true false true"},
		{"yes and no", "yes,No", "boolean", "true false"},
		{"only yes", "yes,yes", "text", "yes yes"},
		{"null words among numbers", "1,NA,-,n/a,2", "integer", "1 null null null 2"},
		{"null words among text", "a,NA,b", "text", "a NA b"},
		{"only null words", "NA,NA", "text", "NA NA"},
		{"a point among text", "MALE,.,FEMALE", "text", "MALE . FEMALE"},
		{"iso dates", "2024-02-29,2023-12-01", "date", "2024-02-29 2023-12-01"},
		{"no such day", "2023-02-29,2023-12-01", "text", "2023-02-29 2023-12-01"},
		{"month first", "01/31/2024,02/01/2024", "date", "2024-01-31 2024-02-01"},
		{"day first", "31/01/2024,01/02/2024", "date", "2024-01-31 2024-02-01"},
		{"neither is known", "01/02/2024,03/04/2024", "text", "01/02/2024 03/04/2024"},
		{"both readings agree", "01/01/2024,02/02/2024", "date", "2024-01-01 2024-02-02"},
		{"day and month contradict", "31/01/2024,01/31/2024", "text", "31/01/2024 01/31/2024"},
		{"month names", `"Jan 1 2000","Feb 13, 2001"`, "date", "2000-01-01 2001-02-13"},
		{"long month names", `"January 2, 2006","May 13, 2001"`, "date", "2006-01-02 2001-05-13"},
		{"day before month", "2 Jan 2006,13 Dec 2001", "date", "2006-01-02 2001-12-13"},
		{"months", "Jan 2000,Feb 2000", "date", "2000-01-01 2000-02-01"},
		{"iso months", "2024-01,2024-03", "date", "2024-01-01 2024-03-01"},
		{"seasons", "2001-02,2002-03", "text", "2001-02 2002-03"},
		{"slashes and minutes", "2000/01/01 00:05,2000/01/02 23:59", "datetime", "2000-01-01T00:05:00 2000-01-02T23:59:00"},
		{"seconds", "2006-01-02 15:04:05,2006-01-02 15:04", "datetime", "2006-01-02T15:04:05 2006-01-02T15:04:00"},
		{"rfc 3339", "2006-01-02T15:04:05Z,2006-01-03T00:00:00.25Z", "datetime@UTC", "2006-01-02T15:04:05Z 2006-01-03T00:00:00.25Z"},
		{"one offset", "2006-01-02T15:04:05+02:00,2006-07-02T15:04:05+02:00", "datetime@+02:00", "2006-01-02T15:04:05+02:00 2006-07-02T15:04:05+02:00"},
		{"two offsets", "2006-01-02T15:04:05+02:00,2006-01-02T15:04:05+01:00", "datetime@UTC", "2006-01-02T13:04:05Z 2006-01-02T14:04:05Z"},
		{"zones missing", "2006-01-02T15:04:05Z,2006-01-02T15:04:05", "text", "2006-01-02T15:04:05Z 2006-01-02T15:04:05"},
		{"half days", "1/31/2024 1:05 PM,1/31/2024 12:05 AM", "datetime", "2024-01-31T13:05:00 2024-01-31T00:05:00"},
		{"before the epoch", "1969-12-31,0001-01-01", "date", "1969-12-31 0001-01-01"},
		{"times of day", "15:04:05,00:00:00.5", "time", "15:04:05 00:00:00.5"},
		{"scores", "3:2,1:0", "text", "3:2 1:0"},
		{"years", "1999,2000", "integer", "1999 2000"},
		{"an ip address", "10.0.0.1,10.0.0.2", "text", "10.0.0.1 10.0.0.2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := "k,v\n"
			g, err := parseCSV(tt.cells, dialect{comma: ",", quote: '"'}, table.Limits{}.WithDefaults(), "", 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range g.row(0) {
				lines += `k,"` + c + "\"\n"
			}
			named, err := Read(strings.NewReader(lines), "t.csv", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			got := named.Table
			col := got.Column(1)
			kind := col.Type.String()
			if col.Type == table.Decimal {
				kind += string('0' + col.Scale)
			}
			if col.Unit != "" {
				kind += "[" + col.Unit + "]"
			}
			if col.Zone != "" {
				kind += "@" + col.Zone
			}
			if kind != tt.kind {
				t.Errorf("the column is %s, want %s", kind, tt.kind)
			}
			var cells []string
			for r := range got.NumRows() {
				cells = append(cells, got.Value(r, 1).String())
			}
			if s := strings.Join(cells, " "); s != tt.rows {
				t.Errorf("cells %s, want %s", s, tt.rows)
			}
		})
	}
}

// reread writes a table and reads it back as what WriteCSV promises to have written.
func reread(t testing.TB, tab *table.Table) *table.Table {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(t.Context(), &buf, tab); err != nil {
		t.Fatal(err)
	}
	g, err := parseCSV(buf.String(), dialect{comma: ",", quote: '"'}, table.Limits{}.WithDefaults(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	again, err := g.table(&table.LoadReport{Header: true}, table.Limits{}.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func FuzzReadCSV(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "a;b\n\"x;y\";2\n", "1\t2\n", "x\n\"\"\n", "a,a\n$1,2%\n", "d\n01/02/2024\n", "a,b\n1\n2,3,4\n", "\xff\xfea\x00", "a\n2024-01-02T10:00:00+02:00\n", "a\n1e5\n"} {
		f.Add(seed)
	}
	lim := table.Limits{Bytes: 1 << 16, Rows: 1000, Columns: 100, CellSize: 1000}
	f.Fuzz(func(t *testing.T, text string) {
		named, err := Read(strings.NewReader(text), "fuzz", lim)
		if err != nil {
			var format *table.FormatError
			if !errors.As(err, &format) {
				t.Fatalf("not a FormatError: %v", err)
			}
			return
		}
		tab := named.Table
		for r := range tab.NumRows() {
			if len(tab.Row(r)) != tab.NumCols() {
				t.Fatalf("row %d has another width", r)
			}
		}
		again := reread(t, tab)
		if diff := cmp.Diff(tab.Names(), again.Names()); diff != "" {
			t.Fatal(diff)
		}
		if again.NumRows() != tab.NumRows() {
			t.Fatalf("%d rows became %d", tab.NumRows(), again.NumRows())
		}
		for r := range tab.NumRows() {
			for c := range tab.NumCols() {
				if a, b := tab.Value(r, c), again.Value(r, c); !table.Equal(a, b) && a.Text() != b.Text() {
					t.Fatalf("row %d column %q: %s %q became %s %q", r, tab.Column(c).Name, a.Type(), a, b.Type(), b)
				}
			}
		}
	})
}
