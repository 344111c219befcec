package columnar

import (
	"bytes"
	"catena/table"
	"catena/table/tabletest"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/google/go-cmp/cmp"
)

// built is a table of rows.
func built(t *testing.T, cols []table.Column, rows ...[]table.Value) *table.Table {
	t.Helper()
	b := table.NewBuilder(cols...)
	for _, row := range rows {
		if err := b.Append(row...); err != nil {
			t.Fatal(err)
		}
	}
	return b.Table()
}

// TestParquetForeignDurations reads durations as Arrow's writers store them: integers, and a schema in the metadata that gives their unit.
func TestParquetForeignDurations(t *testing.T) {
	units := []arrow.TimeUnit{arrow.Second, arrow.Millisecond, arrow.Microsecond, arrow.Nanosecond}
	for _, unit := range units {
		origin, err := originSchema(arrow.NewSchema([]arrow.Field{{Name: "took", Type: &arrow.DurationType{Unit: unit}, Nullable: true}}, nil))
		if err != nil {
			t.Fatal(err)
		}
		meta := arrow.MetadataFrom(map[string]string{originKey: origin})
		schema := arrow.NewSchema([]arrow.Field{{Name: "took", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}, &meta)
		b := array.NewInt64Builder(memory.DefaultAllocator)
		b.Append(int64(90 * time.Second / unit.Multiplier()))
		b.AppendNull()
		var buf bytes.Buffer
		w, err := pqarrow.NewFileWriter(schema, keepOpen{&buf}, nil, pqarrow.NewArrowWriterProperties())
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(array.NewRecordBatch(schema, []arrow.Array{b.NewArray()}, 2)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		named, err := ReadParquet(buf.Bytes(), "t.parquet", table.DefaultLimits)
		if err != nil {
			t.Fatalf("%s: %v", unit, err)
		}
		if diff := cmp.Diff([]string{"1m30s", "null"}, tabletest.Rows(named[0].Table)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", unit, diff)
		}
	}
}

// TestParquetOwnDurations looks at what other readers find in the metadata.
func TestParquetOwnDurations(t *testing.T) {
	var buf bytes.Buffer
	tab := built(t, []table.Column{{Name: "took", Type: table.Duration}}, []table.Value{table.DurationValue(time.Minute)})
	if err := WriteParquet(t.Context(), &buf, tab); err != nil {
		t.Fatal(err)
	}
	rdr, err := file.NewParquetReader(bytes.NewReader(buf.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	found, err := hideDurations(rdr.MetaData().KeyValueMetadata())
	if err != nil || len(found) != 1 || found[0].Unit != arrow.Microsecond {
		t.Errorf("durations are %v, %v", found, err)
	}
}
