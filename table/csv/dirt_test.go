package csv_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"catena/table"
	"catena/table/csv"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

// stock is a small clean table; the dirt of the tests is put on it.
var stock = [][]string{
	{"sku", "day", "qty", "price", "note"},
	{"AB-101", "2024-03-01", "3", "9.50", "fine, thanks"},
	{"AB-102", "2024-03-02", "14", "12.25", "say \"hi\""},
	{"CD-205", "2024-03-03", "7", "120.00", ""},
	{"CD-206", "2024-03-04", "22", "3.75", "two\nlines"},
	{"EF-300", "2024-03-05", "1", "48.10", "last one"},
	{"EF-301", "2024-03-06", "16", "7.05", "plain"},
	{"GH-410", "2024-03-07", "9", "15.60", "more"},
	{"GH-411", "2024-03-08", "11", "64.00", "less"},
	{"GH-412", "2024-03-09", "5", "5.25", "soft"},
	{"IJ-500", "2024-03-10", "2", "31.90", "hard"},
}

// written is a table as text with a delimiter, a quote and a line end.
func written(rows [][]string, comma, quote, end string) string {
	var b strings.Builder
	for _, row := range rows {
		for i, c := range row {
			if i > 0 {
				b.WriteString(comma)
			}
			if strings.Contains(c, comma) || strings.ContainsAny(c, quote+"\r\n") {
				c = quote + strings.ReplaceAll(c, quote, quote+quote) + quote
			}
			b.WriteString(c)
		}
		b.WriteString(end)
	}
	return b.String()
}

