package columnar_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"catena/table"
	"catena/table/columnar"
	"catena/table/content"
	"catena/table/load"
	"catena/table/tabletest"
)

// manySorts is batches of columns whose buffers are packed in different ways, or not at all: of zeros, of noise, of
// words, empty ones, views, dictionaries.
func manySorts(tb testing.TB, batches, rows int) (*arrow.Schema, []arrow.RecordBatch) {
	tb.Helper()
	coded := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}
	fields := []arrow.Field{
		{Name: "zeros", Type: arrow.PrimitiveTypes.Int64}, {Name: "noise", Type: arrow.PrimitiveTypes.Int64},
		{Name: "words", Type: arrow.BinaryTypes.String}, {Name: "none", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "views", Type: arrow.BinaryTypes.StringView}, {Name: "coded", Type: coded},
	}
	schema := arrow.NewSchema(fields, nil)
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same each time
	list := make([]arrow.RecordBatch, batches)
	for i := range list {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for row := range rows {
			word := fmt.Sprintf("a word that is too long for a view %d", row%7)
			b.Field(0).(*array.Int64Builder).Append(0)
			b.Field(1).(*array.Int64Builder).Append(random.Int64())
			b.Field(2).(*array.StringBuilder).Append(word)
			b.Field(3).(*array.StringBuilder).AppendNull()
			b.Field(4).(*array.StringViewBuilder).Append(word)
			if err := b.Field(5).(*array.BinaryDictionaryBuilder).AppendString(fmt.Sprint(row % 7)); err != nil {
				tb.Fatal(err)
			}
		}
		list[i] = b.NewRecordBatch()
	}
	return schema, list
}

type batchWriter interface {
	Write(rec arrow.RecordBatch) error
	Close() error
}

func written(tb testing.TB, schema *arrow.Schema, batches []arrow.RecordBatch, file bool, opts ...ipc.Option) []byte {
	tb.Helper()
	var b bytes.Buffer
	var w batchWriter = ipc.NewWriter(&b, append(opts, ipc.WithSchema(schema))...)
	if file {
		made, err := ipc.NewFileWriter(&b, append(opts, ipc.WithSchema(schema))...)
		if err != nil {
			tb.Fatal(err)
		}
		w = made
	}
	for _, batch := range batches {
		if err := w.Write(batch); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestPackedBuffers reads streams and files whose buffers are packed as the same tables that are not.
func TestPackedBuffers(t *testing.T) {
	for _, rows := range []int{0, 1, 100, 100_000} {
		schema, batches := manySorts(t, 2, rows)
		want, err := load.Bytes(written(t, schema, batches, false), "x.arrow", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for name, opts := range map[string][]ipc.Option{
			"plain": nil, "zstd": {ipc.WithZstd()}, "lz4": {ipc.WithLZ4()},
			"zstd where it pays": {ipc.WithZstd(), ipc.WithMinSpaceSavings(.5)},
		} {
			for _, file := range []bool{false, true} {
				got, err := load.Bytes(written(t, schema, batches, file, opts...), "x.arrow", table.Limits{})
				if err != nil {
					t.Errorf("%d rows, %s, file %v: %v", rows, name, file, err)
				} else if got.Table.Fingerprint() != want.Table.Fingerprint() {
					t.Errorf("%d rows, %s, file %v: another table", rows, name, file)
				}
			}
		}
	}
}

// TestDamagedBuffers flips bits of packed streams and files: they are refused, or the table has as many rows.
func TestDamagedBuffers(t *testing.T) {
	const rows = 300
	schema, batches := manySorts(t, 1, rows)
	random := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the same each time
	for _, file := range []bool{false, true} {
		data := written(t, schema, batches, file, ipc.WithZstd())
		for range 2000 {
			broken := bytes.Clone(data)
			broken[random.IntN(len(broken))] ^= 1 << random.IntN(8)
			_, _ = load.Bytes(broken, "x.arrow", table.Limits{Memory: table.NewMemoryBudget(hostileMemory)})
		}
		short := bytes.Clone(data)
		at := bytes.Index(short, []byte(content.MagicZstd)) // it stands behind the length of what it unpacks to
		short[at-8]++
		if _, err := load.Bytes(short, "x.arrow", table.Limits{}); err == nil {
			t.Errorf("file %v: a buffer that unpacks to less than it says is taken", file)
		}
	}
}

// TestPackedMemory reads many batches that are packed to very little: that takes what they unpack to, and not the
// window of a decompressor for each batch.
func TestPackedMemory(t *testing.T) {
	const columns, rows, batches = 4, 1 << 16, 32
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.AppendValues(make([]int64, rows), nil)
	zeros := b.NewArray()
	fields, arrays := make([]arrow.Field, columns), make([]arrow.Array, columns)
	for i := range columns {
		fields[i], arrays[i] = arrow.Field{Name: fmt.Sprint("c", i), Type: arrow.PrimitiveTypes.Int64}, zeros
	}
	schema := arrow.NewSchema(fields, nil)
	list := make([]arrow.RecordBatch, batches)
	for i := range list {
		list[i] = array.NewRecordBatch(schema, arrays, rows)
	}
	const size = batches * columns * rows * 8
	for _, file := range []bool{false, true} {
		data := written(t, schema, list, file, ipc.WithZstd())
		took := tabletest.Allocated(func() {
			if _, err := columnar.ReadStored(data); err != nil {
				t.Error(err)
			}
		})
		t.Logf("file %v: %d MiB for %d", file, took>>20, size>>20)
		if took > 3*size { // one more for batches that are joined
			t.Errorf("file %v: columns of %d MiB took %d MiB to read", file, size>>20, took>>20)
		}
	}
}

// storedTable is a packed table of 40 columns, and about how many bytes it takes in memory.
func storedTable(tb testing.TB) (stored []byte, size uint64) {
	tb.Helper()
	const columns, rows = 40, 5000
	var csv strings.Builder
	for i := range columns {
		fmt.Fprintf(&csv, "name %d,", i)
	}
	for row := range rows {
		csv.WriteString("\n" + strings.Repeat(fmt.Sprintf("some words and a number %d,", row), columns))
	}
	got, err := load.Bytes([]byte(csv.String()), "x.csv", table.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	if err := columnar.WriteIPCPacked(tb.Context(), &b, got.Table); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes(), uint64(csv.Len())
}

func BenchmarkReadStored(b *testing.B) {
	stored, size := storedTable(b)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := columnar.ReadStored(stored); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWritePacked(b *testing.B) {
	stored, size := storedTable(b)
	t, err := columnar.ReadStored(stored)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if err := columnar.WriteIPCPacked(b.Context(), io.Discard, t); err != nil {
			b.Fatal(err)
		}
	}
}
