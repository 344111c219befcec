package tabletest

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// Word is the text of a number in what Dictionaries makes.
func Word(i int) string { return fmt.Sprintf("the category with number %d", i) }

// Dictionaries are files as honest programs write them: a column of so many rows, whose texts are few and stand in a
// dictionary, in runs or in views. The text of row i is Word(i % distinct).
func Dictionaries(rows, distinct int) []File {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	for i := range distinct {
		b.Append(Word(i))
	}
	words := b.NewArray()
	places := numbers(rows, func(i int) int32 { return int32(i % distinct) })
	typ := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: words.DataType()}
	coded := array.MakeFromData(array.NewDataWithDictionary(typ, rows, []*memory.Buffer{nil, places}, 0, 0,
		words.Data().(*array.Data)))
	v := array.NewStringViewBuilder(memory.DefaultAllocator)
	for i := range rows {
		v.Append(Word(i % distinct))
	}
	viewed := v.NewArray()
	ends := array.MakeFromData(array.NewData(arrow.PrimitiveTypes.Int32, rows,
		[]*memory.Buffer{nil, numbers(rows, func(i int) int32 {
			return int32(i + 1)
		})}, nil, 0, 0))
	runs := array.NewRunEndEncodedArray(ends, coded, rows, 0)
	return []File{
		{"dictionary.arrow", stream(1, coded)}, {"views.arrow", stream(1, viewed)}, {"runs.arrow", stream(1, runs)},
		{"file.arrow", asFile(1, coded)},
		{"dictionary.parquet", written(coded, parquet.WithCompression(compress.Codecs.Snappy))},
		{"delta.parquet", written(viewed, parquet.WithDictionaryDefault(false),
			parquet.WithEncoding(parquet.Encodings.DeltaByteArray), parquet.WithCompression(compress.Codecs.Zstd))},
		{"lengths.parquet", written(viewed, parquet.WithDictionaryDefault(false),
			parquet.WithEncoding(parquet.Encodings.DeltaLengthByteArray),
			parquet.WithDataPageVersion(parquet.DataPageV2))},
	}
}

// written is a Parquet file of one column.
func written(arr arrow.Array, opts ...parquet.WriterProperty) []byte {
	if v, ok := arr.(*array.StringView); ok { // which the writer does not know
		b := array.NewStringBuilder(memory.DefaultAllocator)
		for i := range v.Len() {
			b.Append(v.Value(i))
		}
		arr = b.NewArray()
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "a", Type: arr.DataType(), Nullable: true}}, nil)
	var buf bytes.Buffer
	out, err := pqarrow.NewFileWriter(schema, &buf, parquet.NewWriterProperties(opts...),
		pqarrow.NewArrowWriterProperties())
	if err == nil {
		err = out.Write(array.NewRecordBatch(schema, []arrow.Array{arr}, int64(arr.Len())))
	}
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		panic(err)
	}
	return buf.Bytes()
}
