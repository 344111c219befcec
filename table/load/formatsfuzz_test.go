package load_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"strings"
	"testing"

	"catena/table"
	"catena/table/columnar"
	"catena/table/csv"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/markup"
	"catena/table/tabletest"
	"catena/table/xlsx"
)

// fuzzLimits keep fuzzing small.
var fuzzLimits = table.Limits{Bytes: 1 << 20, Rows: 2000, Columns: 100, CellSize: 4096, Depth: 8, Tables: 8}

// bounded fails unless reading gave tables within the limits, or an error of the right type.
func bounded(t *testing.T, tables []table.Named, err error) {
	t.Helper()
	if err != nil {
		var format *table.FormatError
		if !errors.As(err, &format) || len(tables) > 0 {
			t.Fatalf("%T %v", err, err)
		}
		return
	}
	if len(tables) == 0 || len(tables) > fuzzLimits.Tables || len(tables[0].Report.More) != len(tables)-1 {
		t.Fatalf("%d tables, %d more", len(tables), len(tables[0].Report.More))
	}
	for _, n := range tables {
		if n.Table.NumRows() > fuzzLimits.Rows || n.Table.NumCols() > fuzzLimits.Columns || n.Report.Rows != n.Table.NumRows() {
			t.Fatalf("%d x %d, reported %d", n.Table.NumRows(), n.Table.NumCols(), n.Report.Rows)
		}
		for r := range n.Table.NumRows() {
			for c := range n.Table.NumCols() {
				if text := n.Table.Value(r, c).Text(); len(text) > 4*fuzzLimits.CellSize {
					t.Fatalf("a cell of %d bytes", len(text))
				}
			}
		}
	}
}

