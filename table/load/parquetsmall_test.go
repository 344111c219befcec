package load_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/load"
	"catena/table/tabletest"
)

// leafFile is a Parquet file of one required column, alone or in an object.
func leafFile(t *testing.T, leaf schema.Node, inside bool, write func(w file.ColumnChunkWriter) error) []byte {
	t.Helper()
	fields := schema.FieldList{leaf}
	if inside {
		group, err := schema.NewGroupNode("o", parquet.Repetitions.Required, fields, -1)
		if err != nil {
			t.Fatal(err)
		}
		fields = schema.FieldList{group}
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	w := file.NewParquetWriter(&buf, root)
	group, err := w.AppendRowGroupChecked()
	if err != nil {
		t.Fatal(err)
	}
	col, err := group.NextColumn()
	if err == nil {
		err = write(col)
	}
	for _, end := range []func() error{group.Close, w.Close} {
		if err == nil {
			err = end()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// Integers that are larger than the file says they are come as they are stored.
func TestParquetSmallIntegers(t *testing.T) {
	values := []int32{1, 300, -70000, 1 << 30}
	for _, width := range []int8{8, 16} {
		for _, signed := range []bool{true, false} {
			for _, inside := range []bool{true, false} {
				leaf, err := schema.NewPrimitiveNodeLogical("n", parquet.Repetitions.Required, schema.NewIntLogicalType(width, signed), parquet.Types.Int32, 0, -1)
				if err != nil {
					t.Fatal(err)
				}
				data := leafFile(t, leaf, inside, func(w file.ColumnChunkWriter) error {
					_, err := w.(*file.Int32ColumnChunkWriter).WriteBatch(values, nil, nil)
					return err
				})
				named, err := load.Bytes(data, "t.parquet", table.Limits{})
				if err != nil {
					t.Fatal(width, signed, inside, err)
				}
				if diff := cmp.Diff([]string{"1", "300", "-70000", "1073741824"}, tabletest.Rows(named.Table)); diff != "" {
					t.Errorf("%d bits, signed %v, inside an object %v: %s", width, signed, inside, diff)
				}
			}
		}
	}
}

// A time that no table can hold is refused with its column.
func TestParquetOldTimes(t *testing.T) {
	leaf, err := schema.NewPrimitiveNode("seen at", parquet.Repetitions.Required, parquet.Types.Int96, -1, -1)
	if err != nil {
		t.Fatal(err)
	}
	data := leafFile(t, leaf, false, func(w file.ColumnChunkWriter) error {
		_, err := w.(*file.Int96ColumnChunkWriter).WriteBatch([]parquet.Int96{{8: 1}}, nil, nil)
		return err
	})
	if _, err := load.Bytes(data, "t.parquet", table.Limits{}); err == nil || !strings.Contains(err.Error(), `column "seen at"`) {
		t.Error(err)
	}
}
