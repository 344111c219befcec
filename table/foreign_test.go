package table_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/columnar"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

// foreignStream writes one record batch of JSON rows in the given schema.
func foreignStream(t *testing.T, schema *arrow.Schema, rows string) []byte {
	t.Helper()
	batch, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	w := ipc.NewWriter(&buf, ipc.WithSchema(schema))
	for range 2 {
		if err := w.Write(batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestForeignArrow(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "i8", Type: arrow.PrimitiveTypes.Int8, Nullable: true}, {Name: "u32", Type: arrow.PrimitiveTypes.Uint32}, {Name: "u64", Type: arrow.PrimitiveTypes.Uint64},
		{Name: "f32", Type: arrow.PrimitiveTypes.Float32}, {Name: "s", Type: arrow.BinaryTypes.String}, {Name: "d64", Type: arrow.FixedWidthTypes.Date64},
		{Name: "ts", Type: &arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"}}, {Name: "ns", Type: arrow.FixedWidthTypes.Time64ns},
		{Name: "dict", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}},
	}, nil)
	got, err := columnar.ReadIPC(bytes.NewReader(foreignStream(t, schema,
		`[{"i8":-5,"u32":7,"u64":18446744073709551615,"f32":0.5,"s":"x","d64":"2024-01-02","ts":"2024-01-02T03:04:05Z","ns":"01:02:03","dict":"a"}]`)))
	if err != nil {
		t.Fatal(err)
	}
	if want := "i8:integer u32:integer u64:decimal0 f32:float s:text d64:date ts:datetime@UTC ns:time dict:text"; loadtest.Kinds(got) != want {
		t.Errorf("got %s", loadtest.Kinds(got))
	}
	row := "-5|7|18446744073709551615|0.5|x|2024-01-02|2024-01-02T03:04:05Z|01:02:03|a"
	if diff := cmp.Diff([]string{row, row}, tabletest.Rows(got)); diff != "" {
		t.Error(diff)
	}
}

// TestLargeCSV reads a table that is typed by several goroutines and compares it with its parts.
func TestLargeCSV(t *testing.T) {
	text := tabletest.WideCSV(5000)
	whole := loadtest.ReadCSV(t, text).Table
	lines := strings.SplitAfter(text, "\n")
	head := loadtest.ReadCSV(t, strings.Join(lines[:1001], "")).Table
	if whole.NumRows() != 5000 || loadtest.Kinds(whole) != loadtest.Kinds(head) {
		t.Fatalf("%d rows, %s, want %s", whole.NumRows(), loadtest.Kinds(whole), loadtest.Kinds(head))
	}
	if whole.Slice(0, 1000).Fingerprint() != head.Fingerprint() {
		t.Error("the parts differ")
	}
}

func TestSingleQuotes(t *testing.T) {
	got := loadtest.ReadCSV(t, "'a','b'\n'x, y','1'\n'z','2'\n")
	if diff := cmp.Diff([]string{"x, y|1", "z|2"}, tabletest.Rows(got.Table)); diff != "" {
		t.Error(diff)
	}
	got = loadtest.ReadCSV(t, "a,b\nit's,1\ndon't,2\n")
	if diff := cmp.Diff([]string{"it's|1", "don't|2"}, tabletest.Rows(got.Table)); diff != "" {
		t.Error(diff)
	}
}

func TestConvert(t *testing.T) {
	money := table.Column{Name: "m", Type: table.Decimal, Scale: 2}
	for _, tt := range []struct {
		v    table.Value
		col  table.Column
		want string
		ok   bool
	}{
		{table.IntValue(3), money, "3.00", true}, {table.FloatValue(0.25), money, "0.25", true}, {table.FloatValue(0.1), money, "", false}, {table.FloatValue(1e300), money, "", false},
		{table.TextValue("3"), money, "", false}, {loadtest.Dec(t, "3.10"), table.Column{Type: table.Float}, "", false}, {loadtest.Dec(t, "3.50"), table.Column{Type: table.Float}, "3.5", true},
		{table.IntValue(math.MaxInt64), table.Column{Type: table.Float}, "", false}, {table.FloatValue(4), table.Column{Type: table.Int}, "4", true}, {table.DateValue(2024, 1, 2), table.Column{Type: table.DateTime}, "2024-01-02T00:00:00", true},
		{table.DateTimeValue(time.Unix(1, 0)), table.Column{Type: table.Date}, "", false}, {table.BoolValue(true), table.Column{Type: table.Text}, "true", true}, {table.NullValue, money, "null", true}, {table.BoolValue(true), table.Column{Type: table.Int}, "", false},
	} {
		if got, ok := tt.v.Convert(tt.col); ok != tt.ok || ok && got.String() != tt.want {
			t.Errorf("%s %s to %s: got %s, %v", tt.v.Type(), tt.v, tt.col.Type, got, ok)
		}
	}
}

func TestMessages(t *testing.T) {
	for want, err := range map[string]error{
		`there is no column "x"; the columns are "a", "b"`:                               &table.UnknownColumnError{Name: "x", Have: []string{"a", "b"}},
		`there is no column "x"; did you mean "xs"?`:                                     &table.UnknownColumnError{Name: "x", Nearest: []string{"xs"}},
		`there is no column "x": the table has no columns`:                               &table.UnknownColumnError{Name: "x"},
		"f.csv, line 3: a cell is too large; raise the limit":                            &table.FormatError{Source: "f.csv", Line: 3, Reason: "a cell is too large", Hint: "raise the limit"},
		`column "a" (text): sum needs numbers`:                                           &table.TypeError{Column: "a", Type: table.Text, Reason: "sum needs numbers"},
		fmt.Sprintf("%q is not a decimal of at most 38 digits", strings.Repeat("9", 39)): parseError(strings.Repeat("9", 39)),
	} {
		if err.Error() != want {
			t.Errorf("got %s, want %s", err, want)
		}
	}
}

func parseError(s string) error {
	_, err := table.ParseDecimal(s)
	return err
}
