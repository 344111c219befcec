package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// The metadata keys by which Arrow streams keep what Arrow's own types do not say.
const (
	metaType = "catena.type"
	metaUnit = "catena.unit"
)

// WriteIPC writes the table as an Arrow IPC stream, one record batch. ReadIPC gives an equal table, units and zones included.
func (t *Table) WriteIPC(w io.Writer) error {
	fields := make([]arrow.Field, t.NumCols())
	for i := range fields {
		col := t.cols[i]
		meta := arrow.MetadataFrom(map[string]string{metaType: col.Type.String(), metaUnit: col.Unit})
		fields[i] = arrow.Field{Name: col.Name, Type: t.arrays[i].DataType(), Nullable: true, Metadata: meta}
	}
	schema := arrow.NewSchema(fields, nil)
	out := ipc.NewWriter(w, ipc.WithSchema(schema))
	var arrays []arrow.Array
	if t != nil {
		arrays = t.arrays
	}
	batch := array.NewRecordBatch(schema, arrays, int64(t.NumRows()))
	err := out.Write(batch)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("table: writing an Arrow stream: %w", err)
	}
	return nil
}

// ReadIPC reads an Arrow IPC stream or file of DefaultLimits.Bytes at most. Integers of all widths (unsigned 64-bit ones as decimals), floats, strings, dictionaries of strings,
// dates, timestamps, times and durations of all units and decimals up to 38 digits are taken; other types give a *FormatError that names the
// column.
func ReadIPC(r io.Reader) (*Table, error) {
	lim := Limits{}.withDefaults()
	data, err := readAll(r, "arrow stream", lim)
	if err != nil {
		return nil, err
	}
	return ipcFromBytes(data, "arrow stream", lim)
}

func ipcFromBytes(data []byte, source string, lim Limits) (t *Table, err error) {
	defer func() { // the Arrow reader panics on some malformed streams
		if p := recover(); p != nil {
			t, err = nil, badArrow(source, fmt.Errorf("%v", p))
		}
	}()
	schema, batches, err := ipcBatches(data)
	if err != nil {
		return nil, badArrow(source, err)
	}
	if schema.NumFields() > lim.Columns {
		return nil, &FormatError{Source: source, Reason: fmt.Sprintf("there are more than %d columns", lim.Columns), Hint: "raise the limit"}
	}
	cols, arrays := make([]Column, schema.NumFields()), make([]arrow.Array, schema.NumFields())
	for i, field := range schema.Fields() {
		parts := make([]arrow.Array, len(batches))
		for b, batch := range batches {
			parts[b] = batch.Column(i)
		}
		if cols[i], arrays[i], err = ipcColumn(field, parts); err != nil {
			return nil, badArrow(source, fmt.Errorf("column %q: %w", field.Name, err))
		}
		if arrays[i].Len() > lim.Rows {
			return nil, &FormatError{Source: source, Reason: fmt.Sprintf("there are more than %d rows", lim.Rows), Hint: "split it or raise the limit"}
		}
	}
	uniqueNames(cols)
	if t, err = New(cols, arrays); err != nil {
		return nil, badArrow(source, err)
	}
	return t, nil
}

func badArrow(source string, err error) *FormatError {
	return &FormatError{Source: source, Reason: "the Arrow data cannot be read (" + err.Error() + ")", Hint: "write it again, or export CSV", Err: err}
}

// ipcBatches reads the stream or file form. Small streams cannot ask for more memory than the reader's own checks allow.
func ipcBatches(data []byte) (*arrow.Schema, []arrow.RecordBatch, error) {
	if bytes.HasPrefix(data, []byte("ARROW1")) {
		f, err := ipc.NewFileReader(bytes.NewReader(data))
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
	in, err := ipc.NewReader(bytes.NewReader(data), ipc.WithAllocator(memory.DefaultAllocator))
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

// ipcColumn joins the parts of a column and brings them to the types that tables store.
func ipcColumn(field arrow.Field, parts []arrow.Array) (Column, arrow.Array, error) {
	col := Column{Name: field.Name}
	col.Unit, _ = field.Metadata.GetValue(metaUnit)
	if len(parts) == 0 {
		parts = []arrow.Array{array.MakeArrayOfNull(memory.DefaultAllocator, field.Type, 0)}
	}
	arr, err := array.Concatenate(parts, memory.DefaultAllocator)
	if err != nil {
		return col, nil, err
	}
	switch dt := field.Type.(type) {
	case *arrow.TimestampType:
		col.Type, col.Zone = DateTime, dt.TimeZone
	case *arrow.Decimal128Type:
		col.Type, col.Scale = Decimal, dt.Scale
	default:
		col.Type = nativeTypes[dt.ID()]
	}
	if name, ok := field.Metadata.GetValue(metaType); ok && name == JSON.String() && col.Type == Text {
		col.Type = JSON
	}
	if col.Scale >= 0 && col.Scale <= maxDigits {
		if _, err := cellsOf(col, arr); err == nil {
			return col, arr, nil
		}
	}
	return foreignColumn(col, arr)
}

var nativeTypes = map[arrow.Type]Type{
	arrow.NULL: Null, arrow.BOOL: Bool, arrow.INT64: Int, arrow.FLOAT64: Float, arrow.STRING: Text, arrow.LARGE_STRING: Text,
	arrow.DATE32: Date, arrow.TIME64: Time, arrow.DURATION: Duration,
}