// rewritten fails unless a table that is written and loaded again is the same.
func rewritten(t *testing.T, tab *table.Table) {
	t.Helper()
	if tab.NumCols() == 0 {
		return
	}
	var buf bytes.Buffer
	if err := columnar.WriteParquet(context.Background(), &buf, tab); err != nil {
		t.Fatal(err)
	}
	again, err := load.Bytes(buf.Bytes(), "again.parquet", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if again.Table.Fingerprint() != tab.Fingerprint() {
		loadtest.SameTable(t, again.Table, tab)
	}
}

func FuzzXLSX(f *testing.F) {
	f.Add(tabletest.RowsXML("a;b", "|1;x", `s="3"|45351;t="b"|1`), "<si><t>x</t></si>", "yyyy-mm-dd")
	f.Add(tabletest.RowsXML("a;b", "x;|1", "Total;|<f>SUM(B2)</f><v>1</v>")+`<mergeCells><mergeCell ref="A1:B1"/></mergeCells>`, "", `"$"0.00`)
	f.Add(`<sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>`, "", "0%")
	f.Fuzz(func(t *testing.T, sheet, shared, format string) {
		var code strings.Builder
		if err := xml.EscapeText(&code, []byte(format)); err != nil {
			t.Fatal(err)
		}
		data := tabletest.BookIn(code.String(), "", strings.TrimPrefix(strings.TrimPrefix(sheet, "hidden:"), "strings:"), tabletest.RowsXML("k", "|1"), "strings:"+shared)
		tables, err := load.Tables(data, "fuzz.xlsx", fuzzLimits)
		bounded(t, tables, err)
		for _, n := range tables {
			rewritten(t, n.Table)
		}
	})
}

func FuzzParquet(f *testing.F) {
	for _, tab := range []*table.Table{loadtest.Typed(f), loadtest.Sample(f)} {
		var pq, stream bytes.Buffer
		if err := errors.Join(columnar.WriteParquet(context.Background(), &pq, tab), columnar.WriteIPC(context.Background(), &stream, tab)); err != nil {
			f.Fatal(err)
		}
		f.Add(pq.Bytes())
		f.Add(stream.Bytes())
	}
	pq, stream := tabletest.Foreign()
	f.Add(pq)
	f.Add(stream)
	f.Fuzz(func(t *testing.T, data []byte) {
		var tables []table.Named
		var err error
		if bytes.HasPrefix(data, []byte("PAR1")) {
			tables, err = load.Tables(data, "fuzz.parquet", fuzzLimits)
		} else {
			tables, err = load.Tables(data, "fuzz.arrow", fuzzLimits)
		}
		bounded(t, tables, err)
		for _, n := range tables {
			rewritten(t, n.Table)
		}
	})
}

func FuzzMarkdownTable(f *testing.F) {
	f.Add("text\n|a|b|\n|-|:-:|\n|1|**x** \\| `y`|\n| **Total** | **1** |\n\nmore")
	f.Add("a | b\n--|--\n… | …\n[x](y) | ~~_z_~~<br>&amp;")
	f.Fuzz(func(t *testing.T, text string) {
		tables, err := markup.ReadMarkdown(strings.ToValidUTF8(text, "?"), "fuzz.md", fuzzLimits.WithDefaults())
		if len(tables) > 0 {
			table.ListMore(tables)
		}
		if len(tables) > 0 || err != nil {
			bounded(t, tables, err)
		}
		for _, n := range tables {
			rewritten(t, n.Table)
		}
	})
}

func FuzzHTMLTable(f *testing.F) {
	f.Add("<table><caption>x<thead><tr><th colspan=2>a<tr><th>b<th>c<tbody><tr><td rowspan=0>1<td>2<tr><td>3</table>")
	f.Add("<table><tr><td><table><tr><td>x<td rowspan=99999>y</table><tr><td>&lt;<br>z<script><td></script>")
	f.Fuzz(func(t *testing.T, text string) {
		tables, err := markup.ReadHTML(strings.ToValidUTF8(text, "?"), "fuzz.html", fuzzLimits.WithDefaults())
		if len(tables) > 0 {
			table.ListMore(tables)
		}
		if len(tables) > 0 || err != nil {
			bounded(t, tables, err)
		}
		for _, n := range tables {
			rewritten(t, n.Table)
		}
	})
}

// TestFormatLimits goes over each limit in each format.
func TestFormatLimits(t *testing.T) {
	wide, long := loadtest.CSVTable(t, "a,b,c", "1,2,3"), loadtest.CSVTable(t, "a", "1", "2", "3", "4")
	cell := loadtest.CSVTable(t, "a,b", strings.Repeat("x", 100)+",1")
	write := func(tab *table.Table, format string) []byte {
		var buf bytes.Buffer
		err := map[string]func() error{
			"x.xlsx": func() error { return xlsx.Write(context.Background(), &buf, xlsx.Sheet{Table: tab}) }, "x.parquet": func() error { return columnar.WriteParquet(context.Background(), &buf, tab) },
			"x.arrow": func() error { return columnar.WriteIPC(context.Background(), &buf, tab) }, "x.csv": func() error { return csv.Write(context.Background(), &buf, tab) },
		}[format]()
		if err != nil {
			t.Fatal(err)
		}
		return buf.Bytes()
	}
	marked := map[string][3]string{
		"x.md":   {"|a|b|c|\n|-|-|-|\n|1|2|3|", "|a|\n|-|\n|1|\n|2|\n|3|\n|4|", "|a|\n|-|\n|" + strings.Repeat("x", 100) + "|"},
		"x.html": {"<table><tr><th>a<th>b<th>c<tr><td>1<td>2<td>3</table>", "<table><tr><th>a<tr><td>1<tr><td>2<tr><td>3<tr><td>4</table>", "<table><tr><th>a<tr><td>" + strings.Repeat("x", 100) + "</table>"},
		"x.json": {`[{"a":1,"b":2,"c":3}]`, `[1,2,3,4]`, `["` + strings.Repeat("x", 100) + `"]`},
	}
	for _, name := range []string{"x.xlsx", "x.parquet", "x.arrow", "x.csv", "x.md", "x.html", "x.json"} {
		content := func(i int) []byte {
			if m, ok := marked[name]; ok {
				return []byte(m[i])
			}
			return write([]*table.Table{wide, long, cell}[i], name)
		}
		for _, tt := range []struct {
			what string
			data []byte
			lim  table.Limits
		}{
			{table.LimitColumns, content(0), table.Limits{Columns: 2}}, {table.LimitRows, content(1), table.Limits{Rows: 3}}, {table.LimitCell, content(2), table.Limits{CellSize: 50}}, {table.LimitBytes, content(2), table.Limits{Bytes: 40}},
		} {
			_, err := load.Bytes(tt.data, name, tt.lim)
			var over *table.LimitError
			var format *table.FormatError
			if !errors.As(err, &over) || !errors.As(err, &format) || over.What != tt.what || format.Hint == "" {
				t.Errorf("%s, %s: %v", name, tt.what, err)
			}
		}
	}
	for name, tt := range map[string]struct {
		data string
		lim  table.Limits
		what string
	}{
		"depth of JSON": {`[{"a":{"b":{"c":1}}}]`, table.Limits{Depth: 2}, table.LimitDepth},
		"depth of HTML": {"<table><tr><td><table><tr><td><table><tr><td>1", table.Limits{Depth: 2}, table.LimitDepth},
		"tables":        {"<table><tr><th>a<tr><td>1</table><table><tr><th>b<tr><td>1</table>", table.Limits{Tables: 1}, table.LimitTables},
		"ratio":         {loadtest.Packed(t, "gzip", strings.Repeat("a,b\n", 2<<20)), table.Limits{}, table.LimitRatio},
		"unpacked":      {loadtest.Packed(t, "zstd", "a,b\n"+strings.Repeat("1,2\n", 100)), table.Limits{Bytes: 100}, table.LimitBytes},
	} {
		_, err := load.Bytes([]byte(tt.data), name, tt.lim)
		var over *table.LimitError
		if !errors.As(err, &over) || over.What != tt.what {
			t.Errorf("%s: %v", name, err)
		}
	}
}
