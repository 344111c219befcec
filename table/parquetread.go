package table

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

const magicParquet = "PAR1"

// readParquet reads a Parquet file. Objects in a column become columns of their own (a.b), what is deeper and lists become JSON. Limits count rows, leaf columns and the
// bytes of the table as it is read.
func readParquet(data []byte, source string, lim Limits) (named []Named, err error) {
	defer func() { // the reader panics on some damaged files
		if p := recover(); p != nil {
			named, err = nil, badParquet(source, asError(p))
		}
	}()
	// The allocator panics at its limit; all reading is done on this goroutine so that it is caught here.
	mem := &boundedAllocator{Allocator: memory.NewGoAllocator(), left: memoryFactor * lim.Bytes, lim: lim}
	props := parquet.NewReaderProperties(mem)
	props.BufferedStreamEnabled = true
	props.MaxUncompressedPageSize, props.MaxCompressedPageSize = min(parquet.DefaultMaxUncompressedPageSize, lim.Bytes), min(parquet.DefaultMaxCompressedPageSize, lim.Bytes)
	rdr, err := file.NewParquetReader(bytes.NewReader(data), file.WithReadProps(props))
	if err != nil {
		return nil, badParquet(source, err)
	}
	defer rdr.Close()
	if err := checkParquet(rdr, int64(len(data)), source, lim); err != nil {
		return nil, err
	}
	if err := verifyOrigin(rdr.MetaData().KeyValueMetadata()); err != nil {
		return nil, badParquet(source, err)
	}
	durations, err := hideDurations(rdr.MetaData().KeyValueMetadata())
	if err != nil {
		return nil, badParquet(source, err)
	}
	fr, err := pqarrow.NewFileReader(rdr, pqarrow.ArrowReadProperties{BatchSize: 64 << 10}, mem)
	if err != nil {
		return nil, badParquet(source, err)
	}
	read, err := fr.ReadTable(lim.context())
	if err != nil {
		return nil, badParquet(source, err)
	}
	cols := make([]arrowColumn, read.NumCols())
	for i := range cols {
		cols[i] = arrowColumn{field: read.Schema().Field(i), parts: read.Column(i).Data().Chunks()}.asDurations(durations[i])
	}
	report := LoadReport{Source: source, Format: "parquet", Header: true}
	t, err := arrowTable(cols, &report, lim)
	if err != nil {
		return nil, badParquet(source, err)
	}
	return []Named{{Name: baseName(source), Table: t, Report: report}}, nil
}

// checkParquet holds the metadata against the limits and the size of the file, before any of it asks for memory. Each column's first pages are opened, because the reader opens
// those of nested columns on goroutines of its own, where a panic could not be caught.
func checkParquet(rdr *file.Reader, size int64, source string, lim Limits) error {
	meta := rdr.MetaData()
	leaves := meta.Schema.NumColumns()
	switch {
	case leaves > lim.Columns:
		return tooManyColumns(source, lim)
	case leaves == 0:
		return badParquet(source, errors.New("it has no columns"))
	case meta.NumRows > int64(lim.Rows):
		return tooManyRows(source, lim)
	}
	rows := int64(0)
	for g := range rdr.NumRowGroups() {
		group := rdr.RowGroup(g)
		if n := group.NumRows(); n < 0 || n > int64(lim.Rows) {
			return badParquet(source, fmt.Errorf("row group %d has %d rows", g, n))
		}
		rows += group.NumRows()
		for c := range leaves {
			chunk, err := group.MetaData().ColumnChunk(c)
			if err != nil {
				return badParquet(source, err)
			}
			if n := chunk.TotalCompressedSize(); n < 0 || n > size {
				return badParquet(source, fmt.Errorf("column %d of row group %d goes beyond the end of the file", c+1, g))
			}
			if _, err := group.GetColumnPageReader(c); err != nil {
				return badParquet(source, err)
			}
		}
	}
	if rows > int64(lim.Rows) {
		return tooManyRows(source, lim)
	}
	return nil
}

// badParquet names the source in an error, unless it is one about limits already.
func badParquet(source string, err error) error {
	return badColumnar(source, "Parquet", err)
}

// badColumnar makes the error of columnar data; limits keep their own words.
func badColumnar(source, what string, err error) error {
	var e *FormatError
	if errors.As(err, &e) {
		return e
	}
	if gaveUp(err) {
		return err
	}
	var over *LimitError
	if errors.As(err, &over) {
		return &FormatError{Source: source, Reason: over.Text, Hint: limitHints[over.What], Err: over}
	}
	return &FormatError{Source: source, Reason: "the " + what + " data cannot be read (" + clip(err.Error(), 300) + ")", Hint: "write it again, or export CSV", Err: err}
}

func asError(p any) error {
	if worker, ok := p.(*workerPanic); ok {
		p = worker.value // the stack is for logs
	}
	if err, ok := p.(error); ok {
		return err
	}
	return fmt.Errorf("%v", p)
}

// memoryFactor is how much memory reading may take, as a multiple of Limits.Bytes: pages, what they decode to, and the joined columns.
const memoryFactor = 4

// boundedAllocator is memory of limited size. It panics with a *LimitError beyond it, and with the context's error when that has ended, as Arrow's allocators can give no error. It is for one goroutine.
type boundedAllocator struct {
	memory.Allocator
	left int64
	lim  Limits
}

func (b *boundedAllocator) take(n int) {
	if err := b.lim.ended(); err != nil {
		panic(err)
	}
	if b.left -= int64(n); b.left < 0 {
		panic(&LimitError{What: limitBytes, Limit: b.lim.Bytes, Text: "the table takes more memory than the limit of " + byteCount(b.lim.Bytes) + " allows"})
	}
}

// Allocate gives memory within the limit.
func (b *boundedAllocator) Allocate(size int) []byte {
	b.take(size)
	return b.Allocator.Allocate(size)
}

// Reallocate gives memory within the limit.
func (b *boundedAllocator) Reallocate(size int, old []byte) []byte {
	b.take(size - len(old))
	return b.Allocator.Reallocate(size, old)
}

// Free gives memory back.
func (b *boundedAllocator) Free(old []byte) {
	b.left += int64(len(old))
	b.Allocator.Free(old)
}

// arrowColumn is a column as Arrow has it: in parts.
type arrowColumn struct {
	field arrow.Field
	parts []arrow.Array
}