func encoded(t *testing.T, text string, enc interface {
	Bytes([]byte) ([]byte, error)
}) string {
	t.Helper()
	out, err := enc.Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// mapCells is a copy of the table with every cell changed.
func mapCells(rows [][]string, change func(r int, c string) string) [][]string {
	out := make([][]string, len(rows))
	for r, row := range rows {
		for _, c := range row {
			out[r] = append(out[r], change(r, c))
		}
	}
	return out
}

func TestDirt(t *testing.T) {
	plain := written(stock, ",", `"`, "\n")
	head, body, _ := strings.Cut(plain, "\n")
	lines := strings.SplitAfter(plain, "\n")
	row1 := lines[1]
	for _, tt := range []struct{ name, text, note string }{
		{"plain", plain, ""},
		{"CR LF", written(stock, ",", `"`, "\r\n"), ""},
		{"CR", written(stock, ",", `"`, "\r"), ""},
		{"mixed line ends", strings.Replace(strings.Replace(plain, "\n", "\r\n", 1), "plain\n", "plain\r\n", 1), ""},
		{"byte order mark", "\ufeff" + plain, ""},
		{"UTF-16 without a mark", encoded(t, plain, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder()), ""},
		{"UTF-32 with a mark", encoded(t, plain, utf32.UTF32(utf32.LittleEndian, utf32.UseBOM).NewEncoder()), ""},
		{"UTF-32 without a mark", encoded(t, plain, utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM).NewEncoder()), ""},
		{"NUL characters", strings.Replace(plain, "AB-101", "AB-101\x00", 1), "1 NUL character was left out"},
		{"semicolons", written(stock, ";", `"`, "\n"), ""},
		{"tabs", written(stock, "\t", `"`, "\n"), ""},
		{"bars", written(stock, "|", `"`, "\n"), ""},
		{"spaces", written(mapCells(stock, func(_ int, c string) string { return strings.ReplaceAll(c, " ", "_") }), " ", `"`, "\n"), "?"},
		{"two bars", written(stock, "||", `"`, "\n"), ""},
		{"comma and space", written(stock, ", ", `"`, "\n"), ""},
		{"tildes", written(stock, "~", `"`, "\n"), ""},
		{"a named delimiter", "sep=;\n" + written(stock, ";", `"`, "\n"), ""},
		{"single quotes", written(mapCells(stock, func(_ int, c string) string { return "'" + c + "'" }), ",", "\x00", "\n"), "cells are quoted by '"},
		{"backslash escapes", strings.ReplaceAll(plain, `""`, `\"`), ""},
		{"NUL escapes", strings.ReplaceAll(plain, `""`, "\x00\""), ""},
		{"title and date above", "Stock list\nMade 2024-03-11\n\n" + plain, `line 1 was left out, it stands above the table: "Stock list"`},
		{"comments", "# made by hand\n# do not edit\n" + plain, `line 2 was left out, it is a comment: "# do not edit"`},
		{"empty rows above", ",,,,\n,,,,\n" + plain, ""},
		{"a ruler", head + "\n---,---,---,---,---\n" + body, `line 2 was left out, it is a line of dashes: "---,---,---,---,---"`},
		{"a source below", plain + "\nSource: own count\n", `line 14 was left out, it stands below the table: "Source: own count"`},
		{"a number of rows below", plain + "(10 rows affected)\n", `line 13 was left out, it stands below the table: "(10 rows affected)"`},
		{"a total below", plain + "Total,,90,,\n", `line 13 was left out, it is the total of the rows above: "Total,,90,,"`},
		{"the header again", head + "\n" + row1 + head + "\n" + strings.Join(lines[2:], ""), `line 3 was left out, it repeats the header: "sku,day,qty,price,note"`},
		{"another table", plain + "\nname,score\nann,3\nbob,4\n", "another table begins in line 14, of 2 rows and 2 columns; it is not part of this one"},
		{"the table twice", plain + plain, "another table begins in line 13, of 10 rows and 5 columns; it is not part of this one"},
		{"an empty column at the left", "," + strings.ReplaceAll(strings.TrimSuffix(strings.ReplaceAll(plain, "two\nlines", "two lines"), "\n"), "\n", "\n,") + "\n", "?"},
		{"delimiters at line ends", strings.ReplaceAll(strings.ReplaceAll(plain, "two\nlines", "two lines"), "\n", ",\n"), "?"},
		{"blank lines", head + "\n\n" + row1 + "\n\n" + strings.Join(lines[2:], "") + "\n\n", ""},
		{"padding", written(mapCells(stock, func(_ int, c string) string { return "  " + c + " " }), ",", `"`, "\n"), "55 cells had outer spaces or invisible characters, which were cut"},
		{"no-break spaces", written(mapCells(stock, func(_ int, c string) string { return "\u00a0" + c }), ",", `"`, "\n"), "55 cells had outer spaces or invisible characters, which were cut"},
		{"zero-width spaces", strings.ReplaceAll(plain, "AB-", "\u200bAB-"), "2 cells had outer spaces or invisible characters, which were cut"},
		{"formulas", strings.ReplaceAll(plain, "AB-101", `="AB-101"`), ""},
		{"quoted formulas", strings.ReplaceAll(plain, "AB-101", `"=""AB-101"""`), `1 cell was written as ="x" and read as x`},
		{"a missing delimiter", strings.Replace(plain, "AB-102,2024-03-02", "AB-1022024-03-02", 1), "line 3 was repaired: a missing delimiter was put in"},
		{"a missing delimiter beside a quote", strings.Replace(plain, `9.50,"fine`, `9.50"fine`, 1), "line 2 was repaired: a missing delimiter was put in"},
		{"a delimiter too many", strings.Replace(plain, "EF-300,", "EF-300,,", 1), "line 7 was repaired: a delimiter too many was left out"},
		{"delimiters at one line's end", strings.Replace(plain, "plain\n", "plain,,\n", 1), ""},
		{"another delimiter", strings.Replace(plain, "EF-301,2024-03-06,16,7.05,plain", "EF-301 2024-03-06 16 7.05 plain", 1), "line 8 was repaired: it is delimited by spaces"},
		{"another delimiter in the header", strings.ReplaceAll(head, ",", ";") + "\n" + body, "line 1 was repaired: it is delimited by ;"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := csv.ReadCells([]byte(tt.text), "stock.csv", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			rows := append([][]string{got[0].Header}, got[0].Rows...)
			flat := func(_ int, c string) string { return strings.NewReplacer("\n", " ", "_", " ").Replace(c) }
			want := stock
			if tt.note == "?" {
				rows, want = mapCells(rows, flat), mapCells(stock, flat)
			} else if tt.note != "" && !strings.Contains(strings.Join(got[0].Report.Notes, "\n"), tt.note) {
				t.Errorf("notes %q, want %q", got[0].Report.Notes, tt.note)
			}
			if diff := cmp.Diff(want, rows); diff != "" {
				t.Errorf("%s\n%q", diff, got[0].Report.Notes)
			}
			named, err := load.Tables([]byte(tt.text), "stock.csv", table.Limits{})
			if err != nil || named[0].Table.NumRows() != len(stock)-1 {
				t.Errorf("as a table: %v, %v", named, err)
			}
		})
	}
}

