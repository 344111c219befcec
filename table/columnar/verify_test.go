package columnar_test

import (
	"bytes"
	"catena/table"
	"catena/table/columnar"
	"catena/table/load"
	"catena/table/tabletest"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// TestDamagedCounts puts a great number in the place of each word of Arrow metadata: it is an error, or the table is there, and memory stays
// within bounds. A count that the Arrow reader believes would end the process.
func TestDamagedCounts(t *testing.T) {
	tab := typed(t)
	var written, packed bytes.Buffer
	if err := errors.Join(columnar.WriteIPC(t.Context(), &written, tab), columnar.WriteParquet(t.Context(), &packed, tab)); err != nil {
		t.Fatal(err)
	}
	stream, parquet := written.Bytes(), packed.Bytes()
	var file bytes.Buffer
	if err := writeArrowFile(&file, stream); err != nil {
		t.Fatal(err)
	}
	lim := table.Limits{Bytes: 1 << 20, Rows: 1000, Columns: 100}
	damage := func(t *testing.T, data []byte, at int, do func([]byte) []byte) {
		for _, count := range []uint32{0x7fffffff, 0x00ffffff, 0xfffffff0} {
			broken := bytes.Clone(data)
			binary.LittleEndian.PutUint32(broken[at:], count)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := load.Bytes(do(broken), "x", lim)
			runtime.ReadMemStats(&after)
			var format *table.FormatError
			if err != nil && !errors.As(err, &format) {
				t.Fatalf("word at %d: %v", at, err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Fatalf("word at %d: %d MB", at, used>>20)
			}
		}
	}
	plain := func(b []byte) []byte { return b }
	for at := 0; at+4 <= len(stream) && at < 5000; at += 4 {
		damage(t, stream, at, plain)
	}
	for at := max(8, file.Len()-5000) &^ 3; at+4 <= file.Len(); at += 4 {
		damage(t, file.Bytes(), at, plain)
	}
	start := bytes.Index(parquet, []byte("/////")) // the marks of a stream, in base64
	if start < 0 {
		t.Fatal("the Parquet file has no Arrow schema")
	}
	size := 0
	for c := parquet[start]; c >= '+' && c <= 'z' && c != '-'; c = parquet[start+size] {
		size++
	}
	size -= size % 4
	schema, err := base64.StdEncoding.DecodeString(string(parquet[start : start+size]))
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at+4 <= len(schema); at += 12 {
		damage(t, schema, at, func(b []byte) []byte {
			out := bytes.Clone(parquet)
			base64.StdEncoding.Encode(out[start:], b)
			return out
		})
	}
	if again, err := load.Bytes(file.Bytes(), "x", table.Limits{}); err != nil || again.Table.Fingerprint() != tab.Fingerprint() {
		t.Errorf("the sound file: %v", err)
	}
}

// writeArrowFile writes a stream's batch as a file.
func writeArrowFile(w io.Writer, stream []byte) error {
	in, err := ipc.NewReader(bytes.NewReader(stream))
	if err != nil {
		return err
	}
	out, err := ipc.NewFileWriter(w, ipc.WithSchema(in.Schema()))
	if err != nil {
		return err
	}
	batch, err := in.Read()
	if err != nil {
		return err
	}
	if err := out.Write(batch); err != nil {
		return err
	}
	return out.Close()
}

// TestPackedBatchesTogether reads a stream of batches each of which there is memory for: what all of them unfold to is known from their
// metadata, and none is unpacked where it is too much.
func TestPackedBatchesTogether(t *testing.T) {
	const rows, batches = 1 << 18, 24 // 2 MiB each
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.AppendValues(make([]int64, rows), nil)
	schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, nil)
	batch := array.NewRecordBatch(schema, []arrow.Array{b.NewArray()}, rows)
	var stream bytes.Buffer
	out := ipc.NewWriter(&stream, ipc.WithSchema(schema), ipc.WithZstd())
	for range batches {
		if err := out.Write(batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		lim  table.Limits
		what string
	}{
		"budget": {table.Limits{Memory: table.NewMemoryBudget(40 << 20)}, table.LimitMemory},
		"bytes":  {table.Limits{Bytes: 8 << 20}, table.LimitBytes},
		"enough": {table.Limits{Rows: batches * rows}, ""},
	} {
		var err error
		took := tabletest.Allocated(func() { _, err = load.Bytes(stream.Bytes(), "x.arrow", c.lim) })
		var over *table.LimitError
		switch {
		case c.what == "":
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case !errors.As(err, &over) || over.What != c.what:
			t.Errorf("%s: %v", name, err)
		case took > 1<<20:
			t.Errorf("%s: %d KiB were allocated before it was refused", name, took>>10)
		}
	}
}
