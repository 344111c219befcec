package table_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/columnar"
	"catena/table/infer"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

func TestCells(t *testing.T) {
	want := []string{
		`true|9007199254740993|1e-09|1204551.25|Łódź, "x"|2024-02-29|2024-02-29T13:14:15.25|2024-02-29T15:14:15.25+02:00|01:00:00|1h30m0s|{"a":[1]}|null`,
		"null|null|null|null|null|null|null|null|null|null|null|null",
		`false|-3|2|-0.05|NA|1969-12-31|1924-02-29T13:14:15.25|2024-02-29T15:14:15.25+02:00|00:00:00|-1s|"s"|null`,
	}
	tab := loadtest.Sample(t)
	if diff := cmp.Diff(want, tabletest.Rows(tab)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[1:], tabletest.Rows(tab.Slice(1, 5))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{want[2], want[0], want[0]}, tabletest.Rows(loadtest.Made(tab.Slice(0, 3).Take([]int{2, 0, 0})))); diff != "" {
		t.Error(diff)
	}
	for c := range tab.NumCols() {
		for r := range tab.NumRows() {
			v := tab.Value(r, c)
			if v.IsNull() {
				continue
			}
			if again, err := infer.Parse(v.Text(), tab.Column(c)); err != nil || table.Compare(again, v) != 0 || again.Type() != v.Type() {
				t.Errorf("%s %q reads back as %v, %v", v.Type(), v, again, err)
			}
		}
	}
}

func TestFingerprint(t *testing.T) {
	a, b := loadtest.Sample(t), loadtest.Sample(t)
	if a.Fingerprint() != b.Fingerprint() || len(a.Fingerprint()) != 32 {
		t.Error("equal tables differ")
	}
	if a.Slice(1, 2).Fingerprint() != loadtest.Made(b.Take([]int{1, 2})).Fingerprint() {
		t.Error("a slice differs from the same rows taken")
	}
	c, err := a.Rename("int", "int2")
	if err != nil {
		t.Fatal(err)
	}
	if c.Fingerprint() == a.Fingerprint() || a.Slice(0, 1).Fingerprint() == a.Fingerprint() {
		t.Error("different tables do not differ")
	}
	if (*table.Table)(nil).Fingerprint() == a.Fingerprint() {
		t.Error("the nil table is not empty")
	}
}

func TestLookup(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "revenue_usd", Type: table.Int}, table.Column{Name: "Client Name", Type: table.Text}, table.Column{Name: "client name", Type: table.Text}, table.Column{Name: "countries", Type: table.Text})
	tab := b.Table()
	for name, want := range map[string]int{"revenue_usd": 0, "REVENUE_USD": 0, "client name": 2, "Client Name": 1, "CLIENT NAME": 1, "x": -1} {
		if got := tab.Index(name); got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
	for name, want := range map[string]string{"revenue": "revenue_usd", "RevenueUSD": "revenue_usd", "reveneu_usd": "revenue_usd", "country": "countries", "zzz": ""} {
		_, err := tab.Lookup(name)
		var unknown *table.UnknownColumnError
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
	b := table.NewBuilder(table.Column{Name: "d", Type: table.Decimal, Scale: 2}, table.Column{Name: "free"})
	if err := b.Append(table.IntValue(3), table.NullValue); err != nil {
		t.Fatal(err)
	}
	if err := b.Append(loadtest.Dec(t, "1.5"), table.DateValue(2024, 1, 2)); err != nil {
		t.Fatal(err)
	}
	var typ *table.TypeError
	if err := b.Append(loadtest.Dec(t, "1.555"), table.NullValue); !errors.As(err, &typ) {
		t.Errorf("a third digit: got %v", err)
	}
	if err := b.Append(table.TextValue("x"), table.NullValue); !errors.As(err, &typ) {
		t.Errorf("a text: got %v", err)
	}
	if err := b.Append(table.NullValue); err == nil {
		t.Error("a short row was taken")
	}
	tab := b.Table()
	if diff := cmp.Diff([]string{"3.00|null", "1.50|2024-01-02"}, tabletest.Rows(tab)); diff != "" || loadtest.Kinds(tab) != "d:decimal2 free:date" {
		t.Error(diff, loadtest.Kinds(tab))
	}
	if err := table.NewBuilder(table.Column{Name: "a"}, table.Column{Name: "a"}).Append(table.NullValue, table.NullValue); err == nil {
		t.Error("two columns of one name were taken")
	}
}

func TestIPC(t *testing.T) {
	for _, tab := range []*table.Table{loadtest.Sample(t), loadtest.Sample(t).Slice(1, 2), loadtest.Sample(t).Slice(0, 0)} {
		var buf bytes.Buffer
		if err := columnar.WriteIPC(t.Context(), &buf, tab); err != nil {
			t.Fatal(err)
		}
		again, err := columnar.ReadIPC(bytes.NewReader(buf.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if again.Fingerprint() != tab.Fingerprint() {
			t.Errorf("got %s\n%q\nwant %s\n%q", loadtest.Kinds(again), tabletest.Rows(again), loadtest.Kinds(tab), tabletest.Rows(tab))
		}
		for cut := range buf.Len() - 9 { // the end mark may be missing
			_, err := columnar.ReadIPC(bytes.NewReader(buf.Bytes()[:cut]))
			var format *table.FormatError
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
	tab, err := table.New([]table.Column{{Name: "f", Type: table.Float}}, []arrow.Array{floats})
	if err != nil {
		t.Fatal(err)
	}
	mean, err := tab.Group(nil, []table.Aggregate{{Func: table.Mean, Column: "f"}, {Func: table.Count, Column: "f"}})
	if err != nil || !cmp.Equal(tabletest.Rows(mean), []string{"2|2"}) || !tab.IsNull(1, 0) {
		t.Errorf("got %q, %v", tabletest.Rows(mean), err)
	}
	for name, bad := range map[string]func() (*table.Table, error){
		"too few arrays": func() (*table.Table, error) { return table.New([]table.Column{{Name: "a"}}, nil) },
		"another type": func() (*table.Table, error) {
			return table.New([]table.Column{{Name: "a", Type: table.Int}}, []arrow.Array{floats})
		},
		"two names": func() (*table.Table, error) {
			return table.New([]table.Column{{Name: "a", Type: table.Float}, {Name: "a", Type: table.Float}}, []arrow.Array{floats, floats})
		},
		"two lengths": func() (*table.Table, error) {
			return table.New([]table.Column{{Name: "a", Type: table.Float}, {Name: "b"}}, []arrow.Array{floats, array.NewNull(1)})
		},
	} {
		if _, err := bad(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
