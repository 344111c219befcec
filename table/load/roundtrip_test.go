package load_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"catena/internal/text"
	"catena/table"
	"catena/table/columnar"
	"catena/table/csv"
	"catena/table/infer"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/xlsx"
)

// tape reads a table off the bytes that a fuzzer gives; at its end all is zero.
type tape []byte

func (p *tape) byte() byte {
	if len(*p) == 0 {
		return 0
	}
	b := (*p)[0]
	*p = (*p)[1:]
	return b
}

func (p *tape) int64() int64 {
	var b [8]byte
	for i := range int(p.byte()) % 9 {
		b[i] = p.byte()
	}
	return int64(binary.LittleEndian.Uint64(b[:]))
}

func (p *tape) text() string {
	n := min(int(p.byte())%24, len(*p))
	s := strings.ToValidUTF8(string((*p)[:n]), "")
	*p = (*p)[n:]
	return s
}

var tapeZones = []string{"", "UTC", "+05:30", "Europe/Berlin"}

// table reads one to six columns and as many rows as there are bytes for, at most 60.
func (p *tape) table() *table.Table {
	cols := make([]table.Column, 1+p.byte()%6)
	for c := range cols {
		cols[c] = table.Column{Name: "column " + strings.Join(strings.Fields(printable(p.text())), " ") + fmt.Sprint(c), Type: table.Type(p.byte() % 11)}
		switch cols[c].Type {
		case table.Decimal:
			cols[c].Scale = int32(p.byte() % 39)
		case table.DateTime:
			cols[c].Zone = tapeZones[p.byte()%4]
		}
	}
	b := table.NewBuilder(cols...)
	for n := 0; n < 60 && len(*p) > 0; n++ {
		row := make([]table.Value, len(cols))
		for c, col := range cols {
			if p.byte()%8 > 0 {
				row[c] = p.value(col)
			}
		}
		if err := b.Append(row...); err != nil {
			panic(err)
		}
	}
	return b.Table()
}

func (p *tape) value(col table.Column) table.Value {
	const year = 366 * 86400
	switch col.Type {
	case table.Bool:
		return table.BoolValue(p.byte()%2 == 0)
	case table.Int:
		return table.IntValue(p.int64())
	case table.Float:
		return table.FloatValue(math.Float64frombits(uint64(p.int64())))
	case table.Decimal:
		n := decimal128.FromI64(p.int64())
		if p.byte()%4 == 0 {
			n = n.Mul(decimal128.GetScaleMultiplier(18))
		}
		return table.DecimalValue(n.HighBits(), n.LowBits(), col.Scale)
	case table.Text:
		return table.TextValue(p.text())
	case table.Date:
		return table.DateOfDays(p.int64() % (700_000)) // from year 53 to 3886
	case table.DateTime:
		return table.MicrosValue(table.DateTime, p.int64()%(1900*year*1_000_000), col.Zone)
	case table.Time:
		return table.MicrosValue(table.Time, int64(uint64(p.int64())%table.DayMicros), "")
	case table.Duration:
		return table.DurationOfMicros(p.int64() / 1000)
	case table.JSON:
		b, _ := json.Marshal(map[string]any{p.text(): []any{p.byte(), nil, p.text()}})
		return table.JsonValue(string(b))
	}
	return table.NullValue
}

// printable drops what a loader takes for dirt in names, and for a sign of binary data in delimited text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, s)
}

func addTapes(f *testing.F) {
	f.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 12 {
		data := make([]byte, 20*n)
		for i := range data {
			data[i] = byte(r.IntN(256))
			if i > 60 && r.IntN(3) > 0 {
				data[i] = "ab,;\"'\n\t |=-01.5"[r.IntN(16)]
			}
		}
		f.Add(data)
	}
}

// FuzzRoundTrip writes tables of all types in every format that keeps them, and loads them again: nothing may change.
func FuzzRoundTrip(f *testing.F) {
	addTapes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		p := tape(data)
		want := p.table()
		for _, format := range []struct {
			name  string
			write func() ([]byte, error)
		}{
			{"x.json", want.MarshalJSON},
			{"x.arrow", func() ([]byte, error) { return bytesOf(writing(columnar.WriteIPC, want)) }},
			{"x.parquet", func() ([]byte, error) { return bytesOf(writing(columnar.WriteParquet, want)) }},
		} {
			out, err := format.write()
			if err != nil {
				t.Fatalf("%s: %v", format.name, err)
			}
			named, err := load.Bytes(out, format.name, table.Limits{})
			if err != nil {
				t.Fatalf("%s: %v\n%s", format.name, err, text.Clip(string(out), 300))
			}
			if named.Table.Fingerprint() != want.Fingerprint() {
				loadtest.SameTable(t, named.Table, want)
				t.Errorf("%s: columns were %+v, are %+v", format.name, want.Columns(), named.Table.Columns())
			}
		}
	})
}

