package table

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
)

func dec(t testing.TB, s string) Value {
	t.Helper()
	v, err := ParseDecimal(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// sample has a column of every type, with a row of nulls.
func sample(t testing.TB) *Table {
	t.Helper()
	b := NewBuilder(
		Column{Name: "bool", Type: Bool}, Column{Name: "int", Type: Int, Unit: "ms"}, Column{Name: "float", Type: Float},
		Column{Name: "dec", Type: Decimal, Scale: 2, Unit: "USD"}, Column{Name: "text", Type: Text}, Column{Name: "date", Type: Date},
		Column{Name: "at", Type: DateTime}, Column{Name: "zoned", Type: DateTime, Zone: "+02:00"}, Column{Name: "time", Type: Time},
		Column{Name: "dur", Type: Duration}, Column{Name: "json", Type: JSON}, Column{Name: "none"})
	at := time.Date(2024, 2, 29, 13, 14, 15, 250_000_000, time.UTC)
	rows := [][]Value{
		{BoolValue(true), IntValue(9007199254740993), FloatValue(1e-9), dec(t, "1204551.25"), TextValue("Łódź, \"x\""), DateValue(2024, 2, 29),
			DateTimeValue(at), DateTimeIn(at, "+02:00"), TimeValue(time.Hour), DurationValue(90 * time.Minute), JsonValue(`{"a":[1]}`), NullValue},
		make([]Value, 12),
		{BoolValue(false), IntValue(-3), FloatValue(2), dec(t, "-0.05"), TextValue("NA"), DateValue(1969, 12, 31),
			DateTimeValue(at.AddDate(-100, 0, 0)), DateTimeIn(at, "+02:00"), TimeValue(0), DurationValue(-time.Second), JsonValue(`"s"`), NullValue},
	}
	for _, row := range rows {
		if err := b.Append(row...); err != nil {
			t.Fatal(err)
		}
	}
	return b.Table()
}

func TestCells(t *testing.T) {
	want := []string{
		`true|9007199254740993|1e-09|1204551.25|Łódź, "x"|2024-02-29|2024-02-29T13:14:15.25|2024-02-29T15:14:15.25+02:00|01:00:00|1h30m0s|{"a":[1]}|null`,
		"null|null|null|null|null|null|null|null|null|null|null|null",
		`false|-3|2|-0.05|NA|1969-12-31|1924-02-29T13:14:15.25|2024-02-29T15:14:15.25+02:00|00:00:00|-1s|"s"|null`,
	}
	tab := sample(t)
	if diff := cmp.Diff(want, rowsOf(tab)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[1:], rowsOf(tab.Slice(1, 5))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{want[2], want[0], want[0]}, rowsOf(sure(tab.Slice(0, 3).Take([]int{2, 0, 0})))); diff != "" {
		t.Error(diff)
	}
	for c := range tab.NumCols() {
		for r := range tab.NumRows() {
			v := tab.Value(r, c)
			if v.IsNull() {
				continue
			}
			if again, err := Parse(v.Text(), tab.Column(c)); err != nil || Compare(again, v) != 0 || again.Type() != v.Type() {
				t.Errorf("%s %q reads back as %v, %v", v.Type(), v, again, err)
			}
		}
	}
}

func TestFingerprint(t *testing.T) {
	a, b := sample(t), sample(t)
	if a.Fingerprint() != b.Fingerprint() || len(a.Fingerprint()) != 32 {
		t.Error("equal tables differ")
	}
	if a.Slice(1, 2).Fingerprint() != sure(b.Take([]int{1, 2})).Fingerprint() {
		t.Error("a slice differs from the same rows taken")
	}
	c, err := a.Rename("int", "int2")
	if err != nil {
		t.Fatal(err)
	}
	if c.Fingerprint() == a.Fingerprint() || a.Slice(0, 1).Fingerprint() == a.Fingerprint() {
		t.Error("different tables do not differ")
	}
	if (*Table)(nil).Fingerprint() == a.Fingerprint() {
		t.Error("the nil table is not empty")
	}
}

func TestLookup(t *testing.T) {
	b := NewBuilder(Column{Name: "revenue_usd", Type: Int}, Column{Name: "Client Name", Type: Text}, Column{Name: "client name", Type: Text}, Column{Name: "countries", Type: Text})
	tab := b.Table()
	for name, want := range map[string]int{"revenue_usd": 0, "REVENUE_USD": 0, "client name": 2, "Client Name": 1, "CLIENT NAME": 1, "x": -1} {
		if got := tab.Index(name); got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
	for name, want := range map[string]string{"revenue": "revenue_usd", "RevenueUSD": "revenue_usd", "reveneu_usd": "revenue_usd", "country": "countries", "zzz": ""} {
		_, err := tab.Lookup(name)
		var unknown *UnknownColumnError
		if !errors.As(err, &unknown) {
			t.Fatalf("%s: got %v", name, err)
		}
		got := ""
		if len(unknown.Nearest) > 0 {
			got = unknown.Nearest[0]
		}
		if got != want {
			t.Errorf("%s: nearest %q, want %q", name, unknown.Nearest, want)
		}
	}
}

func TestBuilder(t *testing.T) {
	b := NewBuilder(Column{Name: "d", Type: Decimal, Scale: 2}, Column{Name: "free"})
	if err := b.Append(IntValue(3), NullValue); err != nil {
		t.Fatal(err)
	}
	if err := b.Append(dec(t, "1.5"), DateValue(2024, 1, 2)); err != nil {
		t.Fatal(err)
	}
	var typ *TypeError
	if err := b.Append(dec(t, "1.555"), NullValue); !errors.As(err, &typ) {
		t.Errorf("a third digit: got %v", err)
	}
	if err := b.Append(TextValue("x"), NullValue); !errors.As(err, &typ) {
		t.Errorf("a text: got %v", err)
	}
	if err := b.Append(NullValue); err == nil {
		t.Error("a short row was taken")
	}
	tab := b.Table()
	if diff := cmp.Diff([]string{"3.00|null", "1.50|2024-01-02"}, rowsOf(tab)); diff != "" || kinds(tab) != "d:decimal2 free:date" {
		t.Error(diff, kinds(tab))
	}
	if err := NewBuilder(Column{Name: "a"}, Column{Name: "a"}).Append(NullValue, NullValue); err == nil {
		t.Error("two columns of one name were taken")
	}
}

func TestIPC(t *testing.T) {
	for _, tab := range []*Table{sample(t), sample(t).Slice(1, 2), sample(t).Slice(0, 0)} {
		var buf bytes.Buffer
		if err := WriteIPC(t.Context(), &buf, tab); err != nil {
			t.Fatal(err)
		}
		again, err := ReadIPC(bytes.NewReader(buf.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if again.Fingerprint() != tab.Fingerprint() {
			t.Errorf("got %s\n%q\nwant %s\n%q", kinds(again), rowsOf(again), kinds(tab), rowsOf(tab))
		}
		for cut := range buf.Len() - 9 { // the end mark may be missing
			_, err := ReadIPC(bytes.NewReader(buf.Bytes()[:cut]))
			var format *FormatError
			if err != nil && !errors.As(err, &format) {
				t.Fatalf("cut at %d: %v", cut, err)
			}
		}
	}
}

func TestNew(t *testing.T) {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues([]float64{1, math.NaN(), math.Inf(1), 3}, nil)
	floats := b.NewFloat64Array()
	tab, err := New([]Column{{Name: "f", Type: Float}}, []arrow.Array{floats})
	if err != nil {
		t.Fatal(err)
	}
	mean, err := tab.Group(nil, []Aggregate{{Func: Mean, Column: "f"}, {Func: Count, Column: "f"}})
	if err != nil || !cmp.Equal(rowsOf(mean), []string{"2|2"}) || !tab.IsNull(1, 0) {
		t.Errorf("got %q, %v", rowsOf(mean), err)
	}
	for name, bad := range map[string]func() (*Table, error){
		"too few arrays": func() (*Table, error) { return New([]Column{{Name: "a"}}, nil) },
		"another type":   func() (*Table, error) { return New([]Column{{Name: "a", Type: Int}}, []arrow.Array{floats}) },
		"two names": func() (*Table, error) {
			return New([]Column{{Name: "a", Type: Float}, {Name: "a", Type: Float}}, []arrow.Array{floats, floats})
		},
		"two lengths": func() (*Table, error) {
			return New([]Column{{Name: "a", Type: Float}, {Name: "b"}}, []arrow.Array{floats, array.NewNull(1)})
		},
	} {
		if _, err := bad(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
