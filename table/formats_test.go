package table

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// typed is a table with a column of each type that a format may have to carry.
func typed(t testing.TB) *Table {
	t.Helper()
	b := NewBuilder(
		Column{Name: "id", Type: Int}, Column{Name: "zip", Type: Text}, Column{Name: "price", Type: Decimal, Scale: 2, Unit: "USD"}, Column{Name: "share", Type: Decimal, Scale: 1, Unit: "%"},
		Column{Name: "weight", Type: Decimal, Scale: 3, Unit: "kg"}, Column{Name: "noise", Type: Float}, Column{Name: "ok", Type: Bool}, Column{Name: "day", Type: Date},
		Column{Name: "seen", Type: DateTime}, Column{Name: "local", Type: DateTime, Zone: "Europe/Berlin"}, Column{Name: "off", Type: DateTime, Zone: "+05:30"},
		Column{Name: "clock", Type: Time}, Column{Name: "took", Type: Duration})
	at := time.Date(2024, 2, 29, 23, 59, 59, 123456000, time.UTC)
	add := func(v ...Value) {
		if err := b.Append(v...); err != nil {
			t.Fatal(err)
		}
	}
	add(IntValue(1), TextValue("00501"), dec(t, "1204551.25"), dec(t, "15.2"), dec(t, "0.001"), FloatValue(0.1+0.2), BoolValue(true), DateValue(2024, 2, 29),
		DateTimeValue(at), DateTimeIn(at, "Europe/Berlin"), DateTimeIn(at, "+05:30"), TimeValue(9*time.Hour+30*time.Minute), DurationValue(26*time.Hour+time.Second))
	add(IntValue(-20), TextValue("=1+1"), dec(t, "-0.10"), dec(t, "7.0"), dec(t, "12.500"), FloatValue(math.Pi), BoolValue(false), DateValue(1900, 3, 1),
		DateTimeValue(at.Add(time.Hour)), DateTimeIn(at.Add(time.Hour), "Europe/Berlin"), DateTimeIn(at, "+05:30"), TimeValue(0), DurationValue(-time.Minute))
	add(NullValue, NullValue, NullValue, NullValue, NullValue, NullValue, NullValue, NullValue, NullValue, NullValue, NullValue, NullValue, NullValue)
	add(IntValue(3), TextValue(" padded,\"x\"\nline "), dec(t, "0.00"), dec(t, "-100.0"), dec(t, "3.000"), FloatValue(-1e300), BoolValue(true), DateValue(2079, 6, 6),
		DateTimeValue(at.AddDate(0, 7, 0)), DateTimeIn(at.AddDate(0, 5, 0), "Europe/Berlin"), DateTimeIn(at, "+05:30"), TimeValue(86399999999*time.Microsecond), DurationValue(0))
	return b.Table()
}

// sameTable compares two tables, columns and all.
func sameTable(t testing.TB, got, want *Table) {
	t.Helper()
	if diff := cmp.Diff(want.Columns(), got.Columns()); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(rowsOf(want), rowsOf(got)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func loadOne(t testing.TB, data []byte, source string) Named {
	t.Helper()
	named, err := ReadBytes(data, source, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return named
}

func TestParquetRoundTrip(t *testing.T) {
	for name, want := range map[string]*Table{"typed": typed(t), "sample": sample(t), "no rows": typed(t).Slice(0, 0)} {
		t.Run(name, func(t *testing.T) {
			var buf bytes.Buffer
			if err := WriteParquet(t.Context(), &buf, want); err != nil {
				t.Fatal(err)
			}
			sameTable(t, loadOne(t, buf.Bytes(), "x.parquet").Table, want)
		})
	}
}

func TestXLSXRoundTrip(t *testing.T) {
	all := typed(t) // but for a row without cells, which a sheet has not
	want, err := Concat(all.Slice(0, 2), all.Slice(3, 1))
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := WriteXLSX(t.Context(), &buf, Sheet{Name: "All of [it]", Table: want}, Sheet{Table: csvTable(t, "a,b", "1,x", "2,y")}); err != nil {
		t.Fatal(err)
	}
	tables, err := ReadTables(buf.Bytes(), "book.xlsx", Limits{})
	if err != nil || len(tables) != 2 {
		t.Fatal(len(tables), err)
	}
	sameTable(t, tables[0].Table, want)
	if got := names(tables); got != "book book_Sheet2" || !strings.Contains(strings.Join(tables[0].Report.Notes, "\n"), `"All of _it_"`) {
		t.Errorf("%s, %q", got, tables[0].Report.Notes)
	}
	if diff := cmp.Diff([]FoundTable{{Name: "book_Sheet2", Rows: 2, Columns: 2}}, tables[0].Report.More); diff != "" {
		t.Error(diff)
	}
}

// Numbers that a sheet would round are texts there, and come back as what they were.
func TestXLSXLongNumbers(t *testing.T) {
	want := csvTable(t, "n,d", "12345678901234567,0.12345678901234567891", "1,2.5")
	var buf bytes.Buffer
	if err := WriteXLSX(t.Context(), &buf, Sheet{Table: want}); err != nil {
		t.Fatal(err)
	}
	got := loadOne(t, buf.Bytes(), "x.xlsx")
	if diff := cmp.Diff(rowsOf(want), rowsOf(got.Table)); diff != "" {
		t.Error(diff)
	}
}

// A workbook of as many columns as a sheet has is written in time that goes with its cells, and none is written for a request that is over.
func TestWideWorkbooks(t *testing.T) {
	columns, values := make([]Column, sheetColumns), make([]Value, sheetColumns)
	for i := range columns {
		columns[i], values[i] = Column{Name: "c" + strconv.Itoa(i), Type: Int}, IntValue(int64(i))
	}
	b := NewBuilder(columns...)
	if err := b.Append(values...); err != nil {
		t.Fatal(err)
	}
	wide := b.Table()
	var buf bytes.Buffer
	if err := WriteXLSX(t.Context(), &buf, Sheet{Table: wide}); err != nil { // by the square of the columns it took a quarter of an hour
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := WriteXLSX(over, io.Discard, Sheet{Table: wide}); !errors.Is(err, context.Canceled) {
		t.Error("a request that is over:", err)
	}
	var limit *LimitError
	budget := NewMemoryBudget(sheetColumns * sheetCellMemory)
	small, work := WithWork(t.Context(), budget)
	if err := WriteXLSX(small, io.Discard, Sheet{Table: wide}); !errors.As(err, &limit) || limit.What != LimitMemory {
		t.Error("more than one call may have:", err)
	}
	if work.End(); budget.Taken() != 0 {
		t.Error("not given back:", budget.Taken())
	}
}
