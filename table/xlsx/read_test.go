package xlsx_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

func TestXLSXCells(t *testing.T) {
	for name, tt := range map[string]struct {
		rows       []string
		pr, kinds  string
		want, note []string
	}{
		"types": {[]string{"n;d;p;e;c;t;b", `|45.299999999999997;s="1"|45351;s="2"|0.28999999999999998;s="3"|1000;s="4"|0.5;s="5" t="str"|007;t="b"|1`, `|1;s="1"|45352.5;s="2"|1;s="3"|-0.5;s="4"|0.25;s="5" t="str"|1;t="b"|0`},
			"", "n:decimal1 d:datetime p:decimal2[%] e:decimal2[EUR] c:time t:text b:boolean", []string{"45.3|2024-02-29T00:00:00|29.00|1000.00|12:00:00|007|true", "1.0|2024-03-01T12:00:00|100.00|-0.50|06:00:00|1|false"}, nil},
		"1900":         {[]string{"d;n", `s="1"|1;|1`, `s="1"|59;|2`, `s="1"|60;|3`, `s="1"|61;|4`}, "", "d:date n:integer", []string{"1900-01-01|1", "1900-02-28|2", "null|3", "1900-03-01|4"}, []string{"no day, and is null"}},
		"1904":         {[]string{"d;n", `s="1"|0;|1`, `s="1"|43889;|2`}, `<workbookPr date1904="1"/>`, "d:date n:integer", []string{"1904-01-01|1", "2024-02-29|2"}, nil},
		"errors":       {[]string{"n;m", `|1;t="e"|#N/A`, `|2;|5`}, "", "n:integer m:integer", []string{"1|null", "2|5"}, []string{`1 cell has an error (#N/A) and is null`}},
		"shared texts": {[]string{`t="s"|0;m`, `t="s"|1;|1`, `t="s"|2;|2`}, "", "name:text m:integer", []string{"rich |1", "a & b\rA|2"}, nil},
		"formulas":     {[]string{"n;m", `|<f>1+1</f><v>2</v>;t="str"|<f>"a"</f><v>a</v>`, `|<f>A9</f>;t="str"|b`}, "", "n:integer m:text", []string{"2|a", "null|b"}, []string{"no stored value"}},
		"mixed":        {[]string{"n;m", `|1;|5`, `t="str"|22;t="str"|x`, `t="str"|n/a;|6`}, "", "n:integer m:text", []string{"1|5", "22|x", "null|6"}, []string{"read like the others", "mixed"}},
		"ISO dates":    {[]string{"d;n", `t="d"|2024-02-29;|1`, `t="d"|2024-03-01;|2`}, "", "d:date n:integer", []string{"2024-02-29|1", "2024-03-01|2"}, nil},
		"totals":       {[]string{"a;n", "x;|1", "y;|2", "Total;|<f>SUM(B2:B3)</f><v>99</v>"}, "", "a:text n:integer", []string{"x|1", "y|2"}, []string{"total of the rows"}},
		"codes":        {[]string{"zip;phone", `s="6"|501;s="7"|5551234`, `s="6"|98765;s="7"|1234`}, "", "zip:text phone:text", []string{"00501|555-1234", "98765|000-1234"}, nil},
		"currencies":   {[]string{"usd;n", `s="3"|10;|1`, `s="8"|12.5;|2`, `|7;|3`}, "", "usd:text n:integer", []string{"10 EUR|1", "12.5 GBP|2", "7|3"}, []string{"several units"}},
		"half past":    {[]string{"n;at", `|1;s="1"|45658.10416666666`, `|2;s="1"|45658.5`}, "", "n:integer at:datetime", []string{"1|2025-01-01T02:30:00", "2|2025-01-01T12:00:00"}, nil},
		"texts of a comma": {[]string{"amt;n", `t="str"|1.234,50;|1`, `t="str"|2.000,00;|2`, `t="str"|1.000;|3`, "|12.5;|4", "|5;|5"}, "", "amt:decimal2 n:integer",
			[]string{"1234.50|1", "2000.00|2", "1000.00|3", "12.50|4", "5.00|5"}, []string{"the comma was read as the decimal point"}},
		"texts of a point":       {[]string{"amt;n", `t="str"|1,234.50;|1`, `t="str"|1,000;|2`, "|12.5;|3"}, "", "amt:decimal2 n:integer", []string{"1234.50|1", "1000.00|2", "12.50|3"}, []string{"read like the others"}},
		"texts of open points":   {[]string{"amt;n", `t="str"|1,234;|1`, "|12.5;|2"}, "", "amt:text n:integer", []string{"1,234|1", "12.5|2"}, []string{"mixed"}},
		"texts of two points":    {[]string{"amt;n", `t="str"|1,5;|1`, `t="str"|2.5;|2`, "|12.5;|3"}, "", "amt:text n:integer", []string{"1,5|1", "2.5|2", "12.5|3"}, []string{"mixed"}},
		"texts of amounts":       {[]string{"amt;n", `t="str"|1.234,50 €;|1`, `s="3"|12.5;|2`}, "", "amt:decimal2[EUR] n:integer", []string{"1234.50|1", "12.50|2"}, []string{"read like the others"}},
		"texts of other amounts": {[]string{"amt;n", `t="str"|1.234,50 $;|1`, `s="3"|12.5;|2`}, "", "amt:text n:integer", []string{"1.234,50 $|1", "12,5|2"}, []string{"mixed"}},
		"numbers and remarks":    {[]string{"amt;n", `t="str"|1.234,50;|1`, "|12.5;|2", `t="str"|see below;|3`}, "", "amt:text n:integer", []string{"1.234,50|1", "12,5|2", "see below|3"}, []string{"mixed"}},
		"percents":               {[]string{"p;n", `s="2"|0.5;|1`, `s="9"|12;|2`}, "", "p:integer[%] n:integer", []string{"50|1", "12|2"}, nil},
		"years":                  {[]string{"a;|2023;|2024", "x;|1;|2", "y;|3;|4"}, "", "a:text 2023:integer 2024:integer", []string{"x|1|2", "y|3|4"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := loadtest.LoadOne(t, tabletest.Book(tt.pr, tabletest.RowsXML(tt.rows...)), "b.xlsx")
			if diff := cmp.Diff(append([]string{tt.kinds}, tt.want...), append([]string{loadtest.Kinds(got.Table)}, tabletest.Rows(got.Table)...)); diff != "" {
				t.Error(diff)
			}
			all := strings.Join(got.Report.Notes, "\n")
			for _, n := range tt.note {
				if !strings.Contains(all, n) {
					t.Errorf("no %q in %s", n, all)
				}
			}
		})
	}
}

