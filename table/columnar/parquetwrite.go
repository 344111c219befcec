package columnar

import (
	"context"
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

// WriteParquet writes the table as a Parquet file, compressed by Zstandard. Types, units and zones are kept: File and
// Tables give an equal table. Readers that know nothing of Catena find decimals, dates, timestamps and times by
// Parquet's own types; JSON is text to them. Durations are integers to those that do not read Arrow's schema out of the
// metadata.
//
// It ends when ctx does.
func WriteParquet(ctx context.Context, w io.Writer, t *table.Table) error {
	schema, arrays, err := parquetForm(t)
	if err != nil {
		return fmt.Errorf("table: writing Parquet: %w", err)
	}
	props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithMaxRowGroupLength(parquetRows), parquet.WithCreatedBy("catena"))
	out, err := pqarrow.NewFileWriter(schema, keepOpen{table.Until(ctx, w)}, props, pqarrow.NewArrowWriterProperties())
	if err != nil {
		return fmt.Errorf("table: writing Parquet: %w", err)
	}
	err = writeInParts(ctx, out, array.NewRecordBatch(schema, arrays, int64(t.NumRows())))
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("table: writing Parquet: %w", err)
	}
	return nil
}

// partRows is after how many rows it is asked whether the writing goes on.
const partRows = 1 << 16

// writeInParts writes rows into a file, some at a time, until ctx ends.
func writeInParts(ctx context.Context, out *pqarrow.FileWriter, rows arrow.RecordBatch) error {
	for from := int64(0); from < rows.NumRows() || from == 0; from += partRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := rows.NewSlice(from, min(from+partRows, rows.NumRows()))
		err := out.WriteBuffered(part)
		part.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// parquetForm is the table as Parquet can store it: durations are integers, and the schema's metadata have the Arrow
// schema that says what they are.
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
