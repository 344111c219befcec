package columnar

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"catena/table"
)

// parquetRows is how many rows a row group has.
const parquetRows = 1 << 20

// WriteParquet writes the table as a Parquet file, compressed by Zstandard. Types, units and zones are kept: File and Tables give an equal table. Readers that
// know nothing of Catena find decimals, dates, timestamps and times by Parquet's own types; JSON is text to them. Durations are integers to those that do not read Arrow's schema out of the metadata.
func WriteParquet(w io.Writer, t *table.Table) error {
	schema, arrays, err := parquetForm(t)
	if err != nil {
		return fmt.Errorf("table: writing Parquet: %w", err)
	}
	props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithMaxRowGroupLength(parquetRows), parquet.WithCreatedBy("catena"))
	out, err := pqarrow.NewFileWriter(schema, keepOpen{w}, props, pqarrow.NewArrowWriterProperties())
	if err != nil {
		return fmt.Errorf("table: writing Parquet: %w", err)
	}
	err = out.WriteBuffered(array.NewRecordBatch(schema, arrays, int64(t.NumRows())))
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("table: writing Parquet: %w", err)
	}
	return nil
}

// parquetForm is the table as Parquet can store it: durations are integers, and the schema's metadata have the Arrow schema that says what they are.
func parquetForm(t *table.Table) (*arrow.Schema, []arrow.Array, error) {
	schema := arrowSchema(t)
	origin, err := originSchema(schema)
	if err != nil {
		return nil, nil, err
	}
	fields, arrays := schema.Fields(), make([]arrow.Array, t.NumCols())
	for i := range arrays {
		arrays[i] = t.Array(i)
		if t.Column(i).Type == table.Duration {
			fields[i].Type = arrow.PrimitiveTypes.Int64
			arrays[i] = sameBits(arrays[i], fields[i].Type)
		}
	}
	meta := arrow.MetadataFrom(map[string]string{originKey: origin})
	return arrow.NewSchema(fields, &meta), arrays, nil
}

// sameBits is an array with its numbers taken for another type of the same width.
func sameBits(arr arrow.Array, as arrow.DataType) arrow.Array {
	d := arr.Data()
	return array.MakeFromData(array.NewData(as, d.Len(), d.Buffers(), nil, d.NullN(), d.Offset()))
}

// keepOpen hides Close: the file is the caller's.
type keepOpen struct{ io.Writer }