// What looks like dirt but is data stays.
func TestNoDirt(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		rows       []string // the header is the first
	}{
		{"a short row stays short", "id,a,b,c\n1,2,3,4\n2,3,4,5\n3,4,5\n4,5,6,7\n5,6,7,8\n6,7,8,9\n7,8,9,1\n8,9,1,2\n9,1,2,3\n", []string{"id|a|b|c", "1|2|3|4", "2|3|4|5", "3|4|5|"}},
		{"a total that is none", "item,n\nx,1\ny,2\nTotal,9\n", []string{"item|n", "x|1", "y|2", "Total|9"}},
		{"a section within", "item,n,m\nx,1,2\nof which:,,\ny,2,3\n", []string{"item|n|m", "x|1|2", "of which:||", "y|2|3"}},
		{"spaces in one text", "item,n\nx ,1\ny,2\nz,3\nx,4\nv,5\nw,6\n", []string{"item|n", "x |1", "y|2"}},
		{"spaces in quotes", "item,n\n\" x \",1\n\"y\",2\n", []string{"item|n", " x |1", "y|2"}},
		{"inches", "item,n\n5\" pipe,1\n6\" pipe,2\n", []string{"item|n", "5\" pipe|1", "6\" pipe|2"}},
		{"apostrophes", "item,n\nO'Neil's,1\nit's,2\n", []string{"item|n", "O'Neil's|1", "it's|2"}},
		{"a folder", "path,n\n\"C:\\x\\\",1\n\"D:\\y\\\",2\n", []string{"path|n", "C:\\x\\|1", "D:\\y\\|2"}},
		{"words of one column", "name\nJohn Smith\nAnn Lee\nBo Li\n", []string{"name", "John Smith", "Ann Lee"}},
		{"times of one column", "at\n10:15\n11:20\n12:30\n", []string{"at", "10:15", "11:20"}},
		{"a header with #", "# x,y\n1,2\n3,4\n", []string{"# x|y", "1|2", "3|4"}},
		{"nothing but nulls", "a,b\n,\n,\n", []string{"a|b", "|", "|"}},
		{"two header rows", "North,,South,\nin,out,in,out\n1,2,3,4\n5,6,7,8\n", []string{"North in|North out|South in|South out", "1|2|3|4", "5|6|7|8"}},
		{"units below names", "time,speed\ns,m/s\n0,1.5\n1,2.5\n", []string{"time s|speed m/s", "0|1.5", "1|2.5"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := csv.ReadCells([]byte(tt.text), "x.csv", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			var rows []string
			for _, row := range append([][]string{got[0].Header}, got[0].Rows...) {
				rows = append(rows, strings.Join(row, "|"))
			}
			if diff := cmp.Diff(tt.rows, rows[:min(len(rows), len(tt.rows))]); diff != "" {
				t.Errorf("%s\n%q", diff, got[0].Report.Notes)
			}
		})
	}
}