// writing is a writer of a table as bytesOf takes it.
func writing(write func(context.Context, io.Writer, *table.Table) error, t *table.Table) func(io.Writer) error {
	return func(w io.Writer) error { return write(context.Background(), w, t) }
}

func asCSV(ctx context.Context, w io.Writer, t *table.Table) error { return csv.Write(ctx, w, t) }

func bytesOf(write func(io.Writer) error) ([]byte, error) {
	var b bytes.Buffer
	err := write(&b)
	return b.Bytes(), err
}

// FuzzTextTrip writes tables as texts that carry no types, CSV and records of JSON, and as sheets, which know few types, and loads them again: cells stay what they say. Rows have a number, as rows without
// any content are dropped, and texts are printable.
func FuzzTextTrip(f *testing.F) {
	addTapes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		p := tape(data)
		want := forText(p.table())
		if want.NumRows() == 0 {
			return
		}
		csv, err := bytesOf(writing(asCSV, want))
		if err != nil {
			t.Fatal(err)
		}
		var lines bytes.Buffer
		for _, rec := range records(want) {
			line, err := json.Marshal(rec)
			if err != nil {
				t.Fatal(err)
			}
			lines.Write(append(line, '\n'))
		}
		book, err := bytesOf(func(w io.Writer) error { return xlsx.Write(t.Context(), w, xlsx.Sheet{Name: "x", Table: want}) })
		if err != nil {
			t.Fatal(err)
		}
		for name, out := range map[string][]byte{"x.csv": csv, "x.jsonl": lines.Bytes(), "x.xlsx": book} {
			named, err := load.Bytes(out, name, table.Limits{})
			if err != nil {
				t.Fatalf("%s: %v\n%q", name, err, text.Clip(string(out), 300))
			}
			if named.Table.NumRows() != want.NumRows() || named.Table.NumCols() != want.NumCols() {
				t.Fatalf("%s: %d x %d became %d x %d\n%q", name, want.NumRows(), want.NumCols(), named.Table.NumRows(), named.Table.NumCols(), text.Clip(string(out), 300))
			}
			for c, col := range want.Columns() {
				at := named.Table.Index(col.Name)
				if at < 0 {
					t.Fatalf("%s: %q became one of %q", name, col.Name, named.Table.Names())
				}
				for r := range want.NumRows() {
					if was, is := want.Value(r, c), named.Table.Value(r, at); !saysTheSame(was, is) {
						t.Fatalf("%s: row %d, %q: %s %q became %s %q\n%q", name, r, col.Name, was.Type(), was, is.Type(), is, text.Clip(string(out), 300))
					}
				}
			}
		}
	})
}

// forText numbers the rows, makes texts printable and leaves out nested JSON, which records lay flat.
func forText(t *table.Table) *table.Table {
	cols := []table.Column{{Name: "row", Type: table.Int}}
	for _, col := range t.Columns() {
		if col.Type == table.JSON {
			col.Type = table.Text
		}
		cols = append(cols, col)
	}
	b := table.NewBuilder(cols...)
	for r := range t.NumRows() {
		row := []table.Value{table.IntValue(int64(r) + 1)}
		for _, v := range t.Row(r) {
			if v.Type() == table.Text || v.Type() == table.JSON {
				v = table.TextValue(printable(v.Text()))
			}
			row = append(row, v)
		}
		if err := b.Append(row...); err != nil {
			panic(err)
		}
	}
	return b.Table()
}

// saysTheSame reports whether a cell that went through text without a type means what it did: the same text but for space around it, or the same
// value. What says that nothing is there may be null.
func saysTheSame(was, is table.Value) bool {
	a, b := was.Text(), is.Text()
	switch {
	case a == b || table.Equal(was, is):
		return true
	case is.IsNull():
		return strings.TrimFunc(a, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) == "" || infer.IsNullWord(strings.ToLower(strings.TrimSpace(a)))
	case was.Type() == table.Text && is.Type() != table.Text: // what looks like a number or a date is one
		return true
	case was.Type() == table.Float || is.Type() == table.Float:
		x, ok := was.Float()
		y, fine := is.Float()
		return ok && fine && x == y
	case was.Type() == table.JSON:
		var x, y any
		return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && fmt.Sprint(x) == fmt.Sprint(y)
	}
	return strings.EqualFold(letters(a), letters(b))
}