func TestXLSXSheets(t *testing.T) {
	merged := tabletest.RowsXML("Report", "Region;2023;;2024", ";Q1;Q2;Q1", "North;|1;|2;|3", ";|4;|5;|6", "South;|7;|8;|9") +
		`<mergeCells><mergeCell ref="A1:D1"/><mergeCell ref="A2:A3"/><mergeCell ref="B2:C2"/><mergeCell ref="A4:A5"/></mergeCells>`
	merged = strings.ReplaceAll(merged, "<c ><v></v></c>", "<c/>")
	tables, err := load.Tables(tabletest.Book("", "hidden:"+tabletest.RowsXML("h;i", "|1;|2"), "<sheetData/>", merged), "b.xlsx", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got := loadtest.Names(tables); got != "b b_S1" {
		t.Errorf("names %s", got)
	}
	first := tables[0]
	if diff := cmp.Diff([]string{"Region:text 2023 Q1:integer 2023 Q2:integer 2024 Q1:integer", "North|1|2|3", "North|4|5|6", "South|7|8|9"}, append([]string{loadtest.Kinds(first.Table)}, tabletest.Rows(first.Table)...)); diff != "" {
		t.Error(diff)
	}
	if len(first.Report.Dropped) != 1 || first.Report.HeaderRows != 2 || len(first.Report.More) != 1 {
		t.Errorf("%+v", first.Report)
	}
}

// What a sheet cannot mean, or means more than once, is said.
func TestXLSXTells(t *testing.T) {
	for name, c := range map[string]struct{ sheet, rows, note string }{
		"a number in a merged cell":   {tabletest.RowsXML("region;n", "EU;|100", "US;|", "AS;|7") + `<mergeCells><mergeCell ref="B2:B3"/></mergeCells>`, "EU|100 US|100 AS|7", "1 cell repeats the number of a merged cell, which a sum counts each time"},
		"a text in a merged cell":     {tabletest.RowsXML("region;n", "EU;|100", "|;|8", "AS;|7") + `<mergeCells><mergeCell ref="A2:A3"/></mergeCells>`, "EU|100 EU|8 AS|7", ""},
		"a shared text that is none":  {tabletest.RowsXML("a;n", `t="s"|999999;|1`, `t="s"|-1;|2`, "x;|3"), "null|1 null|2 x|3", `column "a": 2 cells have an error (no text 999999, no text -1) and are null`},
		"a number that no double has": {tabletest.RowsXML("a;n", "x;|1e400", "y;|1.5", "z;|-2e999"), "x|null y|1.5 z|null", `column "n": 2 cells have an error (1e400, -2e999) and are null`},
	} {
		tables, err := load.Tables(tabletest.Book("", c.sheet), "b.xlsx", table.Limits{})
		if err != nil {
			t.Fatal(name, err)
		}
		if got := strings.Join(tabletest.Rows(tables[0].Table), " "); got != c.rows {
			t.Errorf("%s: %s", name, got)
		}
		notes := strings.Join(tables[0].Report.Notes, "; ")
		if !strings.Contains(notes, c.note) || c.note == "" && strings.Contains(notes, "merged") {
			t.Errorf("%s: %s", name, notes)
		}
	}
}

// Of two files of one name in an archive, programs read different ones.
func TestXLSXTwoOfOneName(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"xl/workbook.xml", "xl/Workbook.xml"} {
		if _, err := w.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var format *table.FormatError
	if _, err := load.Tables(b.Bytes(), "b.xlsx", table.Limits{}); !errors.As(err, &format) || !strings.Contains(err.Error(), "two files in it are called xl/workbook.xml") {
		t.Error(err)
	}
}

// formatted is a workbook of one column of numbers in one number format, as styles write it.
func formatted(t testing.TB, format string, numbers ...string) []byte {
	t.Helper()
	rows := []string{"v;n"}
	for i, n := range numbers {
		rows = append(rows, fmt.Sprintf(`s="3"|%s;|%d`, n, i))
	}
	return tabletest.BookIn(format, "", tabletest.RowsXML(rows...))
}

func TestXLSXUnitsOfFormats(t *testing.T) {
	for format, tt := range map[string]struct {
		numbers    []string
		kind, want string
		note       string
	}{
		`#,##0,&quot; k&quot;`:                {[]string{"1234567", "2000000"}, "v:integer", "1234567 2000000", "in thousands or millions"},
		`0.0,,&quot;M&quot;`:                  {[]string{"1500000", "2500000"}, "v:integer", "1500000 2500000", "in thousands or millions"},
		`#,##0.0,,\ &quot;Mio. €&quot;`:       {[]string{"1500000", "2500000.5"}, "v:decimal1[EUR]", "1500000.0 2500000.5", "in thousands or millions"},
		`$#,##0.0,,&quot;M&quot;;-$#,##0.0,,`: {[]string{"1500000", "-2500000"}, "v:integer[USD]", "1500000 -2500000", "in thousands or millions"},
		`[&gt;=1000000]0.0,,&quot;M&quot;;0`:  {[]string{"1500000", "12"}, "v:integer", "1500000 12", "in thousands or millions"},
		`0.0,&quot;kg&quot;`:                  {[]string{"1500", "12"}, "v:integer", "1500 12", "in thousands or millions"},
		`#,##0&quot; kg&quot;`:                {[]string{"1500", "12"}, "v:integer[kg]", "1500 12", ""},
		`0&quot;%&quot;`:                      {[]string{"50", "12"}, "v:integer[%]", "50 12", ""},
		`#,##0\ &quot;T€&quot;`:               {[]string{"50", "1200"}, "v:integer[EUR thousands]", "50 1200", ""},
		`#,##0.0&quot; $m&quot;`:              {[]string{"50.5", "1.2"}, "v:decimal1[USD millions]", "50.5 1.2", "US dollars"},
	} {
		t.Run(format, func(t *testing.T) {
			got := loadtest.LoadOne(t, formatted(t, format, tt.numbers...), "b.xlsx")
			kind, _, _ := strings.Cut(loadtest.Kinds(got.Table), " n:")
			var cells []string
			for i := range got.Table.NumRows() {
				cells = append(cells, got.Table.Value(i, 0).Text())
			}
			if diff := cmp.Diff([]string{tt.kind, tt.want}, []string{kind, strings.Join(cells, " ")}); diff != "" {
				t.Error(diff)
			}
			if notes := strings.Join(got.Report.Notes, "\n"); !strings.Contains(notes, tt.note) || tt.note == "" && strings.Contains(notes, "column") {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
		})
	}
}

// The directory of a workbook is drawn from the budget before it is read.
func TestXLSXManyEntries(t *testing.T) {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for i := range 40_000 {
		if _, err := w.CreateHeader(&zip.FileHeader{Name: "xl/" + strconv.Itoa(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	budget := table.NewMemoryBudget(8 << 20)
	var err error
	took := tabletest.Allocated(func() { _, err = load.Tables(buf.Bytes(), "many.xlsx", table.Limits{Memory: budget}) })
	loadtest.WantLimit(t, err, "memory")
	if took > uint64(budget.Size()) {
		t.Errorf("it took %d KiB", took>>10)
	}
	took = tabletest.Allocated(func() { _, err = load.Tables(buf.Bytes(), "many.xlsx", table.Limits{}) })
	if most := uint64(40_000*600 + 4<<20); took > most {
		t.Errorf("40,000 entries took %d KiB, more than the %d that are drawn", took>>10, most>>10)
	}
}
