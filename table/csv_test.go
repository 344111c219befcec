package table

import (
	"bytes"
	"catena/table/tabletest"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kinds describes columns as "name:type", with scale and unit where there are any.
func kinds(t *Table) string {
	var parts []string
	for _, c := range t.Columns() {
		s := c.Name + ":" + c.Type.String()
		if c.Type == Decimal {
			s += string('0' + c.Scale)
		}
		if c.Unit != "" {
			s += "[" + c.Unit + "]"
		}
		if c.Zone != "" {
			s += "@" + c.Zone
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

// rowsOf gives rows as texts joined by "|", null as "null".
func rowsOf(t *Table) []string { return tabletest.Rows(t) }

func readCSV(t testing.TB, text string) Named {
	t.Helper()
	named, err := ReadCSV(strings.NewReader(text), "test.csv", Limits{})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return named
}

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
			g, err := parseCSV(tt.cells, dialect{comma: ",", quote: '"'}, Limits{}.withDefaults(), "", 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range g.row(0) {
				lines += `k,"` + c + "\"\n"
			}
			got := readCSV(t, lines).Table
			if want := "k:text v:" + tt.kind; kinds(got) != want {
				t.Errorf("columns %s, want %s", kinds(got), want)
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
			got := readCSV(t, tt.text)
			if kinds(got.Table) != tt.kinds {
				t.Errorf("columns %s, want %s", kinds(got.Table), tt.kinds)
			}
			if diff := cmp.Diff(tt.rows, rowsOf(got.Table)); diff != "" {
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
		lim        Limits
		reason     string
	}{
		{"empty", "", Limits{}, "the file is empty"},
		{"blank", " \n\n", Limits{}, "the file is empty"},
		{"binary", "a,b\n\x00\x01\x02", Limits{}, "the content is binary, not text"},
		{"too large", "a,b\n1,2\n", Limits{Bytes: 4}, "the content is larger than the limit of 4 bytes"},
		{"rows", "a,b\n1,2\n3,4\n5,6\n", Limits{Rows: 2}, "the text has more than 2 rows"},
		{"columns", "a,b,c\n", Limits{Columns: 2}, "the row has more than 2 cells"},
		{"cell", "a,bbbbbb\n", Limits{CellSize: 3}, "a cell is larger than 3 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadCSV(strings.NewReader(tt.text), "x.csv", tt.lim)
			var format *FormatError
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
			got := readCSV(t, tt.text)
			if got.Report.Encoding != tt.encoding || !cmp.Equal(rowsOf(got.Table), []string{"1|é"}) {
				t.Errorf("%s: %q", got.Report.Encoding, rowsOf(got.Table))
			}
		})
	}
}

// reread writes a table and reads it back as what WriteCSV promises to have written.
func reread(t testing.TB, tab *Table) *Table {
	t.Helper()
	var buf bytes.Buffer
	if err := tab.WriteCSV(t.Context(), &buf); err != nil {
		t.Fatal(err)
	}
	g, err := parseCSV(buf.String(), dialect{comma: ",", quote: '"'}, Limits{}.withDefaults(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	again, err := g.table(&LoadReport{Header: true}, Limits{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func FuzzReadCSV(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "a;b\n\"x;y\";2\n", "1\t2\n", "x\n\"\"\n", "a,a\n$1,2%\n", "d\n01/02/2024\n", "a,b\n1\n2,3,4\n", "\xff\xfea\x00", "a\n2024-01-02T10:00:00+02:00\n", "a\n1e5\n"} {
		f.Add(seed)
	}
	lim := Limits{Bytes: 1 << 16, Rows: 1000, Columns: 100, CellSize: 1000}
	f.Fuzz(func(t *testing.T, text string) {
		named, err := ReadCSV(strings.NewReader(text), "fuzz", lim)
		if err != nil {
			var format *FormatError
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
				if a, b := tab.Value(r, c), again.Value(r, c); !Equal(a, b) && a.Text() != b.Text() {
					t.Fatalf("row %d column %q: %s %q became %s %q", r, tab.Column(c).Name, a.Type(), a, b.Type(), b)
				}
			}
		}
	})
}

func names(list []Named) string {
	var out []string
	for _, n := range list {
		out = append(out, n.Name)
	}
	return strings.Join(out, " ")
}

func TestWriteHarmlessCSV(t *testing.T) {
	b := NewBuilder(Column{Name: "=a", Type: Text}, Column{Name: "n", Type: Int})
	for _, row := range [][]Value{{TextValue("=1+1"), IntValue(-1)}, {TextValue("@SUM(A1)"), IntValue(2)}, {TextValue("-cmd"), NullValue}, {TextValue("-5"), NullValue}} {
		if err := b.Append(row...); err != nil {
			t.Fatal(err)
		}
	}
	var buf bytes.Buffer
	if err := b.Table().WriteHarmlessCSV(t.Context(), &buf); err != nil {
		t.Fatal(err)
	}
	want := "\"'=a\",n\n\"'=1+1\",-1\n\"'@SUM(A1)\",2\n\"'-cmd\",\n-5,\n"
	if diff := cmp.Diff(want, buf.String()); diff != "" {
		t.Error(diff)
	}
}