func TestReport(t *testing.T) {
	text := "Title\n\n" + written(stock, ";", `"`, "\n") + "\nname;score\nann;3\nbob;4\n"
	named, err := load.Tables([]byte(text), "stock.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(named) != 2 || named[1].Name != "stock_2" || loadtest.Kinds(named[1].Table) != "name:text score:integer" {
		t.Fatalf("got %+v", named)
	}
	got := named[0].Report
	got.Notes = nil
	want := table.LoadReport{Source: "stock.csv", Format: "csv", Encoding: "utf-8", Comma: ";", Quote: `"`, Header: true, HeaderRows: 1, Rows: 10, Blank: 2,
		Dropped: []table.DroppedRow{{Line: 1, Text: "Title", Why: csv.DropPreamble}}, More: []table.FoundTable{{Name: "stock_2", Line: 16, Rows: 2, Columns: 2}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := load.Tables([]byte("a,b\n1,2\n"), "x", table.Limits{Bytes: 3}); err == nil {
		t.Error("the limit of bytes was not kept")
	}
	if cells, err := csv.ReadCells([]byte(" \n"), "x.csv", table.Limits{}); err != nil || len(cells) != 1 || len(cells[0].Rows) != 0 {
		t.Errorf("an empty text: %v, %v", cells, err)
	}
	var format *table.FormatError
	if _, err := load.Tables([]byte(",,\n,,\n"), "x", table.Limits{}); !errors.As(err, &format) {
		t.Errorf("nothing but delimiters: %v", err)
	}
}

// FuzzDirt puts random dirt together: nothing panics or takes long, and in a text without quotes every line is accounted for.
func FuzzDirt(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "T\n\na;b\n1;2\n\nx;y;z\n1;2;3\n4;5;6\n", "# c\na,b\n1,2\na,b\n3,4\nTotal,4\n", "\"a\",\"b\n\"c,d\n", "a,b,c\n1,2\n1,2,3,4\n,,\n--,--,--\n", "x\n'\n'a','b'\n", "a\\\",b\n1,\"2\\\"\n"} {
		f.Add(seed)
	}
	lim := table.Limits{Bytes: 1 << 16, Rows: 1000, Columns: 100, CellSize: 1000}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		found, err := csv.ReadCells([]byte(text), "fuzz", lim)
		if took := time.Since(start); took > 10*time.Second {
			t.Fatalf("it took %v", took)
		}
		var format *table.FormatError
		if err != nil {
			if !errors.As(err, &format) {
				t.Fatalf("not a FormatError: %v", err)
			}
			return
		}
		rows := 0
		for _, c := range found {
			rows += c.Report.HeaderRows + len(c.Rows)
			for _, row := range c.Rows {
				if len(row) != len(c.Rows[0]) || c.Header != nil && len(row) != len(c.Header) {
					t.Fatalf("rows of several widths: %q", c.Rows)
				}
			}
		}
		if strings.ContainsAny(text, "\"'\x00\r\\") || strings.HasPrefix(strings.ToLower(text), "sep=") || found[0].Report.Encoding != "utf-8" {
			return
		}
		lines := 0
		for _, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
			if line != "" {
				lines++
			}
		}
		if strings.TrimSpace(text) != "" && rows+len(found[0].Report.Dropped) != lines {
			t.Fatalf("%d rows and %d dropped ones of %d lines: %+v", rows, len(found[0].Report.Dropped), lines, found)
		}
	})
}

// TestWriteRead writes tables of awkward texts and reads them back.
func TestWriteRead(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	bits := []string{"a", "Bc", " ", ",", ";", "\t", "|", "\"", "'", "\n", "\\", "é", "\u00a0", "7", ".", "-", "=", "#", "x y", "\r\n"}
	for n := range 300 {
		b := table.NewBuilder(table.Column{Name: "id", Type: table.Int}, table.Column{Name: "text", Type: table.Text}, table.Column{Name: "amount", Type: table.Decimal, Scale: 2}, table.Column{Name: "more", Type: table.Text})
		rows := 3 + r.IntN(20)
		for i := range rows {
			texts := [2]table.Value{}
			for k := range texts {
				var s strings.Builder
				s.WriteString("t")
				for range r.IntN(6) {
					s.WriteString(bits[r.IntN(len(bits))])
				}
				texts[k] = table.TextValue(s.String())
			}
			amount := loadtest.Dec(t, fmt.Sprintf("%d.%02d", r.IntN(1000), 1+r.IntN(99)))
			if err := b.Append(table.IntValue(int64(1000+i)), texts[0], amount, texts[1]); err != nil {
				t.Fatal(err)
			}
		}
		want := b.Table()
		var out strings.Builder
		if err := csv.Write(t.Context(), &out, want); err != nil {
			t.Fatal(err)
		}
		got, err := csv.Read(strings.NewReader(out.String()), "x.csv", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tabletest.Rows(want), tabletest.Rows(got.Table)); diff != "" {
			t.Fatalf("round %d: %s\n%s\n%q %q", n, diff, out.String(), got.Report.Comma, got.Report.Notes)
		}
	}
}
