package loadtest

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"catena/table"
	"catena/table/csv"
	"catena/table/json"
	"catena/table/load"
	"catena/table/tabletest"
)

// Kinds describes columns as "name:type", with scale and unit where there are any.
func Kinds(t *table.Table) string {
	var parts []string
	for _, c := range t.Columns() {
		s := c.Name + ":" + c.Type.String()
		if c.Type == table.Decimal {
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

// ReadCSV reads a delimited text that can be read.
func ReadCSV(t testing.TB, text string) table.Named {
	t.Helper()
	named, err := csv.Read(strings.NewReader(text), "test.csv", table.Limits{})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return named
}

// Names joins the names of tables.
func Names(list []table.Named) string {
	var out []string
	for _, n := range list {
		out = append(out, n.Name)
	}
	return strings.Join(out, " ")
}

// ReadJSON reads a JSON text that can be read.
func ReadJSON(t testing.TB, text string) table.Named {
	t.Helper()
	named, err := json.Read(strings.NewReader(text), "test.json", table.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return named
}

// Dec is a decimal by its text.
func Dec(t testing.TB, s string) table.Value {
	t.Helper()
	v, err := table.ParseDecimal(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Sample has a column of every type, with a row of nulls.
func Sample(t testing.TB) *table.Table {
	t.Helper()
	b := table.NewBuilder(
		table.Column{Name: "bool", Type: table.Bool}, table.Column{Name: "int", Type: table.Int, Unit: "ms"},
		table.Column{Name: "float", Type: table.Float},
		table.Column{Name: "dec", Type: table.Decimal, Scale: 2, Unit: "USD"},
		table.Column{Name: "text", Type: table.Text}, table.Column{Name: "date", Type: table.Date},
		table.Column{Name: "at", Type: table.DateTime},
		table.Column{Name: "zoned", Type: table.DateTime, Zone: "+02:00"},
		table.Column{Name: "time", Type: table.Time}, table.Column{Name: "dur", Type: table.Duration},
		table.Column{Name: "json", Type: table.JSON}, table.Column{Name: "none"},
	)
	at := time.Date(2024, 2, 29, 13, 14, 15, 250_000_000, time.UTC)
	rows := [][]table.Value{
		{
			table.BoolValue(true), table.IntValue(9007199254740993), table.FloatValue(1e-9), Dec(t, "1204551.25"),
			table.TextValue("Łódź, \"x\""), table.DateValue(2024, 2, 29), table.DateTimeValue(at),
			table.DateTimeIn(at, "+02:00"), table.TimeValue(time.Hour), table.DurationValue(90 * time.Minute),
			table.JsonValue(`{"a":[1]}`), table.NullValue,
		},
		make([]table.Value, 12),
		{
			table.BoolValue(false), table.IntValue(-3), table.FloatValue(2), Dec(t, "-0.05"),
			table.TextValue("NA"), table.DateValue(1969, 12, 31), table.DateTimeValue(at.AddDate(-100, 0, 0)),
			table.DateTimeIn(at, "+02:00"), table.TimeValue(0), table.DurationValue(-time.Second),
			table.JsonValue(`"s"`), table.NullValue,
		},
	}
	for _, row := range rows {
		if err := b.Append(row...); err != nil {
			t.Fatal(err)
		}
	}
	return b.Table()
}

// Typed is a table with a column of each type that a format may have to carry.
func Typed(t testing.TB) *table.Table {
	t.Helper()
	b := table.NewBuilder(
		table.Column{Name: "id", Type: table.Int}, table.Column{Name: "zip", Type: table.Text},
		table.Column{Name: "price", Type: table.Decimal, Scale: 2, Unit: "USD"},
		table.Column{Name: "share", Type: table.Decimal, Scale: 1, Unit: "%"},
		table.Column{Name: "weight", Type: table.Decimal, Scale: 3, Unit: "kg"},
		table.Column{Name: "noise", Type: table.Float}, table.Column{Name: "ok", Type: table.Bool},
		table.Column{Name: "day", Type: table.Date}, table.Column{Name: "seen", Type: table.DateTime},
		table.Column{Name: "local", Type: table.DateTime, Zone: "Europe/Berlin"},
		table.Column{Name: "off", Type: table.DateTime, Zone: "+05:30"},
		table.Column{Name: "clock", Type: table.Time}, table.Column{Name: "took", Type: table.Duration},
	)
	at := time.Date(2024, 2, 29, 23, 59, 59, 123456000, time.UTC)
	rows := [][]table.Value{
		{
			table.IntValue(1), table.TextValue("00501"), Dec(t, "1204551.25"), Dec(t, "15.2"), Dec(t, "0.001"),
			table.FloatValue(0.1 + 0.2), table.BoolValue(true), table.DateValue(2024, 2, 29), table.DateTimeValue(at),
			table.DateTimeIn(at, "Europe/Berlin"), table.DateTimeIn(at, "+05:30"),
			table.TimeValue(9*time.Hour + 30*time.Minute), table.DurationValue(26*time.Hour + time.Second),
		},
		{
			table.IntValue(-20), table.TextValue("=1+1"), Dec(t, "-0.10"), Dec(t, "7.0"), Dec(t, "12.500"),
			table.FloatValue(math.Pi), table.BoolValue(false), table.DateValue(1900, 3, 1),
			table.DateTimeValue(at.Add(time.Hour)), table.DateTimeIn(at.Add(time.Hour), "Europe/Berlin"),
			table.DateTimeIn(at, "+05:30"), table.TimeValue(0), table.DurationValue(-time.Minute),
		},
		make([]table.Value, 13),
		{
			table.IntValue(3), table.TextValue(" padded,\"x\"\nline "), Dec(t, "0.00"), Dec(t, "-100.0"),
			Dec(t, "3.000"),
			table.FloatValue(-1e300), table.BoolValue(true), table.DateValue(2079, 6, 6),
			table.DateTimeValue(at.AddDate(0, 7, 0)), table.DateTimeIn(at.AddDate(0, 5, 0), "Europe/Berlin"),
			table.DateTimeIn(at, "+05:30"), table.TimeValue(86399999999 * time.Microsecond), table.DurationValue(0),
		},
	}
	for _, row := range rows {
		if err := b.Append(row...); err != nil {
			t.Fatal(err)
		}
	}
	return b.Table()
}

// SameTable compares two tables, columns and all.
func SameTable(t testing.TB, got, want *table.Table) {
	t.Helper()
	if diff := cmp.Diff(want.Columns(), got.Columns()); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(tabletest.Rows(want), tabletest.Rows(got)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// LoadOne reads the one table of a content, or its first one.
func LoadOne(t testing.TB, data []byte, source string) table.Named {
	t.Helper()
	named, err := load.Bytes(data, source, table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return named
}

// Summaries are the tables' names, columns and numbers of rows.
func Summaries(found []table.Named) []string {
	var out []string
	for _, n := range found {
		out = append(out, fmt.Sprintf("%s %s %d", n.Name, Kinds(n.Table), n.Table.NumRows()))
	}
	return out
}

// CSVTable reads lines of a delimited text.
func CSVTable(t testing.TB, lines ...string) *table.Table {
	t.Helper()
	return ReadCSV(t, strings.Join(lines, "\n")+"\n").Table
}

// WideTable is a table of so many rows and ten columns of several types.
func WideTable(b *testing.B, rows int) *table.Table {
	b.Helper()
	named, err := csv.Read(strings.NewReader(tabletest.WideCSV(rows)), "wide.csv", table.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	return named.Table
}

// Packed compresses a text.
func Packed(t testing.TB, how, text string) string {
	t.Helper()
	var buf bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&buf)
	if how == "zstd" {
		var err error
		if w, err = zstd.NewWriter(&buf); err != nil {
			t.Fatal(err)
		}
	}
	_, err := io.WriteString(w, text)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// Check compares column c of a table that was read, and a part of its notes, with what they should be.
func Check(t *testing.T, named table.Named, err error, c int, kind, rows, note string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := range strings.Count(rows, "|") + 1 {
		got = append(got, named.Table.Value(r, c).String())
	}
	col := named.Table.Columns()[c]
	have := col.Type.String()
	if col.Type == table.Decimal {
		have += fmt.Sprint(col.Scale)
	}
	if diff := cmp.Diff(rows, strings.Join(got, "|")); diff != "" || have != kind {
		t.Errorf("%s: %s, want %s\n%s", named.Report.Format, have, kind, diff)
	}
	if notes := strings.Join(
		named.Report.Notes,
		"\n",
	); !strings.Contains(notes, note) ||
		note == "" && strings.Contains(notes, "lost") {
		t.Errorf("%s: notes %q", named.Report.Format, notes)
	}
}

// WantLimit says where an error is none of a limit.
func WantLimit(t *testing.T, err error, what string) {
	t.Helper()
	var over *table.LimitError
	if !errors.As(err, &over) || over.What != what {
		t.Fatalf("the error is %v, not one of the limit of %s", err, what)
	}
}

// Made is a table that cannot fail.
func Made(t *table.Table, err error) *table.Table {
	if err != nil {
		panic(err)
	}
	return t
}
