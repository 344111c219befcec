package columnar

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"catena/internal/parallel"
	"catena/table"
	"catena/table/content"
)

// The metadata keys by which Arrow streams keep what Arrow's own types do not say.
const (
	metaType = "catena.type"
	metaUnit = "catena.unit"

	metaAbout = "catena.about"
	metaTitle = "catena.title"
)

// WriteIPC writes the table as an Arrow IPC stream, one record batch. ReadIPC gives an equal table, units and zones
// included. It ends when ctx does, between the columns' buffers.
func WriteIPC(ctx context.Context, w io.Writer, t *table.Table) error { return writeIPC(ctx, w, t) }

// WriteIPCPacked is WriteIPC with each column's buffers packed by Zstandard, as Arrow's format has it (Message.fbs,
// BodyCompression). ReadIPC reads both. Packing takes long, and gives way to what else the process does.
func WriteIPCPacked(ctx context.Context, w io.Writer, t *table.Table) (err error) {
	parallel.Aside(func() { err = writeIPC(ctx, w, t, ipc.WithZstd()) })
	return err
}

func writeIPC(ctx context.Context, w io.Writer, t *table.Table, opts ...ipc.Option) error {
	schema := arrowSchema(t)
	out := ipc.NewWriter(table.Until(ctx, w), append(opts, ipc.WithSchema(schema))...)
	arrays := make([]arrow.Array, t.NumCols())
	for i := range arrays {
		arrays[i] = t.Array(i)
	}
	batch := array.NewRecordBatch(schema, arrays, int64(t.NumRows()))
	err := ctx.Err()
	if err == nil {
		err = out.Write(batch)
	}
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("table: writing an Arrow stream: %w", err)
	}
	return nil
}

// arrowSchema describes the columns; what Arrow's types do not say is in the fields' metadata.
func arrowSchema(t *table.Table) *arrow.Schema {
	fields := make([]arrow.Field, t.NumCols())
	for i := range fields {
		col := t.Column(i)
		meta := map[string]string{metaType: col.Type.String(), metaUnit: col.Unit}
		if col.About != "" {
			meta[metaAbout] = col.About
		}
		if col.Title != "" {
			meta[metaTitle] = col.Title
		}
		fields[i] = arrow.Field{
			Name:     col.Name,
			Type:     t.Array(i).DataType(),
			Nullable: true,
			Metadata: arrow.MetadataFrom(meta),
		}
	}
	return arrow.NewSchema(fields, nil)
}

// ReadIPC reads an Arrow IPC stream or file of DefaultLimits.Bytes at most. Integers of all widths (unsigned 64-bit
// ones as decimals), floats, decimals (as text beyond 38 digits), texts, dates, timestamps, times and durations of all
// units (cut to microseconds) and dictionaries of these are taken; bytes become text, hexadecimal where they are none;
// structs become columns a.b, what is deeper and lists become JSON. Data that cannot be read give a *FormatError that
// names the column.
func ReadIPC(r io.Reader) (*table.Table, error) {
	lim, end := table.Limits{}.Begin()
	defer end()
	data, err := content.ReadAll(r, "arrow stream", lim)
	if err != nil {
		return nil, err
	}
	return ipcFromBytes(data, &table.LoadReport{Source: "arrow stream"}, lim)
}

// storedLimits are those of what this program wrote itself: a table that could be made and kept is read again, whatever
// its shape.
var storedLimits = table.Limits{Bytes: 1 << 30, Rows: math.MaxInt, Columns: math.MaxInt, CellSize: math.MaxInt}

// storedMemory is the budget of reading one such table. It is not shared: what is our own unfolds to what it was.
const storedMemory = 6 << 30

// ReadStored reads what WriteIPC or WriteIPCPacked wrote into a store of our own. It is ReadIPC without the limits that
// are for what others send: those of rows, columns and cells. The memory that it takes has one.
func ReadStored(data []byte) (*table.Table, error) {
	lim := storedLimits
	lim.Memory = table.NewMemoryBudget(storedMemory)
	lim, end := lim.Begin()
	defer end()
	return ipcFromBytes(data, &table.LoadReport{Source: "stored table"}, lim)
}

func ipcFromBytes(data []byte, report *table.LoadReport, lim table.Limits) (t *table.Table, err error) {
	defer func() { // the Arrow reader panics on some malformed streams
		if p := recover(); p != nil {
			t, err = nil, badColumnar(report.Source, "Arrow", asError(p))
		}
	}()
	schema, batches, err := ipcBatches(data, lim)
	if err != nil {
		return nil, badColumnar(report.Source, "Arrow", err)
	}
	if schema.NumFields() > lim.Columns {
		return nil, table.TooManyColumns(report.Source, lim)
	}
	cols := make([]arrowColumn, schema.NumFields())
	for i, field := range schema.Fields() {
		cols[i] = arrowColumn{field, make([]arrow.Array, len(batches))}
		for b, batch := range batches {
			cols[i].parts[b] = batch.Column(i)
		}
	}
	if t, err = arrowTable(cols, report, lim); err != nil {
		return nil, badColumnar(report.Source, "Arrow", err)
	}
	return t, nil
}

// ipcBatches reads the stream or file form.
func ipcBatches(data []byte, lim table.Limits) (*arrow.Schema, []arrow.RecordBatch, error) {
	check, err := verifyIPC(data, &lim)
	if err != nil {
		return nil, nil, err
	}
	unpacked, size, err := unpackedIPCOf(data, check)
	if err != nil {
		return nil, nil, err
	}
	whole, mem := io.NewSectionReader(unpacked, 0, size), newBoundedAllocator(&lim)
	if bytes.HasPrefix(data, []byte(MagicArrowFile)) {
		f, err := ipc.NewFileReader(whole, ipc.WithAllocator(mem))
		if err != nil {
			return nil, nil, err
		}
		batches := make([]arrow.RecordBatch, f.NumRecords())
		for i := range batches {
			if batches[i], err = f.RecordBatchAt(i); err != nil {
				return nil, nil, err
			}
		}
		return f.Schema(), batches, nil
	}
	in, err := ipc.NewReader(whole, ipc.WithAllocator(mem))
	if err != nil {
		return nil, nil, err
	}
	var batches []arrow.RecordBatch
	for {
		batch, err := in.Read()
		if errors.Is(err, io.EOF) {
			return in.Schema(), batches, nil
		}
		if err != nil {
			return nil, nil, err
		}
		batch.Retain() // the reader lets go of it at the next Read
		batches = append(batches, batch)
	}
}

// ReadArrow reads an Arrow IPC file or stream as one table, named after its source. Limits count rows, columns and the
// bytes of the table as it is read.
func ReadArrow(data []byte, source string, lim table.Limits) ([]table.Named, error) {
	report := table.LoadReport{Source: source, Format: "arrow", Header: true}
	t, err := ipcFromBytes(data, &report, lim)
	if err != nil {
		return nil, err
	}
	return []table.Named{{Name: content.BaseName(source), Table: t, Report: report}}, nil
}

// MagicArrowFile begins an Arrow IPC file.
const MagicArrowFile = "ARROW1"

// MagicArrow begins an Arrow IPC stream: the mark that a message's length follows.
const MagicArrow = "\xff\xff\xff\xff"
