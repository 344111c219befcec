package table

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
	got, err := ReadIPC(bytes.NewReader(foreignStream(t, schema,
		`[{"i8":-5,"u32":7,"u64":18446744073709551615,"f32":0.5,"s":"x","d64":"2024-01-02","ts":"2024-01-02T03:04:05Z","ns":"01:02:03","dict":"a"}]`)))
	if err != nil {
		t.Fatal(err)
	}
	if want := "i8:integer u32:integer u64:decimal0 f32:float s:text d64:date ts:datetime@UTC ns:time dict:text"; kinds(got) != want {
		t.Errorf("got %s", kinds(got))
	}
	row := "-5|7|18446744073709551615|0.5|x|2024-01-02|2024-01-02T03:04:05Z|01:02:03|a"
	if diff := cmp.Diff([]string{row, row}, rowsOf(got)); diff != "" {
		t.Error(diff)
	}
}

// TestLargeCSV reads a table that is typed by several goroutines and compares it with its parts.
func TestLargeCSV(t *testing.T) {
	text := wideCSV(5000)
	whole := readCSV(t, text).Table
	lines := strings.SplitAfter(text, "\n")
	head := readCSV(t, strings.Join(lines[:1001], "")).Table
	if whole.NumRows() != 5000 || kinds(whole) != kinds(head) {
		t.Fatalf("%d rows, %s, want %s", whole.NumRows(), kinds(whole), kinds(head))
	}
	if whole.Slice(0, 1000).Fingerprint() != head.Fingerprint() {
		t.Error("the parts differ")
	}
}

func TestSingleQuotes(t *testing.T) {
	got := readCSV(t, "'a','b'\n'x, y','1'\n'z','2'\n")
	if diff := cmp.Diff([]string{"x, y|1", "z|2"}, rowsOf(got.Table)); diff != "" {
		t.Error(diff)
	}
	got = readCSV(t, "a,b\nit's,1\ndon't,2\n")
	if diff := cmp.Diff([]string{"it's|1", "don't|2"}, rowsOf(got.Table)); diff != "" {
		t.Error(diff)
	}
}

func TestConvert(t *testing.T) {
	money := Column{Name: "m", Type: Decimal, Scale: 2}
	for _, tt := range []struct {
		v    Value
		col  Column
		want string
		ok   bool
	}{
		{IntValue(3), money, "3.00", true}, {FloatValue(0.25), money, "0.25", true}, {FloatValue(0.1), money, "", false}, {FloatValue(1e300), money, "", false},
		{TextValue("3"), money, "", false}, {dec(t, "3.10"), Column{Type: Float}, "", false}, {dec(t, "3.50"), Column{Type: Float}, "3.5", true},
		{IntValue(math.MaxInt64), Column{Type: Float}, "", false}, {FloatValue(4), Column{Type: Int}, "4", true}, {DateValue(2024, 1, 2), Column{Type: DateTime}, "2024-01-02T00:00:00", true},
		{DateTimeValue(time.Unix(1, 0)), Column{Type: Date}, "", false}, {BoolValue(true), Column{Type: Text}, "true", true}, {NullValue, money, "null", true}, {BoolValue(true), Column{Type: Int}, "", false},
	} {
		if got, ok := convert(tt.v, tt.col); ok != tt.ok || ok && got.String() != tt.want {
			t.Errorf("%s %s to %s: got %s, %v", tt.v.Type(), tt.v, tt.col.Type, got, ok)
		}
	}
}

func TestMessages(t *testing.T) {
	for want, err := range map[string]error{
		`there is no column "x"; the columns are "a", "b"`:                               &UnknownColumnError{Name: "x", Have: []string{"a", "b"}},
		`there is no column "x"; did you mean "xs"?`:                                     &UnknownColumnError{Name: "x", Nearest: []string{"xs"}},
		`there is no column "x": the table has no columns`:                               &UnknownColumnError{Name: "x"},
		"f.csv, line 3: a cell is too large; raise the limit":                            &FormatError{Source: "f.csv", Line: 3, Reason: "a cell is too large", Hint: "raise the limit"},
		`column "a" (text): sum needs numbers`:                                           &TypeError{Column: "a", Type: Text, Reason: "sum needs numbers"},
		fmt.Sprintf("%q is not a decimal of at most 38 digits", strings.Repeat("9", 39)): parseError(strings.Repeat("9", 39)),
	} {
		if err.Error() != want {
			t.Errorf("got %s, want %s", err, want)
		}
	}
}

func parseError(s string) error {
	_, err := ParseDecimal(s)
	return err
}
