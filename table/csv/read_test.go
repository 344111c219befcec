package csv_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/csv"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

// rowsOf gives rows as texts joined by "|", null as "null".

func TestReadCSVForms(t *testing.T) {
	for _, tt := range []struct {
		name, text, kinds string
		rows, notes       []string
	}{
		{"byte order mark and CRLF", "\ufeffa,b\r\n1,x\r\n\r\n\r\n", "a:integer b:text", []string{"1|x"}, nil},
		{"semicolons", "a;b\n1,5;x\n2,5;y\n", "a:decimal1 b:text", []string{"1.5|x", "2.5|y"}, []string{`column "a": the comma was read as the decimal point`}},
		{"tabs", "a\tb\n1\tx, y\n", "a:integer b:text", []string{"1|x, y"}, nil},
		{"bars", "a|b\n1|x\n", "a:integer b:text", []string{"1|x"}, nil},
		{"sep line", "sep=;\na;b\n1;2\n", "a:integer b:integer", []string{"1|2"}, nil},
		{"quotes", "a,b\n\"x \"\"y\"\"\nz\",\"1,5\"\n", "a:text b:decimal1", []string{"x \"y\"\nz|1.5"}, []string{`column "b": the comma was read as the decimal point`}},
		{"short and long rows", "a,b\n1\n2,3,4\n", "a:integer b:integer column_3:integer", []string{"1|null|null", "2|3|4"},
			[]string{"line 2 has 1 cell instead of 2; it was padded with nulls", "line 3 has 3 cells instead of 2; it was kept in further columns", "column 3 has no name and was called column_3"}},
		{"double and empty names", "a,a,,A\n1,2,3,x\n", "a:integer a_2:integer column_3:integer A:text", []string{"1|2|3|x"},
			[]string{"column 3 has no name and was called column_3", `the name "a" repeats; column 2 was called "a_2"`}},
		{"a title above", "Report of 2024,,\n\na,b,c\n1,2,x\n3,4,y\n", "a:integer b:integer c:text", []string{"1|2|x", "3|4|y"}, []string{`line 1 was left out, it stands above the table: "Report of 2024,,"`}},
		{"empty columns at the right", "a,b,,\n1,2,,\n", "a:integer b:integer", []string{"1|2"}, []string{"2 empty columns at the right were left out"}},
		{"no header", "1,2\n3,4\n", "column_1:integer column_2:integer", []string{"1|2", "3|4"}, nil},
		{"years as names", "country,2019,2020\nFrance,1,2\n", "country:text 2019:integer 2020:integer", []string{"France|1|2"}, nil},
		{"header only", "a,b\n", "a:null b:null", nil, []string{"there is a header row but no data below it"}},
		{"one column", "name\nx\ny\n", "name:text", []string{"x", "y"}, nil},
		{"windows-1252", "caf\xe9,b\n\x80,1\n", "café:text b:integer", []string{"€|1"}, nil},
		{"empty column", "a,b\n1,\n2,\n", "a:integer b:null", []string{"1|null", "2|null"}, nil},
		{"open quote", "a,b\n1,\"x\n", "a:integer b:text", []string{`1|"x`}, []string{"line 2 was repaired: it has a quote that encloses nothing; it was kept as text"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := loadtest.ReadCSV(t, tt.text)
			if loadtest.Kinds(got.Table) != tt.kinds {
				t.Errorf("columns %s, want %s", loadtest.Kinds(got.Table), tt.kinds)
			}
			if diff := cmp.Diff(tt.rows, tabletest.Rows(got.Table)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.notes, got.Report.Notes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadCSVRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		lim        table.Limits
		reason     string
	}{
		{"empty", "", table.Limits{}, "the file is empty"},
		{"blank", " \n\n", table.Limits{}, "the file is empty"},
		{"binary", "a,b\n\x00\x01\x02", table.Limits{}, "the content is binary, not text"},
		{"too large", "a,b\n1,2\n", table.Limits{Bytes: 4}, "the content is larger than the limit of 4 bytes"},
		{"rows", "a,b\n1,2\n3,4\n5,6\n", table.Limits{Rows: 2}, "the text has more than 2 rows"},
		{"columns", "a,b,c\n", table.Limits{Columns: 2}, "the row has more than 2 cells"},
		{"cell", "a,bbbbbb\n", table.Limits{CellSize: 3}, "a cell is larger than 3 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := csv.Read(strings.NewReader(tt.text), "x.csv", tt.lim)
			var format *table.FormatError
			if !errors.As(err, &format) {
				t.Fatalf("got %v, want a FormatError", err)
			}
			if format.Reason != tt.reason || format.Source != "x.csv" {
				t.Errorf("got %q of %q", format.Reason, format.Source)
			}
		})
	}
}

func TestUTF16(t *testing.T) {
	for _, tt := range []struct{ name, text, encoding string }{
		{"little endian with a mark", "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x00\xe9\x00\n\x00", "utf-16le"},
		{"big endian with a mark", "\xfe\xff\x00a\x00,\x00b\x00\n\x001\x00,\x00\xe9\x00\n", "utf-16be"},
		{"little endian", "a\x00,\x00b\x00\n\x001\x00,\x00\xe9\x00\n\x00", "utf-16le"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := loadtest.ReadCSV(t, tt.text)
			if got.Report.Encoding != tt.encoding || !cmp.Equal(tabletest.Rows(got.Table), []string{"1|é"}) {
				t.Errorf("%s: %q", got.Report.Encoding, tabletest.Rows(got.Table))
			}
		})
	}
}

func TestWriteHarmlessCSV(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "=a", Type: table.Text}, table.Column{Name: "n", Type: table.Int})
	for _, row := range [][]table.Value{{table.TextValue("=1+1"), table.IntValue(-1)}, {table.TextValue("@SUM(A1)"), table.IntValue(2)}, {table.TextValue("-cmd"), table.NullValue}, {table.TextValue("-5"), table.NullValue}} {
		if err := b.Append(row...); err != nil {
			t.Fatal(err)
		}
	}
	var buf bytes.Buffer
	if err := csv.WriteHarmless(t.Context(), &buf, b.Table()); err != nil {
		t.Fatal(err)
	}
	want := "\"'=a\",n\n\"'=1+1\",-1\n\"'@SUM(A1)\",2\n\"'-cmd\",\n-5,\n"
	if diff := cmp.Diff(want, buf.String()); diff != "" {
		t.Error(diff)
	}
}