// letters keeps what no loader may lose.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// FuzzAccounted holds that no letter or digit of a delimited text is lost: each is in a name, a cell, or a line that the report says was dropped.
func FuzzAccounted(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "Report\n\na;b\n'1;x';2\n", "# c\na,b\n1,2\na,b\n3,4\nTotal,4\n", "\"a\",\"b\n\"c,d\n", "a,b,c\n1,2\n1,2,3,4\n,,\n", "a\\\",b\n1,\"2\\\"\n", "a||b\r\n1||2\r", "\xef\xbb\xbfa\tb\n\x001\t2"} {
		f.Add(seed)
	}
	lim := table.Limits{Bytes: 1 << 16, Rows: 500, Columns: 100, CellSize: 1000}
	f.Fuzz(func(t *testing.T, text string) {
		found, err := csv.ReadCells([]byte(text), "fuzz", lim)
		if err != nil || !utf8.ValidString(text) || found[0].Report.Encoding != "utf-8" || strings.HasPrefix(strings.ToLower(strings.TrimPrefix(text, "\ufeff")), "sep=") {
			return
		}
		left := map[rune]int{}
		for _, c := range letters(text) {
			left[c]++
		}
		take := func(s string) {
			for _, c := range letters(s) {
				left[c]--
			}
		}
		cut := false
		for _, c := range found {
			for _, name := range c.Header {
				take(name)
			}
			for _, row := range c.Rows {
				for _, cell := range row {
					take(cell)
				}
			}
			for _, d := range c.Report.Dropped {
				take(d.Text)
				cut = cut || len(d.Text) >= 200
			}
			cut = cut || len(c.Report.Dropped) >= 1000 || c.Report.Escape == `\`
		}
		for c, n := range left {
			if n > 0 && !cut && c != '\ufeff' {
				t.Fatalf("%d of %q were lost:\n%q\n%+v", n, c, text, found)
			}
		}
	})
}

// FuzzReadBytes loads anything at all: what comes is within the limits, takes no more memory than they allow, and errors are *FormatError.
func FuzzReadBytes(f *testing.F) {
	tab := loadtest.Typed(f).Slice(0, 2)
	for _, write := range []func() ([]byte, error){tab.MarshalJSON, func() ([]byte, error) { return bytesOf(writing(columnar.WriteIPC, tab)) }, func() ([]byte, error) { return bytesOf(writing(columnar.WriteParquet, tab)) },
		func() ([]byte, error) { return bytesOf(writing(asCSV, tab)) }, func() ([]byte, error) {
			return bytesOf(func(w io.Writer) error { return xlsx.Write(context.Background(), w, xlsx.Sheet{Table: tab}) })
		}} {
		out, err := write()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(out)
		var zipped bytes.Buffer
		zip := gzip.NewWriter(&zipped)
		if _, err := zip.Write(out); err != nil {
			f.Fatal(err)
		}
		if err := zip.Close(); err != nil {
			f.Fatal(err)
		}
		f.Add(zipped.Bytes())
	}
	f.Add([]byte("{}"))
	lim := table.Limits{Bytes: 1 << 16, Rows: 200, Columns: 50, CellSize: 500, Depth: 20}
	const most = 64 << 20
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		named, err := load.Bytes(data, "fuzz", lim)
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > most {
			t.Fatalf("%d bytes took %d MB", len(data), used>>20)
		}
		if took > 10*time.Second {
			t.Fatalf("%d bytes took %v", len(data), took)
		}
		var format *table.FormatError
		if err != nil {
			if !errors.As(err, &format) {
				t.Fatalf("not a FormatError: %v", err)
			}
			return
		}
		if tab := named.Table; tab.NumRows() > lim.Rows || tab.NumCols() > lim.Columns || named.Report.Rows != tab.NumRows() {
			t.Fatalf("%d rows (the report says %d), %d columns", tab.NumRows(), named.Report.Rows, tab.NumCols())
		}
	})
}

// records gives the rows as maps from column name to Value.Any.
func records(t *table.Table) []map[string]any {
	records := make([]map[string]any, t.NumRows())
	for r := range records {
		rec := make(map[string]any, t.NumCols())
		for c, name := range t.Names() {
			rec[name] = t.Value(r, c).Any()
		}
		records[r] = rec
	}
	return records
}
