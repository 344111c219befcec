package table

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal256"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/google/go-cmp/cmp"
)

// foreignRecord has what other programs write and tables do not hold as it is: decimals of more than 38 digits, bytes that are no UTF-8 in cells and names, NaN.
func foreignRecord() arrow.RecordBatch {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "wide", Type: &arrow.Decimal256Type{Precision: 70, Scale: 3}, Nullable: true},
		{Name: "small\xff", Type: &arrow.Decimal256Type{Precision: 50, Scale: 2}, Nullable: true},
		{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "float", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	}, nil)
	mem := memory.DefaultAllocator
	wide := array.NewDecimal256Builder(mem, schema.Field(0).Type.(*arrow.Decimal256Type))
	large, _ := new(big.Int).SetString("7000000000000000000000000000000000000000000000000001", 10)
	wide.Append(decimal256.FromBigInt(large))
	wide.AppendNull()
	small := array.NewDecimal256Builder(mem, schema.Field(1).Type.(*arrow.Decimal256Type))
	small.Append(decimal256.FromI64(-1234))
	small.AppendNull()
	text := array.NewStringBuilder(mem)
	text.Append("a\xffb")
	text.AppendNull()
	float := array.NewFloat64Builder(mem)
	float.Append(math.NaN())
	float.Append(2.5)
	return array.NewRecordBatch(schema, []arrow.Array{wide.NewArray(), small.NewArray(), text.NewArray(), float.NewArray()}, 2)
}

func foreignFiles(t testing.TB) (parquet, stream []byte) {
	t.Helper()
	rec := foreignRecord()
	var pq, arrows bytes.Buffer
	w, err := pqarrow.NewFileWriter(rec.Schema(), keepOpen{&pq}, nil, pqarrow.NewArrowWriterProperties())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(rec); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out := ipc.NewWriter(&arrows, ipc.WithSchema(rec.Schema()))
	if err := out.Write(rec); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return pq.Bytes(), arrows.Bytes()
}

func TestForeignColumns(t *testing.T) {
	pq, stream := foreignFiles(t)
	for name, data := range map[string][]byte{"t.parquet": pq, "t.arrows": stream} {
		named, err := ReadBytes(data, name, Limits{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := []string{"7000000000000000000000000000000000000000000000000.001|-12.34|a\ufffdb|null", "null|null|null|2.5"}
		if diff := cmp.Diff(want, rowsOf(named.Table)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if got := named.Table.Names(); !slices.Equal(got, []string{"wide", "small\ufffd", "text", "float"}) {
			t.Errorf("%s: names %q", name, got)
		}
		if len(named.Report.Notes) == 0 {
			t.Errorf("%s: nothing is said of NaN", name)
		}
	}
}
