package tabletest

import (
	"bytes"
	"io"
	"math"
	"math/big"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal256"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// foreignRecord has what other programs write and tables do not hold as it is: decimals of more than 38 digits, bytes
// that are no UTF-8 in cells and names, NaN.
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
	return array.NewRecordBatch(schema,
		[]arrow.Array{wide.NewArray(), small.NewArray(), text.NewArray(), float.NewArray()}, 2)
}

// Foreign are a Parquet file and an Arrow stream of foreignRecord.
func Foreign() (parquet, stream []byte) {
	rec := foreignRecord()
	var pq, arrows bytes.Buffer
	w, err := pqarrow.NewFileWriter(rec.Schema(), keepOpen{&pq}, nil, pqarrow.NewArrowWriterProperties())
	if err != nil {
		panic(err)
	}
	if err := w.Write(rec); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	out := ipc.NewWriter(&arrows, ipc.WithSchema(rec.Schema()))
	if err := out.Write(rec); err != nil {
		panic(err)
	}
	if err := out.Close(); err != nil {
		panic(err)
	}
	return pq.Bytes(), arrows.Bytes()
}

// keepOpen hides Close.
type keepOpen struct{ io.Writer }
